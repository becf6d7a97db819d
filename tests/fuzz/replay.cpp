// Runs the inputs named on the command line through one fuzz target, without libFuzzer: what once
// broke a parser is tested by every build.
#include <fstream>
#include <iostream>
#include <iterator>

#include "answer_target.hpp"
#include "targets.hpp"

namespace {

using Target = void (*)(std::string_view);

Target target_named(std::string_view name) {
  namespace fuzz = planner::fuzz;
  for (const auto& [known, target] : {std::pair<std::string_view, Target>{"model", fuzz::model},
                                      {"huggingface", fuzz::huggingface},
                                      {"system", fuzz::system},
                                      {"cluster", fuzz::cluster},
                                      {"price_book", fuzz::price_book},
                                      {"saved_answer", fuzz::saved_answer},
                                      {"parsers", fuzz::parsers}}) {
    if (known == name) return target;
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const Target target = argc > 2 ? target_named(argv[1]) : nullptr;
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
