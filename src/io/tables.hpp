#pragma once

#include <cstdint>

#include "planner/domain/storage.hpp"
#include "planner/domain/system.hpp"
#include "planner/domain/transformer.hpp"
#include "planner/io/documents.hpp"
#include "planner/io/field_table.hpp"

namespace planner::io {

// Bounds of a model's numbers, so that no later product of a few of them overflows.
inline constexpr std::int64_t kLargestDimension = 1'000'000'000;
inline constexpr std::int64_t kMostLayers = 1'000'000;
inline Codec<std::int64_t> dimension() {
  return integer(1, kLargestDimension);
}
inline Codec<std::int64_t> dimension_or_none() {
  return integer(0, kLargestDimension);
}
inline Codec<std::int64_t> layer_count() {
  return integer(0, kMostLayers);
}

Codec<Generation> generation();

const Table<TransformerSpec>& model_table();
const Table<Accelerator>& accelerator_table();
const Table<Node>& node_table();
const Table<StorageSystem>& storage_table();
/// The accelerator of a system file is a catalog name, found by `lookup`, or an object.
Table<System> system_table(AcceleratorLookup lookup);

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
