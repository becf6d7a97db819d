#include "planner/report/table_collective.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string label(const CollectiveOption& option) {
  return fmt::format("{} · {}", name_of(option.algorithm), printable(option.protocol));
}

BytesPerSecond bus(const CollectiveResult& result, Bytes size, Seconds time) {
  return bus_bandwidth(result.kind, size, result.group().ranks(), time);
}

std::string assumed(const CollectiveResult& result, std::string_view option) {
  const bool given =
      std::find(result.assumed.begin(), result.assumed.end(), option) == result.assumed.end();
  return given ? "" : fmt::format(", assumed: --{}", option);
}

void write_inputs(const CollectiveResult& result, TableWriter& out) {
  const System& system = result.system;
  out.paragraph(
      fmt::format("{} GPU{} on {} ({}{}): {} of each HB domain, {} domain{}; {:g} GB/s inside, "
                  "{:g} GB/s per GPU between domains, {}",
                  grouped(result.gpus), result.gpus == 1 ? "" : "s", printable(system.title),
                  printable(system.name), assumed(result, "system"), grouped(result.per_domain),
                  grouped(result.domains), result.domains == 1 ? "" : "s",
                  system.hb_bandwidth.in(units::GBps), system.network_bandwidth.in(units::GBps),
                  result.reach == NetworkReach::rail_only ? "rails only" : "any GPU to any other"),
      0);
  out.paragraph(fmt::format("latencies and efficiencies: {} ({}{}); switches that reduce: {}",
                            printable(result.library.title), printable(result.library.name),
                            assumed(result, "library"), where_switches_reduce(result.in_switch)),
                0);
}

void write_bound(const CollectiveSize& timed, TableWriter& out) {
  if (!timed.bound || timed.options.empty() || !(*timed.bound > Seconds{})) return;
  const double above = timed.time().total() / *timed.bound - 1;
  out.paragraph(fmt::format("bound   {} at the links' full bandwidth, by any algorithm (rail-only "
                            "paper, Appendix A): this takes {} % longer",
                            duration(*timed.bound), significant(100 * above)),
                2);
}

void write_terms(const CollectiveTime& time, TableWriter& out) {
  out.line();
  out.heading("  Where the time goes");
  const auto term = [&](std::string_view name, Seconds value, bool hidden) {
    if (value == Seconds{}) return;
    out.line("  " + pad_right(name, 22) + pad_left(duration(value), 10) + "  " +
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
}

void write_algorithms(const CollectiveResult& result, const CollectiveSize& timed,
                      TableWriter& out) {
  out.line();
  out.heading("  Algorithms considered");
  const Seconds slowest = timed.options.back().time.total();
  std::vector<std::vector<std::string>> rows{{"", "time", "latency", "bus GB/s", ""}};
  for (const CollectiveOption& option : timed.options) {
    const Seconds total = option.time.total();
    rows.push_back({label(option), duration(total), duration(option.time.latency()),
                    bandwidth(bus(result, timed.size, total)), bar(total / slowest, kBarWidth)});
  }
  out.columns(rows, 2);
}

/// What the formulas of the times shown are, and the numbers that go into them.
void write_formulas(const CollectiveResult& result, const CollectiveSize& timed, TableWriter& out) {
  out.line();
  out.heading("  Formulas");
  for (const CollectiveOption& option : timed.options) {
    const CollectiveFormula formula = collective_formula(result.kind, option.algorithm);
    out.line("  " + label(option));
    out.paragraph(std::string{formula.latency}, 4, "latency   ");
    out.paragraph(std::string{formula.transfer}, 4, "transfer  ");
    out.paragraph(std::string{formula.source}, 4, "source    ");
  }
  out.paragraph(fmt::format("D = {} bytes, x = {}, y = {}, n = {}", significant(timed.size.si()),
                            result.per_domain, result.domains, result.gpus),
                2);
  for (const CollectiveProtocol& protocol : result.library.protocols) {
    const CollectiveLinks links = links_of(result.library, protocol, result.system.hb_bandwidth,
                                           result.system.network_bandwidth);
    out.paragraph(
        fmt::format("C_F = {} GB/s, C_S = {} GB/s, launch {}, a_F = {}, a_S = {}, a_T = {}",
                    bandwidth(links.hb), bandwidth(links.net), duration(links.launch),
                    duration(links.hb_hop), duration(links.net_hop), duration(links.net_tree_hop)),
        2, printable(protocol.name) + ": ");
  }
}

void write_one(const CollectiveResult& result, const CollectiveSize& timed, TableWriter& out) {
  if (timed.options.empty()) {
    out.line("  one GPU: nothing moves");
    return;
  }
  const Seconds total = timed.time().total();
  out.line("  " + bold(fmt::format("{}   {}", result.by_size ? "Best" : "Asked for",
                                   label(timed.options[timed.chosen])),
                       out.style()));
  out.line("  " + bold(duration(total), out.style()) +
           fmt::format("   algorithm bandwidth {} GB/s   bus bandwidth {} GB/s",
                       bandwidth(algorithm_bandwidth(timed.size, total)),
                       bandwidth(bus(result, timed.size, total))));
  write_bound(timed, out);
  write_terms(timed.time(), out);
  write_algorithms(result, timed, out);
  if (result.explain) write_formulas(result, timed, out);
}

void write_range(const CollectiveResult& result, TableWriter& out) {
  const bool bounded = result.sizes.front().bound.has_value();
  std::vector<std::vector<std::string>> rows{
      {"size", "algorithm", "time", "bus GB/s", bounded ? "bound" : ""}};
  for (const CollectiveSize& timed : result.sizes) {
    const Seconds total = timed.time().total();
    const bool none = timed.options.empty();
    rows.push_back({size_text(timed.size), none ? "–" : label(timed.options[timed.chosen]),
                    none ? "0" : duration(total),
                    none ? "–" : bandwidth(bus(result, timed.size, total)),
                    timed.bound ? duration(*timed.bound) : ""});
  }
  out.columns(rows, 2);
}

}  // namespace

std::string_view where_switches_reduce(InSwitchReduction can) {
  if (can.hb) return can.network ? "both" : "hb";
  return can.network ? "network" : "none";
}

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
