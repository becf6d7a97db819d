#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "planner/catalog/catalog.hpp"

// What papers printed, beside what our formulas give for the same inputs: for `planner validate`
// and for the tests alike. A row is held to its tolerance unless it says why it cannot be.
namespace planner::published {

/// What stands behind our figure.
enum class Kind {
  timing,      ///< the timing model
  goodput,     ///< the model of failures, checkpoints and spares
  computed,    ///< a general formula of ours
  arithmetic,  ///< arithmetic on published figures only
  input,       ///< not checked: it does not follow from what its source states
  shown,       ///< a parameter is not published, or it is not reproduced: no test, see the note
};

inline constexpr std::array kKinds{Kind::timing,     Kind::goodput, Kind::computed,
                                   Kind::arithmetic, Kind::input,   Kind::shown};

constexpr std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, kKinds.size()> kNames{"timing",     "goodput", "computed",
                                                               "arithmetic", "input",   "shown"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// One published figure beside ours.
struct Check {
  std::string id;        ///< of the case or table row it belongs to
  std::string source;    ///< paper and table
  std::string quantity;  ///< what is compared
  std::string unit;
  Kind kind = Kind::timing;
  double published = 0, ours = 0;  ///< not a number where there is no figure
  double tolerance = 0;  ///< largest |ours - published| that counts as reproduced, same unit
  std::string note;      ///< why they differ, where they do; may be empty
  bool at_odds = false;  ///< known not to follow from its source's own inputs: the note says why
  bool ceiling = false;  ///< ours bounds what was measured: reproduced where that is not above it

  [[nodiscard]] bool checked() const { return kind != Kind::input && kind != Kind::shown; }
  [[nodiscard]] bool reproduced() const;
  /// Not reproduced, and not at odds with its source's own inputs.
  [[nodiscard]] bool missed() const;
};

using Checks = std::vector<Check>;

/// All that follows, in this order.
Checks all(const catalog::Catalog& catalog);

/// Table 4, §6.1 to §6.4 of the rail-only paper, by the models of the catalog.
Checks rail_only(const catalog::Catalog& catalog);
/// Training times of Korthikanti et al., Llama 3, DeepSeek-V3 and Fire-Flyer, by the calibrated
/// model.
Checks training_times(const catalog::Catalog& catalog);
/// What another cluster saves: MT-NLG by vTrain, by the calibrated model.
Checks designs(const catalog::Catalog& catalog);
/// Rail-only's cheaper networks and Fire-Flyer's half price, as the exact search of designs finds
/// them.
Checks searched_designs(const catalog::Catalog& catalog);
/// Public runs: the strategy that they ran, and the best that the search would pick.
Checks flagships(const catalog::Catalog& catalog);
/// Networks that follow from a general formula.
Checks networks();
/// Arithmetic on published figures; no general formula of ours is behind them.
Checks arithmetic();
/// Bus bandwidths of NCCL, and of the C4, HPN and Meta papers; most of the latter are shown
/// unchecked, with the reason.
Checks collectives(const catalog::Catalog& catalog);
/// HFReduce, HaiScale and 3FS of the Fire-Flyer paper, by the node of the catalog.
Checks fire_flyer(const catalog::Catalog& catalog);
/// Failures, checkpoints and spares of several papers.
Checks failures();
/// What owning a GPU for an hour costs by others, beside the street book and us-2026.
Checks ownership_costs(const catalog::Catalog& catalog);
/// Routing: what Meta, C4 and HPN print, and what of it follows.
Checks routing(const catalog::Catalog& catalog);
/// Collectives as routing leaves them: HPN, C4 and Meta.
Checks routed_collectives(const catalog::Catalog& catalog);
/// Flows of plans: what they send, whom they slow, and what of that shows in an iteration.
Checks traffic(const catalog::Catalog& catalog);

}  // namespace planner::published
