// libFuzzer's entry points: fuzz --target=NAME, then libFuzzer's own flags; or fuzz --list.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "fuzz/targets.hpp"
#include "planner/core/diagnostic.hpp"

namespace {
planner::fuzz::Target target = nullptr;
}  // namespace

extern "C" int LLVMFuzzerInitialize(const int* argc, char*** argv) {
  constexpr std::string_view kFlag = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument == "--list") {
      for (const auto name : planner::fuzz::target_names()) std::cout << name << '\n';
      std::exit(0);
    }
    if (argument.starts_with(kFlag)) {
      target = planner::fuzz::target_named(argument.substr(kFlag.size()));
    }
  }
  if (target == nullptr) {
    std::cerr << "usage: fuzz --list, or fuzz --target=NAME [libFuzzer's flags and folders]\n";
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    target({reinterpret_cast<const char*>(data), size});
  } catch (const planner::InputError&) {
  }
  return 0;
}
