#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

constexpr int kBarWidth = 32;

/// Behind a PCIe switch, GPUs have the switch's port between them.
std::string words(ReduceResource resource, bool behind_switches) {
  switch (resource) {
    case ReduceResource::host_memory:
      return "host memory";
    case ReduceResource::network:
      return "network";
    case ReduceResource::host_bridge:
      return "host bridge";
    case ReduceResource::pcie:
      return behind_switches ? "PCIe per switch" : "PCIe per GPU";
    case ReduceResource::cpu_reduce:
      return "CPU adding";
    case ReduceResource::nvlink:
      return "NVLink bridge";
    case ReduceResource::zone_link:
      return "zone link";
  }
  return "";
}

std::string words(ReduceResource resource, const HfReduceResult& result) {
  return words(resource, result.node.pcie->gpus_per_switch.has_value());
}

std::string gbps(BytesPerSecond bandwidth) {
  return significant(bandwidth.in(units::GBps));
}

std::string gbps(const std::optional<BytesPerSecond>& bandwidth) {
  return bandwidth ? gbps(*bandwidth) : "–";
}

std::string signed_percent(double share) {
  return fmt::format("{:+.1f} %", 100 * share + 0.0);
}

std::string measured_words(const HfReduceResult& result) {
  std::string text;
  if (result.options.nodes == 1) return text;  // all were measured on several
  for (const MeasuredReduce& measured : result.node.measured_reduce) {
    if (measured.nvlink_pairs != result.options.nvlink_pairs) continue;
    text += (text.empty() ? "measured: " : "; ") + printable(measured.library);
    text += measured.high ? fmt::format(" {} to {} GB/s", gbps(measured.low), gbps(measured.high))
                          : fmt::format(" more than {} GB/s", gbps(measured.low));
  }
  return text;
}

void write_head(const HfReduceResult& result, TerminalWriter& out) {
  const HfReduceBounds& bounds = result.bounds;
  out.line(bold(fmt::format("HFReduce on {}, {}", printable(result.node.title),
                            result.nodes ? fmt::format("{} node{}", grouped(*result.nodes),
                                                       *result.nodes == 1 ? "" : "s")
                                         : std::string{"many nodes"}),
                out.style()));
  std::string next;
  if (bounds.next) {
    next = fmt::format("; next bound: {} {} GB/s, {}", words(*bounds.next, result),
                       gbps(bounds.gains.front().bandwidth),
                       signed_percent(bounds.gains.front().gain));
  }
  out.paragraph(fmt::format("at most {} GB/s of gradients per GPU, set by the {}{}",
                            gbps(bounds.bandwidth), words(bounds.bottleneck, result), next),
                0);
  if (result.nccl) {
    out.paragraph(fmt::format("NCCL's ring on the same node: at most {} GB/s", gbps(result.nccl)),
                  0);
  }
  const std::string measured = measured_words(result);
  if (result.change == NodeChange{} && !result.options.memcpy_h2d && !measured.empty()) {
    out.paragraph(measured, 0);
  }
}

void write_operations(const HfReduceResult& result, TerminalWriter& out) {
  const MemoryOperations& operations = result.bounds.operations;
  out.line();
  out.heading("  Host memory operations per unit of a GPU's gradients", "Fire-Flyer §IV-D3");
  out.columns({{"", "reads", "writes"},
               {"D2H", "", significant(operations.d2h_writes)},
               {"adding in the node", significant(operations.reduce_reads),
                significant(operations.reduce_writes)},
               {"network, and adding what arrives", significant(operations.network_reads),
                significant(operations.network_writes)},
               {result.options.memcpy_h2d ? "H2D, MemcpyAsync" : "H2D, GDRCopy",
                significant(operations.h2d_reads), ""},
               {"total, reads and writes", "", significant(operations.total())}},
              2);
}

void write_bounds(const HfReduceResult& result, TerminalWriter& out) {
  double largest = 0;
  for (const ReduceBound& bound : result.bounds.bounds) {
    if (bound.bandwidth) largest = std::max(largest, bound.bandwidth->si());
  }
  out.line();
  out.heading("  Bounds, GB/s");
  std::vector<std::vector<std::string>> rows;
  for (const ReduceBound& bound : result.bounds.bounds) {
    using R = ReduceResource;
    if (!bound.bandwidth && bound.resource != R::cpu_reduce) continue;
    rows.push_back({words(bound.resource, result), gbps(bound.bandwidth),
                    bound.bandwidth ? bar(bound.bandwidth->si() / largest, kBarWidth)
                                    : pad_right("not known", kBarWidth)});
  }
  out.columns(rows, 2);
}

void write_gains(const HfReduceResult& result, TerminalWriter& out) {
  if (result.bounds.gains.empty()) return;
  out.line();
  out.heading("  Lifting the bounds, one after the other");
  std::vector<std::vector<std::string>> rows{{"", "GB/s", "gain"}};
  for (const ReduceGain& gain : result.bounds.gains) {
    rows.push_back({words(gain.lifted, result), gbps(gain.bandwidth), signed_percent(gain.gain)});
  }
  out.columns(rows, 2);
}

void write_what_ifs(const HfReduceResult& result, TerminalWriter& out) {
  out.line();
  out.heading("  What if");
  std::vector<std::vector<std::string>> rows{{"", "flag", "GB/s", "gain", "set by", "NCCL ≤"}};
  for (const WhatIf& what_if : result.what_ifs) {
    rows.push_back({what_if.name, what_if.flag, gbps(what_if.bounds.bandwidth),
                    signed_percent(what_if.bounds.bandwidth / result.bounds.bandwidth - 1),
                    words(what_if.bounds.bottleneck, what_if.pcie_switches), gbps(what_if.nccl)});
  }
  out.columns(rows, 2);
  for (const WhatIf& what_if : result.what_ifs) {
    if (!what_if.assumes.empty()) out.paragraph(what_if.name + ": " + what_if.assumes, 2);
  }
}

void write_scaling(const HfReduceResult& result, TerminalWriter& out) {
  out.line();
  out.heading(fmt::format("  {} by number of nodes, chunks in a double binary tree",
                          size_text(result.message)));
  std::vector<std::vector<std::string>> rows{
      {"nodes", "GPUs", "tree edges", "chunks", "time", "GB/s", "NCCL ≤"}};
  for (const HfReduceScale& row : result.scaling) {
    rows.push_back({grouped(row.nodes), grouped(row.nodes * result.node.accelerators),
                    grouped(tree_depth(static_cast<double>(row.nodes))), grouped(row.reduce.chunks),
                    duration(row.reduce.time), gbps(row.reduce.bandwidth), gbps(row.nccl)});
  }
  out.columns(rows, 2);
  const bool assumed = std::find(result.assumed.begin(), result.assumed.end(), "step-latency") !=
                       result.assumed.end();
  out.paragraph(fmt::format("{} per step of the pipeline{}; NCCL's rate leaves latency out",
                            duration(result.step_latency),
                            assumed ? " (NCCL's table; HFReduce's is not published)" : ""),
                2);
}

std::vector<std::string> library_row(const char* name, const LibraryOverlap& library) {
  return {name, gbps(library.bandwidth), duration(library.overlap.communication),
          duration(library.overlap.exposed), duration(library.iteration)};
}

void write_training(const HfReduceTraining& training, TerminalWriter& out) {
  out.line();
  out.heading(fmt::format("  {}, {} of gradients per GPU, {} of compute", printable(training.model),
                          gigabytes(training.gradients) + " GB", duration(training.compute)),
              "Fire-Flyer §V-A");
  std::vector<std::vector<std::string>> rows{{"", "GB/s", "all-reduce", "exposed", "iteration"},
                                             library_row("HFReduce", training.hfreduce)};
  if (training.nccl) rows.push_back(library_row("NCCL, at best", *training.nccl));
  out.columns(rows, 2);
  out.paragraph(
      fmt::format("{} of backward overlap {} buckets; HFReduce takes nothing of the GPU, NCCL's "
                  "kernels {} of it",
                  duration(training.inputs.backward), grouped(training.inputs.buckets),
                  percent(training.nccl_kernel_share)),
      2);
}

std::vector<std::string> rate_row(const char* name, const StorageRate& rate,
                                  const std::optional<BytesPerSecond>& measured) {
  std::string set_by{name_of(rate.bottleneck)};
  std::replace(set_by.begin(), set_by.end(), '_', ' ');
  return {name, gbps(rate.bandwidth), set_by, measured ? gbps(measured) : ""};
}

/// @param measured  of the whole system: shown where the rates are the whole system's too
void write_storage(const HfReduceStorage& storage, const std::optional<BytesPerSecond>& measured,
                   TerminalWriter& out) {
  out.line();
  out.heading(fmt::format("  Storage, {}: {} SSDs, {} PiB usable", printable(storage.system.title),
                          grouped(storage.rates.ssds),
                          significant(storage.rates.usable.si() / std::exp2(50))),
              "Fire-Flyer §VI-B");
  out.columns({{"", "GB/s at most", "set by", measured ? "measured" : ""},
               rate_row("read", storage.rates.read, measured),
               rate_row("write", storage.rates.write, std::nullopt)},
              2);
  if (!storage.system.ssd_read_bandwidth || !storage.system.ssd_write_bandwidth) {
    out.paragraph("the SSDs' own rates are not known", 2);
  }
  if (!storage.checkpoint) return;
  const CheckpointTime& checkpoint = *storage.checkpoint;
  std::string text = fmt::format(
      "a checkpoint of {} GB: {} to host memory, then at least {} to save",
      gigabytes(checkpoint.size), duration(checkpoint.device_to_host), duration(checkpoint.save));
  if (checkpoint.save_at_measured_rate) {
    text += fmt::format(", {} at the measured rate", duration(*checkpoint.save_at_measured_rate));
  }
  if (checkpoint.interval_share) {
    text += fmt::format(" ({} of the time between two)", percent(*checkpoint.interval_share));
  }
  out.paragraph(text, 2);
}

void write_assumptions(const HfReduceResult& result, TerminalWriter& out) {
  if (result.assumptions.empty()) return;
  out.line();
  out.heading("  Taken for granted");
  for (const std::string& text : result.assumptions) out.paragraph(text, 2);
}

}  // namespace

void write_hfreduce(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<HfReduceResult>(response.result);
  write_head(result, out);
  write_operations(result, out);
  write_bounds(result, out);
  write_gains(result, out);
  write_what_ifs(result, out);
  write_scaling(result, out);
  if (result.training) write_training(*result.training, out);
  if (result.storage) {
    write_storage(*result.storage,
                  result.nodes ? std::nullopt : result.storage->system.measured_read, out);
  }
  write_assumptions(result, out);
}

}  // namespace planner
