#include "planner/design/known.hpp"

#include <algorithm>
#include <utility>

namespace planner::design {

Way Way::on_full_network() const {
  Way way = *this;
  way.levels.clear();
  way.rails_apart = 1;
  way.routed = {};
  way.ports.reset();
  return way;
}

std::size_t HashOfWay::operator()(const Way& way) const {
  constexpr std::size_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  std::size_t hash = way.by_time ? kOdd : 0;
  const auto add = [&hash](std::size_t value) {
    hash = (hash ^ value) * kOdd;
    hash ^= hash >> 32;
  };
  const auto add_number = [&add](std::int64_t number) { add(static_cast<std::size_t>(number)); };
  add(way.system);
  add(way.batch);
  for (const std::int64_t number : {way.used, way.as_one, way.rails_apart, way.routed.bought}) {
    add_number(number);
  }
  add(way.routed.network);
  if (way.ports) add(std::hash<double>{}(way.ports->si()));
  for (const auto& [gpus, share] : way.levels) {
    add_number(gpus);
    add(std::hash<double>{}(share));
  }
  return hash;
}

namespace {

SearchedWay searched(const Way& way, const KnownSearches::Kept& kept) {
  KnownWay known{.beyond = kept.beyond};
  if (kept.best != nullptr) known.best = *kept.best;
  return {way, known};
}

}  // namespace

const KnownSearches::Kept* KnownSearches::answer(const Way& way, Seconds most) const {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(way);
  return found != all_.end() && found->second.answers(most) ? &found->second : nullptr;
}

void KnownSearches::add(const Way& way, const KnownWay& found) {
  const std::lock_guard lock(mutex_);
  Kept& known = all_[way];
  if (known.best != nullptr || (!found.best && found.beyond <= known.beyond)) return;
  known.beyond = found.beyond;
  if (found.best) known.best = &bests_.emplace_back(*found.best);
  if (told_) new_.push_back(way);
}

std::size_t KnownSearches::size() const {
  const std::lock_guard lock(mutex_);
  return all_.size();
}

std::vector<SearchedWay> KnownSearches::take_new() {
  const std::lock_guard lock(mutex_);
  std::vector<SearchedWay> taken;
  for (const Way& way : new_) taken.push_back(searched(way, all_.at(way)));
  new_.clear();
  return taken;
}

std::vector<SearchedWay> KnownSearches::all() const {
  std::unique_lock lock(mutex_);
  std::vector<SearchedWay> sorted;
  sorted.reserve(all_.size());
  for (const auto& [way, kept] : all_) sorted.push_back(searched(way, kept));
  lock.unlock();
  std::sort(sorted.begin(), sorted.end(),
            [](const SearchedWay& a, const SearchedWay& b) { return a.first < b.first; });
  return sorted;
}

// Each process takes one number beyond the parts, which tells it that none is left.
std::size_t Dealing::operator()(std::size_t parts) {
  const std::size_t part = next_() - dealt_;
  if (part < parts) return part;
  dealt_ += parts + processes_;
  return parts;
}

std::vector<SearchedWay> Team::share(std::vector<SearchedWay> own) const {
  std::vector<SearchedWay> all;
  for (const Said& one : say({.searches = std::move(own)})) {
    all.insert(all.end(), one.searches.begin(), one.searches.end());
  }
  return all;
}

std::vector<std::string> Team::tell(std::string own) const {
  std::vector<std::string> all;
  for (Said& one : say({.text = std::move(own)})) all.push_back(std::move(one.text));
  return all;
}

std::size_t Team::sum(std::size_t own) const {
  std::size_t all = 0;
  for (const std::string& one : tell(std::to_string(own))) all += std::stoul(one);
  return all;
}

}  // namespace planner::design
