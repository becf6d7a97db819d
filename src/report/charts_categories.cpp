#include <fmt/format.h>

#include <algorithm>

#include "planner/report/charts_parts.hpp"

namespace planner {

namespace {

// Blue is computing, orange moves data between GPUs, grey is the rest. The two hues stay apart for
// every kind of colour blindness, the shades differ in lightness.
constexpr const char* kBlue = "#2f74b8";
constexpr const char* kDarkOrange = "#b3500f";
constexpr const char* kOrange = "#ea9a3e";
constexpr const char* kLightOrange = "#f6cf98";
constexpr const char* kLightBlue = "#8ab6e0";
constexpr const char* kPaleBlue = "#c9ddf1";
constexpr const char* kBrown = "#7d3a0a";
constexpr const char* kTan = "#cf7a33";
constexpr const char* kDarkGrey = "#48535c";
constexpr const char* kGrey = "#6f7c87";
constexpr const char* kLightGrey = "#a9b4bd";
constexpr const char* kPaleGrey = "#ccd4da";
constexpr const char* kOnDark = "#ffffff";
constexpr const char* kOnLight = "#1d252c";

}  // namespace

const std::vector<Category>& part_categories() {
  static const std::vector<Category> kParts{
      {"compute", "GPUs and nodes", kBlue, kOnDark},
      {"nics", "network cards", kBrown, kOnDark},
      {"switches", "switches", kDarkOrange, kOnDark},
      {"transceivers", "transceivers", kOrange, kOnLight},
      {"cables", "cables", kLightOrange, kOnLight},
      {"network", "network as a whole", kDarkOrange, kOnDark},
      {"storage", "storage", kGrey, kOnDark},
      {"facility", "facility", kLightGrey, kOnLight},
      {"other", "other", kPaleGrey, kOnLight},
  };
  return kParts;
}

const std::vector<Category>& time_terms() {
  static const std::vector<Category> kTerms{
      {"last_stage_compute", "compute", kBlue, kOnDark},
      {"last_stage_tp_communication", "tensor parallel", kDarkOrange, kOnDark},
      {"sync", "gradient synchronisation", kOrange, kOnLight},
      {"last_stage_pp_communication", "pipeline transfers", kLightOrange, kOnLight},
      {"bubble_compute", "pipeline bubble", kGrey, kOnDark},
      {"bubble_communication", "bubble, transfers", kLightGrey, kOnLight},
      {"loss_layer", "output layer and loss", kLightBlue, kOnLight},
      {"cp_communication", "context parallel", kBrown, kOnDark},
      {"ep_communication", "expert parallel", kTan, kOnLight},
      {"host", "kernel launches", kDarkGrey, kOnDark},
      {"optimizer", "optimizer", kPaleBlue, kOnLight},
      {"straggling", "slowest GPU of many", kPaleGrey, kOnLight},
  };
  return kTerms;
}

const std::vector<Category>& memory_categories() {
  static const std::vector<Category> kParts{
      {"activations_bytes", "activations", kBlue, kOnDark},
      {"working_set_bytes", "layer at work", kLightBlue, kOnLight},
      {"logits_bytes", "logits", kPaleBlue, kOnLight},
      {"gathered_weights_bytes", "gathered weights", kOrange, kOnLight},
      {"communication_buffers_bytes", "communication buffers", kLightOrange, kOnLight},
      {"weights_bytes", "weights", kDarkGrey, kOnDark},
      {"gradients_bytes", "gradients", kGrey, kOnDark},
      {"optimizer_bytes", "optimizer states", kLightGrey, kOnLight},
      {"framework_reserve_bytes", "framework reserve", kPaleGrey, kOnLight},
  };
  return kParts;
}

double largest_total(const std::vector<Bar>& bars) {
  double largest = 0;
  for (const Bar& bar : bars) largest = std::max(largest, bar.total());
  return largest;
}

std::string largest_share(const std::vector<Bar>& bars, const std::vector<Category>& categories) {
  std::vector<double> sums(categories.size());
  double total = 0;
  for (const Bar& bar : bars) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += bar.values[i];
    total += bar.total();
  }
  const auto largest = std::max_element(sums.begin(), sums.end());
  const auto index = static_cast<std::size_t>(largest - sums.begin());
  return fmt::format("{}: {:.0f} %", categories[index].label, 100 * *largest / total);
}

}  // namespace planner
