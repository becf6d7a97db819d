#include "planner/commands/design/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "planner/catalog/briefs.hpp"
#include "planner/catalog/documents.hpp"
#include "planner/catalog/tables/calibration.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/output.hpp"
#include "planner/json/text_file.hpp"

namespace planner::commands {

namespace {

/// Of the lines of searches.
constexpr const char* kFormat = "3";
constexpr const char* kAnew = "delete it to start anew, or name another --state";

/// Numbers one after the other, none of which loses a digit.
class Writer {
 public:
  void add(auto number) { text_ += fmt::format("{}{}", text_.empty() ? "" : " ", number); }
  void add(const Split& split) {
    add(split.hb);
    add(split.net);
  }
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  template <class Number>
  Number next() {
    Number number{};
    const char* const end = text_.data() + text_.size();
    const auto [at, error] = std::from_chars(text_.data(), end, number);
    good_ = good_ && error == std::errc{} && (at == end || *at == ' ');
    text_.remove_prefix(good_ ? static_cast<std::size_t>(std::min(at + 1, end) - text_.data())
                              : text_.size());
    return number;
  }
  std::int64_t count() {
    const auto number = next<std::int64_t>();
    good_ = good_ && number > 0;
    return number;
  }
  Split split() {
    const std::int64_t hb = count();
    return {.hb = hb, .net = count()};
  }
  /// One of `most` + 1 things.
  int one_of(int most) {
    const int number = next<int>();
    good_ = good_ && number >= 0 && number <= most;
    return good_ ? number : 0;
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool done() const { return good_ && text_.empty(); }

 private:
  std::string_view text_;
  bool good_ = true;
};

void add(const Strategy& s, Writer& line) {
  for (const Split& split : {s.tp, s.pp, s.dp, s.cp, s.ep}) line.add(split);
  line.add(s.expert_tp);
  line.add(s.interleave);
  line.add(s.micro_batch);
  line.add(static_cast<int>(s.recompute));
  for (const RecomputeModule module : kRecomputeModules) {
    line.add(s.recompute_modules.has(module) ? 1 : 0);
  }
  line.add(s.recomputed_layers);
  line.add(s.zero);
  line.add(s.sequence_parallel ? 1 : 0);
  line.add(s.shard_ranks);
  line.add(static_cast<int>(s.without_interleaving));
  line.add(s.outermost ? 1 + static_cast<int>(*s.outermost) : 0);
}

Strategy strategy_in(Reader& line) {
  Strategy s;
  for (Split* const split : {&s.tp, &s.pp, &s.dp, &s.cp, &s.ep}) *split = line.split();
  s.expert_tp = line.count();
  s.interleave = line.count();
  s.micro_batch = line.count();
  s.recompute = static_cast<Recompute>(line.one_of(static_cast<int>(Recompute::full)));
  for (const RecomputeModule module : kRecomputeModules) {
    if (line.one_of(1) == 1) s.recompute_modules.insert(module);
  }
  s.recomputed_layers = line.next<double>();
  s.zero = line.one_of(3);
  s.sequence_parallel = line.one_of(1) == 1;
  s.shard_ranks = line.next<std::int64_t>();
  s.without_interleaving =
      static_cast<Schedule>(line.one_of(static_cast<int>(Schedule::zero_bubble_2p)));
  const int outermost = line.one_of(2);
  if (outermost > 0) s.outermost = static_cast<Outermost>(outermost - 1);
  return s;
}

struct State {
  std::string format = kFormat, question, name;
  std::vector<std::string> searches;
};

const json::FieldTable<State>& state_table() {
  using S = State;
  static const json::FieldTable<S> kTable{
      "design state",
      "What the search of a brief has learnt",
      {json::required("design_state", &S::format, json::text(), "format of its lines"),
       json::required("question", &S::question, json::text(), "hash of the brief and its data"),
       json::required("name", &S::name, json::text(), "of the brief"),
       json::required("searches", &S::searches, json::list(json::text()), "that were made")}};
  return kTable;
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; IETF draft-eastlake-fnv).
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace

std::string line_of(const design::SearchedWay& searched) {
  const auto& [way, known] = searched;
  Writer line;
  line.add(way.system);
  line.add(way.batch);
  line.add(way.used);
  line.add(way.as_one);
  line.add(way.rails_apart);
  line.add(way.routed.bought);
  line.add(way.routed.network);
  line.add(way.levels.size());
  for (const auto& [gpus, share] : way.levels) {
    line.add(gpus);
    line.add(share);
  }
  line.add(way.ports ? way.ports->si() : 0.0);
  line.add(way.by_time ? 1 : 0);
  line.add(known.beyond);
  line.add(known.best ? 1 : 0);
  if (known.best) {
    line.add(known.best->value.si());
    line.add(known.best->time.si());
    add(known.best->strategy, line);
  }
  return std::move(line).take();
}

std::optional<design::SearchedWay> searched_in(std::string_view text) {
  Reader line(text);
  design::SearchedWay searched;
  auto& [way, known] = searched;
  way.system = line.next<std::size_t>();
  way.batch = line.next<std::size_t>();
  way.used = line.count();
  way.as_one = line.count();
  way.rails_apart = line.count();
  way.routed.bought = line.next<std::int64_t>();
  way.routed.network = line.next<std::uint32_t>();
  const int levels = line.one_of(16);
  for (int i = 0; i < levels; ++i) {
    const auto gpus = line.next<std::int64_t>();
    way.levels.emplace_back(gpus, line.next<double>());
  }
  if (const auto ports = line.next<double>(); ports > 0) way.ports = BytesPerSecond{ports};
  way.by_time = line.one_of(1) == 1;
  known.beyond = line.next<double>();
  if (line.one_of(1) == 1) {
    const Seconds value{line.next<double>()}, time{line.next<double>()};
    known.best = design::BestOfWay{value, time, strategy_in(line)};
  }
  return line.done() ? std::optional(std::move(searched)) : std::nullopt;
}

std::string fingerprint(const Brief& brief, const OpenSpace& open) {
  std::string text = catalog::to_json(brief).dump();
  for (const design::SystemOption& option : open.space.systems) {
    for (const design::RunOn& run : option.runs) text += catalog::to_json(run.job.model).dump();
    text += catalog::to_json(option.system()).dump() + catalog::to_json(option.node).dump();
    const TimingModel& timing = option.runs.front().job.timing;
    if (timing.calibrated()) text += catalog::to_json(timing.constants()).dump();
    for (const design::NetworkOption& network : option.networks) {
      text +=
          network_words({.fabric = network.choice.fabric, .fabric_parts = network.choice.parts});
    }
  }
  text += catalog::to_json(open.space.book).dump() + catalog::to_json(open.space.economics).dump();
  if (open.space.failures) text += catalog::to_json(open.space.failures->rates).dump();
  return fmt::format("{:016x}", hash_of(text));
}

StateFile::StateFile(std::string path, std::string question, std::string name)
    : path_(std::move(path)), question_(std::move(question)), name_(std::move(name)) {}

std::string StateFile::text() const {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path_, ignored) ? json::read_text_file(path_) : "";
}

void StateFile::add(const std::string& text, design::Times& times) const {
  if (text.empty()) return;
  const State state = json::parse_document(state_table(), {path_, text});
  const auto refuse = [&](const char* code, std::string message) {
    throw InputError(
        Diagnostic{.code = code, .message = std::move(message), .hint = kAnew, .file = path_});
  };
  if (state.format != kFormat) refuse("other-version", "another version of planner wrote it");
  if (state.question != question_) {
    refuse("other-brief",
           fmt::format("it is the state of another brief ({}), or of other prices or data",
                       state.name));
  }
  for (const std::string& line : state.searches) {
    const auto searched = searched_in(line);
    if (!searched || !times.holds(*searched)) {
      refuse("other-version",
             "what it says of a search does not hold: it is damaged, or another version of planner "
             "wrote it");
    }
    times.made().add(searched->first, searched->second);
  }
}

void StateFile::keep_now_and_then(const design::KnownSearches& searches) {
  constexpr int kTimesAsLong = 50;  // as it takes to write
  constexpr std::chrono::seconds kAtLeast{1};
  const auto now = Clock::now();
  if (now < next_ || searches.size() == kept_) return;
  keep(searches);  // what goes wrong is told at the end, if it does so then
  const auto took = Clock::now() - now;
  next_ = Clock::now() + std::max<Clock::duration>(kAtLeast, kTimesAsLong * took);
}

std::optional<Diagnostic> StateFile::keep(const design::KnownSearches& searches) {
  State state{.question = question_, .name = name_, .searches = {}};
  for (const design::SearchedWay& one : searches.all()) state.searches.push_back(line_of(one));
  json::Json out;
  json::write_object(state_table(), state, out);
  if (auto problem = json::write_file_atomically(path_, out.dump(0) + "\n")) return problem;
  kept_ = state.searches.size();
  return std::nullopt;
}

}  // namespace planner::commands
