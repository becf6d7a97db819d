#include "planner/catalog/measured/microbenchmarks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "planner/domain/names.hpp"
#include "planner/json/source_text.hpp"

namespace planner::catalog {

using namespace json;

namespace {

/// A piece of a text and where it starts.
struct Word {
  std::string_view text;
  std::size_t offset = 0;
};

std::vector<Word> lines_of(std::string_view text) {
  std::vector<Word> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back({text.substr(start, end - start), start});
    start = end + 1;
  }
  return lines;
}

std::vector<Word> split(Word line, std::string_view separators, bool keep_empty) {
  std::vector<Word> words;
  for (std::size_t start = 0; start <= line.text.size();) {
    const std::size_t end = std::min(line.text.find_first_of(separators, start), line.text.size());
    if (end > start || keep_empty) {
      words.push_back({line.text.substr(start, end - start), line.offset + start});
    }
    start = end + 1;
  }
  return words;
}

std::vector<Word> words_of(Word line) {
  return split(line, " \t\r", false);
}

Word trimmed(Word word) {
  constexpr std::string_view kBlank = " \t\r\"";
  const std::size_t first = std::min(word.text.find_first_not_of(kBlank), word.text.size());
  const std::size_t last = word.text.find_last_not_of(kBlank);
  const std::size_t length = last == std::string_view::npos ? 0 : last + 1 - first;
  return {word.text.substr(first, length), word.offset + first};
}

/// A positive, finite number.
std::optional<double> positive_number(std::string_view text) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = failed == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

std::optional<std::size_t> place_of(const std::vector<Word>& words, std::string_view title) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const Word& word) { return trimmed(word).text == title; });
  if (found == words.end()) return std::nullopt;
  return static_cast<std::size_t>(found - words.begin());
}

constexpr const char* kNcclHint =
    "give the output of nccl-tests as it was printed: all_reduce_perf -b 64M -e 4G -f 2 …";

/// What the lines that start with # say.
void read_comment(Word line, CollectiveBenchmark& found, std::set<std::string>& hosts,
                  std::vector<Word>& titles) {
  std::vector<Word> words = words_of({line.text.substr(1), line.offset + 1});
  if (words.empty()) return;
  if (place_of(words, "size") == 0u && place_of(words, "busbw")) titles = words;
  // "#  Rank  0 Group  0 Pid  811 on  node-7 device  0 [0x1b] NVIDIA H100 80GB HBM3"
  const auto on = place_of(words, "on");
  if (words.front().text == "Rank" && on && *on + 1 < words.size()) {
    ++found.ranks;
    hosts.insert(std::string(words[*on + 1].text));
  }
  for (const Word& word : words) {
    if (word.text.ends_with("_perf")) found.test = std::string(word.text);
  }
}

}  // namespace

CollectiveBenchmark parse_nccl_tests(std::string_view text, std::string_view source_name) {
  const SourceText source{source_name, text};
  Problems problems(source);
  CollectiveBenchmark found;
  std::set<std::string> hosts;
  std::vector<Word> titles;
  for (const Word line : lines_of(text)) {
    if (trimmed(line).text.empty()) continue;
    if (trimmed(line).text.front() == '#') {
      read_comment(trimmed(line), found, hosts, titles);
      continue;
    }
    const std::vector<Word> words = words_of(line);
    // Launchers and NCCL print lines of their own between the figures.
    if (!positive_number(words.front().text)) continue;
    if (titles.empty()) {
      problems.add(line.offset, "not-nccl-tests", "figures before the line of column titles",
                   kNcclHint);
      break;
    }
    const std::size_t column = *place_of(titles, "busbw");
    const auto size = positive_number(words.front().text);
    const auto busbw = column < words.size() ? positive_number(words[column].text) : std::nullopt;
    if (words.size() != titles.size() || !busbw) {
      problems.add(line.offset, "not-nccl-tests", "the figures do not fit the column titles",
                   kNcclHint);
      continue;
    }
    found.rows.push_back({.size = Bytes{*size}, .bus_bandwidth = *busbw * units::GBps});
  }
  problems.throw_if_any();
  if (found.rows.empty()) {
    throw InputError(source.diagnose(0, "not-nccl-tests", "no line of figures", kNcclHint));
  }
  if (found.ranks == 0) {
    throw InputError(source.diagnose(0, "not-nccl-tests",
                                     "no line names a rank and its host (\"#  Rank  0 … on …\")",
                                     kNcclHint));
  }
  found.hosts = std::ssize(hosts);
  return found;
}

namespace {

constexpr std::array<std::string_view, 5> kColumns{"m", "n", "k", "precision", "tflops"};
constexpr const char* kGemmHint = "columns: m,n,k,precision,tflops";

std::optional<Precision> precision_named(std::string_view name) {
  for (const Precision precision : kPrecisions) {
    if (name_of(precision) == name) return precision;
  }
  return std::nullopt;
}

/// One line of figures, cells in the order of kColumns.
std::optional<GemmBenchmark> gemm_of(const std::array<Word, kColumns.size()>& cells,
                                     Problems& problems) {
  constexpr double kMostSide = 1e9, kMostTflops = 1e9;
  std::array<double, kColumns.size()> figures{};
  bool good = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (kColumns[i] == "precision") continue;
    const bool side = kColumns[i] != "tflops";
    const auto value = positive_number(cells[i].text);
    const double most = side ? kMostSide : kMostTflops;
    if (!value || *value > most || (side && *value != std::floor(*value))) {
      problems.add(cells[i].offset, "out-of-range",
                   std::string(kColumns[i]) + " must be a positive " +
                       (side ? "whole number" : "number") + ", not " + in_quotes(cells[i].text));
      good = false;
      continue;
    }
    figures[i] = *value;
  }
  const auto precision = precision_named(cells[3].text);
  if (!precision) {
    problems.add(cells[3].offset, "unknown-value",
                 "precision must be one of fp16, bf16, fp8, fp4, tf32, fp32, not " +
                     in_quotes(cells[3].text));
  }
  if (!good || !precision) return std::nullopt;
  return GemmBenchmark{.m = static_cast<std::int64_t>(figures[0]),
                       .n = static_cast<std::int64_t>(figures[1]),
                       .k = static_cast<std::int64_t>(figures[2]),
                       .precision = *precision,
                       .rate = figures[4] * units::TFLOPs};
}

}  // namespace

std::vector<GemmBenchmark> parse_gemms(std::string_view text, std::string_view source_name) {
  const SourceText source{source_name, text};
  Problems problems(source);
  std::vector<Word> titles;
  std::vector<GemmBenchmark> gemms;
  int number = 0;
  for (const Word line : lines_of(text)) {
    ++number;
    const Word plain = trimmed(line);
    if (plain.text.empty() || plain.text.front() == '#') continue;
    const std::vector<Word> words = split(line, ",", true);
    if (titles.empty()) {
      titles = words;
      for (const std::string_view column : kColumns) {
        if (place_of(titles, column)) continue;
        problems.add(line.offset, "missing-key", "no column " + in_quotes(column), kGemmHint);
      }
      problems.throw_if_any();
      continue;
    }
    if (words.size() != titles.size()) {
      problems.add(line.offset, "wrong-type",
                   std::to_string(words.size()) + " cells in a line, " +
                       std::to_string(titles.size()) + " in the first",
                   kGemmHint);
      continue;
    }
    std::array<Word, kColumns.size()> cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = trimmed(words[*place_of(titles, kColumns[i])]);
    }
    if (auto gemm = gemm_of(cells, problems)) {
      gemm->line = number;
      gemms.push_back(*gemm);
    }
  }
  problems.throw_if_any();
  if (gemms.empty()) {
    throw InputError(source.diagnose(0, "missing-key", "no line of figures", kGemmHint));
  }
  return gemms;
}

}  // namespace planner::catalog
