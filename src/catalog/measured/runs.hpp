#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "planner/domain/measured.hpp"
#include "planner/domain/system.hpp"

namespace planner::catalog {

/// The accelerator that a source means by `gpu`: all words of the name must be in the catalog's
/// name and the other way round, "SXM" and the memory size apart; of several, the one with the
/// memory nearest `memory_GB`, else with the most. Null when there is none.
const Accelerator* accelerator_called(std::string_view gpu, std::optional<double> memory_GB,
                                      const std::vector<Accelerator>& known);

/// Reads a file of measured runs: one JSON object per line, empty lines overlooked; `planner schema
/// measured-run` lists the keys. A row that lacks something, or makes no run, says why.
/// @param known  accelerators that rows may name
/// @param systems  whose torus and links a row has that states no torus, by the accelerator
/// @throws InputError where a line is no JSON object
std::vector<MeasuredRow> parse_measured_runs(std::string_view text, std::string_view source_name,
                                             const std::vector<Accelerator>& known,
                                             const std::vector<System>& systems = {});

}  // namespace planner::catalog
