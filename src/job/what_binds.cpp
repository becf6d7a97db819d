#include "planner/job/what_binds.hpp"

#include <algorithm>
#include <utility>

#include "planner/job/strategy.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/least_times.hpp"

namespace planner::job {

namespace {

constexpr double kLarger = 1 + kSensitivityStep;

/// Whether no strategy takes more than k times as long for a resource of the k-th part: what takes
/// time does, and an iteration never takes less for longer parts but where GPUs share cards, whose
/// stages wait for each other the less. Where storage shares the network, what it leaves grows by
/// more.
bool gains_no_more_than_it_grows(const Workload& workload) {
  return workload.timing.calibrated() && !workload.system.host &&
         !(workload.storage_traffic > BytesPerSecond{});
}

void enlarge_peak_rates(System& system) {
  for (PeakRates* rates : {&system.accelerator.datasheet, &system.accelerator.silicon}) {
    for (auto rate :
         {&rates->fp32, &rates->tf32, &rates->fp16, &rates->bf16, &rates->fp8, &rates->fp4}) {
      if (*rate) *rate = kLarger * **rate;
    }
  }
}
void enlarge_hb_bandwidth(System& system) {
  system.hb_bandwidth = kLarger * system.hb_bandwidth;
}
void enlarge_network_bandwidth(System& system) {
  system.network_bandwidth = kLarger * system.network_bandwidth;
}

/// Searches for the best time of larger workloads. Refers to all that it is given.
class Larger {
 public:
  /// @param options  of the search that found `best`
  Larger(const Workload& workload, const SearchSpace& space, const SearchOptions& options,
         const Plan& best, LeastTimes& as_it_is)
      : space_(space),
        options_(options),
        best_(best),
        as_it_is_(as_it_is),
        limit_(limit_of(workload)),
        comparable_(gains_no_more_than_it_grows(workload)) {
    options_.objective = Objective::time;
    options_.top = 1;
    options_.front = options_.count = false;
    options_.progress = nullptr;
  }

  /// Whether what is known of one workload tells something of a larger one.
  [[nodiscard]] bool comparable() const { return comparable_; }

  /// What is known of a larger workload's columns: no strategy takes more than so many times as
  /// long where that was searched.
  struct Known {
    const std::vector<SearchedColumn>* columns = nullptr;
    double times_as_long = 1;
  };

  /// Adds the best time.
  /// @param times_as_long  than on it a strategy takes as things are, at most
  void search(const Workload& larger, const char* resource, double times_as_long,
              const Known& known, std::vector<Sensitivity>& found) const {
    const SearchResult result =
        searched(larger, times_as_long, known, options_, value_of_best(larger));
    if (result.best.empty()) return;
    const Seconds time = result.best.front().time;
    found.push_back({.resource = resource, .time = time, .change = time / best_.time.total() - 1});
  }

  /// What may reach a ranking value.
  [[nodiscard]] std::vector<SearchedColumn> within(const Workload& larger, double times_as_long,
                                                   const Known& known, Seconds value) const {
    std::vector<SearchedColumn> columns;
    SearchOptions all = options_;
    all.top = 0;
    all.searched = &columns;
    searched(larger, times_as_long, known, all, value);
    return columns;
  }

  /// The best strategy's ranking value there.
  [[nodiscard]] Seconds value_of_best(const Workload& larger) const {
    const Prediction there = evaluate(larger, best_.strategy);
    return fit_rule(larger, options_.least_p_fits).risk(there.memory.total()) * there.time.total();
  }

 private:
  [[nodiscard]] Bytes limit_of(const Workload& workload) const {
    return fit_rule(workload, options_.least_p_fits).limit();
  }

  SearchResult searched(const Workload& larger, double times_as_long, const Known& known,
                        SearchOptions options, Seconds value) const {
    LeastTimes least(larger, space_, LeastTimes::Counting::messages);
    if (comparable_) {
      least.compare_with(as_it_is_, times_as_long);
      least.leave_out(known.columns, known.times_as_long, limit_of(larger), limit_);
    }
    options.known_time = value;
    options.least_times = &least;
    return search_all(larger, space_, options);
  }

  const SearchSpace& space_;
  SearchOptions options_;
  const Plan& best_;
  LeastTimes& as_it_is_;
  Bytes limit_;
  bool comparable_;
};

}  // namespace

std::vector<Sensitivity> what_binds(const Workload& workload, const SearchSpace& space,
                                    SearchOptions options, const Plan& best, LeastTimes& as_it_is) {
  const Larger larger(workload, space, options, best, as_it_is);
  const auto with = [&workload](auto&&... enlarge) {
    Workload other = workload;
    (enlarge(other.system), ...);
    return other;
  };
  std::vector<Sensitivity> found;
  larger.search(with(enlarge_peak_rates), "peak FLOP/s", kLarger, {options.searched, kLarger},
                found);
  const Workload hb = with(enlarge_hb_bandwidth), network = with(enlarge_network_bandwidth);
  // No strategy takes less with the one than with both, of which most are known to be too slow by
  // one search. Experts' all-to-alls take both links: with both many strategies would be within.
  std::vector<SearchedColumn> within;
  Larger::Known of_links{options.searched, kLarger};
  if (larger.comparable() && !workload.model.moe) {
    const Seconds value = std::max(larger.value_of_best(hb), larger.value_of_best(network));
    within = larger.within(with(enlarge_hb_bandwidth, enlarge_network_bandwidth), kLarger, of_links,
                           value);
    of_links = {&within, 1};
  }
  larger.search(hb, "HB bandwidth", kLarger, of_links, found);
  larger.search(network, "network bandwidth", kLarger, of_links, found);
  const Workload memory = with([all = memory_limit(workload)](System& system) {
    set_memory(system.accelerator, kLarger * all);
  });
  larger.search(memory, "memory", 1, {options.searched, 1}, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Sensitivity& a, const Sensitivity& b) { return a.change < b.change; });
  return found;
}

}  // namespace planner::job
