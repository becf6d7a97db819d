#include "planner/commands/collective/collective.hpp"
#include "planner/commands/parts/explanation.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;

const auto kSeconds = measure(units::second);
const auto kGBps = measure(units::GBps);

/// An algorithm's name; "auto" where none is asked for.
Codec<std::optional<CollectiveAlgorithm>> asked() {
  std::vector<std::string> names{"auto"};
  for (const CollectiveAlgorithm algorithm : kAlgorithms) names.emplace_back(name_of(algorithm));
  return written_as<std::optional<CollectiveAlgorithm>>(
      word(names),
      [](const std::optional<CollectiveAlgorithm>& algorithm) {
        return std::string{algorithm ? name_of(*algorithm) : "auto"};
      },
      [](const std::string& name) { return value_named(name, kAlgorithms); });
}

const FieldTable<CollectiveInputs>& inputs_table() {
  using I = CollectiveInputs;
  static const FieldTable<I> kTable{
      .type = "inputs",
      .doc = "what is timed, on what",
      .fields = {required("kind", &I::kind, json::choice(kCollectiveKinds), "what it does"),
                 required("gpus", &I::gpus, whole(), "GPUs"),
                 required("system", &I::system, any_text(), "name"),
                 required("hb_domain", &I::hb_domain, whole(), "GPUs of an HB domain"),
                 required("hb_bandwidth_GBps", &I::hb_bandwidth, kGBps, "per GPU and direction"),
                 required("network_bandwidth_GBps", &I::network_bandwidth, kGBps,
                          "per GPU and direction"),
                 required("network_reach", &I::reach, json::choice(kNetworkReaches),
                          "which GPUs of different HB domains the network joins"),
                 required("in_switch_reduction", &I::in_switch, json::choice(kInSwitchReductions),
                          "which switches reduce"),
                 required("library", &I::library, any_text(), "name"),
                 required("algorithm", &I::asked, asked(), "auto: the fastest"),
                 required("assumed", &I::assumed, list(any_text()), "options not given"),
                 optional("system_title", &I::system_title, any_text(), "the system in words"),
                 optional("library_title", &I::library_title, any_text(), "the library in words"),
                 optional("topology", &I::topology, any_text(), "of the network, with routing"),
                 optional("routing", &I::routing, json::choice(kRoutingSchemes),
                          "how flows find their links"),
                 optional("transport_limit_GBps", &I::transport_limit, kGBps,
                          "what the transport sends of a card at most"),
                 optional("enough_channel_buffer_bytes", &I::enough_buffer, measure(units::byte),
                          "of each channel, for all of the card"),
                 optional("not_measured", &I::unmeasured, any_text(),
                          "that no such run or collective on the machine was")},
      .open = true};
  return kTable;
}

const FieldTable<CollectiveTime>& terms_table() {
  using T = CollectiveTime;
  static const FieldTable<T> kTable{
      .type = "terms",
      .doc = "what a time consists of",
      .fields = {required("launch", &T::launch, kSeconds, "once"),
                 required("hb_latency", &T::hb_latency, kSeconds, "hops in the HB domain"),
                 required("network_latency", &T::net_latency, kSeconds, "hops between domains"),
                 required("hb_transfer", &T::hb_transfer, kSeconds, "bytes in the HB domain"),
                 required("network_transfer", &T::net_transfer, kSeconds, "bytes between domains"),
                 required("pipeline_latency", &T::pipeline_latency, kSeconds,
                          "filling the pipeline"),
                 required("pipeline_transfer", &T::pipeline_transfer, kSeconds,
                          "bytes at its slowest step")},
      .open = true};
  return kTable;
}

/// A time, what it consists of, and the bandwidths that it means.
std::vector<Field<TimedCollective>> timing() {
  using T = TimedCollective;
  const auto time = [](auto part) {
    return [part](const T& timed) { return (timed.time.*part)(); };
  };
  const auto of_time = [](Field<CollectiveTime> field) {
    return lifted<T, CollectiveTime>(
        [](auto& timed) -> auto& { return timed.time; }, std::move(field));
  };
  return {
      shown<T, Seconds>("time_s", time(&CollectiveTime::total), kSeconds, "in all"),
      required("algorithm_bandwidth_GBps", &T::algorithm_bandwidth, or_null(kGBps),
               "bytes over time"),
      required("bus_bandwidth_GBps", &T::bus_bandwidth, or_null(kGBps), "as nccl-tests count it"),
      of_time(group("terms_s", terms_table(), "what the time consists of")),
      shown<T, Seconds>("latency_s", time(&CollectiveTime::latency), kSeconds, "of the hops"),
      shown<T, Seconds>("transfer_s", time(&CollectiveTime::transfer), kSeconds,
                        "bytes over bandwidth"),
      of_time(required("transfers_overlap", &CollectiveTime::overlapped, boolean(),
                       "only the longer transfer counts"))};
}

std::vector<Field<TimedCollective>> named() {
  using T = TimedCollective;
  return {required("algorithm", &T::algorithm, or_null(json::choice(kAlgorithms)), "its name"),
          required("protocol", &T::protocol, text_or_null(), "of the library"),
          when([](const T& timed) { return timed.slowdown != 1; },
               optional("S", &T::slowdown, figure(), "of what it sends between HB domains")),
          optional("network_GBps", &T::network, kGBps, "that it gets of a card, of less than all")};
}

const FieldTable<TimedCollective>& algorithm_table() {
  using T = TimedCollective;
  static const FieldTable<T> kTable = [] {
    FieldTable<T> table{
        .type = "algorithm", .doc = "one algorithm", .fields = named(), .open = true};
    table.fields.push_back(
        required("of_library", &T::of_library, boolean(), "whether the library has it"));
    for (Field<T>& field : timing()) table.fields.push_back(std::move(field));
    return table;
  }();
  return kTable;
}

const FieldTable<CollectiveSize>& size_table() {
  using S = CollectiveSize;
  static const FieldTable<S> kTable = [] {
    FieldTable<S> table{.type = "size", .doc = "a collective of one size", .open = true};
    table.fields.push_back(required("bytes", &S::size, measure(units::byte), "of the buffer"));
    for (const auto& fields : {named(), timing()}) {
      for (const Field<TimedCollective>& field : fields) {
        table.fields.push_back(lifted<S, TimedCollective>(
            [](auto& size) -> auto& { return size.used; }, field));
      }
    }
    table.fields.push_back(
        required("bound_time_s", &S::bound, or_null(kSeconds), "of any algorithm"));
    table.fields.push_back(shown<S, std::optional<double>>(
        "time_over_bound", [](const S& size) { return size.over_bound(); }, or_null(figure()),
        "how many times as long"));
    table.fields.push_back(required("algorithms", &S::algorithms, list(object(algorithm_table())),
                                    "those considered, fastest first"));
    table.complete = [](S& size) {
      for (const TimedCollective& one : size.algorithms) {
        if (one.algorithm == size.used.algorithm) size.used.of_library = one.of_library;
      }
    };
    return table;
  }();
  return kTable;
}

const FieldTable<CollectiveFormula>& formula_table() {
  using F = CollectiveFormula;
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  const auto definitions = written_as<std::vector<F::Definition>>(
      json::named(any_text()),
      [](const std::vector<F::Definition>& list) {
        Pairs pairs;
        for (const auto& [symbol, value] : list) pairs.emplace_back(symbol, value);
        return pairs;
      },
      [](const Pairs& pairs) {
        std::vector<F::Definition> list;
        for (const auto& [symbol, value] : pairs) list.push_back({symbol, value});
        return list;
      });
  static const FieldTable<F> kTable{
      .type = "formula",
      .doc = "a time",
      .fields = {required("algorithm", &F::algorithm, json::choice(kAlgorithms), "whose time"),
                 required("definitions", &F::definitions, definitions, "symbols of its own"),
                 required("latency", &F::latency, any_text(), "of the hops"),
                 required("transfer", &F::transfer, any_text(), "bytes over bandwidth"),
                 required("source", &F::source, any_text(), "where it is printed")},
      .open = true};
  return kTable;
}

const FieldTable<job::ExplainedCollective>& explained_table() {
  using E = job::ExplainedCollective;
  static const FieldTable<E> kTable = [] {
    FieldTable<E> table{.type = "formula", .doc = "a time as a formula", .open = true};
    for (const Field<CollectiveFormula>& field : formula_table().fields) {
      if (field.key == "source") {
        table.fields.push_back(
            required("values", &E::values, symbols(), "of the symbols, SI units"));
      }
      table.fields.push_back(lifted<E, CollectiveFormula>(
          [](auto& one) -> auto& { return one.formula; }, field));
    }
    table.fields.push_back(optional("terms", &E::terms, explained_terms(), "line by line"));
    return table;
  }();
  return kTable;
}

const FieldTable<CollectiveAnswer>& result_table() {
  using A = CollectiveAnswer;
  const auto of_group = [](Field<CollectiveGroup> field) {
    return lifted<A, CollectiveGroup>(
        [](auto& answer) -> auto& { return answer.group; }, std::move(field));
  };
  static const FieldTable<A> kTable{
      .type = "collective",
      .doc = "a collective, timed",
      .fields = {shown<A, CollectiveKind>(
                     "kind", [](const A& a) { return a.inputs.kind; },
                     json::choice(kCollectiveKinds), "what it does"),
                 shown<A, std::int64_t>(
                     "gpus", [](const A& a) { return a.inputs.gpus; }, whole(), "GPUs"),
                 of_group(required("gpus_per_hb_domain", &CollectiveGroup::hb, figure(),
                                   "the mean where domains are not equally full")),
                 of_group(required(
                     "hb_domains", &CollectiveGroup::net,
                     written_as<double>(
                         whole(), [](double domains) { return static_cast<std::int64_t>(domains); },
                         [](std::int64_t domains) { return static_cast<double>(domains); }),
                     "HB domains")),
                 of_group(optional("hops_across_hb_domain", &CollectiveGroup::hops, figure(),
                                   "links between its farthest chips, of a torus")),
                 required("sizes", &A::sizes, list(object(size_table())), "smallest first"),
                 required("formulas", &A::formulas, list(object(explained_table())),
                          "of the first size's algorithms")},
      .open = true};
  return kTable;
}

}  // namespace

const json::FieldTable<CollectiveAnswer>& collective_fields() {
  using A = CollectiveAnswer;
  static const FieldTable<A> kTable{
      .type = "answer",
      .doc = "an answer of collective",
      .fields = {required("inputs", &A::inputs, object(inputs_table()), "what it is for"),
                 group("result", result_table(), "its times")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
