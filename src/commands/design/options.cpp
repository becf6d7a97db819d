#include <fmt/format.h>

#include <algorithm>

#include "planner/catalog/briefs.hpp"
#include "planner/commands/design/design.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/commands/parts/facility.hpp"
#include "planner/commands/parts/outlook.hpp"
#include "planner/domain/names.hpp"

namespace planner::commands {

namespace {

using R = DesignRequest;

constexpr const char* kLimits = "Limits";
constexpr const char* kChoices = "To choose from";
constexpr double kMostTokens = 1e18, kMostDays = 1e6, kMostDollars = 1e12, kMostMegawatts = 1e6;
constexpr double kMostSeconds = 1e9;
constexpr std::int64_t kMostThreads = 1024, kMostTop = 100;

/// "30MW", "500kW"; a number alone is in megawatts.
OptionOf<R> megawatts(OptionInfo info, std::optional<Watts> R::*at) {
  info.most = kMostMegawatts;
  return of_member<R>(std::move(info), at,
                      [at](std::string_view text, R& request) -> std::optional<std::string> {
                        double unit = 1;
                        for (const auto& [ending, megawatt] :
                             {std::pair{"GW", 1e3}, {"MW", 1.0}, {"kW", 1e-3}, {"W", 1e-6}}) {
                          if (!text.ends_with(ending)) continue;
                          text.remove_suffix(std::string_view{ending}.size());
                          unit = megawatt;
                          break;
                        }
                        const auto number = parse_positive(text, kMostMegawatts / unit);
                        if (!number.value) return number.error;
                        request.*at = *number.value * unit * 1e6 * units::W;
                        return std::nullopt;
                      });
}

std::optional<Measure> measure_named(std::string_view name) {
  // What people say first.
  if (name == "cost") return Measure::tco;
  return value_named(name, kMeasures);
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const Measure measure : kMeasures) names.emplace_back(name_of(measure));
  return names;
}

OptionOf<R> minimise() {
  OptionInfo info{.name = "minimise",
                  .value = "KEY",
                  .help = "what is to be least: {}",
                  .group = kChoices,
                  .choices = measure_names(),
                  .fallback = "tco"};
  return of_member<R>(std::move(info), &R::minimise,
                      [](std::string_view text, R& request) -> std::optional<std::string> {
                        const auto measure = measure_named(text);
                        if (!measure) return not_among(measure_names(), text);
                        request.minimise = *measure;
                        return std::nullopt;
                      });
}

OptionOf<R> front() {
  return of_member<R>({.name = "front",
                       .value = "KEYS",
                       .help = "two or three: also all that nothing beats in each: cost,days",
                       .group = kChoices},
                      &R::front,
                      [](std::string_view text, R& request) -> std::optional<std::string> {
                        request.front.clear();
                        for (const std::string& part : split_list(text)) {
                          const auto measure = measure_named(part);
                          if (!measure) return not_among(measure_names(), part);
                          const auto& so_far = request.front;
                          if (std::find(so_far.begin(), so_far.end(), *measure) != so_far.end()) {
                            return fmt::format("names {} twice", name_of(*measure));
                          }
                          request.front.push_back(*measure);
                        }
                        if (request.front.size() < 2 || request.front.size() > 3) {
                          return "must name two or three";
                        }
                        return std::nullopt;
                      });
}

OptionOf<R> systems() {
  return of_member<R>({.name = "systems",
                       .value = "A,B",
                       .help = "names or files (default: all that can be priced)",
                       .group = kChoices},
                      &R::systems,
                      [](std::string_view text, R& request) -> std::optional<std::string> {
                        request.systems = split_list(text);
                        for (const std::string& name : request.systems) {
                          if (name.empty()) return "must not have an empty name";
                        }
                        return std::nullopt;
                      });
}

OptionOf<R> confidence() {
  return between({.name = "confidence",
                  .value = "P",
                  .help = "share of cases in which the limits hold",
                  .group = kLimits,
                  .fallback = fmt::to_string(Brief{}.confidence)},
                 &R::confidence, kLeastConfidence, kMostConfidence);
}

Money dollars(double amount, const char* option) {
  const std::optional<Money> money = Money::from_dollars(amount);
  if (!money || *money <= Money{}) usage_error(fmt::format("--{}: is out of range", option));
  return *money;
}

/// What options say of failures, in the place of the file's.
void set_failures(const FailureChoice& asked, Brief& brief) {
  if (asked.rates) brief.rates = asked.rates;
  if (asked.how == ReliabilitySettings{}) return;
  if (!brief.rates) {
    usage_error("the options of failures, checkpoints and spares need --rates",
                "or \"rates\" in the brief");
  }
  ReliabilitySettings how = asked.how;
  if (how.spare_pools || how.tray || how.spare_trays) {
    usage_error("design keeps its spares in one pool, without spare trays",
                "--spares N, or \"spares\" in the \"choices\" of a brief");
  }
  if (how.spares) brief.choices.spares = {*how.spares};
  how.spares.reset();
  brief.recovery = overlaid(brief.recovery.value_or(ReliabilitySettings{}), how);
}

Brief brief_of_options(const DesignRequest& request) {
  if (!request.model || !request.tokens) {
    usage_error("design needs a brief, or --model and --tokens",
                "planner design --model llama3.1-405b --tokens 15T --within-days 90");
  }
  return {.name = "design", .title = {}, .runs = {{.model = *request.model}}};
}

}  // namespace

std::vector<OptionOf<DesignRequest>> design_options() {
  constexpr const char* kSearch = "The search";
  return joined<R>(
      {{text({"model", "NAME|FILE", "what to train: planner list models", kWhat}, &R::model),
        positive({"tokens", "N", "tokens to train, e.g. 15T", kWhat}, &R::tokens, kMostTokens),
        integers({"global-batch", "N", "sequences per iteration, or a list to choose from", kWhat},
                 &R::global_batch, 1, kMostSequences),
        integer({"seq", "N", "tokens per sequence (default: reference run)", kWhat}, &R::sequence,
                1, kMostSequences),
        choice({.name = "precision",
                .value = "NAME",
                .help = "of the matrix products",
                .group = kWhat,
                .fallback = "bf16"},
               &R::precision, kPrecisions),
        positive({"within-days", "D", "the run takes no longer", kLimits}, &R::within_days,
                 kMostDays),
        positive({"budget", "USD", "of the purchase (capex), e.g. 600M", kLimits}, &R::budget,
                 kMostDollars),
        positive({"tco-budget", "USD",
                  "of what owning costs over the years: the net present cost (after tax) "
                  "where the economics have a cost of capital or a tax rate, else the TCO",
                  kLimits},
                 &R::tco_budget, kMostDollars),
        positive({"run-budget", "USD", "of what the run costs of it", kLimits}, &R::run_budget,
                 kMostDollars),
        megawatts({"power", "MW", "rated, of nodes and network, e.g. 30MW", kLimits}, &R::power),
        megawatts({"facility-power", "MW", "the same with cooling", kLimits}, &R::facility_power),
        integer({"max-gpus", "N", "bought", kLimits}, &R::max_gpus, 1, 10'000'000),
        confidence(),
        systems(),
        minimise(),
        front(),
        integer({"top", "K", "the best so many (default 1)", kChoices}, &R::top, 1, kMostTop),
        text({"prices", "NAME|FILE", "price book (default street-2026)", kChoices}, &R::prices),
        text({"economics", "NAME|FILE", "what running costs (default us-2026)", kChoices},
             &R::economics),
        positive({"time-limit", "S", "seconds after which the best so far is the answer", kSearch},
                 &R::time_limit, kMostSeconds),
        text({"state", "FILE", "kept as the search goes; a run that was ended goes on from it",
              kSearch},
             &R::state),
        turn_on({"no-bounds", "", "look at every design, as a check: small spaces only", kSearch},
                &R::no_bounds),
        integer({"threads", "N", "(default: all cores)", kSearch}, &R::threads, 1, kMostThreads),
        text({"write-cluster", "FILE", "write the cluster to buy, for cost, compare and others",
              "The answer"},
             &R::write_cluster)},
       in(&R::failures, failure_options())});
}

std::optional<catalog::CatalogFile> brief_file(const DesignRequest& request,
                                               const catalog::Catalog& catalog) {
  if (request.files.size() > 1) usage_error("design takes one brief");
  if (request.files.empty()) return std::nullopt;
  return catalog.read(catalog::kinds::brief, request.files.front());
}

Brief brief_of(const DesignRequest& request, const std::optional<catalog::CatalogFile>& file,
               const catalog::Catalog& catalog) {
  Brief brief =
      file ? catalog::parse_brief(file->text, file->source_name) : brief_of_options(request);
  const bool of_run =
      request.model || request.tokens || request.sequence || !request.global_batch.empty();
  if (brief.runs.size() > 1 && of_run) {
    usage_error(
        "--model, --tokens, --seq and --global-batch are of one run, and the brief has several",
        "say it in the brief's \"run\"");
  }
  BriefRun& run = brief.runs.front();
  run.model = request.model.value_or(run.model);
  run.tokens = request.tokens.value_or(run.tokens);
  if (request.sequence) run.sequence = request.sequence;
  if (!request.global_batch.empty()) run.global_batch = request.global_batch;
  brief.precision = request.precision.value_or(brief.precision);
  BriefLimits& limits = brief.limits;
  if (request.within_days) limits.days = request.within_days;
  if (request.budget) limits.capex = dollars(*request.budget, "budget");
  if (request.tco_budget) limits.tco = dollars(*request.tco_budget, "tco-budget");
  if (request.run_budget) limits.run_cost = dollars(*request.run_budget, "run-budget");
  if (request.power) limits.power = request.power;
  if (request.facility_power) limits.facility_power = request.facility_power;
  if (request.max_gpus) limits.gpus = request.max_gpus;
  brief.confidence = request.confidence.value_or(brief.confidence);
  if (!request.systems.empty()) brief.choices.systems = request.systems;
  brief.minimise = request.minimise.value_or(brief.minimise);
  if (!request.front.empty()) brief.front = request.front;
  brief.prices = request.prices.value_or(brief.prices);
  brief.economics = request.economics.value_or(brief.economics);
  if (request.economics && brief.build) {
    put_pue(catalog.load_economics(brief.economics), catalog, *brief.build);
  }
  set_failures(request.failures, brief);
  return brief;
}

}  // namespace planner::commands
