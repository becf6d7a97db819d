#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "planner/catalog/measured/runs.hpp"

namespace planner::catalog {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_memory(const std::string& word) {
  return word.ends_with("gb") && word.size() > 2 &&
         std::all_of(word.begin(), word.end() - 2, [](char c) { return c >= '0' && c <= '9'; });
}

/// A name's words; "sxm", the usual form, and the memory size apart.
struct GpuName {
  std::set<std::string> words;
  std::string memory;

  explicit GpuName(std::string_view name) {
    std::string word;
    const auto take = [&] {
      if (is_memory(word)) {
        memory = word;
      } else if (!word.empty() && word != "sxm" && word != "nvidia" && word != "amd") {
        words.insert(word);
      }
      word.clear();
    };
    for (const char c : name) {
      if (c == '-' || c == ' ' || c == '_') {
        take();
      } else {
        word += lower(c);
      }
    }
    take();
  }
  [[nodiscard]] bool means(const GpuName& other) const {
    return words == other.words &&
           (memory.empty() || other.memory.empty() || memory == other.memory);
  }
};

}  // namespace

const Accelerator* accelerator_called(std::string_view gpu, std::optional<double> memory_GB,
                                      const std::vector<Accelerator>& known) {
  const GpuName wanted(gpu);
  const Accelerator* best = nullptr;
  const auto distance = [&](const Accelerator& part) {
    const double GB = part.memory.in(units::GB);
    return memory_GB ? std::abs(GB - *memory_GB) : -GB;
  };
  for (const Accelerator& part : known) {
    if (!wanted.means(GpuName(part.name))) continue;
    if (best == nullptr || distance(part) < distance(*best)) best = &part;
  }
  return best;
}

}  // namespace planner::catalog
