#include "planner/commands/design/together.hpp"

#include <utility>

#include "planner/commands/design/state.hpp"

namespace planner::commands {

namespace {

// How each text begins that is shared while the search goes on.
constexpr char kGoesOn = '-', kStop = 'S', kLate = 'L';

}  // namespace

Together::Together(const Peers* peers, const std::atomic<bool>* stop, std::function<bool()> late,
                   std::int64_t every)
    : peers_(peers), stop_(stop), late_(std::move(late)), every_(every) {
  if (peers_ == nullptr) return;
  team_ = {.rank = peers_->rank,
           .size = peers_->size,
           .say = [this](const design::Said& own) { return say(own); },
           .deal = design::Dealing(peers_->next, peers_->size)};
}

std::vector<std::string> Together::share(const std::string& own) {
  const char ends = is_set(stop_) ? kStop : late_ && late_() ? kLate : kGoesOn;
  std::vector<std::string> all = peers_->share(ends + own);
  for (std::string& one : all) {
    agreed_stop_ = agreed_stop_ || one.front() == kStop;
    agreed_late_ = agreed_late_ || one.front() == kLate;
    one.erase(0, 1);
  }
  return all;
}

// A line for each search, an empty one behind them, then the text.
std::vector<design::Said> Together::say(const design::Said& own) {
  std::string told;
  for (const design::SearchedWay& one : own.searches) told += line_of(one) + '\n';
  std::vector<design::Said> all;
  for (std::string& heard : share(told + '\n' + own.text)) {
    design::Said& one = all.emplace_back();
    std::size_t at = 0;
    for (std::size_t end = heard.find('\n'); end > at; end = heard.find('\n', at)) {
      one.searches.push_back(searched_in(std::string_view(heard).substr(at, end - at)).value());
      at = end + 1;
    }
    one.text = heard.substr(at + 1);
  }
  return all;
}

// One asks all, the other nobody: neither may decide whether the other is asked.
design::Control Together::control() {
  return {.out_of_time = [this] { return over(); },
          .out_of_time_here = [this] { return over_here(); }};
}

bool Together::over() {
  if (peers_ == nullptr) return over_here();
  if (asked_++ % every_ == 0) share({});
  return agreed_stop_ || agreed_late_;
}

bool Together::stopped() const {
  return peers_ == nullptr ? is_set(stop_) : agreed_stop_;
}

std::string Together::from_first(const std::function<std::string()>& own) const {
  if (peers_ == nullptr) return own();
  return peers_->share(first() ? own() : std::string()).front();
}

}  // namespace planner::commands
