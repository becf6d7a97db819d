#include "planner/commands/options/machine.hpp"

namespace planner::commands {

using M = MachineChoice;

std::vector<OptionOf<MachineChoice>> system_options() {
  return {text({.name = "system",
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

System machine_of(const MachineChoice& choice, const catalog::Catalog& catalog) {
  System system = catalog.load_system(choice.system.value_or(kDefaultSystem));
  if (choice.hb_domain) system.hb_domain = *choice.hb_domain;
  if (choice.hb_bandwidth_GBps) system.hb_bandwidth = *choice.hb_bandwidth_GBps * units::GBps;
  if (choice.network_bandwidth_GBps) {
    system.network_bandwidth = *choice.network_bandwidth_GBps * units::GBps;
  }
  if (choice.memory_GB) set_memory(system.accelerator, *choice.memory_GB * units::GB);
  return system;
}

}  // namespace planner::commands
