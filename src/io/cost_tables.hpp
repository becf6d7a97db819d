#pragma once

#include "planner/domain/cluster.hpp"
#include "planner/domain/economics.hpp"
#include "planner/domain/network_part.hpp"
#include "planner/domain/price.hpp"
#include "planner/domain/reliability.hpp"
#include "planner/io/field_table.hpp"

namespace planner::io {

const Table<SwitchModel>& switch_table();
const Table<Optic>& optic_table();
const Table<Nic>& nic_table();
const Table<PriceBook>& price_book_table();
const Table<Economics>& economics_table();
const Table<Cluster>& cluster_table();
const Table<FailureRates>& rates_table();

/// One of the words of PartCategory.
Codec<PartCategory> part_category();
/// An object whose "topology" decides which further keys it may have.
Codec<FabricDesign> fabric_design();

}  // namespace planner::io
