#include "planner/report/chart_colors.hpp"
#include "planner/report/charts_parts.hpp"

namespace planner {

const std::vector<Category>& part_categories() {
  static const std::vector<Category> kParts{
      {"compute", "GPUs and nodes", color::kBlue, color::kWhite},
      {"nics", "network cards", color::kBrown, color::kWhite},
      {"switches", "switches", color::kDarkOrange, color::kWhite},
      {"transceivers", "transceivers", color::kOrange, color::kInk},
      {"cables", "cables", color::kLightOrange, color::kInk},
      {"network", "network as a whole", color::kDarkOrange, color::kWhite},
      {"storage", "storage", color::kGrey, color::kWhite},
      {"facility", "facility", color::kLightGrey, color::kInk},
      {"other", "other", color::kPaleGrey, color::kInk},
  };
  return kParts;
}

const std::vector<Category>& time_terms() {
  static const std::vector<Category> kTerms{
      {"last_stage_compute", "compute", color::kBlue, color::kWhite},
      {"last_stage_tp_communication", "tensor parallel", color::kDarkOrange, color::kWhite},
      {"sync", "gradient synchronisation", color::kOrange, color::kInk},
      {"last_stage_pp_communication", "pipeline transfers", color::kLightOrange, color::kInk},
      {"bubble_compute", "pipeline bubble", color::kGrey, color::kWhite},
      {"bubble_communication", "bubble, transfers", color::kLightGrey, color::kInk},
      {"loss_layer", "output layer and loss", color::kLightBlue, color::kInk},
      {"cp_communication", "context parallel", color::kBrown, color::kWhite},
      {"ep_communication", "expert parallel", color::kTan, color::kInk},
      {"host", "kernel launches", color::kDarkGrey, color::kWhite},
      {"optimizer", "optimizer", color::kPaleBlue, color::kInk},
      {"straggling", "slowest GPU of many", color::kPaleGrey, color::kInk},
  };
  return kTerms;
}

const std::vector<Category>& memory_categories() {
  static const std::vector<Category> kParts{
      {"activations_bytes", "activations", color::kBlue, color::kWhite},
      {"working_set_bytes", "layer at work", color::kLightBlue, color::kInk},
      {"logits_bytes", "logits", color::kPaleBlue, color::kInk},
      {"gathered_weights_bytes", "gathered weights", color::kOrange, color::kInk},
      {"communication_buffers_bytes", "communication buffers", color::kLightOrange, color::kInk},
      {"weights_bytes", "weights", color::kDarkGrey, color::kWhite},
      {"gradients_bytes", "gradients", color::kGrey, color::kWhite},
      {"optimizer_bytes", "optimizer states", color::kLightGrey, color::kInk},
      {"framework_reserve_bytes", "framework reserve", color::kPaleGrey, color::kInk},
  };
  return kParts;
}

}  // namespace planner
