#include "planner/design/side_by_side.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <mutex>
#include <sstream>
#include <utility>

#include "planner/core/diagnostic.hpp"
#include "planner/design/rounding.hpp"
#include "planner/search/for_each_index.hpp"

namespace planner::design {

namespace {

/// Numbers and words, one after the other; no number loses a digit.
std::string in_words(double number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

double number_in(const std::string& text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

constexpr const char* kNone = "-";

/// The counts of a certificate that add up.
template <class Of>
auto counts_of(Of& certificate) {
  return std::array{&certificate.designs,    &certificate.searched,        &certificate.over_limits,
                    &certificate.by_work,    &certificate.by_full_network, &certificate.by_parts,
                    &certificate.no_network, &certificate.unpriced,        &certificate.not_reached,
                    &certificate.searches};
}

/// A use of a design, in the words of searches: on a network of its own.
SearchedWay use_of(const DesignId& id, const BestTime& best) {
  return {{.system = id.system,
           .batch = best.batch,
           .used = best.use.gpus,
           .as_one = best.use.as_one,
           .routed = {.bought = id.gpus, .network = id.network}},
          {.best = BestOfWay{.value = best.time, .time = best.time, .strategy = best.strategy}}};
}

}  // namespace

SideBySide::SideBySide(const Space& space, const Question& question, Times& times,
                       const Control& control, Learnt& learnt)
    : space_(space),
      question_(question),
      times_(times),
      one_by_one_(times),
      control_(control),
      learnt_(learnt),
      judge_(space, question.confidence),
      priced_(space, learnt.counted),
      archive_(question, space.tokens.size()) {
  std::vector<OfSystem> all;
  for (std::uint32_t system = 0; system < space.systems.size(); ++system) {
    if (space.systems[system].networks.empty()) continue;
    all.push_back({system, std::make_unique<Pass>(space, question, times, learnt, system)});
    designs_ += all.back().pass->certificate().designs;
  }
  const Team* const team = times.team();
  if (team == nullptr) {
    own_ = std::move(all);
    return;
  }
  static_cast<void>(times.made().take_new());  // every process has made them
  // Those that take most come first: of the systems with the cheapest fast clusters.
  std::stable_sort(all.begin(), all.end(), [](const OfSystem& a, const OfSystem& b) {
    return a.pass->least_cost_of_time() < b.pass->least_cost_of_time();
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t turn = i / team->size, place = i % team->size;
    if ((turn % 2 == 0 ? place : team->size - 1 - place) == team->rank) {
      own_.push_back(std::move(all[i]));
    }
  }
}

std::vector<std::string> SideBySide::tell(const std::string& own) const {
  return times_.team() == nullptr ? std::vector{own} : times_.team()->tell(own);
}

SideBySide::Heard SideBySide::hear() const {
  Heard own{.found = found_.size(), .interrupted = interrupted_};
  for (const OfSystem& of : own_) {
    own.counted += of.pass->counted();
    const auto least = of.pass->next();
    if (least && !(own.least && *own.least <= *least)) own.least = least;
  }
  if (times_.team() == nullptr) return own;
  std::ostringstream words;
  words << (own.least ? in_words(*own.least) : kNone) << ' ' << own.counted << ' ' << own.found
        << ' ' << own.interrupted;
  Heard all;
  for (const std::string& text : tell(words.str())) {
    std::istringstream of_one(text);
    std::string least;
    Heard one;
    of_one >> least >> one.counted >> one.found >> one.interrupted;
    all.counted += one.counted;
    all.found += one.found;
    all.interrupted = all.interrupted || one.interrupted;
    if (least != kNone) all.least = std::min(all.least.value_or(HUGE_VAL), number_in(least));
  }
  return all;
}

void SideBySide::advance(double bound) {
  std::vector<Pass*> active;
  for (const OfSystem& of : own_) {
    if (const auto least = of.pass->next(); least && *least <= bound) {
      active.push_back(of.pass.get());
    }
  }
  // With others a round is gone through to its end: all must end in the same one.
  std::mutex asking;
  const auto over = [&] {
    if (times_.team() != nullptr) return false;
    const std::lock_guard lock(asking);
    return is_set(times_.stop()) || (control_.out_of_time && control_.out_of_time());
  };
  std::atomic<bool> interrupted{false};
  const std::size_t threads = thread_count(static_cast<std::size_t>(times_.threads()));
  for_each_index(active.size(), active.size() < 2 ? 1 : threads, [&](std::size_t i) {
    try {
      active[i]->run_up_to(bound, over);
    } catch (const Interrupted&) {
      interrupted = true;
    }
  });
  interrupted_ = interrupted;
  for (const OfSystem& of : own_) {
    for (Found& found : of.pass->archive().take_new()) found_.push_back(std::move(found));
  }
}

void SideBySide::exchange() {
  for (const Found& found : with_others(std::exchange(found_, {}))) {
    archive_.offer(found);
    for (const OfSystem& of : own_) {
      if (of.system != found.place.id.system) of.pass->archive().offer(found);
    }
  }
  static_cast<void>(archive_.take_new());
  for (const OfSystem& of : own_) static_cast<void>(of.pass->archive().take_new());
}

std::vector<Found> SideBySide::with_others(std::vector<Found> own) {
  if (times_.team() == nullptr) return own;
  std::vector<SearchedWay> told;
  for (const Found& found : own) {
    for (const BestTime& best : found.times) told.push_back(use_of(found.place.id, best));
  }
  const std::vector<SearchedWay> heard = times_.team()->share(told);
  std::vector<Found> all;
  for (auto at = heard.begin(); at != heard.end();
       at += static_cast<std::ptrdiff_t>(space_.tokens.size())) {
    all.push_back(rebuilt(at));
  }
  return all;
}

Found SideBySide::rebuilt(std::vector<SearchedWay>::const_iterator first) {
  const Way& of = first->first;
  Found found{.place = {.id = {.system = static_cast<std::uint32_t>(of.system),
                               .gpus = of.routed.bought,
                               .network = of.routed.network},
                        .runs = {}},
              .times = {},
              .cluster = {},
              .judged = {}};
  const DesignId& id = found.place.id;
  found.cluster = std::get<Bought>(priced_.of(id));
  std::vector<RunTimes> takes;
  for (std::size_t run = 0; run < space_.tokens.size(); ++run, ++first) {
    const auto& [way, known] = *first;
    const BestTime best{.batch = way.batch,
                        .time = known.best->time,
                        .strategy = known.best->strategy,
                        .use = times_.use_of(way.system, way.used, way.as_one)};
    const auto& usable = learnt_.counts.usable(way.system).runs[run].all;
    const auto count = std::find_if(usable.begin(), usable.end(), [&](const UsableCount& one) {
      return one.batch == way.batch && one.used == way.used;
    });
    takes.push_back(*learnt_.runs.of(id, found.cluster, best, count->late, kNever));
    found.place.runs.push_back({way.batch, way.used});
    found.times.push_back(best);
  }
  found.judged = judge_.judge(found.cluster, std::move(takes));
  return found;
}

/// What one process has searched the others need not search for the questions behind this one. What
/// only one has seen to be ruled out would make its next steps others than theirs.
void SideBySide::share_searches() {
  if (times_.team() == nullptr) return;
  for (const auto& [way, found] : times_.team()->share(times_.made().take_new())) {
    times_.made().add(way, found);
  }
  static_cast<void>(times_.made().take_new());
}

/// Of the systems of all processes. The words of what is lacking are those of the first system.
Certificate SideBySide::certificate() const {
  std::string own;
  for (const OfSystem& of : own_) {
    const Certificate one = of.pass->certificate();
    for (const std::int64_t* count : counts_of(one)) own += std::to_string(*count) + " ";
    own += one.bound ? in_words(*one.bound) : kNone;
    own += " " + std::to_string(of.system) + " " + one.lacks.value_or(kNone) + "\n";
  }
  Certificate all;
  std::size_t lacking = space_.systems.size();
  for (const std::string& text : tell(own)) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      for (std::int64_t* const sum : counts_of(all)) {
        std::int64_t count = 0;
        words >> count;
        *sum += count;
      }
      std::string bound, lacks;
      std::size_t system = 0;
      words >> bound >> system >> std::ws;
      std::getline(words, lacks);
      if (bound != kNone) all.bound = std::min(all.bound.value_or(HUGE_VAL), number_in(bound));
      if (lacks == kNone || system > lacking) continue;
      lacking = system;
      all.lacks = lacks;
    }
  }
  return all;
}

Outcome SideBySide::run() {
  constexpr double kRound = 0.02;            // of the first goal
  constexpr std::int64_t kSharedEvery = 16;  // rounds
  for (std::int64_t rounds = 0;; ++rounds) {
    const Heard heard = hear();
    if (heard.found > 0) exchange();
    if (!heard.least || heard.interrupted) break;
    if (control_.between) control_.between();
    if (is_set(times_.stop()) || (control_.out_of_time && control_.out_of_time())) break;
    if (control_.progress) {
      control_.progress({.done = heard.counted,
                         .total = designs_,
                         .goal = question_.goals.front().measure,
                         .found = archive_.size(),
                         .best = archive_.least(),
                         .bound = *heard.least});
    }
    advance(*heard.least + kRound * std::abs(*heard.least));
    if (rounds % kSharedEvery == 0) share_searches();
  }
  share_searches();
  if (times_.team() != nullptr) learnt_.forget_ruled_out();
  return {.found = archive_.sorted(), .certificate = certificate()};
}

}  // namespace planner::design
