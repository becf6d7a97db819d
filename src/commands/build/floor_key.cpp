#include "planner/commands/build/floor_key.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/present/html/page.hpp"
#include "planner/present/text.hpp"
#include "planner/site/floor.hpp"

namespace planner::commands {

bool drawable(const BuildAnswer& answer) {
  constexpr std::int64_t kMostRows = 1'000'000, kMostPlaces = 1'000'000;
  constexpr double kMostMetres = 1e7, kMostUnits = 1000;
  const BuildAnswer::FloorLine& floor = answer.floor;
  const auto length = [](double metres) { return metres > 0 && metres < kMostMetres; };
  const auto rows = static_cast<std::size_t>(floor.rows);
  return floor.rows >= 1 && floor.rows <= kMostRows && floor.places_per_row >= 1 &&
         floor.places_per_row <= kMostPlaces && floor.blocks >= 1 && floor.halls >= 1 &&
         length(floor.width_m) && length(floor.depth_m) && length(floor.rack_width_m) &&
         length(floor.rack_depth_m) && answer.figure(&Site::perimeter_m) >= 0 &&
         answer.figure(&Site::rack_units) <= kMostUnits &&
         (floor.rows_m.empty() || floor.rows_m.size() == rows) &&
         answer.trays.row_fill.size() <= rows &&
         answer.trays.cross_fill.size() <= floor.cross_trays_m.size() &&
         std::all_of(answer.racks.begin(), answer.racks.end(),
                     [&](const BuildAnswer::RackLine& rack) {
                       return rack.row >= 1 && rack.row <= floor.rows && rack.column >= 1 &&
                              rack.column <= floor.places_per_row;
                     }) &&
         std::none_of(answer.figures.begin(), answer.figures.end(), [](const auto& figure) {
           return figure.first == "rows_per_hall" && !(figure.second >= 1);
         });
}

namespace {

constexpr std::size_t kMostRuns = 3, kMostTooFull = 6;

/// Stretches side by side that are too full are one; others only where they are alike.
void add_runs(const std::vector<std::vector<double>>& fills, bool cross,
              std::vector<TrayRun>& runs) {
  for (std::size_t line = 0; line < fills.size(); ++line) {
    const std::vector<double>& along = fills[line];
    for (std::size_t i = 0; i < along.size(); ++i) {
      if (along[i] <= 0) continue;
      const bool goes_on =
          !runs.empty() && runs.back().cross == cross && runs.back().line == line &&
          runs.back().to + 1 == i &&
          (runs.back().fill == along[i] || (too_full(along[i]) && too_full(along[i - 1])));
      if (goes_on) {
        runs.back().to = i;
        runs.back().fill = std::max(runs.back().fill, along[i]);
      } else {
        runs.push_back({cross, line, i, i, along[i]});
      }
    }
  }
}

/// The first place at or right of a cross tray, from 1.
std::int64_t place_beside(const BuildAnswer& answer, double x) {
  const BuildAnswer::FloorLine& floor = answer.floor;
  const std::int64_t block = floor.places_per_row / std::max<std::int64_t>(1, floor.blocks);
  for (std::int64_t place = 0; place < floor.places_per_row; ++place) {
    const double left = static_cast<double>(place) * floor.rack_width_m +
                        static_cast<double>(place / std::max<std::int64_t>(1, block)) *
                            answer.figure(&Site::main_aisle_m);
    if (left >= x - 1e-6) return place + 1;
  }
  return floor.places_per_row;
}

std::string where_of(const BuildAnswer& answer, const TrayRun& run) {
  if (run.cross) {
    return fmt::format("across rows {} to {} at place {:02}",
                       site::row_letters(static_cast<std::int64_t>(run.from)),
                       site::row_letters(static_cast<std::int64_t>(run.to) + 1),
                       place_beside(answer, answer.floor.cross_trays_m[run.line]));
  }
  return fmt::format("over row {}, places {:02} to {:02}",
                     site::row_letters(static_cast<std::int64_t>(run.line)), run.from + 1,
                     run.to + 2);
}

}  // namespace

std::vector<TrayRun> fullest_trays(const BuildAnswer& answer) {
  std::vector<TrayRun> runs;
  add_runs(answer.trays.row_fill, false, runs);
  add_runs(answer.trays.cross_fill, true, runs);
  std::stable_sort(runs.begin(), runs.end(),
                   [](const TrayRun& a, const TrayRun& b) { return a.fill > b.fill; });
  const auto beyond = static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [](const TrayRun& run) { return too_full(run.fill); }));
  const std::size_t shown = beyond > 0 ? std::min(beyond, kMostTooFull) : kMostRuns;
  if (runs.size() > shown) runs.resize(shown);
  return runs;
}

FloorKey floor_key(const BuildAnswer& answer) {
  FloorKey key;
  const std::map<std::string, Paint> paints = paints_of(answer);
  for (const auto& [kind, number] : answer.racks_by_kind()) {
    const Paint& paint = paints.at(kind);
    key.kinds.push_back({paint, fmt::format("{} {}: {}", grouped(number), kind, paint.meaning)});
  }
  if (answer.floor.free_places > 0) {
    const std::int64_t rows = answer.floor.empty_rows;
    const std::string whole =
        rows > 0 ? fmt::format(", {} whole row{}", grouped(rows), rows == 1 ? "" : "s") : "";
    key.kinds.push_back(
        {{"none", "", ""},
         fmt::format("{} places in reserve{}", grouped(answer.floor.free_places), whole)});
  }
  key.lines.push_back(fmt::format(
      "Lines over racks are trays, stronger the fuller; red: more than cables may take, "
      "{:.0f}\u00a0% "
      "of the section. Per cent are of what they may take. Fronts of racks are at cold aisles.",
      100 * answer.trays.allowed_fill));
  std::string fullest;
  for (const TrayRun& run : fullest_trays(answer)) {
    fullest += fmt::format("{}{}: {}\u00a0%", fullest.empty() ? "Fullest trays " : "; ",
                           where_of(answer, run), grouped(100 * run.fill, 0));
  }
  if (!fullest.empty()) {
    if (answer.trays.overfilled > 0) {
      fullest += fmt::format(". Too full: {} of {} stretches", grouped(answer.trays.overfilled),
                             grouped(answer.trays.stretches));
    }
    key.lines.push_back(fullest + ".");
  }
  return key;
}

std::string cables_in_words(const BuildAnswer::RackLine& rack, std::size_t room) {
  auto to = rack.cables_to;
  std::stable_sort(to.begin(), to.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::int64_t all = 0;
  for (const auto& [name, cables] : to) all += cables;
  std::string text =
      fmt::format("{} at {}: {} cables to {} other rack{}", rack.name, rack.place, grouped(all),
                  grouped(static_cast<std::int64_t>(to.size())), to.size() == 1 ? "" : "s");
  const char* between = ": ";
  for (const auto& [name, cables] : to) {
    const std::string next = fmt::format("{}{} {}", between, grouped(cables), name);
    if (text.size() + next.size() > room) return text + " …";
    text += next;
    between = ", ";
  }
  return text;
}

std::string key_on_page(const FloorKey& key) {
  std::string out = "<ul class=\"key\">";
  for (const FloorKey::Kind& kind : key.kinds) {
    const bool free = kind.paint.fill == std::string_view("none");
    out += fmt::format("<li><span class=\"chip{}\" style=\"background:{}\">{}</span>{}</li>",
                       free ? " free" : "", kind.paint.fill, kind.paint.letter,
                       present::html_escaped(kind.words));
  }
  out += "</ul>\n";
  for (const std::string& line : key.lines) {
    out += "<p class=\"hint\">" + present::html_escaped(line) + "</p>\n";
  }
  return out;
}

}  // namespace planner::commands
