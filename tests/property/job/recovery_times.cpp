// Recovery times of which some are known and some are not: a longer one never makes a job look
// better, at either end of what is not known or between.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/job/reliability.hpp"

using namespace planner;
using namespace planner::job;

namespace {

/// What somebody says of a job, and what a file says.
struct Said {
  ReliabilitySettings settings;
  FailureRates rates{.name = "some", .title = "some", .components = {}};
  std::int64_t gpus = 0;
};

class RandomSaid {
 public:
  Said next() {
    Said said;
    said.gpus = 8 * static_cast<std::int64_t>(log_uniform(4, 4000));
    ReliabilitySettings& settings = said.settings;
    settings.stall = Seconds{log_uniform(1, 60)};
    settings.recovery = kRecoveryModes.at(static_cast<std::size_t>(uniform(0, 3)));
    settings.rate_factor = chance(0.5) ? 1 : log_uniform(1.1, 4);
    settings.restart = maybe(1, 3000);
    settings.detect = maybe(1, 3000, 0.2);
    settings.diagnose = maybe(1, 9000, 0.2);
    if (chance(0.3)) {
      settings.checkpoint_size = Bytes{log_uniform(1e9, 1e11)};
      settings.load_rate = BytesPerSecond{log_uniform(1e8, 1e10)};
    }
    if (chance(0.6)) {
      settings.spares = std::min(said.gpus / 8, static_cast<std::int64_t>(log_uniform(1, 30)));
      settings.repair = log_uniform(1, 200) * units::hour;
    }
    const int kinds = 1 + static_cast<int>(uniform(0, 3));
    for (int i = 0; i < kinds; ++i) {
      said.rates.components.push_back(
          {.component = "part",
           .unit = chance(0.5) ? FailureUnit::gpu : FailureUnit::node,
           .rate = log_uniform(0.01, 1) / real(said.gpus) * units::per_hour,
           .basis = RateBasis::part_calendar,
           .detect = maybe(1, 3000),
           .diagnose = maybe(1, 9000),
           .needs_spare = chance(0.7),
           .origin = {}});
    }
    return said;
  }
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }

 private:
  std::optional<Seconds> maybe(double low, double high, double p = 0.5) {
    return chance(p) ? std::optional(Seconds{log_uniform(low, high)}) : std::nullopt;
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  bool chance(double p) { return uniform(0, 1) < p; }

  std::mt19937_64 random_{11};
};

struct Longer {
  std::string what;
  Said said;
};

/// Every recovery time that is known longer by a factor, and how long repairs take.
std::vector<Longer> longer(const Said& said, double by) {
  std::vector<Longer> found;
  const auto add = [&](const char* what, const auto& time_of) {
    found.push_back({what, said});
    if (std::optional<Seconds>& time = time_of(found.back().said)) {
      time = by * *time;
    } else {
      found.pop_back();
    }
  };
  const auto setting = [](auto member) {
    return [member](Said & of) -> auto& {
      return of.settings.*member;
    };
  };
  add("restart", setting(&ReliabilitySettings::restart));
  add("detection", setting(&ReliabilitySettings::detect));
  add("diagnosis", setting(&ReliabilitySettings::diagnose));
  add("repair", setting(&ReliabilitySettings::repair));
  const auto of_first = [](auto member) {
    return [member](Said & of) -> auto& {
      return of.rates.components.front().*member;
    };
  };
  add("detection of one kind", of_first(&FailureRate::detect));
  add("diagnosis of one kind", of_first(&FailureRate::diagnose));
  if (said.settings.load_rate) {
    found.push_back({"load", said});
    found.back().said.settings.load_rate = *said.settings.load_rate / by;
  }
  return found;
}

/// How far days may fall where a job waits for spares: shortages that it meets at first count
/// exponentially fewer as it runs, an approximation (docs/goodput.md). Availability knows no start.
constexpr double kDays = 2e-4, kAvailability = 1e-4;

/// Three of availability, and both ends of the days.
std::array<double, 5> worse_is_more(const Said& said) {
  std::vector<std::string> warnings;
  const ReliabilityResult found =
      job_reliability(said.settings, said.rates, said.gpus, 10 * units::day, warnings);
  const auto& [low, expected, high] = found.availability;
  return {1 / low, 1 / expected, 1 / high, found.days_range->low.si(), found.days_range->high.si()};
}

}  // namespace

TEST_CASE("a longer recovery or repair never looks better, whatever else is known") {
  RandomSaid random;
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const Said said = random.next();
    const double by = random.log_uniform(1.05, 4);
    const auto now = worse_is_more(said);
    for (const Longer& one : longer(said, by)) {
      CAPTURE(one.what);
      const auto then = worse_is_more(one.said);
      for (std::size_t k = 0; k < now.size(); ++k) {
        CAPTURE(k);
        CHECK(then.at(k) >= now.at(k) * (1 - (k < 3 ? kAvailability : kDays)));
      }
    }
  }
}
