#pragma once

#include <array>
#include <string_view>

#include "planner/domain/plan.hpp"
#include "planner/json/field_table.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// The axes of a plan that communicate, as JSON calls them and in words.
struct CommunicationAxis {
  std::string_view key, words;
  CommunicationTime CommunicationTimes::*time;
};
inline constexpr std::array kCommunicationAxes{
    CommunicationAxis{"tp", "tensor parallel", &CommunicationTimes::tp},
    CommunicationAxis{"pp", "pipeline", &CommunicationTimes::pp},
    CommunicationAxis{"dp", "gradients", &CommunicationTimes::dp},
    CommunicationAxis{"cp", "context parallel", &CommunicationTimes::cp},
    CommunicationAxis{"ep", "expert parallel", &CommunicationTimes::ep}};

/// "communication", and beside it "balanced".
const json::FieldTable<CommunicationTimes>& communication_fields();
const json::FieldTable<BalancedNetwork>& balanced_network_fields();

/// What each axis communicates and how much of that shows, as routing leaves it and on a balanced
/// network; in a terminal only where routing was asked for.
/// @param exposed_network  see exposed_network_time()
void add_communication(const Plan& plan, Seconds exposed_network, present::Document& document);

}  // namespace planner::commands
