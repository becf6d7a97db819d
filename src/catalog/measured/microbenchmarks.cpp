#include "planner/catalog/measured/microbenchmarks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

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
constexpr const char* kWrongHint = "a machine that reduces wrongly is no machine to measure";

/// Sizes that a run was asked for: "minBytes 67108864 maxBytes 4294967296 step: 2(factor)", or a
/// step of so many "(bytes)"; nothing where the line does not say it.
std::optional<std::int64_t> sizes_asked(const std::vector<Word>& words) {
  const auto after = [&](std::string_view title) -> std::optional<double> {
    const auto at = place_of(words, title);
    if (!at || *at + 1 >= words.size()) return std::nullopt;
    const std::string_view text = words[*at + 1].text;
    return positive_number(text.substr(0, text.find('(')));
  };
  const auto least = after("minBytes"), most = after("maxBytes"), step = after("step:");
  if (!least || !most || !step || *most < *least) return std::nullopt;
  const bool factor = words[*place_of(words, "step:") + 1].text.ends_with("(factor)");
  if (factor && *step <= 1) return std::nullopt;
  const double steps =
      factor ? std::log(*most / *least) / std::log(*step) : (*most - *least) / *step;
  return 1 + static_cast<std::int64_t>(std::floor(steps + 1e-9));
}

/// What a log says of itself, besides what was measured.
struct LogNotes {
  std::set<std::string> hosts;
  std::vector<Word> titles;
  std::optional<std::int64_t> sizes;  ///< that were asked for
};

/// "#  Rank  0 Group  0 Pid  811 on  node-7 device  0 [0x1b] NVIDIA H100 80GB HBM3"
void read_rank(const std::vector<Word>& words, Word line, CollectiveBenchmark& found,
               LogNotes& notes) {
  const auto on = place_of(words, "on");
  if (words.front().text != "Rank" || !on || *on + 1 >= words.size()) return;
  ++found.ranks;
  notes.hosts.insert(std::string(words[*on + 1].text));
  const std::size_t bus = line.text.find(']');
  if (bus == std::string_view::npos) return;
  const std::string device(trimmed({line.text.substr(bus + 1), line.offset + bus + 1}).text);
  const bool known =
      std::find(found.devices.begin(), found.devices.end(), device) != found.devices.end();
  if (!device.empty() && !known) found.devices.push_back(device);
}

/// What the lines that start with # say.
void read_comment(Word line, CollectiveBenchmark& found, LogNotes& notes, Problems& problems) {
  std::vector<Word> words = words_of({line.text.substr(1), line.offset + 1});
  if (words.empty()) return;
  if (place_of(words, "size") == 0u && place_of(words, "busbw")) notes.titles = words;
  if (const auto sizes = sizes_asked(words)) notes.sizes = notes.sizes.value_or(0) + *sizes;
  if (line.text.find("Out of bounds values") != std::string_view::npos &&
      words.back().text == "FAILED") {
    problems.add(line.offset, "not-nccl-tests",
                 "results were wrong (" + std::string(trimmed(line).text) + ")", kWrongHint);
  }
  read_rank(words, line, found, notes);
  for (const Word& word : words) {
    if (word.text.ends_with("_perf")) found.test = std::string(word.text);
  }
}

}  // namespace

CollectiveBenchmark parse_nccl_tests(std::string_view text, std::string_view source_name) {
  const SourceText source{source_name, text};
  Problems problems(source);
  CollectiveBenchmark found;
  LogNotes notes;
  std::int64_t empty_sizes = 0;  // of which each rank would have less than one element
  for (const Word line : lines_of(text)) {
    if (trimmed(line).text.empty()) continue;
    if (trimmed(line).text.front() == '#') {
      read_comment(trimmed(line), found, notes, problems);
      continue;
    }
    const std::vector<Word>& titles = notes.titles;
    const std::vector<Word> words = words_of(line);
    if (words.front().text == "0" && words.size() == titles.size()) ++empty_sizes;
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
    const auto time = place_of(titles, "time");
    if (time && !positive_number(words[*time].text)) {
      problems.add(words[*time].offset, "not-nccl-tests",
                   "a time of " + std::string(words[*time].text) + " us: the clock ran backwards",
                   "measure again");
      continue;
    }
    const auto wrong = place_of(titles, "#wrong");
    if (wrong && positive_number(words[*wrong].text)) {
      problems.add(words[*wrong].offset, "not-nccl-tests",
                   std::string(words[*wrong].text) + " values were wrong", kWrongHint);
      continue;
    }
    found.rows.push_back({.size = Bytes{*size}, .bus_bandwidth = *busbw * units::GBps});
  }
  problems.throw_if_any();
  if (!found.rows.empty() && text.find("# Avg bus bandwidth") == std::string_view::npos) {
    throw InputError(source.diagnose(text.size(), "not-nccl-tests",
                                     "the log is cut off: it has no line \"# Avg bus bandwidth\"",
                                     kNcclHint));
  }
  if (found.rows.empty()) {
    throw InputError(source.diagnose(0, "not-nccl-tests", "no line of figures", kNcclHint));
  }
  if (found.ranks == 0) {
    throw InputError(source.diagnose(0, "not-nccl-tests",
                                     "no line names a rank and its host (\"#  Rank  0 … on …\")",
                                     kNcclHint));
  }
  const std::int64_t printed = std::ssize(found.rows) + empty_sizes;
  if (notes.sizes && printed < *notes.sizes) {
    throw InputError(source.diagnose(0, "not-nccl-tests",
                                     "lines are missing: " + std::to_string(printed) +
                                         " sizes, of " + std::to_string(*notes.sizes) +
                                         " that the log says were measured",
                                     kNcclHint));
  }
  found.hosts = std::ssize(notes.hosts);
  return found;
}

namespace {

constexpr std::array<std::string_view, 5> kColumns{"m", "n", "k", "precision", "tflops"};
constexpr const char* kGemmHint = "columns: m,n,k,precision,tflops";

/// A positive number, whole where it counts something; a problem where it is none.
std::optional<double> figure_of(Word cell, std::string_view column, bool whole,
                                Problems& problems) {
  constexpr double kMost = 1e9;
  const auto value = positive_number(cell.text);
  if (value && *value <= kMost && (!whole || *value == std::floor(*value))) return value;
  problems.add(cell.offset, "out-of-range",
               std::string(column) + " must be a positive " + (whole ? "whole number" : "number") +
                   ", not " + in_quotes(cell.text));
  return std::nullopt;
}

std::optional<Precision> precision_named(std::string_view name) {
  for (const Precision precision : kPrecisions) {
    if (name_of(precision) == name) return precision;
  }
  return std::nullopt;
}

/// One line of figures, cells in the order of kColumns.
std::optional<GemmBenchmark> gemm_of(const std::array<Word, kColumns.size()>& cells,
                                     Problems& problems) {
  std::array<double, kColumns.size()> figures{};
  bool good = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (kColumns[i] == "precision") continue;
    const auto value = figure_of(cells[i], kColumns[i], kColumns[i] != "tflops", problems);
    good = good && value;
    figures[i] = value.value_or(0);
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

/// Calls `take` with the cells of each line of a CSV, in the order of `columns`, its number, and
/// what its column "gpu" says, where it has one.
template <std::size_t N, class Take>
void read_csv(const SourceText& source, const std::array<std::string_view, N>& columns,
              const char* hint, Problems& problems, Take take) {
  std::vector<Word> titles;
  int number = 0;
  for (const Word line : lines_of(source.text)) {
    ++number;
    const Word plain = trimmed(line);
    if (plain.text.empty() || plain.text.front() == '#') continue;
    const std::vector<Word> words = split(line, ",", true);
    if (titles.empty()) {
      titles = words;
      for (const std::string_view column : columns) {
        if (place_of(titles, column)) continue;
        problems.add(line.offset, "missing-key", "no column " + in_quotes(column), hint);
      }
      problems.throw_if_any();
      continue;
    }
    if (words.size() != titles.size()) {
      problems.add(line.offset, "wrong-type",
                   std::to_string(words.size()) + " cells in a line, " +
                       std::to_string(titles.size()) + " in the first",
                   hint);
      continue;
    }
    std::array<Word, N> cells;
    for (std::size_t i = 0; i < N; ++i) cells[i] = trimmed(words[*place_of(titles, columns[i])]);
    const auto device = place_of(titles, "gpu");
    take(cells, number, device ? std::string(trimmed(words[*device]).text) : std::string());
  }
  problems.throw_if_any();
}

constexpr std::array<std::string_view, 6> kAttentionColumns{"batch",    "sequence", "heads",
                                                            "head_dim", "kernel",   "tflops"};
constexpr const char* kAttentionHint = "columns: batch,sequence,heads,head_dim,kernel,tflops";

std::optional<AttentionKernel> kernel_named(std::string_view name) {
  for (const AttentionKernel kernel : kAttentionKernels) {
    if (name_of(kernel) == name) return kernel;
  }
  return std::nullopt;
}

std::optional<AttentionBenchmark> attention_of(
    const std::array<Word, kAttentionColumns.size()>& cells, Problems& problems) {
  std::array<double, kAttentionColumns.size()> figures{};
  bool good = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (kAttentionColumns[i] == "kernel") continue;
    const auto value =
        figure_of(cells[i], kAttentionColumns[i], kAttentionColumns[i] != "tflops", problems);
    good = good && value;
    figures[i] = value.value_or(0);
  }
  const auto kernel = kernel_named(cells[4].text);
  if (!kernel) {
    problems.add(
        cells[4].offset, "unknown-value",
        "kernel must be one of unfused, flash1, flash2, cudnn, not " + in_quotes(cells[4].text));
  }
  if (!good || !kernel) return std::nullopt;
  return AttentionBenchmark{.batch = static_cast<std::int64_t>(figures[0]),
                            .sequence = static_cast<std::int64_t>(figures[1]),
                            .heads = static_cast<std::int64_t>(figures[2]),
                            .head_dim = static_cast<std::int64_t>(figures[3]),
                            .kernel = *kernel,
                            .rate = figures[5] * units::TFLOPs};
}

}  // namespace

std::vector<GemmBenchmark> parse_gemms(std::string_view text, std::string_view source_name) {
  const SourceText source{source_name, text};
  Problems problems(source);
  std::vector<GemmBenchmark> gemms;
  read_csv(source, kColumns, kGemmHint, problems,
           [&](const auto& cells, int number, std::string device) {
             auto gemm = gemm_of(cells, problems);
             if (!gemm) return;
             gemm->device = std::move(device);
             gemm->line = number;
             gemms.push_back(*gemm);
           });
  if (gemms.empty()) {
    throw InputError(source.diagnose(0, "missing-key", "no line of figures", kGemmHint));
  }
  return gemms;
}

std::vector<AttentionBenchmark> parse_attention(std::string_view text,
                                                std::string_view source_name) {
  const SourceText source{source_name, text};
  Problems problems(source);
  std::vector<AttentionBenchmark> found;
  read_csv(source, kAttentionColumns, kAttentionHint, problems,
           [&](const auto& cells, int, std::string device) {
             auto one = attention_of(cells, problems);
             if (!one) return;
             one->device = std::move(device);
             found.push_back(*std::move(one));
           });
  if (found.empty()) {
    throw InputError(source.diagnose(0, "missing-key", "no line of figures", kAttentionHint));
  }
  return found;
}

}  // namespace planner::catalog
