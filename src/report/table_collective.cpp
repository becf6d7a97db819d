#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

constexpr int kBarWidth = 20;

/// "1 GiB" or "256 MB": powers of 1024 where the size is a whole number of them.
std::string size_text(Bytes size) {
  struct Unit {
    double bytes;
    const char* name;
  };
  for (const Unit unit : {Unit{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}}) {
    const double count = size.si() / unit.bytes;
    if (count >= 1 && count == static_cast<double>(static_cast<std::int64_t>(count))) {
      return fmt::format("{} {}", grouped(static_cast<std::int64_t>(count)), unit.name);
    }
  }
  for (const Unit unit : {Unit{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}}) {
    if (size.si() >= unit.bytes) {
      return fmt::format("{} {}", significant(size.si() / unit.bytes), unit.name);
    }
  }
  return fmt::format("{} B", significant(size.si()));
}

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

void write_inputs(const CollectiveResult& result, TableWriter& out) {
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

void write_bound(const CollectiveSize& timed, TableWriter& out) {
  const std::optional<double> over = over_bound(timed);
  if (!over) return;
  out.paragraph(fmt::format("bound   {} at the links' full bandwidth, by any algorithm (rail-only "
                            "paper, Appendix A): this takes {} % longer",
                            duration(*timed.bound), significant(100 * (*over - 1))),
                2);
}

void write_terms(const CollectiveTime& time, TableWriter& out) {
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
}

void write_algorithms(const CollectiveResult& result, const CollectiveSize& timed,
                      TableWriter& out) {
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
        "hfreduce is a library of its own, which adds on the CPUs: planner hfreduce shows what "
        "bounds it",
        2);
  } else if (!used.of_library) {
    out.paragraph(fmt::format("{} does no {} by the {} algorithm: timed by its ring's protocols",
                              printable(result.library.name), name_of(result.kind),
                              name_of(used.method.algorithm)),
                  2);
  }
}

/// The numbers that a method puts into its formula.
std::string symbols(const CollectiveResult& result, const TimedAlgorithm& one) {
  if (one.pipeline) {
    return fmt::format("B = {} GB/s, a = {}, s = {} steps, k = {} chunks",
                       bandwidth(one.pipeline->step_rate), duration(one.pipeline->step_latency),
                       one.pipeline->steps, grouped(one.pipeline->chunks));
  }
  const CollectiveMethod& method = one.method;
  const CollectiveLinks links = links_of(result.library, method, result.system.hb_bandwidth,
                                         result.system.network_bandwidth, result.group);
  std::string text = fmt::format("C_F = {} GB/s, C_S = {} GB/s, launch = {}, a_F = {}, a_S = {}",
                                 bandwidth(links.hb), bandwidth(links.net), duration(links.launch),
                                 duration(links.hb_hop), duration(links.net_hop));
  if (method.algorithm == CollectiveAlgorithm::in_switch) {
    text +=
        fmt::format(", C_FS = {} GB/s, a_FS = {}, a_SS = {}", bandwidth(links.hb_in_switch),
                    duration(links.hb_in_switch_latency), duration(links.net_in_switch_latency));
  }
  return text;
}

/// What the formulas of the times shown are, and the numbers that go into them.
void write_formulas(const CollectiveResult& result, const CollectiveSize& timed, TableWriter& out) {
  out.line();
  out.heading("  Formulas");
  for (const TimedAlgorithm& one : timed.algorithms) {
    const auto formula = std::find_if(
        result.formulas.begin(), result.formulas.end(),
        [&](const CollectiveFormula& each) { return each.algorithm == one.method.algorithm; });
    out.line("  " + label(one.method));
    for (const auto& [symbol, value] : formula->definitions) {
      out.paragraph(value, 4, pad_right(symbol + " =", 10));
    }
    out.paragraph(formula->latency, 4, "latency   ");
    out.paragraph(formula->transfer, 4, "transfer  ");
    out.paragraph(symbols(result, one), 4, "with      ");
    out.paragraph(formula->source, 4, "source    ");
  }
  out.paragraph(
      fmt::format("D = {} bytes, x = {:g}, y = {:g}, n = {}", significant(timed.size.si()),
                  result.group.hb, result.group.net, result.gpus),
      2);
}

void write_one(const CollectiveResult& result, const CollectiveSize& timed, TableWriter& out) {
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
  write_terms(timed.time(), out);
  write_algorithms(result, timed, out);
  if (!result.formulas.empty()) write_formulas(result, timed, out);
}

void write_range(const CollectiveResult& result, TableWriter& out) {
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

void write_collective(const Response& response, TableWriter& out) {
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
