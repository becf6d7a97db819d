#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "planner/present/text.hpp"
#include "planner/report/html_parts.hpp"

namespace planner::html {

namespace {

std::string list_of(const std::vector<std::string>& items) {
  std::string html;
  for (const std::string& item : items) html += "<li>" + item + "</li>\n";
  return items.empty() ? std::string{} : "<ul>\n" + html + "</ul>\n";
}

std::string section(const char* id, const char* title, const std::string& content) {
  if (content.empty()) return {};
  return fmt::format("<section id=\"{}\"><h2>{}</h2>\n{}</section>\n", id, title, content);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Collects statements with the clusters that they hold for, in the order found.
class Statements {
 public:
  void add(const std::string& html, const std::string& cluster) {
    const auto [entry, is_new] = index_.try_emplace(html, list_.size());
    if (is_new) list_.push_back({html, {}});
    list_[entry->second].second.push_back(cluster);
  }
  /// Each once; those that do not hold for all `total` clusters begin with whose they are.
  [[nodiscard]] std::vector<std::string> items(std::size_t total) const {
    std::vector<std::string> result;
    for (const auto& [html, clusters] : list_) {
      result.push_back(
          clusters.size() == total
              ? html
              : fmt::format("<strong>{}</strong>: {}", html_escaped(joined(clusters)), html));
    }
    return result;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> list_;
  std::map<std::string, std::size_t> index_;
};

/// What a key of an economics file means to a reader.
std::string words(const std::string& key) {
  static const std::map<std::string, std::string> kMeanings{
      {"electricity_usd_per_kWh", "electricity, $ per kWh"},
      {"pue", "PUE (facility power over IT power)"},
      {"load", "average draw over rated power"},
      {"colocation_usd_per_kW_month", "colocation, $ per kW of IT power and month"},
      {"rack_rental_usd_per_rack_month", "rack rental, $ per rack and month"},
      {"maintenance_per_year", "maintenance, share of the capital cost per year"},
      {"staff_usd_per_year", "staff, $ per year"},
      {"depreciation_years", "straight-line depreciation, years"},
      {"horizon_years", "total cost counted over, years"},
      {"utilisation", "share of the hours that are used"},
      {"grid_kg_CO2_per_kWh", "grid, kg CO₂ per kWh"}};
  const auto found = kMeanings.find(key);
  if (found != kMeanings.end()) return found->second;
  std::string spaced = key;
  std::replace(spaced.begin(), spaced.end(), '_', ' ');
  return spaced;
}

std::string figure(const Json& value) {
  if (value.is_number()) return fmt::format("{:.3g}", value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return html_escaped(value.get<std::string>());
  const auto low = number(value, {"low"}), expected = number(value, {"expected"}),
             high = number(value, {"high"});
  if (!low || !expected || !high) return {};
  return *low == *high ? fmt::format("{:.3g}", *expected)
                       : fmt::format("{:.3g} ({:.3g} to {:.3g})", *expected, *low, *high);
}

/// Numbers the notes of a data file: which source covers which of its keys.
std::map<std::string, std::size_t> notes_of(const Json& file, const std::string& used_for,
                                            Sources& sources) {
  std::map<std::string, std::size_t> by_key;
  const Json& notes = at(file, {"sources"});
  for (const Json& note : notes.is_array() ? notes : Json::array()) {
    std::vector<std::string> keys;
    const Json& named = at(note, {"keys"});
    for (const Json& key : named.is_array() ? named : Json::array()) {
      if (key.is_string()) keys.push_back(key.get<std::string>());
    }
    std::vector<std::string> meanings;
    for (const std::string& key : keys) meanings.push_back(words(key));
    const std::size_t source = sources.add(note, used_for + ": " + joined(meanings));
    for (const std::string& key : keys) by_key[key] = source;
  }
  return by_key;
}

void add_economics(const Json& cluster, const std::string& name, Sources& sources,
                   Statements& statements) {
  const Json& economics = at(cluster, {"economics"});
  if (!economics.is_object()) return;
  const std::string title = text(economics, {"title"});
  const auto references = notes_of(economics, title, sources);
  for (const auto& [key, value] : economics.items()) {
    const std::string shown = figure(value);
    if (key == "name" || key == "title" || shown.empty()) continue;
    const auto source = references.find(key);
    statements.add(fmt::format("{}: {}{}", html_escaped(words(key)), shown,
                               source == references.end() ? "" : reference(source->second)),
                   name);
  }
  const Json& cloud = at(economics, {"cloud"});
  const std::string accelerator = text(cluster, {"system_spec", "accelerator", "name"});
  for (const Json& rent : cloud.is_array() ? cloud : Json::array()) {
    if (text(rent, {"accelerator"}) != accelerator) continue;
    statements.add(fmt::format("rent of one GPU, dollars per hour: {}{}",
                               figure(at(rent, {"usd_per_gpu_hour"})),
                               reference(sources.add(rent, "rent of " + accelerator))),
                   name);
  }
}

void add_system(const Json& cluster, const std::string& name, Sources& sources,
                Statements& statements) {
  const Json& system = at(cluster, {"system_spec"});
  if (!system.is_object()) return;
  const auto notes = notes_of(system, text(system, {"title"}), sources);
  notes_of(at(system, {"accelerator"}), text(system, {"accelerator", "title"}), sources);
  const auto cited = [&](const char* key) {
    const auto found = notes.find(key);
    return found == notes.end() ? std::string{} : reference(found->second);
  };
  std::string html = fmt::format("GPUs: {}", html_escaped(text(system, {"accelerator", "title"})));
  if (const auto domain = number(system, {"hb_domain"})) {
    html += fmt::format("; {} per high-bandwidth domain{}", grouped(std::llround(*domain)),
                        cited("hb_domain"));
  }
  for (const auto& [key, label] : {std::pair{"hb_bandwidth_GBps", "inside it"},
                                   std::pair{"network_bandwidth_GBps", "on the network"}}) {
    if (const auto bandwidth = number(system, {key})) {
      html += fmt::format(", {} GB/s {}{}", significant(*bandwidth), label, cited(key));
    }
  }
  statements.add(html + " (per GPU and direction)", name);
}

void add_workload(const Json& cluster, const std::string& name, Statements& statements) {
  const Json& run = at(cluster, {"training", "workload"});
  if (!run.is_object()) return;
  std::string html =
      fmt::format("training {}: batch {} × {} tokens, {}", html_escaped(text(run, {"model_title"})),
                  grouped(std::llround(number(run, {"global_batch"}).value_or(0))),
                  grouped(std::llround(number(run, {"sequence"}).value_or(0))),
                  html_escaped(text(run, {"precision"})));
  if (const auto tokens = number(run, {"tokens"})) html += ", " + with_prefix(*tokens) + " tokens";
  statements.add(html, name);
  const bool calibrated = text(cluster, {"training", "timing"}) == "calibrated";
  const std::string model =
      calibrated ? "the calibrated model, fitted to published runs of others; no failures"
                 : "the closed-form model; no failures, no overlap, compute at the datasheet’s "
                   "peak. It is a bound more than a forecast";
  statements.add(
      "iteration time: best strategy of an exact search on the cluster’s own fabric, by " + model,
      name);
}

}  // namespace

std::string assumptions(Page& page) {
  Statements statements;
  for (std::size_t i = 0; i < page.clusters.size(); ++i) {
    const Json& cluster = page.clusters[i];
    add_workload(cluster, page.names[i], statements);
    add_system(cluster, page.names[i], page.sources, statements);
    add_economics(cluster, page.names[i], page.sources, statements);
    const Json& notes = at(cluster, {"notes"});
    for (const Json& note : notes.is_array() ? notes : Json::array()) {
      if (note.is_string()) statements.add(html_escaped(note.get<std::string>()), page.names[i]);
    }
    const Json& book_notes = at(cluster, {"price_book_notes"});
    for (const Json& note : book_notes.is_array() ? book_notes : Json::array()) {
      if (!note.is_string()) continue;
      statements.add(html_escaped(text(cluster, {"price_book"}) + ": " + note.get<std::string>()),
                     page.names[i]);
    }
    notes_of(cluster, "cluster file, " + page.names[i], page.sources);
  }
  return section("assumptions", "Assumptions", list_of(statements.items(page.clusters.size())));
}

std::string source_list(const Page& page) {
  std::string items;
  std::size_t number = 0;
  for (const Source& source : page.sources.list()) {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> uses = source.used_for;
    const std::size_t more = uses.size() > kShown ? uses.size() - kShown : 0;
    uses.resize(std::min(uses.size(), kShown));
    const bool unchecked = source.verified && !*source.verified;
    items += fmt::format(
        "<li id=\"source-{}\">{}{}{}{}<span class=\"delta\">for {}{}</span></li>\n", ++number,
        html_escaped(source.text), source.as_of.empty() ? "" : ", " + html_escaped(source.as_of),
        unchecked ? R"( <span class="missing">unverified</span>)" : "",
        source.note.empty() ? "" : " (" + html_escaped(source.note) + ")",
        html_escaped(joined(uses)), more > 0 ? fmt::format(" and {} more", more) : "");
  }
  return items.empty() ? std::string{}
                       : section("sources", "Sources", "<ol>\n" + items + "</ol>\n");
}

std::string warnings(const Page& page) {
  std::vector<std::string> items;
  const Json& list = at(page.answer, {"warnings"});
  for (const Json& warning : list.is_array() ? list : Json::array()) {
    if (warning.is_string()) items.push_back(html_escaped(warning.get<std::string>()));
  }
  return section("warnings", "Warnings", list_of(items));
}

std::string unknowns(const Page& page) {
  Statements statements;
  for (std::size_t i = 0; i < page.clusters.size(); ++i) {
    const Json& lines = at(page.clusters[i], {"lines"});
    for (const Json& line : lines.is_array() ? lines : Json::array()) {
      const std::string item = html_escaped(text(line, {"item"}));
      const bool included = at(line, {"included_in"}).is_string();
      if (money_at(line, "total").is_null() && !included) {
        statements.add("price of " + item, page.names[i]);
      }
      if (at(line, {"power_w"}).is_null()) statements.add("power of " + item, page.names[i]);
    }
    if (!at(page.clusters[i], {"training"}).is_object()) {
      statements.add("training time", page.names[i]);
    }
    if (at(page.clusters[i], {"opex_usd_per_year"}).is_null()) {
      statements.add("running cost", page.names[i]);
    }
  }
  std::vector<std::string> items = statements.items(page.clusters.size());
  std::string unchecked;
  std::size_t number = 0;
  for (const Source& source : page.sources.list()) {
    ++number;
    if (source.verified && !*source.verified) unchecked += " " + reference(number);
  }
  if (!unchecked.empty()) {
    items.push_back(
        "whether these sources say what is quoted of them: they were not read "
        "themselves, or not for every figure:" +
        unchecked);
  }
  return section("unknown", "What we do not know", list_of(items));
}

}  // namespace planner::html
