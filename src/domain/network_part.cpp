#include "planner/domain/network_part.hpp"

#include <algorithm>

namespace planner {

std::string_view name_of(OpticKind kind) {
  switch (kind) {
    case OpticKind::transceiver:
      return "transceiver";
    case OpticKind::copper:
      return "copper";
    case OpticKind::active_optical:
      return "active_optical";
    case OpticKind::fibre:
      return "fibre";
  }
  return "";
}

std::int64_t SwitchModel::ports_at(std::int64_t gbps) const {
  if (gbps == port_gbps) return ports;
  const bool splits =
      std::find(breakout_gbps.begin(), breakout_gbps.end(), gbps) != breakout_gbps.end();
  return splits ? ports * (port_gbps / gbps) : 0;
}

}  // namespace planner
