#include <fmt/format.h>
#include <fmt/ranges.h>

#include "planner/commands/design/design.hpp"
#include "planner/commands/parts/evidence.hpp"
#include "planner/present/text.hpp"

// Designs side by side: the best, the front, the best of each system.
namespace planner::commands {

namespace {

using namespace present;

/// "16,384 dgx-h100"; with a mark where no run like its plan was measured.
Cell gpus_of(const DesignSummary& design) {
  return words(fmt::format("{} {}{}", grouped(design.gpus), design.cluster.system,
                           mark(design.plan.evidence)));
}

/// What a column of what owning costs is headed by.
std::string to_own(bool bound, const std::vector<const DesignSummary*>& designs) {
  const bool present = !designs.empty() && designs.front()->financed;
  return std::string(present ? "net present cost" : "to own") + (bound ? ", at least" : "");
}

/// @param leads  what CSV begins with
Table design_rows(const std::vector<const DesignSummary*>& designs, bool bound, bool leads) {
  Table table{.header = {"", "GPUs", "used", "network", "optics", "days", "to buy",
                         to_own(bound, designs), "run", "IT"},
              .ranking = true,
              .leads = leads};
  std::int64_t place = 0;
  for (const DesignSummary* design : designs) {
    ++place;
    table.add({words(fmt::format("{}", place)), gpus_of(*design), count(design->used_gpus),
               words(network_words(design->cluster)), words(optics_words(design->cluster)),
               number(design->from_order().in(units::day)), money(to_pay(*design)),
               money(design->owning().expected), money(design->run_cost),
               megawatts_cell(design->it)});
  }
  return table;
}

/// For a terminal: what tells designs apart, in 80 columns; of many some between both ends.
constexpr std::size_t kMostRows = 12;

Table short_rows(const std::vector<const DesignSummary*>& designs, bool bound) {
  Table table{.header = {"GPUs", "network", "days", "to buy", to_own(bound, designs), "IT"},
              .ranking = true};
  const std::size_t rows = std::min(designs.size(), kMostRows);
  for (std::size_t row = 0; row < rows; ++row) {
    const DesignSummary& design = *designs[rows == 1 ? 0 : row * (designs.size() - 1) / (rows - 1)];
    Cell gpus = gpus_of(design);
    gpus.text += set_apart(design, designs);
    const std::string network{name_of(topology_of(design.cluster.fabric))};
    table.add({std::move(gpus), words(network), number(design.from_order().in(units::day)),
               money(to_pay(design)), money(design.owning().expected), megawatts_cell(design.it)});
  }
  return table;
}

/// @param bound  what owning costs is at least that
void add_designs(const char* title, const std::string& aside,
                 const std::vector<const DesignSummary*>& designs, bool bound, Document& document,
                 bool leads = false) {
  if (designs.empty()) return;
  document.add(Section{title, aside});
  document.blocks.push_back({short_rows(designs, bound), Where::terminal});
  if (designs.size() > kMostRows) {
    document.blocks.push_back(
        {present::Text{.text = fmt::format("{} of {}; all of them in --format csv, md or html",
                                           kMostRows, designs.size())},
         Where::terminal});
  }
  document.detail(design_rows(designs, bound, leads));
}

std::vector<const DesignSummary*> pointers(const std::vector<DesignSummary>& designs) {
  std::vector<const DesignSummary*> found;
  for (const DesignSummary& design : designs) found.push_back(&design);
  return found;
}

}  // namespace

void add_best_designs(const DesignAnswer& answer, Document& document) {
  const std::vector<const DesignSummary*> designs = pointers(answer.top);
  const bool leads = answer.front.empty(), bound = owning_at_least(answer);
  if (designs.size() > 1) {
    add_designs("The best designs", "in order", designs, bound, document, leads);
  } else if (!designs.empty() && leads) {  // told above: a row where there are programs to read it
    document.detail(Section{"The best design"});
    document.detail(design_rows(designs, bound, leads));
  }
}

void add_front(const DesignAnswer& answer, Document& document) {
  std::vector<std::string> measures;
  for (const Measure measure : answer.brief.front) measures.emplace_back(name_of(measure));
  add_designs("The front", fmt::format("{}", fmt::join(measures, ", ")), pointers(answer.front),
              owning_at_least(answer), document, true);
}

void add_by_system(const DesignAnswer& answer, Document& document) {
  std::vector<const DesignSummary*> designs;
  std::string none;
  for (const SystemBest& system : answer.by_system) {
    if (system.best) {
      designs.push_back(&*system.best);
    } else {
      none += (none.empty() ? "" : ", ") + system.system;
    }
  }
  add_designs("The best of each system", "if it must be that one", designs, owning_at_least(answer),
              document);
  if (!none.empty()) document.add(present::Text{.text = "Not within the limits: " + none});
}

}  // namespace planner::commands
