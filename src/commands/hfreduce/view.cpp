#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/hfreduce/hfreduce.hpp"
#include "planner/commands/parts/assumed.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

constexpr int kBarWidth = 32;

std::string spaced(std::string_view name) {
  std::string text{name};
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// Behind a PCIe switch, GPUs have the switch's port between them.
std::string in_words(ReduceResource resource, bool behind_switches) {
  switch (resource) {
    case ReduceResource::pcie:
      return behind_switches ? "PCIe per switch" : "PCIe per GPU";
    case ReduceResource::cpu_reduce:
      return "CPU adding";
    case ReduceResource::nvlink:
      return "NVLink bridge";
    default:
      return spaced(name_of(resource));
  }
}

Cell gbps(BytesPerSecond rate) {
  return number(rate.in(units::GBps), "GB/s");
}

/// Of a column whose header has the unit.
Cell rate(const std::optional<BytesPerSecond>& rate) {
  return rate ? said(gbps(*rate), significant(rate->in(units::GBps))) : none();
}

Cell gain(double value) {
  return said(share(value), fmt::format("{:+.1f} %", 100 * value + 0.0));
}

void add_head(const HfReduceAnswer& answer, Document& document) {
  const HfReduceBounds& bounds = answer.bounds;
  const auto named = [&](ReduceResource resource) {
    return in_words(resource, answer.inputs.pcie_switches);
  };
  std::string next;
  if (bounds.next && !bounds.gains.empty()) {
    const ReduceGain& first = bounds.gains.front();
    next = fmt::format("; next bound: {} {}, {}", named(*bounds.next), gbps(first.bandwidth).text,
                       gain(first.gain).text);
  }
  document.add(
      Text{.text = fmt::format("at most {} of gradients per GPU, set by the {}{}",
                               gbps(bounds.bandwidth).text, named(bounds.bottleneck), next),
           .indent = 0});
  if (answer.nccl) {
    document.add(Text{
        .text = fmt::format("NCCL's ring on the same node: at most {}", gbps(*answer.nccl).text),
        .indent = 0});
  }
}

/// Rates measured on such a node as it was built; all were measured on several.
void add_measured(const HfReduceAnswer& answer, Document& document) {
  const HfReduceInputs& in = answer.inputs;
  if (answer.reducing_nodes == 1 || in.change != NodeChange{} || in.memcpy_h2d) return;
  std::string text;
  for (const MeasuredReduce& measured : answer.measured) {
    if (measured.nvlink_pairs != in.nvlink_pairs) continue;
    text += (text.empty() ? "measured: " : "; ") + measured.library;
    text += measured.high
                ? fmt::format(" {} to {}", rate(measured.low).text, gbps(*measured.high).text)
                : fmt::format(" more than {}", gbps(measured.low).text);
  }
  if (!text.empty()) document.add(Text{.text = text, .indent = 0});
}

void add_operations(const HfReduceAnswer& answer, Document& document) {
  const MemoryOperations& operations = answer.bounds.operations;
  document.add(
      Section{"Host memory operations per unit of a GPU's gradients", "Fire-Flyer §IV-D3"});
  Table table{.header = {"", "reads", "writes"}};
  const auto add = [&](const char* name, std::optional<double> reads,
                       std::optional<double> writes) {
    table.add({words(name), reads ? number(*reads) : Cell{}, writes ? number(*writes) : Cell{}});
  };
  add("D2H", {}, operations.d2h_writes);
  add("adding in the node", operations.reduce_reads, operations.reduce_writes);
  add("network, and adding what arrives", operations.network_reads, operations.network_writes);
  add(answer.inputs.memcpy_h2d ? "H2D, MemcpyAsync" : "H2D, GDRCopy", operations.h2d_reads, {});
  add("total, reads and writes", {}, operations.total());
  document.add(std::move(table));
}

void add_bounds(const HfReduceAnswer& answer, Document& document) {
  double largest = 0;
  for (const ReduceBound& bound : answer.bounds.bounds) {
    if (bound.bandwidth) largest = std::max(largest, bound.bandwidth->si());
  }
  document.add(Section{"Bounds, GB/s"});
  Table shown, all{.header = {"resource", "bandwidth"}};
  for (const ReduceBound& bound : answer.bounds.bounds) {
    if (!bound.bandwidth && bound.resource != ReduceResource::cpu_reduce) continue;
    const std::string name = in_words(bound.resource, answer.inputs.pcie_switches);
    const Cell value = rate(bound.bandwidth);
    all.add({words(name), bound.bandwidth ? gbps(*bound.bandwidth) : unknown("not known")});
    shown.add({words(name), value,
               bound.bandwidth ? words(bar(bound.bandwidth->si() / largest, kBarWidth))
                               : words(pad_right("not known", kBarWidth))});
  }
  document.blocks.push_back({std::move(shown), Where::terminal});
  document.detail(std::move(all));
}

void add_gains(const HfReduceAnswer& answer, Document& document) {
  if (answer.bounds.gains.empty()) return;
  document.add(Section{"Lifting the bounds, one after the other"});
  Table table{.header = {"", "GB/s", "gain"}};
  for (const ReduceGain& one : answer.bounds.gains) {
    table.add({words(in_words(one.lifted, answer.inputs.pcie_switches)), rate(one.bandwidth),
               gain(one.gain)});
  }
  document.add(std::move(table));
}

void add_what_ifs(const HfReduceAnswer& answer, Document& document) {
  document.add(Section{"What if"});
  Table table{.header = {"", "flag", "GB/s", "gain", "set by", "NCCL ≤"}};
  for (const ReduceWhatIf& one : answer.what_ifs) {
    table.add({words(one.name), words(one.flag), rate(one.bandwidth), gain(one.gain),
               words(in_words(one.bottleneck, one.pcie_switches)), rate(one.nccl)});
  }
  document.add(std::move(table));
  List assumed;
  for (const ReduceWhatIf& one : answer.what_ifs) {
    if (!one.assumes.empty()) assumed.items.push_back(one.name + ": " + one.assumes);
  }
  document.add(std::move(assumed));
}

void add_scaling(const HfReduceAnswer& answer, Document& document) {
  const HfReduceInputs& in = answer.inputs;
  document.add(Section{
      fmt::format("{} by number of nodes, chunks in a double binary tree", size_text(in.message))});
  Table table{.header = {"nodes", "GPUs", "tree edges", "chunks", "time", "GB/s", "NCCL ≤"}};
  for (const job::ReduceScale& row : answer.scaling) {
    table.add({count(row.nodes), count(row.gpus), count(tree_depth(static_cast<double>(row.nodes))),
               count(row.reduce.chunks), present::time(row.reduce.time), rate(row.reduce.bandwidth),
               rate(row.nccl)});
  }
  document.add(std::move(table));
  const bool assumed = is_assumed(in.assumed, kStepLatencyOption);
  document.add(Text{fmt::format("{} per step of the pipeline{}; NCCL's rate leaves latency out",
                                duration(in.step_latency),
                                assumed ? " (NCCL's table; HFReduce's is not published)" : "")});
}

void add_training(const HfReduceAnswer& answer, Document& document) {
  if (!answer.training || !answer.inputs.run) return;
  const job::ReduceTraining& training = *answer.training;
  document.add(Section{fmt::format("{}, {} GB of gradients per GPU, {} of compute", training.model,
                                   gigabytes(training.gradients), duration(training.compute)),
                       "Fire-Flyer §V-A"});
  Table table{.header = {"", "GB/s", "all-reduce", "exposed", "iteration"}};
  const auto add = [&](const char* name, const job::LibraryOverlap& library) {
    table.add({words(name), rate(library.bandwidth), present::time(library.overlap.communication),
               present::time(library.overlap.exposed), present::time(library.iteration)});
  };
  add("HFReduce", training.hfreduce);
  if (training.nccl) add("NCCL, at best", *training.nccl);
  document.add(std::move(table));
  document.add(
      Text{fmt::format("{} of backward overlap {} buckets; HFReduce takes nothing of the GPU, "
                       "NCCL's kernels {} of it",
                       duration(training.backward), grouped(training.buckets),
                       percent(answer.inputs.run->nccl_kernel_share))});
}

bool knows_ssds(const StorageRate& one) {
  return std::any_of(one.bounds.begin(), one.bounds.end(), [](const StorageBound& bound) {
    return bound.resource == StorageResource::ssds && bound.bandwidth;
  });
}

void add_checkpoint(const CheckpointTime& checkpoint, Document& document) {
  std::string text = fmt::format(
      "a checkpoint of {} GB: {} to host memory, then at least {} to save",
      gigabytes(checkpoint.size), duration(checkpoint.device_to_host), duration(checkpoint.save));
  if (checkpoint.save_at_measured_rate) {
    text += fmt::format(", {} at the measured rate", duration(*checkpoint.save_at_measured_rate));
  }
  if (checkpoint.interval_share) {
    text += fmt::format(" ({} of the time between two)", percent(*checkpoint.interval_share));
  }
  document.add(Text{text});
}

void add_storage(const HfReduceAnswer& answer, Document& document) {
  if (!answer.storage) return;
  const ReduceStorage& storage = *answer.storage;
  document.add(Section{fmt::format("Storage, {}: {} SSDs, {} PiB usable",
                                   storage.title.empty() ? storage.system : storage.title,
                                   grouped(storage.rates.ssds),
                                   significant(storage.rates.usable.si() / std::exp2(50))),
                       "Fire-Flyer §VI-B"});
  // It was measured on the whole system: shown where the rates are the whole system's too.
  const bool measured = !answer.nodes && storage.measured_read;
  Table table{.header = {"", "GB/s at most", "set by"}};
  if (measured) table.header.emplace_back("measured");
  table.add({words("read"), rate(storage.rates.read.bandwidth),
             words(spaced(name_of(storage.rates.read.bottleneck)))});
  if (measured) table.rows.back().cells.push_back(rate(storage.measured_read));
  table.add({words("write"), rate(storage.rates.write.bandwidth),
             words(spaced(name_of(storage.rates.write.bottleneck)))});
  document.add(std::move(table));
  if (!knows_ssds(storage.rates.read) || !knows_ssds(storage.rates.write)) {
    document.add(Text{"the SSDs' own rates are not known"});
  }
  if (storage.checkpoint) add_checkpoint(*storage.checkpoint, document);
}

/// Section, figure and value of every figure that is not in a list: for programs.
class AllFigures {
 public:
  void in(std::string section) { section_ = std::move(section); }
  void add(const char* figure, Cell cell) {
    cell.unit.clear();
    table_.add({words(section_), words(figure), std::move(cell)});
  }
  void add(const char* figure, const std::optional<BytesPerSecond>& value) {
    add(figure, value ? number(value->in(units::GBps)) : none());
  }
  void add(const char* figure, Seconds value) { add(figure, number(value.si())); }
  void add(const char* figure, Bytes value) { add(figure, number(value.si())); }
  void add(const char* figure, const std::optional<std::int64_t>& value) {
    add(figure, value ? count(*value) : none());
  }
  void add(const char* figure, const std::string& value) { add(figure, words(value)); }
  template <class Bound>
  void add(const std::vector<Bound>& bounds) {
    for (const Bound& bound : bounds) {
      add(spaced(name_of(bound.resource)).c_str(), bound.bandwidth);
    }
  }
  Table take() { return std::move(table_); }

 private:
  std::string section_;
  Table table_{.header = {"section", "figure", "value"}, .leads = true};
};

void add_run_figures(const HfReduceAnswer& answer, AllFigures& figures) {
  if (!answer.training) return;
  const job::ReduceTraining& training = *answer.training;
  figures.in("training");
  figures.add("model", training.model);
  figures.add("compute time (s)", training.compute);
  figures.add("parameters", number(training.parameters));
  figures.add("gradient (bytes)", training.gradients);
  figures.add("buckets", training.buckets);
  figures.add("overlapped backward (s)", training.backward);
  const auto add = [&](const char* section, const job::LibraryOverlap& library) {
    figures.in(section);
    figures.add("bandwidth (GB/s)", library.bandwidth);
    figures.add("communication (s)", library.overlap.communication);
    figures.add("exposed (s)", library.overlap.exposed);
    figures.add("iteration time (s)", library.iteration);
  };
  add("training, HFReduce", training.hfreduce);
  if (training.nccl) add("training, NCCL", *training.nccl);
}

void add_storage_figures(const HfReduceAnswer& answer, AllFigures& figures) {
  if (!answer.storage) return;
  const ReduceStorage& storage = *answer.storage;
  figures.in("storage");
  figures.add("system", storage.system);
  figures.add("ssds", storage.rates.ssds);
  figures.add("usable (bytes)", storage.rates.usable);
  figures.add("measured read (GB/s)", storage.measured_read);
  const auto add = [&](const std::string& section, const StorageRate& one) {
    figures.in(section);
    figures.add("bandwidth (GB/s)", one.bandwidth);
    figures.add("bottleneck", std::string{name_of(one.bottleneck)});
    figures.in(section + ", GB/s at most");
    figures.add(one.bounds);
  };
  add("storage, read", storage.rates.read);
  add("storage, write", storage.rates.write);
  if (!storage.checkpoint) return;
  const CheckpointTime& checkpoint = *storage.checkpoint;
  figures.in("checkpoint");
  figures.add("bytes", checkpoint.size);
  figures.add("device to host (s)", checkpoint.device_to_host);
  figures.add("save (s)", checkpoint.save);
  if (checkpoint.save_at_measured_rate) {
    figures.add("save at measured rate (s)", *checkpoint.save_at_measured_rate);
  }
  if (checkpoint.interval_share) {
    figures.add("interval share (%)", number(100 * *checkpoint.interval_share));
  }
}

Table all_figures(const HfReduceAnswer& answer) {
  const HfReduceBounds& bounds = answer.bounds;
  AllFigures figures;
  figures.in("answer");
  figures.add("node", answer.inputs.node);
  figures.add("gpus", answer.inputs.gpus);
  figures.add("nodes", answer.nodes);
  figures.add("reducing nodes", answer.reducing_nodes);
  figures.add("bandwidth (GB/s)", bounds.bandwidth);
  figures.add("bottleneck", std::string{name_of(bounds.bottleneck)});
  figures.add("next bound", bounds.next ? std::string{name_of(*bounds.next)} : std::string{});
  figures.add("nccl (GB/s)", answer.nccl);
  figures.in("memory operations");
  figures.add("d2h writes", number(bounds.operations.d2h_writes));
  figures.add("reduce reads", number(bounds.operations.reduce_reads));
  figures.add("reduce writes", number(bounds.operations.reduce_writes));
  figures.add("network reads", number(bounds.operations.network_reads));
  figures.add("network writes", number(bounds.operations.network_writes));
  figures.add("h2d reads", number(bounds.operations.h2d_reads));
  figures.add("total", number(bounds.operations.total()));
  figures.in("bounds (GB/s)");
  figures.add(bounds.bounds);
  add_run_figures(answer, figures);
  add_storage_figures(answer, figures);
  return figures.take();
}

}  // namespace

Document hfreduce_view(const HfReduceAnswer& answer) {
  const HfReduceInputs& in = answer.inputs;
  Document document{
      .title = fmt::format("HFReduce on {}, {}", in.node_title.empty() ? in.node : in.node_title,
                           answer.nodes ? fmt::format("{} node{}", grouped(*answer.nodes),
                                                      *answer.nodes == 1 ? "" : "s")
                                        : std::string{"many nodes"}),
      .kicker = "HFReduce"};
  add_head(answer, document);
  add_measured(answer, document);
  add_operations(answer, document);
  add_bounds(answer, document);
  add_gains(answer, document);
  add_what_ifs(answer, document);
  add_scaling(answer, document);
  add_training(answer, document);
  add_storage(answer, document);
  if (!in.assumptions.empty()) {
    document.add(Section{"Taken for granted"});
    document.add(List{in.assumptions});
  }
  document.detail(Section{"All figures"});
  document.detail(all_figures(answer));
  return document;
}

}  // namespace planner::commands
