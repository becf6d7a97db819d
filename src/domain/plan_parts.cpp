#include "planner/domain/plan_parts.hpp"

#include <array>

namespace planner {

namespace {

using T = IterationBreakdown;
using M = MemoryBreakdown;

constexpr std::array kTime{
    TimePart{"bubble_compute", "pipeline bubble, compute", "pipeline bubble", Shade::grey, 5,
             &T::bubble_compute, "3"},
    TimePart{"bubble_communication", "pipeline bubble, transfers", "bubble, transfers",
             Shade::light_grey, 6, &T::bubble_communication, "4"},
    TimePart{"last_stage_compute", "compute, slowest stage", "compute", Shade::blue, 1,
             &T::last_stage_compute, "5"},
    TimePart{"last_stage_tp_communication", "tensor parallel", "tensor parallel",
             Shade::dark_orange, 2, &T::last_stage_tp_communication, "6"},
    TimePart{"last_stage_pp_communication", "pipeline transfers", "pipeline transfers",
             Shade::light_orange, 4, &T::last_stage_pp_communication, "6"},
    TimePart{"sync", "gradient synchronisation", "gradient synchronisation", Shade::orange, 3,
             &T::sync, "7"},
    TimePart{"loss_layer", "output layer and loss", "output layer and loss", Shade::light_blue, 7,
             &T::loss_layer},
    TimePart{"cp_communication", "context parallel", "context parallel", Shade::brown, 8,
             &T::cp_communication},
    TimePart{"ep_communication", "expert parallel", "expert parallel", Shade::tan, 9,
             &T::ep_communication},
    TimePart{"host", "kernel launches", "kernel launches", Shade::dark_grey, 10, &T::host},
    TimePart{"optimizer", "optimizer", "optimizer", Shade::pale_blue, 11, &T::optimizer},
    TimePart{"straggling", "slowest GPU of many", "slowest GPU of many", Shade::pale_grey, 12,
             &T::straggling},
};
static_assert(kTime.size() * sizeof(Seconds) == sizeof(IterationBreakdown), "each part has a row");

constexpr std::array kMemory{
    MemoryPart{"weights_bytes", "weights", "weights", Shade::dark_grey, 6, &M::weights, "19"},
    MemoryPart{"gradients_bytes", "gradients", "gradients", Shade::grey, 7, &M::gradients, "19"},
    MemoryPart{"optimizer_bytes", "optimizer", "optimizer states", Shade::light_grey, 8,
               &M::optimizer, "19"},
    MemoryPart{"activations_bytes", "activations", "activations", Shade::blue, 1, &M::activations,
               "19"},
    MemoryPart{"gathered_weights_bytes", "gathered weights", "gathered weights", Shade::orange, 4,
               &M::gathered_weights},
    MemoryPart{"working_set_bytes", "layer at work", "layer at work", Shade::light_blue, 2,
               &M::working_set},
    MemoryPart{"logits_bytes", "logits", "logits", Shade::pale_blue, 3, &M::logits},
    MemoryPart{"communication_buffers_bytes", "communication buffers", "communication buffers",
               Shade::light_orange, 5, &M::communication_buffers},
    MemoryPart{"framework_reserve_bytes", "framework reserve", "framework reserve",
               Shade::pale_grey, 9, &M::framework_reserve},
};
static_assert(kMemory.size() * sizeof(Bytes) == sizeof(MemoryBreakdown), "each part has a row");

}  // namespace

std::span<const TimePart> time_parts() {
  return kTime;
}

std::span<const MemoryPart> memory_parts() {
  return kMemory;
}

}  // namespace planner
