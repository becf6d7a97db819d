#pragma once

#include <string>
#include <vector>

#include "planner/api/response.hpp"
#include "planner/catalog/catalog.hpp"

// Published figures of several papers beside what our formulas give for the same inputs.
namespace planner {

/// The rows as an answer: an error and exit code 1 for each one that is missed().
Response validated(std::vector<PublishedCheck> rows);

/// Networks that follow from a general formula.
std::vector<PublishedCheck> published_topologies();

/// Arithmetic on published figures; no general formula of ours is behind them.
std::vector<PublishedCheck> published_arithmetic();

/// Bus bandwidths of NCCL, and of the C4, HPN and Meta papers; most of the latter are shown
/// unchecked, with the reason.
std::vector<PublishedCheck> published_collectives(const catalog::Catalog& catalog);
/// HFReduce, HaiScale and 3FS of the Fire-Flyer paper, by the node of the catalog.
std::vector<PublishedCheck> published_hfreduce(const catalog::Catalog& catalog);
/// Failures, checkpoints and spares of several papers.
std::vector<PublishedCheck> published_goodput();
/// Routing: what Meta, C4 and HPN print, and what of it follows.
std::vector<PublishedCheck> published_routing(const catalog::Catalog& catalog);

/// Training times that papers print, by the calibrated model.
std::vector<PublishedCheck> published_training_times(const catalog::Catalog& catalog);

/// Table 4, §6.1, §6.2 and §6.4 of the rail-only paper, by the models of the catalog.
std::vector<PublishedCheck> published_timings(const catalog::Catalog& catalog);

}  // namespace planner
