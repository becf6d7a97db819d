#pragma once

#include <string_view>

#include "planner/domain/microbenchmark.hpp"

namespace planner::catalog {

/// Output of nccl-tests as it was printed: the column titles, the sizes with their bandwidths out
/// of place, and the ranks with their hosts.
/// @throws InputError where a line of figures does not fit the titles, there is none, or the last
/// line of nccl-tests is missing: the output was cut off
CollectiveBenchmark parse_nccl_tests(std::string_view text, std::string_view source_name);

/// CSV with the columns m, n, k, precision and tflops in any order, named by its first line; other
/// columns, empty lines and lines that start with # are overlooked.
/// @throws InputError with everything that is wrong
std::vector<GemmBenchmark> parse_gemms(std::string_view text, std::string_view source_name);

/// The same with the columns batch, sequence, heads, head_dim, kernel and tflops.
/// @throws InputError with everything that is wrong
std::vector<AttentionBenchmark> parse_attention(std::string_view text,
                                                std::string_view source_name);

}  // namespace planner::catalog
