#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/site/build.hpp"

// What is tried against a broken rule: the build is made again, and only what heals is told.
namespace planner::site {

/// What a rule limits, of a build; and the limit, of its site.
using Load = std::function<double(const Build&)>;
using Limit = std::function<double(const Site&)>;

class Remedies {
 public:
  /// All outlive it.
  Remedies(const Build& built, const Hardware& hardware, const Site& site, const Media& media,
           const BuildOptions& options);

  /// Whether a build holds the rule.
  using Holds = std::function<bool(const Build&)>;
  /// What a remedy leads to and costs, built with all that the answer's own building has; empty:
  /// it does not hold the rule, or nothing can be built.
  [[nodiscard]] std::string healed(const Site& site, const Holds& holds) const;
  [[nodiscard]] std::string healed(const Site& site, const Hardware& hardware,
                                   const Holds& holds) const;
  /// Of what no price book knows.
  [[nodiscard]] const char* unpriced() const { return options_.priced ? " (no price)" : ""; }

  /// A site in its place, with what it is called.
  struct Other {
    std::string words;
    Site site;
  };
  /// The first of these that holds the limit: fewer nodes a rack, fewer switches a rack, others.
  /// @param worst  the rack that breaks it
  [[nodiscard]] std::string of_rack(const Rack& worst, const Load& load, const Limit& limit,
                                    const std::vector<Other>& others) const;
  /// Nodes that may draw so much less that it holds, in the same racks.
  /// @param where  racks that count; nothing: all
  [[nodiscard]] std::string of_power(const Load& load, double limit,
                                     const std::function<bool(std::size_t)>& where) const;
  /// Racks on another unit of the power chain, or more units like it.
  [[nodiscard]] std::string of_chain(const CarriedUnit& broken) const;

 private:
  [[nodiscard]] std::string outcome(const Build& tried) const;

  const Build& built_;
  const Hardware& hardware_;
  const Site& site_;
  const Media& media_;
  BuildOptions options_;
  bool searched_;  ///< what is built is; remedies are not
};

}  // namespace planner::site
