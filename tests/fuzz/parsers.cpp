// libFuzzer entry point for every file type:
//   cmake -S . -B build/fuzz -DCMAKE_CXX_COMPILER=clang++ -DPLANNER_FUZZERS=ON -DPLANNER_TESTS=OFF
//   cmake --build build/fuzz --target fuzz_parsers && build/fuzz/bin/fuzz_parsers models
//   catalog/prices
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "support/parse_anything.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  planner::parse_as_everything({reinterpret_cast<const char*>(data), size});
  return 0;
}
