#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/domain/transformer.hpp"
#include "planner/json/located_json.hpp"
#include "planner/json/source_text.hpp"

namespace planner::catalog {

/// What a Hugging Face config.json says about a model. The key lists are in file order.
struct HuggingFaceModel {
  TransformerSpec spec;
  std::vector<std::string> understood;      ///< keys that the spec was read from
  std::vector<std::string> ignored;         ///< keys known not to affect dimensions
  std::vector<std::string> not_understood;  ///< all others: the spec may be incomplete
  std::vector<Diagnostic> warnings;         ///< one for each key not understood, and for an
                                            ///< unknown model_type
};

/// Whether a file is a Hugging Face config.json rather than one of ours.
bool is_huggingface(const json::JsonNode& root);

/// Reads a parsed config.json. The name is that of the file or of its folder.
/// @throws InputError with everything that is wrong, each finding located
HuggingFaceModel read_huggingface(const json::JsonNode& root, json::SourceText source);

/// Parses and reads a config.json.
HuggingFaceModel parse_huggingface(std::string_view text, std::string_view source_name);

}  // namespace planner::catalog
