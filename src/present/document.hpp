#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "planner/present/cell.hpp"

// An answer as blocks, in reading order. A command makes one document of its answer, and every
// format but JSON comes from it: renderers know blocks and never commands.
namespace planner::present {

enum class Emphasis { plain, strong, quiet, error, warning };

/// The heading of what follows, up to the next one.
struct Section {
  std::string title;
  std::string aside{};  ///< quiet, at the right edge: a unit, a source
};

/// A sentence, or several.
struct Text {
  std::string text;
  std::size_t indent = 2;  ///< on a terminal
  std::string lead{};      ///< hangs before it: "Best   "
  Emphasis emphasis = Emphasis::plain;
  bool wrap = true;    ///< false: one line on a terminal, however long
  bool apart = false;  ///< a blank line before it on a terminal
};

/// Figures that a terminal has side by side: "3.42 s per iteration   MFU 46.4 %".
struct Figure {
  std::string name;  ///< "MFU"
  Cell cell;
  std::string phrase =
      {};  ///< on a terminal, "{}" is the cell: "{} per iteration"; empty: name cell
};
struct Figures {
  std::vector<Figure> figures;
  std::size_t indent = 2;
  std::string separator = "   ";
  std::string lead{};   ///< hangs before the first on a terminal
  bool strong = false;  ///< stands out on a terminal
  bool apart = false;   ///< a blank line before it on a terminal
};

/// Names with what they stand for, set left.
struct Terms {
  std::vector<std::pair<std::string, std::string>> terms;
};

/// Names with a figure each.
struct Fact {
  std::string name;
  Cell cell;
};
struct Facts {
  std::vector<Fact> facts;
};

/// Whether less or more of a figure is the better, where things stand side by side.
enum class Better { neither, lower, higher };

struct Table {
  struct Row {
    std::vector<Cell> cells;
    Better better = Better::neither;  ///< of a row of a comparison
    bool heads = false;               ///< names the rows below it; not on a terminal
  };
  std::vector<std::string> header;  ///< empty: none on a terminal
  /// An empty one is a gap on a terminal.
  std::vector<Row> rows{};
  bool compares = false;  ///< columns but the first are alternatives: rows that differ are marked
  /// The first so many name a row: where the others do not all fit on a terminal, they stand in
  /// groups one below the other, with these in each. 0: all stand in one.
  std::size_t naming = 0;
  bool ranking = false;  ///< rows are places, not things
  bool leads = false;    ///< what CSV begins with, in place of the first table
  bool repeats = false;  ///< figures that stand elsewhere too: CSV does not begin with it

  void add(std::vector<Cell> cells) { rows.push_back({std::move(cells)}); }
};

/// Parts of a whole, each with a bar.
struct Bars {
  struct Row {
    std::string name;
    Cell cell;
    double share = 0;       ///< of the whole
    std::string aside{};    ///< such as the equation it comes from
    std::string why_not{};  ///< why it is no part of the sum, in the place of its share
  };
  std::vector<Row> rows;
  int width = 30;  ///< on a terminal
};

/// Statements, each on its own.
struct List {
  std::vector<std::string> items;
};

/// A bill of materials. A terminal shows item, quantity, unit price and total; a workbook has it on
/// a sheet of its own, whose totals follow its prices.
struct Bill {
  struct Line {
    std::string item, category;
    std::int64_t quantity = 0;
    Cell unit_price, total;     ///< words where there is no price
    Cell power{};               ///< of all pieces, W
    std::string included_in{};  ///< whose price this one's is part of
    /// The earlier line of the same part: what is changed in its price is changed in this one's.
    std::optional<std::size_t> priced_as{};
    std::string source{}, as_of{}, note{};
    bool verified = true;
  };
  std::string title;   ///< of its sheet
  std::string prices;  ///< whose they are
  std::string money;   ///< what they count: "US dollars"
  std::vector<Line> lines{};
  Cell total{};
};

/// Figures that follow from others by arithmetic, so that a reader can change some: a workbook has
/// them in cells with formulas, a page in fields; everyone else as they are now.
struct Calculation {
  struct Row {
    std::string key;  ///< as formulas name it: "years"
    std::string name;
    Cell cell;  ///< a number, as it is now
    /// Of keys, numbers, + - * / ^, parentheses and max, min, int, if (of a number that is not 0)
    /// and cents (rounded to two digits); empty: it may be changed. kBillTotal and kBillPower are
    /// those of the bill.
    std::string formula{};
  };
  std::string title;  ///< of its sheet
  std::string bill;   ///< title of the bill
  std::vector<Row> rows;
};
inline constexpr const char* kBillTotal = "bill_total";
inline constexpr const char* kBillPower = "bill_power";  ///< W

/// A Vega-Lite chart, its data inside. Not on a terminal.
struct Chart {
  std::string name, title;
  std::shared_ptr<const nlohmann::ordered_json> spec;
};
/// Charts together, and what a colour means in all of them. They are drawn when a format has
/// charts: that may cost more than all its other blocks.
struct Charts {
  struct Swatch {
    std::string color;  ///< as the page's style names it: "compute", "move", "rest"
    std::string meaning;
  };
  std::function<std::vector<Chart>()> draw;
  std::vector<Swatch> legend{};
  std::string title = "Charts";  ///< of their section
};

/// A picture as SVG, sized by its viewBox, its text escaped, its colours by the classes of the
/// page's style. In HTML only: what it shows stands in tables too.
struct Drawing {
  std::string title;  ///< for those who do not see it
  std::string svg;
};

/// Where figures come from, numbered.
struct Source {
  std::string text, as_of{}, note{};
  std::vector<std::string> used_for{};
  bool verified = true;
};
struct Sources {
  std::vector<Source> sources;
};

/// Formulas with their numbers.
struct Derivation {
  struct Term {
    std::string symbol, meaning;
    std::string equation{};           ///< where it is printed
    std::string formula{}, filled{};  ///< in symbols and in numbers; empty: a given figure
    Cell value{};
  };
  std::vector<Term> terms;
};

/// Text to the letter, such as a file.
struct Verbatim {
  std::string text;
};

using Content = std::variant<Section, Text, Figures, Terms, Facts, Table, Bars, List, Bill,
                             Calculation, Charts, Drawing, Sources, Derivation, Verbatim>;

/// Who sees a block. What a terminal shows, every format shows.
enum class Where { everywhere, terminal, beyond_terminal };

struct Block {
  Content content;
  Where where = Where::everywhere;
};

struct Document {
  std::string title;
  std::string aside{};   ///< quiet, at the right edge of the title
  std::string kicker{};  ///< over the title of a page: what kind of answer it is
  std::vector<Block> blocks{};
  /// How many blocks its first page has, which ends with the warnings; nothing: it has none.
  std::optional<std::size_t> first_page{};
  bool bare = false;  ///< nothing but its blocks: no title, no warnings
  /// What a text that is nothing but a file has no place for.
  std::vector<std::string> beside{};

  void add(Content content) { blocks.push_back({std::move(content)}); }
  /// More than a terminal has room for.
  void detail(Content content) { blocks.push_back({std::move(content), Where::beyond_terminal}); }
};

}  // namespace planner::present
