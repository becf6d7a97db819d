#include <algorithm>
#include <cmath>

#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/origin_fields.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/reliability/rate_basis.hpp"

namespace planner::catalog {

using namespace json;

namespace {

constexpr std::int64_t kMostNodeGpus = 65536;
constexpr double kLeastRunningShare = 1e-6;

/// A job's calendar rate says of how many units it is, or its file how long that job ran.
bool calendars_are_of_known_jobs(const FailureRates& rates) {
  return rates.running_share ||
         std::all_of(rates.components.begin(), rates.components.end(), [](const auto& rate) {
           return !of_job_calendar(rate) || rate.optional || units_observed(rate);
         });
}

bool plausible_for_one_part(const FailureRate& rate) {
  return rate.unit == FailureUnit::job || rate.rate <= 0.1 * units::per_hour;
}

const FieldTable<FailureRate>& failure_rate_table() {
  using F = FailureRate;
  static const FieldTable<F> table{
      "failure rate",
      "How often one kind of part fails, and what follows",
      with_origin<F>(
          {required("component", &F::component, text(), "what fails"),
           required("unit", &F::unit, choice(kFailureUnits),
                    "one of what the rate is for: gpu, nic, node (server), link (network card port "
                    "to access switch), switch (access switch), upper_switch (aggregation or core, "
                    "one chip), chassis_switch (modular), or job (the whole job)"),
           required("rate_per_hour", &F::rate, quantity(units::per_hour, Range::non_negative(60)),
                    "failures of one unit in an hour"),
           required(
               "basis", &F::basis, choice(kRateBases),
               "the hours counted: active (the job was running), job_calendar (all of one "
               "job's, the time that it was down included) or part_calendar (all of a fleet's, "
               "whether or not a job ran); wall of older files is job_calendar for the unit "
               "job and part_calendar for all others"),
           required("action", &F::action, choice(kFailureActions),
                    "crash: back to the last checkpoint; degrade: slower until repaired; stall: "
                    "waits until the part is back"),
           optional("detect_s", &F::detect, seconds(), "until someone knows; left out: not known"),
           optional("diagnose_s", &F::diagnose, seconds(),
                    "until the faulty part is found and isolated; left out: not known"),
           optional("repair_h", &F::repair, quantity(units::hour, Range::positive(1e6)),
                    "until the part is back; left out: not known"),
           optional("degraded_speed", &F::degraded_speed, number({0, 1}),
                    "of the job while one such part is out and the job runs on"),
           optional("needs_spare", &F::needs_spare, boolean(),
                    "a spare node takes the place of the faulty one"),
           optional("observed_units", &F::observed_units, count(),
                    "units of the job whose calendar was counted"),
           optional("optional", &F::optional, boolean(),
                    "counts only where somebody asks for it (--optional-lines)")}),
      {{.keys = {"rate_per_hour", "unit"},
        .holds = plausible_for_one_part,
        .message =
            [](const F& rate) {
              return "one " + std::string(name_of(rate.unit)) +
                     " would fail more than every 10 hours: is this the rate of all of them "
                     "(unit \"job\"), or not per hour?";
            }},
       {.keys = {"action", "repair_h", "degraded_speed"},
        .holds =
            [](const F& rate) {
              return rate.action != FailureAction::degrade || (rate.repair && rate.degraded_speed);
            },
        .message =
            [](const F&) {
              return std::string("\"degrade\" needs \"repair_h\" and \"degraded_speed\"");
            }},
       {.keys = {"action", "repair_h", "detect_s", "diagnose_s"},
        .holds =
            [](const F& rate) {
              return rate.action != FailureAction::stall || rate.repair || rate.detect ||
                     rate.diagnose;
            },
        .message =
            [](const F&) {
              return std::string(
                  "\"stall\" needs the time that the job waits: \"repair_h\", \"detect_s\" or "
                  "\"diagnose_s\"");
            }}}};
  return table;
}

}  // namespace

const FieldTable<FailureRates>& rates_table() {
  using R = FailureRates;
  static const FieldTable<R> table{
      "rates",
      "Failure rates of one cluster, with the checkpoints and restarts of the jobs it ran",
      {name_field<R>(), title_field<R>(),
       required("components", &R::components, list(object(failure_rate_table())),
                "what fails, each part once"),
       optional("gpus_per_node", &R::gpus_per_node, integer(1, kMostNodeGpus),
                "of the node that rates per node are for: a job has its GPUs over this of them; "
                "left out: the job's own nodes, whatever their size"),
       optional("restart_s", &R::restart, seconds(),
                "from isolating the part until the job trains again, checkpoint loaded"),
       optional("checkpoint_interval_s", &R::checkpoint_interval,
                quantity(units::second, Range::positive(kLongestSeconds)),
                "useful work between two checkpoints"),
       optional("checkpoint_stall_s", &R::checkpoint_stall, seconds(),
                "training time that one checkpoint takes"),
       optional("checkpoint_durable_s", &R::checkpoint_durable, seconds(),
                "from the end of the stall until the checkpoint can be loaded"),
       optional(
           "running_share", &R::running_share, number({kLeastRunningShare, 1}),
           "of its calendar in which the job of the job_calendar rates ran; left out: as their "
           "number and the recovery times make it"),
       optional("recovery_basis", &R::recovery_basis, choice(kRecoveryBases),
                "observed: the times contain what failures during the recovery added; undisturbed: "
                "they do not"),
       optional("notes", &R::notes, list(text()), "what a reader should know"), sources_field<R>()},
      {{.keys = {"components"},
        .holds = [](const R& rates) { return !rates.components.empty(); },
        .message = [](const R&) { return std::string("must name at least one part"); }},
       {.keys = {"components", "running_share"},
        .holds = calendars_are_of_known_jobs,
        .message =
            [](const R&) {
              return std::string(
                  "\"job_calendar\" needs the \"observed_units\" of its job, or the file its "
                  "\"running_share\"");
            }},
       {.keys = {"components", "running_share", "restart_s"},
        .holds = [](const R& rates) { return running_share(rates) >= kLeastRunningShare; },
        .message =
            [](const R& rates) {
              return "the job would have been down for " +
                     std::to_string(std::lround(100 * (1 - running_share(rates)))) +
                     " % of its own calendar: rates, \"observed_units\" and recovery times "
                     "contradict each other";
            }}},
      check_source_keys,
      complete_title<R>};
  return table;
}

}  // namespace planner::catalog
