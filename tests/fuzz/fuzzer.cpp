// libFuzzer's entry point for the function PLANNER_FUZZ of the header PLANNER_FUZZ_HEADER.
#include <cstddef>
#include <cstdint>

#include PLANNER_FUZZ_HEADER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    planner::fuzz::PLANNER_FUZZ({reinterpret_cast<const char*>(data), size});
  } catch (const planner::InputError&) {
  }
  return 0;
}
