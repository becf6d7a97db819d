#include "planner/job/what_binds.hpp"

#include <algorithm>
#include <utility>

#include "planner/core/diagnostic.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/least_times.hpp"
#include "planner/search/search.hpp"

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

/// Searches for the best time of larger workloads, among plans that the ranking takes for no
/// riskier than the best. Refers to all that it is given.
class Larger {
 public:
  /// @param options  of the search that found `best`
  Larger(const Workload& workload, const SearchSpace& space, const SearchOptions& options,
         const Plan& best, LeastTimes& as_it_is)
      : space_(space),
        options_(options.for_best()),
        best_(best),
        as_it_is_(as_it_is),
        limit_(limit_of(workload)),
        comparable_(gains_no_more_than_it_grows(workload)) {
    const FitRule rule = fit_rule(workload, options.least_p_fits);
    options_.least_p_fits = std::max(options.least_p_fits, rule.least_as_sure(best.memory.total()));
    options_.objective = Objective::time;
  }

  /// Whether what is known of one workload tells something of a larger one.
  [[nodiscard]] bool comparable() const { return comparable_; }

  /// What is known of a larger workload's columns: no strategy takes more than so many times as
  /// long where that was searched, of those that fit so many bytes.
  struct Known {
    const std::vector<SearchedColumn>* columns = nullptr;
    double times_as_long = 1;
    Bytes limit{};
  };
  /// What the search that found the best one knows.
  [[nodiscard]] Known known(double times_as_long) const {
    return {options_.searched, times_as_long, limit_};
  }

  /// Adds the best time.
  /// @param times_as_long  than on it a strategy takes as things are, at most
  void search(const Workload& larger, const char* resource, double times_as_long,
              const Known& known, std::vector<Sensitivity>& found) const {
    const SearchResult result =
        searched(larger, times_as_long, known, options_, time_of_best(larger));
    if (result.best.empty()) return;
    // Who has more of it need not use it.
    const Seconds time = std::min(result.best.front().time, best_.time.total());
    found.push_back({.resource = resource, .time = time, .change = time / best_.time.total() - 1});
  }

  /// What may take no longer than a time.
  [[nodiscard]] std::vector<SearchedColumn> within(const Workload& larger, double times_as_long,
                                                   const Known& known, Seconds time) const {
    std::vector<SearchedColumn> columns;
    SearchOptions all = options_;
    all.top = 0;
    all.searched = &columns;
    searched(larger, times_as_long, known, all, time);
    return columns;
  }

  /// That the best strategy takes there.
  [[nodiscard]] Seconds time_of_best(const Workload& larger) const {
    return evaluate(larger, best_.strategy).time.total();
  }
  /// What fits there among plans as sure as the best.
  [[nodiscard]] Bytes limit_of(const Workload& workload) const {
    return fit_rule(workload, options_.least_p_fits).limit();
  }

 private:
  SearchResult searched(const Workload& larger, double times_as_long, const Known& known,
                        SearchOptions options, Seconds time) const {
    LeastTimes least(larger, space_, LeastTimes::Counting::messages);
    if (comparable_) {
      least.compare_with(as_it_is_, times_as_long);
      least.leave_out(known.columns, known.times_as_long, limit_of(larger), known.limit);
    }
    options.known_time = time;
    options.least_times = &least;
    SearchResult result = rank_by_time(larger, space_, options);
    if (result.interrupted) throw Interrupted();
    return result;
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
  larger.search(with(enlarge_peak_rates), "peak FLOP/s", kLarger, larger.known(kLarger), found);
  const Workload hb = with(enlarge_hb_bandwidth), network = with(enlarge_network_bandwidth);
  // No strategy takes less with the one than with both, of which most are known to be too slow by
  // one search. Experts' all-to-alls take both links: with both many strategies would be within.
  std::vector<SearchedColumn> within;
  Larger::Known of_links = larger.known(kLarger);
  if (larger.comparable() && !workload.model.moe) {
    const Seconds time = std::max(larger.time_of_best(hb), larger.time_of_best(network));
    const Workload both = with(enlarge_hb_bandwidth, enlarge_network_bandwidth);
    within = larger.within(both, kLarger, of_links, time);
    of_links = {&within, 1, larger.limit_of(both)};
  }
  larger.search(hb, "HB bandwidth", kLarger, of_links, found);
  larger.search(network, "network bandwidth", kLarger, of_links, found);
  const Workload memory = with([all = memory_limit(workload)](System& system) {
    set_memory(system.accelerator, kLarger * all);
  });
  larger.search(memory, "memory", 1, larger.known(1), found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Sensitivity& a, const Sensitivity& b) { return a.change < b.change; });
  return found;
}

}  // namespace planner::job
