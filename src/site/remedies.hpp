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

  /// The build with another site and other hardware; nothing where there is none.
  [[nodiscard]] std::optional<Build> tried(const Site& site) const;
  [[nodiscard]] std::optional<Build> tried(const Site& site, const Hardware& hardware) const;
  /// What a remedy that was built leads to, and what it costs.
  [[nodiscard]] std::string outcome(const Build& tried) const;
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
  const Build& built_;
  const Hardware& hardware_;
  const Site& site_;
  const Media& media_;
  BuildOptions options_;
};

/// Rounded as tables round.
std::string rounded(double value, int digits = 1);

}  // namespace planner::site
