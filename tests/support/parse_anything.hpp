#pragma once

#include <string_view>

#include "planner/catalog/briefs.hpp"
#include "planner/catalog/documents.hpp"
#include "planner/catalog/site_files.hpp"
#include "planner/catalog/tables/calibration.hpp"

namespace planner::testing {

/// Reads a text as every file type in turn; bad input must be reported as InputError and nothing
/// else. Shared by the mutation test and the fuzzer. @return how many types took it
inline int parse_as_everything(std::string_view text) {
  int accepted = 0;
  const auto attempt = [&](auto&& parse) {
    try {
      parse();
      ++accepted;
    } catch (const InputError&) {
    }
  };
  const auto no_accelerator = [](const std::string&) -> Accelerator {
    throw InputError(Diagnostic{.code = "unknown-name", .message = "no catalog"});
  };
  attempt([&] { catalog::to_json(catalog::parse_model(text, "fuzz").spec); });
  attempt([&] { catalog::to_json(catalog::parse_accelerator(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_node(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_system(text, "fuzz", no_accelerator)); });
  attempt([&] { catalog::to_json(catalog::parse_switch(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_optic(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_nic(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_price_book(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_economics(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_collectives(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_rates(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_storage(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_calibration(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_cluster(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_site(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_chassis(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_medium(text, "fuzz")); });
  attempt([&] { catalog::to_json(catalog::parse_brief(text, "fuzz")); });
  return accepted;
}

}  // namespace planner::testing
