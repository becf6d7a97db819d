#include "planner/commands/hfreduce/hfreduce.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

const auto kSeconds = measure(units::second);
const auto kBytes = measure(units::byte);
const auto kGBps = measure(units::GBps);
const auto kMaybeGBps = or_null(measure(units::GBps));
const auto kMaybeWhole = or_null(whole());

/// What each resource allows, by its name; null: not known, or not used.
template <class Bound, class Resources>
Codec<std::vector<Bound>> bounds(const Resources& resources) {
  using Pairs = std::vector<std::pair<std::string, std::optional<BytesPerSecond>>>;
  return written_as<std::vector<Bound>>(
      named(kMaybeGBps),
      [](const std::vector<Bound>& list) {
        Pairs pairs;
        for (const Bound& bound : list) {
          pairs.emplace_back(name_of(bound.resource), bound.bandwidth);
        }
        return pairs;
      },
      [resources](const Pairs& pairs) {
        std::vector<Bound> list;
        for (const auto& [name, bandwidth] : pairs) {
          if (const auto resource = value_named(name, resources)) {
            list.push_back({*resource, bandwidth});
          }
        }
        return list;
      });
}

const FieldTable<NodeChange>& change_table() {
  using C = NodeChange;
  static const FieldTable<C> kTable{
      .type = "changes",
      .doc = "parts that were exchanged; null: as built",
      .fields = {required("nics", &C::nics, kMaybeWhole, "NICs"),
                 required("host_memory_GBps", &C::host_memory, kMaybeGBps, "practical"),
                 required("genoa_memory", &C::genoa_memory, boolean(), "24 channels of DDR5-4800"),
                 required("host_bridge_GBps", &C::host_bridge, kMaybeGBps, "of a root port"),
                 required("pcie_generation", &C::pcie_generation, kMaybeWhole, "of the slots"),
                 required("gpus_per_switch", &C::gpus_per_switch, kMaybeWhole, "PCIe switches")},
      .open = true};
  return kTable;
}

const FieldTable<job::ReducedRun>& run_table() {
  using U = job::ReducedRun;
  static const FieldTable<U> kTable{
      .type = "run",
      .doc = "iterations of a model",
      .fields = {required("model", &U::model, any_text(), "name"),
                 required("compute_time_s", &U::compute, kSeconds, "of an iteration"),
                 required("precision", &U::precision, json::choice(kPrecisions), "of gradients"),
                 required("microbatches", &U::microbatches, whole(), "the last overlaps"),
                 required("nccl_kernel_share_pct", &U::nccl_kernel_share, percent(),
                          "of a GPU, while NCCL reduces")},
      .open = true};
  return kTable;
}

const FieldTable<HfReduceInputs>& inputs_table() {
  using I = HfReduceInputs;
  static const FieldTable<I> kTable = [] {
    const auto h2d = written_as<bool>(
        word({"memcpy", "gdrcopy"}),
        [](bool memcpy) { return std::string{memcpy ? "memcpy" : "gdrcopy"}; },
        [](const std::string& name) { return name == "memcpy"; });
    FieldTable<I> table{
        .type = "inputs",
        .doc = "what is bounded",
        .fields = {required("node", &I::node, any_text(), "name"),
                   required("changes", &I::change, object(change_table()), "of the node"),
                   required("gpus", &I::gpus, kMaybeWhole, "of the job"),
                   required("pp", &I::pp, whole(), "pipeline parallel degree"),
                   optional("groups", &I::groups, whole(), "sums side by side on a node"),
                   required("nvlink_pairs", &I::nvlink_pairs, boolean(), "reduce first"),
                   required("h2d", &I::memcpy_h2d, h2d, "how sums come back to the GPUs"),
                   required("zone_bandwidth_GBps", &I::zone_bandwidth, kMaybeGBps,
                            "of the link between network zones"),
                   required("message_bytes", &I::message, kBytes, "reduced by number of nodes"),
                   required("step_latency_us", &I::step_latency, measure(units::us),
                            "of an edge of the tree"),
                   required("storage", &I::storage, or_null(any_text()), "name")},
        .open = true};
    for (const Field<job::ReducedRun>& field : run_table().fields) {
      table.fields.push_back(of_optional(&I::run, field));
    }
    table.fields.push_back(required("assumed", &I::assumed, list(any_text()), "options not given"));
    table.fields.push_back(
        required("assumptions", &I::assumptions, list(any_text()), "taken for granted"));
    table.fields.push_back(optional("node_title", &I::node_title, any_text(), "the node in words"));
    table.fields.push_back(
        optional("pcie_switches", &I::pcie_switches, boolean(), "GPUs share ports of the CPU"));
    return table;
  }();
  return kTable;
}

const FieldTable<MemoryOperations>& operations_table() {
  using O = MemoryOperations;
  static const FieldTable<O> kTable{
      .type = "memory operations",
      .doc = "of host memory per unit of a GPU's gradients",
      .fields = {required("d2h_writes", &O::d2h_writes, figure(), "from the GPUs"),
                 required("reduce_reads", &O::reduce_reads, figure(), "adding in the node"),
                 required("reduce_writes", &O::reduce_writes, figure(), "adding in the node"),
                 required("network_reads", &O::network_reads, figure(), "between nodes"),
                 required("network_writes", &O::network_writes, figure(), "between nodes"),
                 required("h2d_reads", &O::h2d_reads, figure(), "back to the GPUs"),
                 shown<O, double>(
                     "total", [](const O& operations) { return operations.total(); }, figure(),
                     "reads and writes")},
      .open = true};
  return kTable;
}

const FieldTable<ReduceGain>& gain_table() {
  using G = ReduceGain;
  static const FieldTable<G> kTable{
      .type = "gain",
      .doc = "the rate once a bound is out of the way",
      .fields = {required("lifted", &G::lifted, json::choice(kReduceResources), "the bound"),
                 required("bandwidth_GBps", &G::bandwidth, kGBps, "then"),
                 required("gain_pct", &G::gain, percent(), "of the rate as it is")},
      .open = true};
  return kTable;
}

const FieldTable<MeasuredReduce>& measured_table() {
  using M = MeasuredReduce;
  static const FieldTable<M> kTable{
      .type = "measured",
      .doc = "a rate measured on such nodes",
      .fields = {required("library", &M::library, any_text(), "that reduced"),
                 required("nvlink_pairs", &M::nvlink_pairs, boolean(), "reduced first"),
                 required("low_GBps", &M::low, kGBps, "at least"),
                 required("high_GBps", &M::high, kMaybeGBps, "at most")},
      .open = true};
  return kTable;
}

const FieldTable<ReduceWhatIf>& what_if_table() {
  using W = ReduceWhatIf;
  static const FieldTable<W> kTable{
      .type = "what-if",
      .doc = "a change of the node",
      .fields = {naming(required("name", &W::name, any_text(), "what is changed")),
                 required("flag", &W::flag, any_text(), "that changes it"),
                 required("assumes", &W::assumes, text_or_null(), "what stays, or what it takes"),
                 required("memory_operations", &W::memory_operations, figure(), "in all"),
                 required("bandwidth_GBps", &W::bandwidth, kGBps, "then"),
                 required("gain_pct", &W::gain, percent(), "of the rate as it is"),
                 required("bottleneck", &W::bottleneck, json::choice(kReduceResources), "then"),
                 required("nccl_GBps", &W::nccl, kMaybeGBps, "NCCL's ring, at most"),
                 optional("pcie_switches", &W::pcie_switches, boolean(),
                          "GPUs share ports of the CPU")},
      .open = true};
  return kTable;
}

const FieldTable<job::ReduceScale>& scale_table() {
  using S = job::ReduceScale;
  const auto reduce = [](auto field) {
    return lifted<S, PipelinedReduce>(
        [](auto& row) -> auto& { return row.reduce; }, std::move(field));
  };
  using P = PipelinedReduce;
  static const FieldTable<S> kTable{
      .type = "scale",
      .doc = "an all-reduce of one message",
      .fields = {required("nodes", &S::nodes, whole(), "that reduce together"),
                 required("gpus", &S::gpus, whole(), "of them"),
                 shown<S, std::int64_t>(
                     "tree_depth",
                     [](const S& row) { return tree_depth(static_cast<double>(row.nodes)); },
                     whole(), "edges"),
                 reduce(required("chunks", &P::chunks, whole(), "in the pipeline")),
                 reduce(required("time_s", &P::time, kSeconds, "of the message")),
                 reduce(required("bandwidth_GBps", &P::bandwidth, kGBps, "message over time")),
                 required("nccl_GBps", &S::nccl, kMaybeGBps, "NCCL's ring, at most")},
      .open = true};
  return kTable;
}

const FieldTable<HfReduceAnswer>& scaling_table() {
  using A = HfReduceAnswer;
  static const FieldTable<A> kTable{
      .type = "scaling",
      .doc = "the all-reduce of a message by number of nodes",
      .fields = {shown<A, Bytes>(
                     "message_bytes", [](const A& answer) { return answer.inputs.message; }, kBytes,
                     "the message"),
                 required("rows", &A::scaling, list(object(scale_table())), "by number of nodes")},
      .open = true};
  return kTable;
}

const FieldTable<job::LibraryOverlap>& overlap_table() {
  using L = job::LibraryOverlap;
  const auto overlap = [](auto field) {
    return lifted<L, Overlap>(
        [](auto& library) -> auto& { return library.overlap; }, std::move(field));
  };
  static const FieldTable<L> kTable{
      .type = "library",
      .doc = "how long training waits",
      .fields = {required("bandwidth_GBps", &L::bandwidth, kGBps, "of a GPU's gradients"),
                 overlap(required("communication_s", &Overlap::communication, kSeconds, "alone")),
                 overlap(required("exposed_s", &Overlap::exposed, kSeconds, "not hidden")),
                 required("iteration_time_s", &L::iteration, kSeconds, "with what shows")},
      .open = true};
  return kTable;
}

const FieldTable<job::ReduceTraining>& training_table() {
  using T = job::ReduceTraining;
  static const FieldTable<T> kTable{
      .type = "training",
      .doc = "an iteration of a model",
      .fields = {required("model", &T::model, any_text(), "name"),
                 required("compute_time_s", &T::compute, kSeconds, "of an iteration"),
                 required("parameters", &T::parameters, figure(), "of the model"),
                 required("gradient_bytes", &T::gradients, kBytes, "of one GPU"),
                 required("buckets", &T::buckets, whole(), "of gradients"),
                 required("overlapped_backward_s", &T::backward, kSeconds, "that overlaps"),
                 required("hfreduce", &T::hfreduce, object(overlap_table()), "HFReduce"),
                 required("nccl", &T::nccl, or_null(object(overlap_table())), "NCCL, at best")},
      .open = true};
  return kTable;
}

const FieldTable<StorageRate>& rate_table() {
  using S = StorageRate;
  static const FieldTable<S> kTable{
      .type = "rate",
      .doc = "of users' bytes, at most",
      .fields = {required("bandwidth_GBps", &S::bandwidth, kGBps, "the tightest bound"),
                 required("bottleneck", &S::bottleneck, json::choice(kStorageResources),
                          "what sets it"),
                 required("bounds_GBps", &S::bounds, bounds<StorageBound>(kStorageResources),
                          "of each resource")},
      .open = true};
  return kTable;
}

const FieldTable<CheckpointTime>& checkpoint_table() {
  using C = CheckpointTime;
  static const FieldTable<C> kTable{
      .type = "checkpoint",
      .doc = "one of a model",
      .fields = {required("bytes", &C::size, kBytes, "its size"),
                 required("device_to_host_s", &C::device_to_host, kSeconds, "into host memory"),
                 required("save_s", &C::save, kSeconds, "at the storage's bounds"),
                 required("save_at_measured_rate_s", &C::save_at_measured_rate, or_null(kSeconds),
                          "from host memory"),
                 required("interval_share_pct", &C::interval_share, or_null(percent()),
                          "of the time between two")},
      .open = true};
  return kTable;
}

const FieldTable<ReduceStorage>& storage_table() {
  using S = ReduceStorage;
  const auto rates = [](auto field) {
    return lifted<S, StorageRates>(
        [](auto& storage) -> auto& { return storage.rates; }, std::move(field));
  };
  static const FieldTable<S> kTable{
      .type = "storage",
      .doc = "a storage system",
      .fields = {required("system", &S::system, any_text(), "name"),
                 rates(required("ssds", &StorageRates::ssds, whole(), "SSDs")),
                 rates(required("usable_bytes", &StorageRates::usable, kBytes, "for users")),
                 rates(required("read", &StorageRates::read, object(rate_table()), "reading")),
                 rates(required("write", &StorageRates::write, object(rate_table()), "writing")),
                 required("measured_read_GBps", &S::measured_read, kMaybeGBps,
                          "of the whole system"),
                 required("checkpoint", &S::checkpoint, or_null(object(checkpoint_table())),
                          "of the model"),
                 optional("title", &S::title, any_text(), "the system in words")},
      .open = true};
  return kTable;
}

const FieldTable<HfReduceAnswer>& result_table() {
  using A = HfReduceAnswer;
  using B = HfReduceBounds;
  const auto of_bounds = [](auto field) {
    return lifted<A, B>(
        [](auto& answer) -> auto& { return answer.bounds; }, std::move(field));
  };
  static const FieldTable<A> kTable{
      .type = "hfreduce",
      .doc = "what bounds an all-reduce",
      .fields =
          {shown<A, std::string>(
               "node", [](const A& answer) { return answer.inputs.node; }, any_text(), "name"),
           shown<A, std::optional<std::int64_t>>(
               "gpus", [](const A& answer) { return answer.inputs.gpus; }, kMaybeWhole,
               "of the job"),
           required("nodes", &A::nodes, kMaybeWhole, "of the job"),
           required("reducing_nodes", &A::reducing_nodes, kMaybeWhole, "those of a stage"),
           of_bounds(required("memory_operations", &B::operations, object(operations_table()),
                              "of host memory")),
           of_bounds(required("bounds_GBps", &B::bounds, bounds<ReduceBound>(kReduceResources),
                              "of each resource")),
           of_bounds(required("bandwidth_GBps", &B::bandwidth, kGBps, "the tightest bound")),
           of_bounds(required("bottleneck", &B::bottleneck, json::choice(kReduceResources),
                              "what sets it")),
           of_bounds(required("next_bound", &B::next, or_null(json::choice(kReduceResources)),
                              "the tightest without it")),
           required("nccl_GBps", &A::nccl, kMaybeGBps, "NCCL's ring, at most"),
           required("measured", &A::measured, list(object(measured_table())), "on such nodes"),
           of_bounds(required("gains", &B::gains, list(object(gain_table())),
                              "bounds lifted one after the other")),
           required("what_ifs", &A::what_ifs, list(object(what_if_table())), "further changes"),
           group("scaling", scaling_table(), "by number of nodes"),
           required("training", &A::training, or_null(object(training_table())),
                    "an iteration of a model"),
           required("storage", &A::storage, or_null(object(storage_table())), "of the node")},
      .open = true};
  return kTable;
}

}  // namespace

const json::FieldTable<HfReduceAnswer>& hfreduce_fields() {
  using A = HfReduceAnswer;
  static const FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of hfreduce",
      .fields = {required("inputs", &A::inputs, object(inputs_table()), "what is bounded"),
                 group("result", result_table(), "its bounds")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
