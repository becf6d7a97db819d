#pragma once

#include <array>
#include <string_view>

namespace planner {

/// What the "code" of an error or warning says, and how the process ends with it.
struct ErrorCode {
  std::string_view code;
  std::string_view meaning;
  std::string_view exit_codes;  ///< "2", "3 or 4"; "0": it only warns
};

/// Every code, by name. `planner schema errors` and docs/errors.md list the same.
inline constexpr auto kErrorCodes = std::to_array<ErrorCode>({
    {"bad-value", "a value of a file is not one of those allowed", "3"},
    {"bug", "planner contradicts itself: please report it", "1"},
    {"cannot-price", "a price book cannot price these parts, or a sum leaves the range of money",
     "3"},
    {"cannot-write", "the output cannot be written", "3"},
    {"does-not-fit", "the strategy needs more memory than a GPU has; its figures are there", "4"},
    {"duplicate-key", "a key stands twice in one object", "3"},
    {"ignored-key", "a key of a Hugging Face file is not understood and has no effect", "0"},
    {"illegal-strategy", "the strategy breaks a rule, such as tp dividing the heads", "4"},
    {"inconsistent", "values of a file contradict each other", "3"},
    {"infeasible", "a sound request that nothing can satisfy", "4"},
    {"interrupted", "the user ended it", "130"},
    {"is-a-directory", "a file is asked for, and the path is a directory", "3"},
    {"missing-key", "a key that must be there is not", "3"},
    {"mixed-currency", "a price book has prices of two currencies, or files are to be shown in two",
     "3"},
    {"no-constant", "a file holds nothing that a constant could be taken from", "3"},
    {"no-design", "no cluster that can be bought is within the limits of a brief", "4"},
    {"no-network", "a node without network cards is to reduce with others", "3"},
    {"no-routing", "the topology has no routing model", "3"},
    {"no-rows", "no measured run has what is to be fitted", "3"},
    {"no-strategy", "no strategy uses exactly these GPUs with this batch", "4"},
    {"no-such-directory", "a data directory that was named is not there", "3"},
    {"no-such-file", "there is no such file", "3"},
    {"no-such-network", "the topology cannot be built so", "2 or 4"},
    {"not-an-answer", "a saved answer is not as planner writes it", "3"},
    {"not-comparable", "two saved answers are of different kinds", "3"},
    {"not-nccl-tests", "a file is no output of nccl-tests", "3"},
    {"not-reproduced", "a published figure is missed", "1"},
    {"nothing-fits", "no strategy fits the memory; the closest is named", "4"},
    {"other-brief", "a state file is that of another brief, or of other prices or data", "3"},
    {"other-version", "a saved answer or state is that of another version", "3"},
    {"out-of-range", "a number is outside the range that makes sense", "3"},
    {"over-limit", "a limit that was given is exceeded; the figures are there", "5"},
    {"peer-lost", "a process of several has ended before the answer", "3"},
    {"syntax", "a text is no JSON, JSON Lines or CSV", "3"},
    {"too-deep", "JSON is nested deeper than 64", "3"},
    {"too-large", "a file is larger than 64 MiB, or a text has too many values", "3"},
    {"too-many-problems", "one text has more than 100 problems: the rest are counted", "3"},
    {"unknown-figure", "the answer needs a figure that a file does not say", "3"},
    {"unknown-key", "a key that this type of file does not have", "3"},
    {"unknown-model-type", "a Hugging Face model type is read as the nearest known one", "0"},
    {"unknown-name", "nothing in the catalog has this name", "3"},
    {"unknown-peak", "the catalog has no peak rate at this precision", "3"},
    {"unknown-source-key", "a source note names a key that the file does not have", "3"},
    {"unknown-value", "a word of a benchmark's file is not one of those known", "3"},
    {"unpriced", "--require-prices was given, and a line has no price", "5"},
    {"unreadable", "a file is there and cannot be read", "3"},
    {"unsupported-model", "the timing model does not cover this kind of model", "3"},
    {"usage", "the command line or request cannot be understood", "2"},
    {"wrong-type", "a value is of another JSON type", "3"},
});

}  // namespace planner
