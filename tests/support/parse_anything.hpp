#pragma once

#include <string_view>

#include "planner/io/calibration_documents.hpp"
#include "planner/io/documents.hpp"

namespace planner {

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
  attempt([&] { io::to_json(io::parse_model(text, "fuzz").spec); });
  attempt([&] { io::to_json(io::parse_accelerator(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_node(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_system(text, "fuzz", no_accelerator)); });
  attempt([&] { io::to_json(io::parse_switch(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_optic(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_nic(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_price_book(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_economics(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_collectives(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_rates(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_storage(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_calibration(text, "fuzz")); });
  attempt([&] { io::to_json(io::parse_cluster(text, "fuzz")); });
  return accepted;
}

}  // namespace planner
