// Runs the inputs named on the command line through one fuzz target, without libFuzzer: what once
// broke a parser is tested by every build.
#include <fstream>
#include <iostream>
#include <iterator>

#include "fuzz/targets.hpp"
#include "planner/core/diagnostic.hpp"

int main(int argc, char** argv) {
  const auto target = argc > 2 ? planner::fuzz::target_named(argv[1]) : nullptr;
  if (target == nullptr) {
    std::cerr << "usage: fuzz_replay TARGET FILE...\n";
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::string outcome = "accepted";
    try {
      target(text);
    } catch (const planner::InputError& error) {
      outcome = error.diagnostics().front().code;
    }
    std::cout << argv[i] << ": " << outcome << '\n';
  }
  return 0;
}
