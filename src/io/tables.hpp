#pragma once

#include <cstdint>

#include "planner/io/documents.hpp"
#include "planner/io/field_table.hpp"

namespace planner::io {

// What several tables read. The bounds keep later products of a few numbers from overflowing.
inline constexpr std::int64_t kLargestCount = 1'000'000'000;
inline constexpr std::int64_t kMostLayers = 1'000'000;
inline constexpr double kLongestSeconds = 1e9;
inline Codec<std::int64_t> count() {
  return integer(1, kLargestCount);
}
inline Codec<std::int64_t> count_or_none() {
  return integer(0, kLargestCount);
}
inline Codec<std::int64_t> layer_count() {
  return integer(0, kMostLayers);
}
inline Codec<BytesPerSecond> gbps() {
  return quantity(units::GBps, Range::positive());
}
inline Codec<Seconds> microseconds() {
  return quantity(units::us, Range::non_negative());
}
inline Codec<Seconds> seconds() {
  return quantity(units::second, Range::non_negative(kLongestSeconds));
}
/// A passive part draws nothing, which is a figure; one that is not known is left out.
inline Codec<Watts> draw() {
  return quantity(units::W, Range::non_negative());
}

const Table<TransformerSpec>& model_table();
const Table<Accelerator>& accelerator_table();
const Table<Node>& node_table();
/// The accelerator of a system file is a catalog name, found by `lookup`, or an object.
Table<System> system_table(AcceleratorLookup lookup);
const Table<SwitchModel>& switch_table();
const Table<Optic>& optic_table();
const Table<Nic>& nic_table();
const Table<PriceBook>& price_book_table();
const Table<Economics>& economics_table();
const Table<CollectiveLibrary>& collective_library_table();
const Table<Cluster>& cluster_table();
const Table<StorageSystem>& storage_table();
const Table<FailureRates>& rates_table();

// What a cluster file says of its job.
const Table<RoutingSettings>& routing_table();
const Table<SharingSettings>& sharing_table();
const Table<ReliabilitySettings>& recovery_table();

/// An object whose "topology" decides which further keys it may have.
Codec<FabricDesign> fabric_design();

/// Where the figures of a file come from: the key "sources" of every type.
const Table<SourceNote>& source_note_table();
/// Reports every name under sources[].keys that is no key of `object`; "mla.kv_lora_rank" names a
/// nested key.
void check_source_keys(const JsonNode& object, const ReadContext& context);

/// The field "sources", alike in all types.
template <class T>
Field<T> sources_field() {
  return optional("sources", &T::sources, list(object(source_note_table())),
                  "where the figures come from; every figure is covered by one note");
}

}  // namespace planner::io
