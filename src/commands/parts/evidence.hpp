#pragma once

#include <optional>
#include <string>

#include "planner/domain/plan.hpp"
#include "planner/json/field_table.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// Which runs a plan rests on, with what to say where there are none.
const json::FieldTable<Evidence>& evidence_fields();

/// "No run measured …" and what to measure, where there is none; what one's own runs changed.
void add_evidence(const std::optional<Evidence>& evidence, present::Document& document);

/// Measured runs that a plan rests on: "none" stands out.
present::Cell evidence_cell(const std::optional<Evidence>& evidence);

/// ", not measured" or the like behind a name; empty where constants are fitted to runs like it.
std::string mark(const std::optional<Evidence>& evidence);

/// Whether a plan's times rest on no run like it.
bool unmeasured(const std::optional<Evidence>& evidence);

}  // namespace planner::commands
