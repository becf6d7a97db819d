#include "planner/core/closest_match.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace planner {

namespace {

// Words longer than this are not typing errors of a name; it also bounds the quadratic cost.
constexpr std::size_t kLongestWord = 64;

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] =
          std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

/// Whether a name has the word between its dashes or underscores.
bool has_part(std::string_view name, std::string_view word) {
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find_first_of("-_"));
    if (std::equal(part.begin(), part.end(), word.begin(), word.end(),
                   [](char a, char b) { return lower(a) == lower(b); })) {
      return !word.empty();
    }
    name.remove_prefix(std::min(name.size(), part.size() + 1));
  }
  return false;
}

}  // namespace

std::optional<std::string> closest_match(std::string_view word,
                                         std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::size_t best_distance = limit + 1;
  std::optional<std::string> best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  if (best) return best;
  word.remove_prefix(std::min(word.size(), word.find_first_not_of('-')));  // of an option
  const auto has_word = [word](const std::string& name) { return has_part(name, word); };
  const auto first = std::find_if(candidates.begin(), candidates.end(), has_word);
  if (first == candidates.end() || std::any_of(first + 1, candidates.end(), has_word)) {
    return std::nullopt;
  }
  return *first;
}

}  // namespace planner
