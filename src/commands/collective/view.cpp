#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/collective/collective.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/commands/parts/assumed.hpp"
#include "planner/commands/parts/explanation.hpp"
#include "planner/present/charts/charts.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

constexpr int kBarWidth = 20;

std::string label(const TimedCollective& timed) {
  return fmt::format("{} · {}", name_of(*timed.algorithm), timed.protocol);
}

Cell bandwidth(const std::optional<BytesPerSecond>& value) {
  return value ? number(value->in(units::GBps), "GB/s") : none();
}

/// A figure under a header that has its unit.
Cell without_unit(Cell cell) {
  if (cell.is_number()) cell.text = significant(*cell.number());
  return cell;
}

/// "8", or "5 or 6" where domains are not equally full.
std::string per_domain(const CollectiveGroup& group) {
  const double most = group.fullest().hb, fewest = group.emptiest().hb;
  return most == fewest ? fmt::format("{:g}", most) : fmt::format("{:g} or {:g}", fewest, most);
}

void add_inputs(const CollectiveAnswer& answer, Document& document) {
  const CollectiveInputs& in = answer.inputs;
  const auto assumed = [&](const char* option) { return assumed_note(in.assumed, option); };
  const auto titled = [&](const std::string& title, const std::string& name, const char* option) {
    return fmt::format("{} ({}{})", title.empty() ? name : title, name, assumed(option));
  };
  const double domains = answer.group.net;
  document.add(Text{
      .text =
          fmt::format("{} GPU{} on {}: {} of each HB domain, {} domain{}; {:g} GB/s inside, "
                      "{:g} GB/s per GPU between domains, {}",
                      grouped(in.gpus), in.gpus == 1 ? "" : "s",
                      titled(in.system_title, in.system, kSystemOption), per_domain(answer.group),
                      grouped(static_cast<std::int64_t>(domains)), domains == 1 ? "" : "s",
                      in.hb_bandwidth.in(units::GBps), in.network_bandwidth.in(units::GBps),
                      in.reach == NetworkReach::rail_only ? "rails only" : "any GPU to any other"),
      .indent = 0});
  document.add(
      Text{.text = fmt::format("latencies and efficiencies: {}; switches that reduce: {}{}",
                               titled(in.library_title, in.library, kLibraryOption),
                               name_of(in.in_switch), assumed(kInSwitchOption)),
           .indent = 0});
}

/// What the network leaves of a card, and why.
void add_network(const CollectiveAnswer& answer, Document& document) {
  const CollectiveInputs& in = answer.inputs;
  if (in.topology && in.routing) {
    document.add(Text{
        .text = fmt::format("routed by {} over a {} network", name_of(*in.routing), *in.topology),
        .indent = 0});
  }
  if (in.transport_limit) {
    const BytesPerSecond limit = *in.transport_limit;
    const std::string enough =
        in.enough_buffer ? fmt::format("{} of each channel would do", size_text(*in.enough_buffer))
                         : "no buffer is enough for messages of this size";
    document.add(
        Text{.text = fmt::format("the transport sends {} GB/s at most, {} the card's {}; {}",
                                 significant(limit.in(units::GBps)),
                                 limit < in.network_bandwidth ? "less than" : "no less than",
                                 significant(in.network_bandwidth.in(units::GBps)), enough),
             .indent = 0});
  }
  if (!in.topology || answer.sizes.empty() || answer.sizes.front().algorithms.empty()) return;
  Table table{.header = {"algorithm", "S", "GB/s of a card"}};
  std::vector<CollectiveAlgorithm> shown;
  for (const TimedCollective& one : answer.sizes.front().algorithms) {
    if (!one.algorithm || std::count(shown.begin(), shown.end(), *one.algorithm) > 0) continue;
    shown.push_back(*one.algorithm);
    table.add({words(std::string{name_of(*one.algorithm)}), number(one.slowdown),
               number(one.network.value_or(in.network_bandwidth).in(units::GBps))});
  }
  document.add(Section{"What the network leaves"});
  document.add(std::move(table));
}

/// What one row says in all formats but the terminal's.
struct Timed {
  const CollectiveSize* size;
  const TimedCollective* by;
};

Table all_figures(const std::vector<Timed>& rows) {
  const auto any = [&](auto&& has) { return std::any_of(rows.begin(), rows.end(), has); };
  const bool bounded = any([](const Timed& row) { return row.size->bound.has_value(); });
  Table table{.header = {"bytes", "algorithm", "protocol", "time", "algorithm bandwidth",
                         "bus bandwidth", "latency", "transfer"}};
  if (bounded) table.header.insert(table.header.end(), {"bound", "time / bound"});
  for (const auto& [size, by] : rows) {
    std::vector<Cell> cells{{.value = size->size.si(), .text = size_text(size->size)},
                            by->algorithm ? words(std::string{name_of(*by->algorithm)}) : none(),
                            by->algorithm ? words(by->protocol) : none(),
                            present::time(by->time.total()),
                            bandwidth(by->algorithm_bandwidth),
                            bandwidth(by->bus_bandwidth),
                            present::time(by->time.latency()),
                            present::time(by->time.transfer())};
    if (bounded) {
      cells.push_back(size->bound ? present::time(*size->bound) : none());
      const bool comparable = size->bound && *size->bound > Seconds{};
      cells.push_back(comparable ? number(by->time.total() / *size->bound) : none());
    }
    table.add(std::move(cells));
  }
  return table;
}

void add_headline(const CollectiveAnswer& answer, const CollectiveSize& size, Document& document) {
  document.add(Text{.text = label(size.used),
                    .lead = answer.inputs.asked ? "Asked for   " : "Best   ",
                    .emphasis = Emphasis::strong,
                    .wrap = false,
                    .apart = true});
  document.add(
      Figures{.figures = {{"time", present::time(size.used.time.total()), "{}"},
                          {"algorithm bandwidth", bandwidth(size.used.algorithm_bandwidth)},
                          {"bus bandwidth", bandwidth(size.used.bus_bandwidth)}},
              .strong = true});
  const auto over = size.over_bound();
  if (!over) return;
  const std::string longer = *over < 2 ? significant(100 * (*over - 1)) + " % longer"
                                       : significant(*over) + " times as long";
  document.add(Text{
      .text = fmt::format("bound   {} at the links' full bandwidth, by any algorithm (rail-only "
                          "paper, Appendix A): this takes {}",
                          duration(*size.bound), longer)});
}

void add_terms(const CollectiveAnswer& answer, const CollectiveTime& time, Document& document) {
  document.add(Section{"Where the time goes"});
  Bars bars{.rows = {}, .width = kBarWidth};
  const auto term = [&](const char* name, Seconds value, bool hidden = false) {
    if (value == Seconds{}) return;
    bars.rows.push_back({.name = name,
                         .cell = present::time(value),
                         .share = value / time.total(),
                         .why_not = hidden ? "at the same time" : ""});
  };
  const bool hb_hidden = time.overlapped && time.hb_transfer < time.net_transfer;
  term("launch", time.launch);
  term("hops in the HB domain", time.hb_latency);
  term("hops between domains", time.net_latency);
  term("bytes in the HB domain", time.hb_transfer, hb_hidden);
  term("bytes between domains", time.net_transfer, time.overlapped && !hb_hidden);
  term("filling the pipeline", time.pipeline_latency);
  term("bytes at its slowest step", time.pipeline_transfer);
  document.add(std::move(bars));
  if (answer.inputs.kind == CollectiveKind::all_to_all) {
    const std::string hops =
        answer.group.hops && answer.group.hb > 1
            ? fmt::format("as many hops as to the farthest chip of a torus, {:g}",
                          *answer.group.hops)
            : "one hop of each kind";
    document.add(Text{"messages to all GPUs are taken to be under way at once: " + hops});
  }
}

void add_algorithms(const CollectiveInputs& in, const CollectiveSize& size, Document& document) {
  document.add(Section{"Algorithms considered"});
  std::vector<Timed> all;
  Seconds slowest{};
  for (const TimedCollective& one : size.algorithms) {
    all.push_back({&size, &one});
    slowest = std::max(slowest, one.time.total());
  }
  document.detail(all_figures(all));
  Table table{.header = {"", "time", "latency", "bus GB/s", ""}};
  for (const TimedCollective& one : size.algorithms) {
    const Seconds total = one.time.total();
    table.add({words(label(one)), present::time(total), present::time(one.time.latency()),
               without_unit(bandwidth(one.bus_bandwidth)), words(bar(total / slowest, kBarWidth))});
  }
  document.blocks.push_back({std::move(table), Where::terminal});
  if (size.used.algorithm == CollectiveAlgorithm::hfreduce) {
    document.add(
        Text{"hfreduce is a library of its own, which adds on the CPUs, after NVLink pairs where "
             "HB domains are such: planner hfreduce shows what bounds it"});
  } else if (!size.used.of_library) {
    document.add(
        Text{fmt::format("{} does no {} by the {} algorithm: timed by its ring's protocols",
                         in.library, name_of(in.kind), name_of(*size.used.algorithm))});
  }
}

void add_formulas(const CollectiveAnswer& answer, Document& document) {
  if (answer.formulas.empty()) return;
  document.add(explanation_heading());
  const auto& algorithms = answer.sizes.front().algorithms;
  for (std::size_t i = 0; i < answer.formulas.size(); ++i) {
    document.add(Text{.text = i < algorithms.size()
                                  ? label(algorithms[i])
                                  : std::string{name_of(answer.formulas[i].formula.algorithm)},
                      .emphasis = Emphasis::strong,
                      .apart = true});
    document.add(Text{.text = answer.formulas[i].formula.source, .indent = 4});
    document.add(derivation_of(answer.formulas[i].terms));
  }
}

void add_range(const CollectiveAnswer& answer, Document& document) {
  document.add(Section{"By size"});
  const bool bounded = answer.sizes.front().bound.has_value();
  std::vector<Timed> all;
  Table table{.header = {"size", "algorithm", "time", "bus GB/s"}};
  if (bounded) table.header.insert(table.header.end(), {"bound", "time / bound"});
  for (const CollectiveSize& size : answer.sizes) {
    all.push_back({&size, &size.used});
    const bool none_moves = !size.used.algorithm;
    std::vector<Cell> cells{words(size_text(size.size)),
                            none_moves ? none() : words(label(size.used)),
                            none_moves ? words("0") : present::time(size.used.time.total()),
                            without_unit(bandwidth(size.used.bus_bandwidth))};
    if (bounded) {
      const auto over = size.over_bound();
      cells.push_back(size.bound ? present::time(*size.bound) : Cell{});
      cells.push_back(over ? number(*over) : Cell{});
    }
    table.add(std::move(cells));
  }
  document.detail(all_figures(all));
  document.blocks.push_back({std::move(table), Where::terminal});
}

/// Bus bandwidth over sizes; nothing for a single one.
void add_chart(const CollectiveAnswer& answer, Document& document) {
  Json values = Json::array();
  double most = 0;
  std::string at_size;
  for (const CollectiveSize& size : answer.sizes) {
    if (!size.used.bus_bandwidth) continue;
    const double reached = size.used.bus_bandwidth->in(units::GBps);
    const std::string name = size_text(size.size);
    values.push_back(
        {{"size", name},
         {"bandwidth", reached},
         {"time", duration(size.used.time.total())},
         {"algorithm", fmt::format("{} {}", name_of(*size.used.algorithm), size.used.protocol)}});
    if (reached <= most) continue;
    most = reached;
    at_size = name;
  }
  if (values.size() < 2) return;
  const std::string title =
      fmt::format("At most {} GB/s of bus bandwidth, at {}", significant(most), at_size);
  Json spec = chart_frame(
      title, fmt::format("Bus bandwidth of {} as nccl-tests count it, by the size of the buffer",
                         name_of(answer.inputs.kind)));
  spec["height"] = 320;
  spec["data"] = {{"values", values}};
  spec["encoding"] = {
      {"x",
       {{"field", "size"},
        {"type", "ordinal"},
        {"sort", nullptr},
        {"axis", {{"title", "size"}, {"labelAngle", 0}, {"labelOverlap", true}}}}},
      {"y", {{"field", "bandwidth"}, {"type", "quantitative"}, {"axis", {{"title", "GB/s"}}}}}};
  Json tip = Json::array();
  for (const char* field : {"size", "algorithm", "time"}) {
    tip.push_back({{"field", field}, {"type", "nominal"}});
  }
  tip.push_back({{"field", "bandwidth"}, {"type", "quantitative"}, {"format", ".3~r"}});
  spec["layer"] = {
      {{"mark", {{"type", "line"}, {"color", color::of(Shade::light_grey)}, {"strokeWidth", 2}}}},
      {{"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}},
       {"encoding",
        {{"color",
          {{"field", "algorithm"},
           {"type", "nominal"},
           {"sort", nullptr},
           {"title", nullptr},
           {"legend", {{"orient", "bottom"}}}}},
         {"tooltip", tip}}}}};
  document.add(Charts{
      [chart = drawn("bandwidth_by_size", title, std::move(spec))] { return std::vector{chart}; }});
}

}  // namespace

Document collective_view(const CollectiveAnswer& answer) {
  const auto& sizes = answer.sizes;
  Document document{.kicker = "Collective"};
  document.title = fmt::format("{} of {}", name_of(answer.inputs.kind),
                               sizes.empty() ? "nothing" : size_text(sizes.front().size));
  if (sizes.size() > 1) document.title += " to " + size_text(sizes.back().size);
  add_inputs(answer, document);
  if (answer.inputs.unmeasured) {
    document.add(Text{.text = *answer.inputs.unmeasured,
                      .indent = 0,
                      .lead = "Not measured: ",
                      .emphasis = Emphasis::warning});
  }
  add_network(answer, document);
  if (sizes.size() > 1) {
    add_range(answer, document);
    add_formulas(answer, document);
    add_chart(answer, document);
    return document;
  }
  if (sizes.empty() || sizes.front().algorithms.empty()) {
    document.add(Text{.text = "one GPU: nothing moves", .apart = true});
    return document;
  }
  const CollectiveSize& size = sizes.front();
  add_headline(answer, size, document);
  add_terms(answer, size.used.time, document);
  add_algorithms(answer.inputs, size, document);
  add_formulas(answer, document);
  return document;
}

}  // namespace planner::commands
