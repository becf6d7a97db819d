#include "planner/commands/parts/broken_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/parts/younger_field.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

using namespace present;

std::string amount(double value) {
  const double whole = std::round(value);
  return value == whole ? grouped(std::llround(whole)) : significant(value);
}

std::string broken_words(const site::Broken& broken) {
  return fmt::format("{}: {} needs {} {}, {} there", broken.rule, broken.where, amount(broken.need),
                     broken.unit, amount(broken.have));
}

const json::FieldTable<site::Broken>& broken_fields() {
  using namespace json;
  using B = site::Broken;
  static const json::FieldTable<B> kTable{
      .type = "broken rule",
      .doc = "a rule that the build breaks",
      .fields = {required("rule", &B::rule, any_text(), "its name"),
                 required("where", &B::where, any_text(), "the worst place"),
                 required("need", &B::need, figure(), "what it takes"),
                 required("have", &B::have, figure(), "what is there"),
                 required("unit", &B::unit, any_text(), "of both"),
                 required("given", &B::given, boolean(), "the limit was given, not assumed"),
                 added("why", &B::why, text_or_null(),
                       "what the need is made of; null: a plain figure"),
                 required("remedy", &B::remedy, text_or_null(),
                          "what was tried against it, and what it leads to; null: nothing helped")},
      .open = true};
  return kTable;
}

void explain_power(const Physical& physical, const Cluster& cluster,
                   std::vector<site::Broken>& broken) {
  const bool stands_in =
      std::any_of(cluster.sources.begin(), cluster.sources.end(), [](const SourceNote& note) {
        return !note.verified &&
               std::find(note.keys.begin(), note.keys.end(), "node_power_W") != note.keys.end();
      });
  for (site::Broken& one : broken) {
    if (one.why.empty()) continue;
    if (!physical.pue_of.empty()) one.why += fmt::format(" ({})", physical.pue_of);
    one.why +=
        fmt::format(", nodes at {:.1f} kW each", physical.hardware.node_power.in(1000 * units::W));
    if (stands_in) one.why += ", a stand-in (see the notes)";
  }
}

void add_broken(const std::vector<site::Broken>& broken, Document& document) {
  document.add(Section{"Broken rules"});
  if (broken.empty()) {
    document.add(present::Text{.text = "none"});
    return;
  }
  for (const site::Broken& one : broken) {
    document.add(present::Text{.text = broken_words(one),
                               .emphasis = one.given ? Emphasis::error : Emphasis::warning});
    if (!one.why.empty()) document.add(present::Text{.text = one.why, .indent = 4});
    if (!one.remedy.empty()) {
      document.add(present::Text{.text = one.remedy, .indent = 4, .lead = "tried: "});
    }
  }
}

}  // namespace planner::commands
