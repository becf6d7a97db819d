// One wrong line per case; see CMakeLists.txt. Without a case this file compiles.
#include "planner/core/quantity.hpp"
#include "planner/domain/run.hpp"

#if defined(CASE_perf_includes_search) || defined(CASE_search_includes_search)
#include "planner/search/search.hpp"  // search is above perf in the layering
#endif
#ifdef CASE_field_of_another_type
#include "planner/json/field_table.hpp"
#endif
#if defined(CASE_domain_includes_perf) || defined(CASE_control)
#include "planner/perf/closed_form/closed_form.hpp"  // perf is above domain
#endif

namespace planner {

constexpr Bytes kBytes = 8 * units::GB;
constexpr Seconds kTime = kBytes / (4 * units::GBps);
constexpr Flops kFlops = kTime * (3 * units::TFLOPs);

#ifdef CASE_bytes_plus_seconds
constexpr auto kSum = kBytes + kTime;
#endif
#ifdef CASE_bytes_compared_with_seconds
constexpr bool kLess = kBytes < kTime;
#endif
#ifdef CASE_bytes_over_flops_per_second
constexpr Seconds kWrong = kBytes / (3 * units::TFLOPs);
#endif
#ifdef CASE_double_to_bytes
constexpr Bytes kImplicit = 8e9;
#endif
#ifdef CASE_bytes_to_double
constexpr double kNumber = kBytes;
#endif
#ifdef CASE_bandwidth_for_latency
const System kSystem{.hb_latency = 450 * units::GBps};
#endif
#ifdef CASE_time_in_bytes
constexpr double kIn = kTime.in(units::byte);
#endif

#ifdef CASE_field_of_another_type
json::Field<System> of_another(const json::Field<TrainingRun>& field) {
  return json::Field<System>(field);
}
#endif

static_assert(kFlops == Flops{6e12});

}  // namespace planner
