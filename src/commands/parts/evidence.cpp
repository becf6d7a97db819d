#include "planner/commands/parts/evidence.hpp"

#include <utility>

#include "planner/domain/names.hpp"
#include "planner/job/evidence.hpp"
#include "planner/json/answer_fields.hpp"

namespace planner::commands {

namespace {

using namespace json;

/// Words that there are only for some.
Field<Evidence> sentence(std::string key, std::string (*of)(const Evidence&), std::string doc) {
  return shown<Evidence, std::optional<std::string>>(
      std::move(key),
      [of](const Evidence& evidence) {
        std::string text = of(evidence);
        return text.empty() ? std::nullopt : std::optional(std::move(text));
      },
      or_null(any_text()), std::move(doc));
}

}  // namespace

const FieldTable<Evidence>& evidence_fields() {
  using E = Evidence;
  static const FieldTable<E> kTable{
      .type = "evidence",
      .doc = "the measured runs that a time rests on",
      .fields = {shown<E, bool>(
                     "measured", [](const E& e) { return e.measured(); }, boolean(),
                     "whether any run like it was"),
                 required("accelerator", &E::accelerator, any_text(), "title"),
                 required("generation", &E::generation, json::choice(kGenerations), "of it"),
                 required("software", &E::stack, json::choice(kSoftwareClasses), "that trains"),
                 required("mixture_of_experts", &E::mixture_of_experts, boolean(), "or dense"),
                 required("runs", &E::runs, whole(), "on the generation by the software"),
                 required("sources", &E::sources, whole(), "that published them"),
                 required("own_runs", &E::own, whole(), "of one's own on the accelerator"),
                 sentence("statement", job::unmeasured_words, "null: runs were measured"),
                 sentence("measure_next", job::measurement_to_make,
                          "what would narrow the interval most; null: runs were measured")},
      .open = true};
  return kTable;
}

void add_evidence(const std::optional<Evidence>& evidence, present::Document& document) {
  if (!evidence) return;
  using present::Text;
  if (const std::string words = job::own_words(*evidence); !words.empty()) {
    document.add(Text{.text = words, .indent = 0, .lead = "Own runs: "});
  }
  if (evidence->measured()) return;
  document.add(Text{.text = job::unmeasured_words(*evidence),
                    .indent = 0,
                    .lead = "Not measured: ",
                    .emphasis = present::Emphasis::warning});
  document.add(Text{.text = job::measurement_to_make(*evidence), .indent = 0, .lead = "Measure: "});
}

present::Cell evidence_cell(const std::optional<Evidence>& evidence) {
  if (!evidence) return present::none();
  if (unmeasured(evidence)) return present::said(present::count(0), "none");
  return present::count(evidence->own > 0 ? evidence->own : evidence->runs);
}

bool unmeasured(const std::optional<Evidence>& evidence) {
  return evidence && !evidence->measured();
}

}  // namespace planner::commands
