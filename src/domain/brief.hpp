#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/domain/cluster.hpp"
#include "planner/domain/reliability.hpp"
#include "planner/domain/system.hpp"

namespace planner {

/// What designs of clusters are compared and limited by.
enum class Measure {
  tco,       ///< total cost of ownership
  capex,     ///< what is paid on the day of the purchase
  run_cost,  ///< what the training runs cost of it
  days,      ///< that the runs take, from the order on where there are lead times
  power,     ///< rated, of the IT
  facility_power,
  energy,  ///< of the runs
  co2,     ///< of the runs
  gpus,    ///< bought
};
inline constexpr std::array kMeasures{Measure::tco,    Measure::capex, Measure::run_cost,
                                      Measure::days,   Measure::power, Measure::facility_power,
                                      Measure::energy, Measure::co2,   Measure::gpus};

/// As on the command line and in files: "run-cost".
constexpr std::string_view name_of(Measure measure) {
  switch (measure) {
    case Measure::tco:
      return "tco";
    case Measure::capex:
      return "capex";
    case Measure::run_cost:
      return "run-cost";
    case Measure::days:
      return "days";
    case Measure::power:
      return "power";
    case Measure::facility_power:
      return "facility-power";
    case Measure::energy:
      return "energy";
    case Measure::co2:
      return "co2";
    case Measure::gpus:
      return "gpus";
  }
  return "";
}

/// What is to be trained.
struct BriefRun {
  std::string name{};                        ///< as answers call it; empty: by its model
  std::string model;                         ///< catalog name or file
  std::optional<std::int64_t> sequence{};    ///< nothing: the model's reference run
  double tokens = 0;                         ///< to train in all
  std::vector<std::int64_t> global_batch{};  ///< to choose from; none: the reference run's

  [[nodiscard]] const std::string& called() const { return name.empty() ? model : name; }

  bool operator==(const BriefRun&) const = default;
};

/// What a design may come to at most. Nothing: not limited.
struct BriefLimits {
  std::optional<double> days{};
  std::optional<Money> capex{}, tco{}, run_cost{};
  std::optional<Watts> power{}, facility_power{};  ///< of the IT, and with cooling
  std::optional<std::int64_t> gpus{};

  bool operator==(const BriefLimits&) const = default;
};

/// Numbers of GPUs to buy.
struct GpuChoice {
  std::vector<std::int64_t> counts{};  ///< these; none: every whole number of nodes in the range
  std::int64_t from = 1, to = 100'000;

  bool operator==(const GpuChoice&) const = default;
};

/// A network without its endpoints, and the parts that it is bought as.
struct NetworkChoice {
  FabricDesign fabric;
  FabricParts parts{};

  bool operator==(const NetworkChoice&) const = default;
};

/// What there is to choose from. Nothing: all that the catalog can price.
struct BriefChoices {
  std::vector<std::string> systems{};  ///< catalog names or files
  GpuChoice gpus{};
  std::vector<NetworkChoice> networks{};
  /// Swap units kept ready where something fails; none: whatever stands idle.
  std::vector<std::int64_t> spares{};

  bool operator==(const BriefChoices&) const = default;
};

/// GPUs that are there already.
struct OwnedGpus {
  std::string system;     ///< catalog name or file
  std::int64_t gpus = 0;  ///< in whole nodes
  Money resale{};         ///< what all of them would sell for

  bool operator==(const OwnedGpus&) const = default;
};

/// What to train, by when, for how much: the question to `design`.
struct Brief {
  std::string name;
  std::string title;
  std::vector<BriefRun> runs;  ///< one after the other; at least one
  BriefLimits limits{};
  /// Share of cases in which the limits hold.
  double confidence = 0.8;
  Measure minimise = Measure::tco;
  std::vector<Measure> front{};  ///< two or three; none: no front
  BriefChoices choices{};
  std::vector<OwnedGpus> owned{};
  /// Weeks from the order until a system's nodes run, by its name; others: no time.
  std::vector<std::pair<std::string, double>> lead_weeks{};
  Precision precision = Precision::bf16;
  std::string prices = "street-2026";  ///< price book: catalog name or file
  std::string economics = "us-2026";   ///< catalog name or file
  std::optional<std::string> rates{};  ///< of failures: catalog name or file; nothing: none
  std::optional<ReliabilitySettings> recovery{};
  /// Where clusters are to stand, as a cluster file has it; nothing: no building is laid out.
  std::optional<BuildSettings> build{};
  std::optional<RoutingSettings> routing{};  ///< nothing: perfectly balanced, if oversubscribed
  std::vector<std::string> notes;
  std::vector<SourceNote> sources;

  bool operator==(const Brief&) const = default;
};

}  // namespace planner
