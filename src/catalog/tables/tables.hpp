#pragma once

#include <cstdint>

#include "planner/catalog/documents.hpp"
#include "planner/json/field_table.hpp"

namespace planner::catalog {

// What several tables read. The bounds keep later products of a few numbers from overflowing.
inline constexpr std::int64_t kLargestCount = 1'000'000'000;
inline constexpr std::int64_t kMostLayers = 1'000'000;
inline constexpr double kLongestSeconds = 1e9;
inline json::Codec<std::int64_t> count() {
  return json::integer(1, kLargestCount);
}
inline json::Codec<std::int64_t> count_or_none() {
  return json::integer(0, kLargestCount);
}
inline json::Codec<std::int64_t> layer_count() {
  return json::integer(0, kMostLayers);
}
inline json::Codec<BytesPerSecond> gbps() {
  return json::quantity(units::GBps, json::Range::positive());
}
inline json::Codec<Seconds> microseconds() {
  return json::quantity(units::us, json::Range::non_negative());
}
inline json::Codec<Seconds> seconds() {
  return json::quantity(units::second, json::Range::non_negative(kLongestSeconds));
}
/// A passive part draws nothing, which is a figure; one that is not known is left out.
inline json::Codec<Watts> draw() {
  return json::quantity(units::W, json::Range::non_negative());
}

const json::FieldTable<TransformerSpec>& model_table();
const json::FieldTable<Accelerator>& accelerator_table();
const json::FieldTable<Node>& node_table();
/// The accelerator of a system file is a catalog name, found by `lookup`, or an object.
json::FieldTable<System> system_table(AcceleratorLookup lookup);
/// A system whose accelerator is always an object, as in answers.
const json::FieldTable<System>& whole_system_table();
const json::FieldTable<SwitchModel>& switch_table();
const json::FieldTable<Optic>& optic_table();
const json::FieldTable<Nic>& nic_table();
const json::FieldTable<PriceBook>& price_book_table();
const json::FieldTable<CloudPrice>& cloud_price_table();
const json::FieldTable<Economics>& economics_table();
const json::FieldTable<DisplayCurrency>& display_currency_table();
const json::FieldTable<CollectiveLibrary>& collective_library_table();
const json::FieldTable<Cluster>& cluster_table();
const json::FieldTable<StorageSystem>& storage_table();
const json::FieldTable<FailureRates>& rates_table();

// What a cluster file says of its job.
const json::FieldTable<RoutingSettings>& routing_table();
const json::FieldTable<SharingSettings>& sharing_table();
const json::FieldTable<ReliabilitySettings>& recovery_table();

/// An object whose "topology" decides which further keys it may have.
json::Codec<FabricDesign> fabric_design();

/// Where the figures of a file come from: the key "sources" of every type.
const json::FieldTable<SourceNote>& source_note_table();
/// Reports every name under sources[].keys that is no key of `object`; "mla.kv_lora_rank" names a
/// nested key.
void check_source_keys(const json::JsonNode& object, const json::ReadContext& context);

/// The field "sources", alike in all types.
template <class T>
json::Field<T> sources_field() {
  return json::optional("sources", &T::sources, json::list(json::object(source_note_table())),
                        "where the figures come from; every figure is covered by one note");
}

}  // namespace planner::catalog
