#include "planner/handover/pipeline_layout.hpp"

#include <fmt/format.h>

#include "planner/core/ceil_div.hpp"
#include "planner/handover/stacks.hpp"

namespace planner::handover {

namespace {

/// `count` times the same: "", "t", "tt", "t*3".
std::string repeated(char layer, std::int64_t count) {
  if (count > 2) return fmt::format("{}*{}", layer, count);
  return std::string(static_cast<std::size_t>(count), layer);
}

}  // namespace

bool needs_layout(const Strategy& strategy, const TransformerSpec& model) {
  const bool even = model.layers % strategy.pp.total() == 0 || ends_share(strategy, model);
  return interleaved_chunks(strategy) > 1 && !even;
}

std::vector<std::int64_t> layers_of_chunks(const Strategy& strategy, const TransformerSpec& model) {
  const std::int64_t p = strategy.pp.total(), v = interleaved_chunks(strategy);
  const std::int64_t most = ceil_div(model.layers, p), rest = model.layers - (p - 1) * most;
  std::vector<std::int64_t> layers;
  for (std::int64_t chunk = 0; chunk < v; ++chunk) {
    layers.insert(layers.end(), static_cast<std::size_t>(p - 1), most / v);
    layers.push_back(rest / v + (chunk < rest % v ? 1 : 0));
  }
  return layers;
}

std::string pipeline_layout(const Strategy& strategy, const TransformerSpec& model) {
  std::vector<std::string> chunks;
  for (const std::int64_t layers : layers_of_chunks(strategy, model)) {
    chunks.push_back(repeated('t', layers));
  }
  chunks.front().insert(0, "E");
  chunks.back() += repeated('m', model.mtp_layers) + "L";
  std::string layout;
  for (std::size_t next, at = 0; at < chunks.size(); at = next) {
    next = at + 1;
    while (next < chunks.size() && chunks[next] == chunks[at]) ++next;
    if (next == chunks.size()) {
      layout += chunks[at];
    } else if (next - at == 1) {
      layout += chunks[at] + '|';
    } else {
      layout += fmt::format("({}|)*{},", chunks[at], next - at);
    }
  }
  return layout;
}

}  // namespace planner::handover
