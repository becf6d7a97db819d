#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "planner/commands/peers.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/design/search.hpp"
#include "planner/search/space.hpp"

namespace planner::commands {

/// When a search of designs ends before it is done, agreed upon by all processes that make it.
class Together {
 public:
  /// @param peers  null: this process is alone
  /// @param late  whether the time that was given is over; empty: there is no end to it
  /// @param every  of so many times that they ask, processes tell each other once
  Together(const Peers* peers, const std::atomic<bool>* stop, std::function<bool()> late,
           std::int64_t every = 256);
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  /// Null: this process is alone.
  [[nodiscard]] const design::Team* team() const { return peers_ == nullptr ? nullptr : &team_; }
  /// What ends a search in its middle; null: it is ended between searches only.
  [[nodiscard]] const std::atomic<bool>* stop() const {
    return peers_ == nullptr ? stop_ : nullptr;
  }

  /// A search's control that asks over() and over_here(). Refers to this.
  [[nodiscard]] design::Control control();
  /// Whether it is to end. With others: all ask as often, and are told the same.
  bool over();
  /// Whether this process is to end what it alone does: it asks no other.
  [[nodiscard]] bool over_here() const {
    return agreed_stop_ || agreed_late_ || is_set(stop_) || (late_ && late_());
  }
  /// Whether the user has ended it.
  [[nodiscard]] bool stopped() const;
  /// What the first process says, to all.
  /// @param own  what it is if this is the first
  [[nodiscard]] std::string from_first(const std::function<std::string()>& own) const;
  [[nodiscard]] bool first() const { return peers_ == nullptr || peers_->rank == 0; }

 private:
  std::vector<std::string> share(const std::string& own);
  std::vector<design::Said> say(const design::Said& own);

  const Peers* peers_;
  const std::atomic<bool>* stop_;
  std::function<bool()> late_;
  std::int64_t every_;
  design::Team team_;
  bool agreed_stop_ = false, agreed_late_ = false;
  std::int64_t asked_ = 0;
};

}  // namespace planner::commands
