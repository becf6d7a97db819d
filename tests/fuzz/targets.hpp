#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "planner/io/cost_documents.hpp"
#include "planner/io/documents.hpp"
#include "planner/io/huggingface.hpp"
#include "support/parse_anything.hpp"

// What each fuzzer of a file type feeds. Bad input may end in an InputError and in nothing else.
namespace planner::fuzz {

inline void model(std::string_view text) {
  io::to_json(io::parse_model(text, "fuzz").spec);
}

inline void huggingface(std::string_view text) {
  io::to_json(io::parse_huggingface(text, "fuzz").spec);
}

inline void system(std::string_view text) {
  io::to_json(io::parse_system(text, "fuzz", [](const std::string&) -> Accelerator {
    throw InputError(Diagnostic{.code = "unknown-name", .message = "no catalog"});
  }));
}

inline void cluster(std::string_view text) {
  io::to_json(io::parse_cluster(text, "fuzz"));
}

inline void price_book(std::string_view text) {
  io::to_json(io::parse_price_book(text, "fuzz"));
}

/// Every file type in turn, the parts of a system too.
inline void parsers(std::string_view text) {
  parse_as_everything(text);
}

}  // namespace planner::fuzz
