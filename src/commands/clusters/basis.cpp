#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/commands/parts/bill.hpp"
#include "planner/core/printable.hpp"
#include "planner/domain/economics_figures.hpp"
#include "planner/domain/names.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

// What the figures of clusters stand on: assumptions, what nobody knows, sources.
namespace planner::commands {

namespace {

using namespace present;

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Statements with the clusters that they hold for, in the order found.
class Statements {
 public:
  explicit Statements(std::vector<std::string> names) : names_(std::move(names)) {}

  void add(std::string text, std::size_t cluster) {
    const auto [entry, is_new] = index_.try_emplace(text, list_.size());
    if (is_new) list_.push_back({std::move(text), {}});
    list_[entry->second].second.push_back(names_[cluster]);
  }
  /// Each once; those that do not hold for all clusters begin with whose they are.
  [[nodiscard]] std::vector<std::string> items() const {
    std::vector<std::string> items;
    for (const auto& [text, of] : list_) {
      items.push_back(of.size() == names_.size() ? text : joined(of) + ": " + text);
    }
    return items;
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, std::vector<std::string>>> list_;
  std::map<std::string, std::size_t> index_;
};

/// Sources, each once, with all that it is used for.
class SourceList {
 public:
  /// @param use  empty: is not said
  void add(const std::string& text, const std::string& as_of, bool verified,
           const std::string& note, const std::string& use) {
    if (text.empty()) return;
    const auto [entry, is_new] = index_.try_emplace({text, as_of}, list_.size());
    if (is_new) list_.push_back({.text = text, .as_of = as_of, .note = note});
    Source& source = list_[entry->second];
    // One figure that was not checked makes the whole source one to check.
    source.verified = source.verified && verified;
    auto& uses = source.used_for;
    if (std::find(uses.begin(), uses.end(), use) == uses.end()) uses.push_back(use);
  }
  void add(const std::vector<SourceNote>& notes, const std::string& file);
  void add(const PriceSource& origin, const std::string& use) {
    add(origin.source, origin.as_of, origin.verified, note_of(origin), use);
  }
  [[nodiscard]] const std::vector<Source>& list() const { return list_; }

 private:
  std::vector<Source> list_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
};

/// A word of a key as readers know it: "USD", "HBM".
std::string word_of(const std::string& word) {
  static const std::map<std::string, std::string> kKnown{
      {"usd", "USD"}, {"pue", "PUE"},   {"hb", "HB"},     {"hbm", "HBM"},   {"nic", "NIC"},
      {"gpu", "GPU"}, {"gpus", "GPUs"}, {"GBps", "GB/s"}, {"gbps", "Gb/s"}, {"tflops", "TFLOP/s"}};
  const auto known = kKnown.find(word);
  return known == kKnown.end() ? word : known->second;
}

/// A key of a file for readers: "electricity USD per kWh".
std::string words_of(const std::string& key) {
  std::string words, word;
  for (const char c : key + "_") {
    if (c != '_') {
      word += c;
      continue;
    }
    words += (words.empty() ? "" : " ") + word_of(word);
    word.clear();
  }
  return words;
}

/// Of a rate of money, in the currency that is shown: "electricity, EUR per kWh".
std::string money_key(const std::string& key) {
  std::string words = words_of(key);
  const std::size_t at = words.find(" USD ");
  if (at != std::string::npos) words.replace(at, 5, ", " + present::money_unit() + " ");
  return words;
}

void SourceList::add(const std::vector<SourceNote>& notes, const std::string& file) {
  for (const SourceNote& note : notes) {
    std::vector<std::string> uses;
    for (const std::string& key : note.keys) uses.push_back(words_of(key));
    add(note.source, note.as_of, note.verified, "", file + ": " + joined(uses));
  }
}

/// "0.0852 (0.05 to 0.19)"; empty for what is not known and for what is no figure.
struct FigureWords {
  const Economics& economics;

  static std::string of(double value) {
    return value < 1000 ? fmt::format("{:.3g}", value) : grouped(std::llround(value));
  }
  static std::string of(const Estimate<double>& range) {
    if (range == Estimate<double>::exactly(range.expected)) return of(range.expected);
    return fmt::format("{} ({} to {})", of(range.expected), of(range.low), of(range.high));
  }

  template <class Rate>
  std::string operator()(const EconomicsRate<Rate>& rate) const {
    const auto& range = economics.*rate.member;
    if (!range) return {};
    const auto shown = [&](Rate figure) { return present::shown_amount(figure.in(rate.unit)); };
    return of(Estimate<double>{shown(range->low), shown(range->expected), shown(range->high)});
  }
  template <class Value>
  std::string operator()(std::optional<Value> Economics::*member) const {
    return economics.*member ? of(*(economics.*member)) : "";
  }
  std::string operator()(double Economics::*member) const { return of(economics.*member); }
  std::string operator()(bool Economics::*member) const { return economics.*member ? "yes" : "no"; }
  std::string operator()(Depreciation Economics::*) const { return {}; }
  std::string operator()(std::vector<double> Economics::*) const { return {}; }
};

/// Whether a figure says something of GPUs that are rented with all around them.
bool of_rent(std::string_view key) {
  return key == "horizon_years" || key == "utilisation" || key == "cost_of_capital" ||
         key == "tax_rate" || key == "staff_usd_per_year";
}

/// @param bought  whether anything is: what stands around it is then paid for too
void add_economics(const Economics& economics, bool bought, std::size_t cluster,
                   Statements& statements) {
  for (const EconomicsFigure& known : economics_figures()) {
    const std::string figure = std::visit(FigureWords{economics}, known.member);
    if (figure.empty() || !(bought || of_rent(known.key))) continue;
    statements.add(fmt::format("{} ({}): {}", money_key(std::string{known.key}), known.doc, figure),
                   cluster);
  }
}

/// The sources of those figures.
std::vector<SourceNote> said_of(const Economics& economics, bool bought) {
  std::vector<SourceNote> notes = economics.sources;
  if (bought) return notes;
  for (SourceNote& note : notes) {
    std::erase_if(note.keys, [](const std::string& key) { return !of_rent(key); });
  }
  std::erase_if(notes, [](const SourceNote& note) { return note.keys.empty(); });
  return notes;
}

void add_training(const ClusterSummary& cluster, std::size_t at, Statements& statements) {
  if (!cluster.training) return;
  const ClusterSummary::Run& run = cluster.training->run;
  statements.add(
      fmt::format("training {}: batch {} × {} tokens, {}{}", run.model_title,
                  grouped(run.global_batch), grouped(run.sequence), name_of(run.precision),
                  run.tokens ? fmt::format(", {} tokens", with_prefix(*run.tokens)) : ""),
      at);
  statements.add(
      fmt::format("iteration time: best strategy of an exact search on the cluster’s own "
                  "fabric, by {}",
                  cluster.training->plan.timing == Timing::calibrated
                      ? "the calibrated model, fitted to published runs of others; no failures"
                      : "the closed-form model; no failures, no overlap, compute at the "
                        "datasheet’s peak. It is a bound more than a forecast"),
      at);
  if (const std::string idle = idle_words(cluster); !idle.empty()) statements.add(idle, at);
}

void add_system(const System& system, std::size_t at, Statements& statements) {
  statements.add(
      fmt::format("GPUs: {}; {} per high-bandwidth domain, {} GB/s inside it, {} GB/s on the "
                  "network (per GPU and direction)",
                  system.accelerator.title, grouped(system.hb_domain),
                  significant(system.hb_bandwidth.in(units::GBps)),
                  significant(system.network_bandwidth.in(units::GBps))),
      at);
}

std::vector<std::string> assumptions(const Clusters& clusters) {
  Statements statements(short_names(clusters));
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const ClusterSummary& cluster = clusters[i];
    add_training(cluster, i, statements);
    add_system(cluster.system, i, statements);
    if (cluster.rent) {
      statements.add(
          fmt::format("rented {}: {} a GPU-hour; nodes, network, space, power and repair are in it",
                      term_words(cluster.rent->term), rent_cell(*cluster.rent).text),
          i);
    } else if (cluster.economics) {
      for (const CloudPrice& rent : cluster.economics->cloud) {
        if (rent.accelerator != cluster.system.accelerator.name) continue;
        statements.add(
            fmt::format("rent of one GPU and hour, {}: {}{}", name_of(rent.term),
                        rent_cell(rent).text, rent.origin.derived_from ? ", derived" : ""),
            i);
      }
    }
    if (cluster.economics) add_economics(*cluster.economics, cluster.buys(), i, statements);
    for (const std::string& note : cluster.notes) statements.add(note, i);
    if (!cluster.buys()) continue;  // and no price of the book is paid
    for (const std::string& note : cluster.price_book_notes) {
      statements.add(cluster.price_book + ": " + note, i);
    }
  }
  return statements.items();
}

std::vector<std::string> unknowns(const Clusters& clusters) {
  Statements statements(short_names(clusters));
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const ClusterSummary& cluster = clusters[i];
    for (const BillLine& line : cluster.bill.lines) {
      if (line.unpriced()) {
        statements.add(fmt::format("price of {} (part key {})", line.part.title, line.part.id), i);
      }
      if (!line.power) statements.add("power of " + line.part.title, i);
    }
    if (!cluster.training) statements.add("training time", i);
    if (cluster.opex.empty()) statements.add("running cost", i);
    if (cluster.rent) statements.add("power and CO₂ of what is rented", i);
  }
  return statements.items();
}

SourceList sources(const Clusters& clusters) {
  SourceList list;
  for (const ClusterSummary& cluster : clusters) {
    for (const BillLine& line : cluster.bill.lines) {
      list.add(line.origin, "the price of " + line.part.title);
    }
    list.add(cluster.system.sources, cluster.system.title);
    list.add(cluster.system.accelerator.sources, cluster.system.accelerator.title);
    if (cluster.rent) list.add(cluster.rent->origin, "rent of " + cluster.system.accelerator.title);
    if (cluster.economics) {
      list.add(said_of(*cluster.economics, cluster.buys()), cluster.economics->title);
      for (const CloudPrice& rent : cluster.economics->cloud) {
        if (rent.accelerator != cluster.system.accelerator.name) continue;
        if (!cluster.rent) list.add(rent.origin, "rent of " + cluster.system.accelerator.title);
      }
    }
    list.add(cluster.sources, "cluster file " + cluster.name);
  }
  return list;
}

void add_list(const char* title, std::vector<std::string> items, Document& document) {
  if (items.empty()) return;
  document.detail(Section{title});
  document.detail(List{std::move(items)});
}

}  // namespace

void add_behaviour(const Clusters& clusters, Document& document) {
  const std::vector<std::string> names = short_names(clusters);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (!clusters[i].expected) continue;
    Document behaviour;
    const auto& expected = *clusters[i].expected;
    if (expected.routing) {
      add_routing(*expected.routing, behaviour);
      add_assumptions(*expected.routing, behaviour);
    }
    if (expected.failures) add_improvements(expected.failures->summary, behaviour);
    for (Block& block : behaviour.blocks) {
      auto* const section = std::get_if<Section>(&block.content);
      if (section != nullptr && clusters.size() > 1) section->title += ": " + names[i];
      document.detail(std::move(block.content));
    }
  }
}

void add_basis(const Clusters& clusters, Document& document) {
  add_list("Assumptions", assumptions(clusters), document);
  const SourceList found = sources(clusters);
  std::vector<std::string> unknown = unknowns(clusters);
  if (std::any_of(found.list().begin(), found.list().end(),
                  [](const Source& source) { return !source.verified; })) {
    unknown.emplace_back(
        "whether the sources marked unverified say what is quoted of them: they were not read "
        "themselves, or not for every figure");
  }
  add_list("What we do not know", std::move(unknown), document);
  if (found.list().empty()) return;
  document.detail(Section{"Sources"});
  document.detail(Sources{found.list()});
}

}  // namespace planner::commands
