#include "planner/present/html/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/present/blocks.hpp"
#include "planner/present/html/calculation.hpp"
#include "planner/present/html/page.hpp"
#include "planner/present/html/tables.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLong = 180;  // more than three lines of a headline

/// "what-binds": a title as an anchor.
std::string anchor_of(const std::string& title) {
  std::string anchor;
  for (const char c : title) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) {
      anchor += static_cast<char>(std::tolower(letter));
    } else if (!anchor.empty() && anchor.back() != '-') {
      anchor += '-';
    }
  }
  while (!anchor.empty() && anchor.back() == '-') anchor.pop_back();
  return anchor;
}

/// Writes one kind of block each.
class Blocks {
 public:
  Blocks(Sources listed, std::vector<const Bill*> bills)
      : listed_(std::move(listed)), bills_(std::move(bills)) {}

  void operator()(const Section& section) {
    close();
    open_ = true;
    html_ += fmt::format("<section id=\"{}\"><h2>{}</h2>\n", anchor_of(section.title),
                         html_escaped(section.title));
    if (!section.aside.empty()) {
      html_ += "<p class=\"hint\">" + html_escaped(section.aside) + "</p>\n";
    }
  }
  void operator()(const Text& block) {
    html_ += "<p>" + html_escaped(block.lead + block.text) + "</p>\n";
  }
  void operator()(const Table& table) { html_ += html_table(table); }
  void operator()(const Bill& bill) { html_ += html_bill(bill, listed_); }
  void operator()(const Calculation& block) {
    if (block.bill.empty()) html_ += html_calculation(block, {});
    for (const Bill* bill : bills_) {
      if (bill->title == block.bill) html_ += html_calculation(block, *bill);
    }
  }
  void operator()(const List& list) {
    html_ += "<ul>\n";
    for (const std::string& item : list.items) html_ += "<li>" + html_escaped(item) + "</li>\n";
    html_ += "</ul>\n";
  }
  void operator()(const Sources& block) {
    html_ += "<ol>\n";
    std::size_t number = 0;
    for (const Source& source : block.sources) html_ += item_of(source, ++number);
    html_ += "</ol>\n";
  }
  void operator()(const Charts& block) {
    const std::vector<Chart> charts = block.draw();
    if (charts.empty()) return;
    close();
    html_ += fmt::format("<section id=\"{}\"><h2>{}</h2>\n", anchor_of(block.title),
                         html_escaped(block.title)) +
             legend_of(block) +
             "<noscript><p>The charts need JavaScript; all their figures are in the tables."
             "</p></noscript>\n<div class=\"charts\">";
    for (const Chart& chart : charts) html_ += figure_of(chart);
    html_ += "</div></section>\n";
  }
  void operator()(const Drawing& block) {
    html_ += fmt::format(
        "<figure class=\"drawing\"><figcaption class=\"hint\">{}</figcaption>{}</figure>\n",
        html_escaped(block.title), block.svg);
  }
  void operator()(const Verbatim& block) {
    html_ += "<pre>" + html_escaped(block.text) + "</pre>\n";
  }
  void operator()(const auto& block) { html_ += html_data(block); }
  /// Of figures one after the other: one table.
  void figures(const std::vector<const Content*>& run) { html_ += html_data(run); }

  std::string finish() {
    close();
    return std::move(html_);
  }
  [[nodiscard]] const Json& charts() const { return charts_; }

 private:
  void close() {
    if (open_) html_ += "</section>\n";
    open_ = false;
  }

  static std::string item_of(const Source& source, std::size_t number) {
    std::string uses;
    for (const std::string& use : source.used_for) uses += (uses.empty() ? "" : ", ") + use;
    return fmt::format(
        "<li id=\"source-{}\">{}{}{}{}{}</li>\n", number, html_escaped(source.text),
        source.as_of.empty() ? "" : ", " + html_escaped(source.as_of),
        source.verified ? "" : R"( <span class="missing">unverified</span>)",
        source.note.empty() ? "" : " (" + html_escaped(source.note) + ")",
        uses.empty() ? ""
                     : fmt::format(R"(<span class="delta">for {}</span>)", html_escaped(uses)));
  }

  static std::string legend_of(const Charts& block) {
    if (block.legend.empty()) return {};
    std::string words;
    for (const Charts::Swatch& swatch : block.legend) {
      words += fmt::format("{}<span class=\"swatch {}\"></span> {}", words.empty() ? "" : ", ",
                           swatch.color, html_escaped(swatch.meaning));
    }
    return "<p class=\"hint\">In every chart " + words + ".</p>\n";
  }

  std::string figure_of(const Chart& chart) {
    const Json& spec = *chart.spec;
    const auto line = [&spec](const char* key) {
      return html_escaped(spec.at("title").value(key, std::string{}));
    };
    const std::size_t index = charts_.size();
    charts_.push_back({{"name", chart.name}, {"title", chart.title}, {"spec", spec}});
    return fmt::format(
        "<figure id=\"{}\"><figcaption><h3>{}</h3><p class=\"hint\">{}</p></figcaption>"
        "<div class=\"chart\" data-chart=\"{}\"></div></figure>\n",
        html_escaped(chart.name), line("text"), line("subtitle"), index);
  }

  Sources listed_;
  std::vector<const Bill*> bills_;
  std::string html_;
  Json charts_ = Json::array();
  bool open_ = false;
};

/// A section, or what comes before the first.
struct Part {
  std::vector<const Content*> content;
  bool plans = false;  ///< nothing but a heading and drawings for which a page has a class
  std::size_t longest = 0;
};

std::vector<Part> parts_of(const Document& document) {
  std::vector<Part> parts(1);
  for (const Block& block : document.blocks) {
    if (block.where == Where::terminal) continue;
    if (std::holds_alternative<Section>(block.content)) parts.push_back({.content = {}});
    Part& part = parts.back();
    part.content.push_back(&block.content);
    const auto* const table = std::get_if<Table>(&block.content);
    if (table != nullptr) part.longest = std::max(part.longest, table->rows.size());
    const auto* const drawing = std::get_if<Drawing>(&block.content);
    part.plans = drawing != nullptr && part.content.size() == 2 &&
                 (drawing->svg.find("class=\"plan") != std::string::npos ||
                  drawing->svg.find("class=\"faces") != std::string::npos);
  }
  return parts;
}

/// In the order of paper: plans that have most of a sheet to themselves come after the figures, so
/// that no sheet ends before its foot, and before tables of many sheets. The style of the page
/// lifts them on screens.
std::vector<Part> as_printed(std::vector<Part> parts) {
  const auto first_long =
      std::find_if(parts.begin(), parts.end(), [](const Part& part) { return part.longest > 40; });
  std::stable_partition(parts.begin(), first_long, [](const Part& part) { return !part.plans; });
  return parts;
}

/// What a page has as names with a figure each.
bool are_figures(const Content* content) {
  return std::holds_alternative<Figures>(*content) || std::holds_alternative<Facts>(*content);
}

void write(const Part& part, Blocks& blocks) {
  for (auto at = part.content.begin(); at != part.content.end();) {
    const auto end = std::find_if_not(at, part.content.end(), are_figures);
    if (end == at) {
      std::visit(blocks, **at++);
    } else {
      blocks.figures({at, end});
      at = end;
    }
  }
}

}  // namespace

std::string to_html(const Document& document) {
  Sources listed;
  std::vector<const Bill*> bills;
  for (const Block& block : document.blocks) {
    if (const auto* const bill = std::get_if<Bill>(&block.content)) bills.push_back(bill);
    if (const auto* const sources = std::get_if<Sources>(&block.content)) listed = *sources;
  }
  Blocks blocks(std::move(listed), std::move(bills));
  for (const Part& part : as_printed(parts_of(document))) write(part, blocks);
  const std::string body = blocks.finish();
  const std::string kicker =
      fmt::format("<p class=\"kicker\">{}{}planner " PLANNER_VERSION "</p>\n",
                  html_escaped(document.kicker), document.kicker.empty() ? "" : " · ");
  const std::string aside =
      document.aside.empty() ? "" : "<p class=\"hint\">" + html_escaped(document.aside) + "</p>";
  return html_head(document.title) +
         fmt::format("<body>\n<main>\n<header>{}<h1{}>{}</h1>{}</header>\n", kicker,
                     document.title.size() > kLong ? " class=\"long\"" : "",
                     html_escaped(document.title), aside) +
         body + "</main>\n" + html_drawing(blocks.charts()) + "</body>\n</html>\n";
}

}  // namespace planner::present
