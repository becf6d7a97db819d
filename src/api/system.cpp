#include "planner/api/commands.hpp"

namespace planner {

void one_gpu_count(const Request& request) {
  if (request.gpu_counts.size() < 2) return;
  usage_error("--gpus takes one number here", "optimize --objective cost chooses from a list");
}

void override_system(const Request& request, System& system) {
  if (request.hb_domain) system.hb_domain = *request.hb_domain;
  if (request.hb_bandwidth_GBps) system.hb_bandwidth = *request.hb_bandwidth_GBps * units::GBps;
  if (request.network_bandwidth_GBps) {
    system.network_bandwidth = *request.network_bandwidth_GBps * units::GBps;
  }
}

}  // namespace planner
