#include "planner/report/plan_parts.hpp"

#include <array>

namespace planner {

std::span<const TimePart> time_parts() {
  using T = IterationBreakdown;
  static constexpr std::array kParts{
      TimePart{"bubble_compute", "pipeline bubble, compute", &T::bubble_compute, "3"},
      TimePart{"bubble_communication", "pipeline bubble, transfers", &T::bubble_communication, "4"},
      TimePart{"last_stage_compute", "compute, slowest stage", &T::last_stage_compute, "5"},
      TimePart{"last_stage_tp_communication", "tensor parallel", &T::last_stage_tp_communication,
               "6"},
      TimePart{"last_stage_pp_communication", "pipeline transfers", &T::last_stage_pp_communication,
               "6"},
      TimePart{"sync", "gradient synchronisation", &T::sync, "7"},
      TimePart{"loss_layer", "output layer and loss", &T::loss_layer, ""},
      TimePart{"cp_communication", "context parallel", &T::cp_communication, ""},
      TimePart{"ep_communication", "expert parallel", &T::ep_communication, ""},
      TimePart{"host", "kernel launches", &T::host, ""},
      TimePart{"optimizer", "optimizer", &T::optimizer, ""},
      TimePart{"straggling", "slowest GPU of many", &T::straggling, ""},
  };
  return kParts;
}

std::span<const MemoryPart> memory_parts() {
  using M = MemoryBreakdown;
  static constexpr std::array kParts{
      MemoryPart{"weights_bytes", "weights", &M::weights},
      MemoryPart{"gradients_bytes", "gradients", &M::gradients},
      MemoryPart{"optimizer_bytes", "optimizer", &M::optimizer},
      MemoryPart{"activations_bytes", "activations", &M::activations},
      MemoryPart{"gathered_weights_bytes", "gathered weights", &M::gathered_weights, true},
      MemoryPart{"working_set_bytes", "layer at work", &M::working_set, true},
      MemoryPart{"logits_bytes", "logits", &M::logits, true},
      MemoryPart{"communication_buffers_bytes", "communication buffers", &M::communication_buffers,
                 true},
      MemoryPart{"framework_reserve_bytes", "framework reserve", &M::framework_reserve, true},
  };
  return kParts;
}

}  // namespace planner
