#include "planner/commands/options/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "planner/commands/options/slice.hpp"
#include "planner/core/usage.hpp"
#include "planner/perf/machine/slices.hpp"
#include "planner/perf/machine/torus.hpp"

namespace planner::commands {

using M = MachineChoice;

std::vector<OptionOf<MachineChoice>> system_options() {
  return {text({.name = kSystemOption,
                .value = "NAME|FILE",
                .help = "GPU, HB domain, network",
                .group = kWhat,
                .fallback = kDefaultSystem,
                .assumed = true},
               &M::system)};
}

std::vector<OptionOf<MachineChoice>> link_options() {
  return {
      integer({"hb-domain", "K", "GPUs per HB domain", kMachine}, &M::hb_domain, 1,
              kMostDomainGpus),
      positive({"hb-bandwidth", "GB/s", "in an HB domain, per GPU and direction", kMachine},
               &M::hb_bandwidth_GBps, kMostBandwidthGBps),
      positive({"network-bandwidth", "GB/s", "between HB domains, per GPU and direction", kMachine},
               &M::network_bandwidth_GBps, kMostBandwidthGBps)};
}

std::vector<OptionOf<MachineChoice>> memory_options() {
  constexpr double kMostMemoryGB = 1e9;
  return {positive({"memory", "GB", "of one GPU, 1 GB is 1e9 bytes", kMachine}, &M::memory_GB,
                   kMostMemoryGB)};
}

namespace {

/// Of a torus a slice of so many chips.
void set_domain(std::int64_t gpus, System& system) {
  system.hb_domain = gpus;
  check_slice(fmt::format("--hb-domain {}", gpus), system, gpus);
  system.torus = used_torus(system, gpus);
}

}  // namespace

void check_slice(const std::string& given, const System& system, std::int64_t chips) {
  if (!system.torus || all_joined(*system.torus) || slice_of(*system.torus, chips)) return;
  const DomainTorus& torus = *system.torus;
  const std::string cubes = torus.shape.size() < 3
                                ? ""
                                : fmt::format(
                                      "; more than {0} along one are multiples of {0} along "
                                      "all",
                                      torus.ring_from);
  usage_error(
      fmt::format("{}: no slice of {} has {} chips", given, system.title, chips),
      fmt::format("the extents of its torus multiply to a slice's chips, and are at most {}{}",
                  fmt::join(torus.shape, " × "), cubes));
}

void take_slices(const std::string& given, std::int64_t chips, System& system,
                 std::vector<std::string>& warnings) {
  if (!system.torus || all_joined(*system.torus)) return;
  const bool in_one = chips <= system.hb_domain;
  if (in_one && slice_of(*system.torus, chips)) return;
  const std::optional<DomainTorus> slice = slice_of_several(*system.torus, chips);
  if (!slice) {
    if (in_one) check_slice(given, system, chips);
    usage_error(fmt::format("{}: a slice of {} has at most {} chips, and no slices make {}", given,
                            system.title, system.hb_domain, chips),
                "a multiple of a slice's chips");
  }
  std::int64_t each = 1;
  for (const std::int64_t extent : slice->shape) each *= extent;
  if (each == system.hb_domain) return;
  const std::string why =
      in_one ? fmt::format("no slice of {} has {} chips", system.title, chips)
             : fmt::format("a slice of {} has at most {} chips", system.title, system.hb_domain);
  warnings.push_back(
      fmt::format("{}: {} are {} slices of {} ({}), joined by the data-centre network", why, chips,
                  chips / each, each, fmt::join(slice->shape, " × ")));
  system.hb_domain = each;
  system.torus = slice;
}

System machine_of(const MachineChoice& choice, const catalog::Catalog& catalog) {
  System system = catalog.load_system(choice.system.value_or(kDefaultSystem));
  if (choice.hb_domain) set_domain(*choice.hb_domain, system);
  if (choice.hb_bandwidth_GBps) system.hb_bandwidth = *choice.hb_bandwidth_GBps * units::GBps;
  if (choice.network_bandwidth_GBps) {
    system.network_bandwidth = *choice.network_bandwidth_GBps * units::GBps;
  }
  if (choice.memory_GB) set_memory(system.accelerator, *choice.memory_GB * units::GB);
  return system;
}

}  // namespace planner::commands
