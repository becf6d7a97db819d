// libFuzzer's entry point for one of the functions of targets.hpp, named by PLANNER_FUZZ.
#include <cstddef>
#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    planner::fuzz::PLANNER_FUZZ({reinterpret_cast<const char*>(data), size});
  } catch (const planner::InputError&) {
  }
  return 0;
}
