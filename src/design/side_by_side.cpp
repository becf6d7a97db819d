#include "planner/design/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <iterator>
#include <mutex>
#include <sstream>
#include <utility>

#include "planner/core/diagnostic.hpp"
#include "planner/design/each_system.hpp"
#include "planner/search/for_each_index.hpp"

namespace planner::design {

namespace {

constexpr const char* kNone = "-";

/// The counts of a certificate that add up.
template <class Of>
auto counts_of(Of& certificate) {
  return std::array{&certificate.designs,    &certificate.searched,        &certificate.over_limits,
                    &certificate.by_work,    &certificate.by_full_network, &certificate.by_parts,
                    &certificate.no_network, &certificate.unpriced,        &certificate.not_reached,
                    &certificate.searches};
}

}  // namespace

SideBySide::SideBySide(const Space& space, const Question& question, Times& times,
                       const Control& control, Learnt& learnt)
    : question_(question),
      times_(times),
      one_by_one_(times, &Times::set_one_by_one),
      control_(control),
      systems_(space.systems.size()),
      exchange_(space, question.confidence, times, learnt),
      archive_(question, space.tokens.size()) {
  search_apart(times);
  for (std::uint32_t system = 0; system < space.systems.size(); ++system) {
    if (space.systems[system].networks.empty()) continue;
    designs_ += static_cast<std::int64_t>(learnt.counts.bought(system).size() *
                                          space.systems[system].networks.size());
  }
  for (const std::uint32_t system : exchange_.own_systems()) {
    own_.push_back({system, std::make_unique<Pass>(space, question, times, learnt, system)});
  }
}

SideBySide::Heard SideBySide::hear() {
  Heard own{.interrupted = interrupted_, .problem = !problems_.empty()};
  own.found = std::exchange(found_, {});
  for (const OfSystem& of : own_) {
    own.counted += of.pass->counted();
    own.put_off = own.put_off && of.pass->at_put_off();
  }
  for (const OfSystem& of : own_) {
    const auto least = of.pass->next();
    if (!least || of.pass->at_put_off() != own.put_off) continue;
    own.least = std::min(own.least.value_or(HUGE_VAL), *least);
  }
  const Team* const team = times_.team();
  if (team == nullptr) return own;
  std::ostringstream words;
  words << (own.least ? fmt::format("{}", *own.least) : kNone) << ' ' << own.put_off << ' '
        << own.counted << ' ' << own.interrupted << ' ' << own.problem;
  const std::vector<Said> said =
      team->say({.searches = Exchange::told(own.found), .text = words.str()});
  Heard all;
  for (std::size_t rank = 0; rank < said.size(); ++rank) {
    std::istringstream of_one(said[rank].text);
    std::string least;
    Heard one;
    of_one >> least >> one.put_off >> one.counted >> one.interrupted >> one.problem;
    all.counted += one.counted;
    all.interrupted = all.interrupted || one.interrupted;
    all.problem = all.problem || one.problem;
    if (all.put_off && !one.put_off) all.least.reset();
    all.put_off = all.put_off && one.put_off;
    if (least != kNone && one.put_off == all.put_off) {
      all.least = std::min(all.least.value_or(HUGE_VAL), number_in(least));
    }
    one.found = rank == team->rank ? std::move(own.found) : exchange_.heard(said[rank].searches);
    std::move(one.found.begin(), one.found.end(), std::back_inserter(all.found));
  }
  return all;
}

void SideBySide::advance(double bound, bool put_off) {
  std::vector<const OfSystem*> active;
  for (const OfSystem& of : own_) {
    if (const auto least = of.pass->next();
        least && *least <= bound && of.pass->at_put_off() == put_off) {
      active.push_back(&of);
    }
  }
  // With others nobody is asked within a round: that one was ended they hear with what it found.
  std::mutex asking;
  const auto& ends = times_.team() == nullptr ? control_.out_of_time : control_.out_of_time_here;
  const auto over = [&] {
    const std::lock_guard lock(asking);
    return is_set(times_.stop()) || (ends && ends());
  };
  std::mutex ending;
  std::atomic<bool> interrupted{false};
  const std::size_t threads = thread_count(static_cast<std::size_t>(times_.threads()));
  for_each_index(active.size(), active.size() < 2 ? 1 : threads, [&](std::size_t i) {
    try {
      active[i]->pass->run_up_to(bound, over);
    } catch (const Interrupted&) {
      interrupted = true;
    } catch (const InputError& error) {
      const std::lock_guard lock(ending);
      problems_.emplace(active[i]->system, error);
    }
  });
  interrupted_ = interrupted;
  for (const OfSystem& of : own_) {
    for (Found& found : of.pass->archive().take_new()) found_.push_back(std::move(found));
  }
}

void SideBySide::offer(const std::vector<Found>& all) {
  if (all.empty()) return;
  for (const Found& found : all) {
    archive_.offer(found);
    for (const OfSystem& of : own_) {
      if (of.system != found.place.id.system) of.pass->archive().offer(found);
    }
  }
  static_cast<void>(archive_.take_new());
  for (const OfSystem& of : own_) static_cast<void>(of.pass->archive().take_new());
}

/// Of the systems of all processes. The words of what is lacking are those of the first system.
Certificate SideBySide::certificate() const {
  std::string own;
  for (const OfSystem& of : own_) {
    const Certificate one = of.pass->certificate();
    for (const std::int64_t* count : counts_of(one)) own += std::to_string(*count) + " ";
    own += one.bound ? fmt::format("{}", *one.bound) : kNone;
    own += " " + std::to_string(of.system) + " " + one.lacks.value_or(kNone) + "\n";
  }
  Certificate all;
  std::size_t lacking = systems_;
  const Team* const team = times_.team();
  for (const std::string& text : team == nullptr ? std::vector{own} : team->tell(own)) {
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
    if (heard.problem) throw_first(problems_, times_.team());
    offer(heard.found);
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
    const double further = heard.put_off ? 0 : kRound * std::abs(*heard.least);
    advance(*heard.least + further, heard.put_off);
    if (rounds % kSharedEvery == 0) share_searches(times_);
  }
  exchange_.end();
  return {.found = archive_.sorted(), .certificate = certificate()};
}

}  // namespace planner::design
