#include "planner/commands/parts/evidence.hpp"

#include <utility>

#include "planner/commands/parts/younger_field.hpp"
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

const FieldTable<MissedRuns>& missed_fields() {
  using M = MissedRuns;
  static const FieldTable<M> kTable{
      .type = "missed_runs",
      .doc = "runs that no constant was fitted to",
      .fields = {required("runs", &M::rows, whole(), "that were measured"),
                 required("low", &M::low, figure(), "of ln(measured/predicted), 80 % of each kind"),
                 required("high", &M::high, figure(), "its end")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<Evidence>& evidence_fields() {
  using E = Evidence;
  static const FieldTable<E> kTable{
      .type = "evidence",
      .doc = "the measured runs that a time rests on",
      .fields = {shown<E, bool>(
                     "measured", [](const E& e) { return e.measured(); }, boolean(),
                     "whether constants are fitted to a run like it"),
                 required("accelerator", &E::accelerator, any_text(), "title"),
                 required("generation", &E::generation, json::choice(kGenerations), "of it"),
                 required("software", &E::stack, json::choice(kSoftwareClasses), "that trains"),
                 required("mixture_of_experts", &E::mixture_of_experts, boolean(), "or dense"),
                 added("precision", &E::precision, json::choice(kPrecisions),
                       "of its matrix products; bf16 for all of 16 bits and more"),
                 required("runs", &E::runs, whole(), "on the generation by the software"),
                 required("sources", &E::sources, whole(), "that published them"),
                 required("own_runs", &E::own, whole(), "of one's own on the accelerator"),
                 optional("missed", &E::missed, object(missed_fields()),
                          "like it on the accelerator, outside the fit"),
                 optional("outside", &E::outside, object(missed_fields()),
                          "of all that the fit has not seen"),
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
                    .lead = evidence->missed ? "Outside the fit: " : "Not measured: ",
                    .emphasis = present::Emphasis::warning});
  document.add(Text{.text = job::measurement_to_make(*evidence), .indent = 0, .lead = "Measure: "});
}

present::Cell evidence_cell(const std::optional<Evidence>& evidence) {
  if (!evidence) return present::none();
  if (unmeasured(evidence))
    return present::said(present::count(0), evidence->missed ? "none fitted" : "none");
  return present::count(evidence->own > 0 ? evidence->own : evidence->runs);
}

std::string mark(const std::optional<Evidence>& evidence) {
  return unmeasured(evidence) ? ", " + job::unmeasured_mark(*evidence) : "";
}

bool unmeasured(const std::optional<Evidence>& evidence) {
  return evidence && !evidence->measured();
}

}  // namespace planner::commands
