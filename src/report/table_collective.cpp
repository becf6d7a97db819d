#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

constexpr int kBarWidth = 20;

std::string bandwidth(BytesPerSecond value) {
  return significant(value.in(units::GBps));
}

std::string label(const CollectiveMethod& method) {
  return fmt::format("{} · {}", name_of(method.algorithm), printable(method.protocol));
}

/// The algorithm that a size is timed by.
const TimedAlgorithm& chosen(const CollectiveSize& timed) {
  return timed.algorithms[timed.chosen];
}

BytesPerSecond bus(const CollectiveResult& result, Bytes size, Seconds time) {
  return bus_bandwidth(result.kind, size, result.group.ranks(), time);
}

std::string assumed(const CollectiveResult& result, std::string_view option) {
  const bool given =
      std::find(result.assumed.begin(), result.assumed.end(), option) == result.assumed.end();
  return given ? "" : fmt::format(", assumed: --{}", option);
}

/// "8", or "5 or 6" where domains are not equally full.
std::string per_domain(const CollectiveGroup& group) {
  const double most = group.fullest().hb, fewest = group.emptiest().hb;
  return most == fewest ? fmt::format("{:g}", most) : fmt::format("{:g} or {:g}", fewest, most);
}

void write_inputs(const CollectiveResult& result, TerminalWriter& out) {
  const System& system = result.system;
  out.paragraph(
      fmt::format("{} GPU{} on {} ({}{}): {} of each HB domain, {} domain{}; {:g} GB/s inside, "
                  "{:g} GB/s per GPU between domains, {}",
                  grouped(result.gpus), result.gpus == 1 ? "" : "s", printable(system.title),
                  printable(system.name), assumed(result, "system"), per_domain(result.group),
                  grouped(static_cast<std::int64_t>(result.group.net)),
                  result.group.net == 1 ? "" : "s", system.hb_bandwidth.in(units::GBps),
                  system.network_bandwidth.in(units::GBps),
                  result.reach == NetworkReach::rail_only ? "rails only" : "any GPU to any other"),
      0);
  out.paragraph(
      fmt::format("latencies and efficiencies: {} ({}{}); switches that reduce: {}",
                  printable(result.library.title), printable(result.library.name),
                  assumed(result, "library"),
                  std::string{name_of(result.in_switch)} + assumed(result, "in-switch-reduction")),
      0);
}

/// A size's time over its bound; nothing where there is none, or nothing moves.
std::optional<double> over_bound(const CollectiveSize& timed) {
  if (!timed.bound || timed.algorithms.empty() || !(*timed.bound > Seconds{})) return std::nullopt;
  return timed.time().total() / *timed.bound;
}

void write_bound(const CollectiveSize& timed, TerminalWriter& out) {
  const std::optional<double> over = over_bound(timed);
  if (!over) return;
  const std::string longer = *over < 2 ? significant(100 * (*over - 1)) + " % longer"
                                       : significant(*over) + " times as long";
  out.paragraph(fmt::format("bound   {} at the links' full bandwidth, by any algorithm (rail-only "
                            "paper, Appendix A): this takes {}",
                            duration(*timed.bound), longer),
                2);
}

void write_terms(CollectiveKind kind, const CollectiveTime& time, TerminalWriter& out) {
  out.line();
  out.heading("  Where the time goes");
  const auto term = [&](std::string_view name, Seconds value, bool hidden) {
    if (value == Seconds{}) return;
    out.line("  " + pad_right(name, 25) + pad_left(duration(value), 10) + "  " +
             bar(value / time.total(), kBarWidth) +
             (hidden ? "  at the same time" : pad_left(percent(value / time.total()), 9)));
  };
  const bool hb_hidden = time.overlapped && time.hb_transfer < time.net_transfer;
  const bool net_hidden = time.overlapped && !hb_hidden;
  term("launch", time.launch, false);
  term("hops in the HB domain", time.hb_latency, false);
  term("hops between domains", time.net_latency, false);
  term("bytes in the HB domain", time.hb_transfer, hb_hidden);
  term("bytes between domains", time.net_transfer, net_hidden);
  term("filling the pipeline", time.pipeline_latency, false);
  term("bytes at its slowest step", time.pipeline_transfer, false);
  if (kind == CollectiveKind::all_to_all) {
    out.paragraph("messages to all GPUs are taken to be under way at once: one hop of each kind",
                  2);
  }
}

void write_algorithms(const CollectiveResult& result, const CollectiveSize& timed,
                      TerminalWriter& out) {
  out.line();
  out.heading("  Algorithms considered");
  Seconds slowest{};
  for (const TimedAlgorithm& one : timed.algorithms) {
    slowest = std::max(slowest, one.time.total());
  }
  std::vector<std::vector<std::string>> rows{{"", "time", "latency", "bus GB/s", ""}};
  for (const TimedAlgorithm& one : timed.algorithms) {
    const Seconds total = one.time.total();
    rows.push_back({label(one.method), duration(total), duration(one.time.latency()),
                    bandwidth(bus(result, timed.size, total)), bar(total / slowest, kBarWidth)});
  }
  out.columns(rows, 2);
  const TimedAlgorithm& used = chosen(timed);
  if (used.pipeline) {
    out.paragraph(
        "hfreduce is a library of its own, which adds on the CPUs, after NVLink pairs where HB "
        "domains are such: planner hfreduce shows what bounds it",
        2);
  } else if (!used.of_library) {
    out.paragraph(fmt::format("{} does no {} by the {} algorithm: timed by its ring's protocols",
                              printable(result.library.name), name_of(result.kind),
                              name_of(used.method.algorithm)),
                  2);
  }
}

/// A number of a formula in the unit of what its symbol stands for.
std::string in_its_unit(const Symbol& symbol) {
  const std::string_view name = symbol.name;
  if (name == "D") return significant(symbol.value) + " bytes";
  if (name == "B" || name.starts_with("C_"))
    return bandwidth(BytesPerSecond{symbol.value}) + " GB/s";
  if (name == "a" || name == "launch" || name.starts_with("a_")) {
    return duration(Seconds{symbol.value});
  }
  return fmt::format("{:g}", symbol.value);
}

/// What the formulas of the times shown are, and the numbers that go into them.
void write_formulas(const CollectiveResult& result, const CollectiveSize& timed,
                    TerminalWriter& out) {
  out.line();
  out.heading("  Formulas");
  for (std::size_t i = 0; i < timed.algorithms.size(); ++i) {
    const auto& [formula, values] = result.formulas[i];
    out.line("  " + label(timed.algorithms[i].method));
    for (const auto& [symbol, value] : formula.definitions) {
      out.paragraph(value, 4, pad_right(symbol + " =", 10));
    }
    std::string numbers;
    for (const Symbol& symbol : values) {
      numbers +=
          fmt::format("{}{} = {}", numbers.empty() ? "" : ", ", symbol.name, in_its_unit(symbol));
    }
    out.paragraph(formula.latency, 4, "latency   ");
    out.paragraph(formula.transfer, 4, "transfer  ");
    out.paragraph(numbers, 4, "with      ");
    out.paragraph(formula.source, 4, "source    ");
  }
}

void write_one(const CollectiveResult& result, const CollectiveSize& timed, TerminalWriter& out) {
  if (timed.algorithms.empty()) {
    out.line("  one GPU: nothing moves");
    return;
  }
  const Seconds total = timed.time().total();
  out.line("  " + bold(fmt::format("{}   {}", result.asked ? "Asked for" : "Best",
                                   label(chosen(timed).method)),
                       out.style()));
  out.line("  " + bold(duration(total), out.style()) +
           fmt::format("   algorithm bandwidth {} GB/s   bus bandwidth {} GB/s",
                       bandwidth(algorithm_bandwidth(timed.size, total)),
                       bandwidth(bus(result, timed.size, total))));
  write_bound(timed, out);
  write_terms(result.kind, timed.time(), out);
  write_algorithms(result, timed, out);
  if (!result.formulas.empty()) write_formulas(result, timed, out);
}

void write_range(const CollectiveResult& result, TerminalWriter& out) {
  const bool bounded = result.sizes.front().bound.has_value();
  std::vector<std::vector<std::string>> rows{{"size", "algorithm", "time", "bus GB/s",
                                              bounded ? "bound" : "",
                                              bounded ? "time / bound" : ""}};
  for (const CollectiveSize& timed : result.sizes) {
    const Seconds total = timed.time().total();
    const bool none = timed.algorithms.empty();
    const std::optional<double> over = over_bound(timed);
    rows.push_back({size_text(timed.size), none ? "–" : label(chosen(timed).method),
                    none ? "0" : duration(total),
                    none ? "–" : bandwidth(bus(result, timed.size, total)),
                    timed.bound ? duration(*timed.bound) : "", over ? significant(*over) : ""});
  }
  out.columns(rows, 2);
}

}  // namespace

void write_collective(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<CollectiveResult>(response.result);
  const bool one = result.sizes.size() == 1;
  out.line(bold(
      one ? fmt::format("{} of {}", name_of(result.kind), size_text(result.sizes.front().size))
          : fmt::format("{} of {} to {}", name_of(result.kind),
                        size_text(result.sizes.front().size), size_text(result.sizes.back().size)),
      out.style()));
  write_inputs(result, out);
  out.line();
  if (one) {
    write_one(result, result.sizes.front(), out);
  } else {
    write_range(result, out);
  }
}

}  // namespace planner
