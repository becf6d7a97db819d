#pragma once

#include <cstddef>

#ifdef PLANNER_STD_THREADS
#include <atomic>
#include <thread>
#include <vector>
#else
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#endif

namespace planner::inline search {

/// Calls body(worker, i) once for every i in [0, n), each thread with a worker of its own, then
/// finish(worker) for each worker on the calling thread.
///
/// On TBB. With PLANNER_STD_THREADS on threads of the standard library instead: Debian's libtbb is
/// not built for ThreadSanitizer, which would see races in TBB's own hand-over of work.
/// @param threads  0: as many as there are cores
template <class MakeWorker, class Body, class Finish>
void parallel_for_each_index(std::size_t n, std::size_t threads, const MakeWorker& make_worker,
                             const Body& body, const Finish& finish) {
#ifdef PLANNER_STD_THREADS
  if (threads == 0) threads = std::thread::hardware_concurrency();
  std::vector<decltype(make_worker())> workers;
  for (std::size_t t = 0; t < threads; ++t) workers.push_back(make_worker());
  std::atomic<std::size_t> next{0};
  {
    std::vector<std::jthread> running;
    for (auto& worker : workers) {
      running.emplace_back([&] {
        for (std::size_t i = next++; i < n; i = next++) body(worker, i);
      });
    }
  }
#else
  using tbb::global_control;
  if (threads == 0) threads = global_control::active_value(global_control::max_allowed_parallelism);
  const global_control limit(global_control::max_allowed_parallelism, threads);
  tbb::enumerable_thread_specific<decltype(make_worker())> workers(make_worker);
  tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { body(workers.local(), i); });
#endif
  for (const auto& worker : workers) finish(worker);
}

}  // namespace planner::search
