#include "planner/search/search.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

#include "planner/search/for_each_index.hpp"
#include "planner/search/kernels.hpp"
#include "planner/search/least_times.hpp"
#include "planner/search/parallel.hpp"
#include "planner/search/worker.hpp"

namespace planner::inline search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of the first strategy of a column, in seconds.
template <class Kernel>
double first_time(const Job& job, const Kernel& kernel, const Column& column) {
  const auto placements = job.enumeration.placements(column);
  const auto pairs = job.enumeration.inner_pairs(column);
  if (placements.empty() || pairs.empty()) return kInfinity;
  Strategy first = placements.front();
  first.micro_batch = pairs.front().micro_batch;
  first.interleave = pairs.front().interleave;
  return kernel.evaluate(first).time.total().si();
}

/// The order in which to look at columns: families together, by least times or the time of the
/// first strategy of each, so that the bound is tight from the start. Changes the work, never the
/// result. Nothing where the search was stopped meanwhile.
template <class Kernel>
std::vector<std::size_t> promising_first(const Job& job, const std::vector<Column>& columns) {
  std::vector<double> times(columns.size(), 0);
  if (LeastTimes* const least = job.options.least_times) {
    std::transform(columns.begin(), columns.end(), times.begin(),
                   [least](const Column& column) { return least->of(column).si(); });
  } else if (job.options.prune && !(job.options.known_time.si() < kInfinity)) {
    Workload unrouted = job.workload;
    unrouted.routing.reset();  // an order is not worth slowdowns that nobody else asks for
    const Kernel kernel(unrouted);
    for_each_index(columns.size(), static_cast<std::size_t>(job.options.threads),
                   [&](std::size_t i) {
                     if (!job.stopped()) times[i] = first_time(job, kernel, columns[i]);
                   });
  }
  if (job.stopped()) return {};
  std::map<Family, double> family_times;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    double& best = family_times.try_emplace(Kernel::family(columns[i]), times[i]).first->second;
    best = std::min(best, times[i]);
  }
  std::vector<std::tuple<double, Family, double, std::size_t>> places;
  places.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Family family = Kernel::family(columns[i]);
    places.emplace_back(family_times.at(family), family, times[i], i);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::size_t> order;
  order.reserve(places.size());
  for (const auto& place : places) order.push_back(std::get<std::size_t>(place));
  return order;
}

/// Columns that matter beside the time that is known, in canonical order.
std::vector<Column> columns_of(const Job& job) {
  const SearchOptions& options = job.options;
  LeastTimes* const least = options.least_times;
  if (least == nullptr || options.known_time.si() == kInfinity) {
    return job.enumeration.columns(options.stop);
  }
  if (job.workload.timing.calibrated()) return least->within(job.workload.gpus, options.known_time);
  std::vector<Column> columns = job.enumeration.columns(options.stop);
  std::erase_if(columns, [&](const Column& at) { return least->of(at) > options.known_time; });
  return columns;
}

template <class Kernel>
SearchResult search_with(const Workload& workload, const SearchSpace& space,
                         const SearchOptions& options, bool whatever_it_risks) {
  Job job{.workload = workload,
          .space = space,
          .options = options,
          .ranking = {.objective = options.objective,
                      .rule = fit_rule(workload, options.least_p_fits),
                      .whatever_it_risks = whatever_it_risks},
          .enumeration = Enumeration(workload, space)};
  job.bound.lower(options.known_time.si());
  const std::vector<Column> columns = columns_of(job);
  const std::vector<std::size_t> order = promising_first<Kernel>(job, columns);
  if (job.stopped()) return {.interrupted = true};
  if (options.fills_searched()) {
    options.searched->clear();
    for (const Column& column : columns) options.searched->push_back({.column = column});
  }
  std::mutex progress_mutex;
  SearchProgress progress{.done = 0, .total = static_cast<std::int64_t>(columns.size())};
  const auto search_column = [&](Worker<Kernel>& worker, std::size_t i) {
    worker.search(columns[order[i]], order[i]);
    if (!options.progress) return;
    const std::lock_guard lock(progress_mutex);
    ++progress.done;
    options.progress(progress);
  };

  Worker<Kernel> all(job);
  if (options.threads == 1) {
    for (std::size_t i = 0; i < columns.size(); ++i) search_column(all, i);
    return all.result();
  }
  parallel_for_each_index(
      columns.size(), static_cast<std::size_t>(options.threads),
      [&job] { return Worker<Kernel>(job); }, search_column,
      [&all](const Worker<Kernel>& worker) { all.absorb(worker); });
  return all.result();
}

}  // namespace

FitRule fit_rule(const Workload& workload, double least_p_fits) {
  return {workload.timing.kind(), memory_limit(workload), least_p_fits,
          memory_measured(workload.software.stack)};
}

namespace {

SearchResult ranked(const Workload& workload, const SearchSpace& space,
                    const SearchOptions& options, bool whatever_it_risks) {
  return workload.timing.calibrated()
             ? search_with<CalibratedKernel>(workload, space, options, whatever_it_risks)
             : search_with<ClosedFormKernel>(workload, space, options, whatever_it_risks);
}

}  // namespace

SearchResult rank_strategies(const Workload& workload, const SearchSpace& space,
                             const SearchOptions& options) {
  return ranked(workload, space, options, false);
}

SearchResult rank_by_time(const Workload& workload, const SearchSpace& space,
                          const SearchOptions& options) {
  return ranked(workload, space, options, true);
}

}  // namespace planner::search
