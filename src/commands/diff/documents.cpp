#include <algorithm>
#include <map>
#include <unordered_map>

#include "planner/commands/diff/diff.hpp"
#include "planner/present/blocks.hpp"

namespace planner::commands {

namespace {

using namespace present;

struct Named {
  std::string section, name;
  Cell cell;
};

/// The figures of a document in reading order, each under a name of its own.
class Figures {
 public:
  explicit Figures(const Document& document) {
    add({}, words(document.title));
    for (const Block& block : document.blocks) {
      if (block.where != Where::beyond_terminal)
        std::visit([this](const auto& b) { (*this)(b); }, block.content);
    }
  }

  [[nodiscard]] std::vector<Named> take() { return std::move(all_); }

  void operator()(const Section& section) { section_ = section.title; }
  void operator()(const Text& text) { add({}, words(text.lead + text.text)); }
  void operator()(const List& list) {
    for (const std::string& item : list.items) add({}, words(item));
  }
  void operator()(const Bars& bars) {
    for (const Bars::Row& row : bars.rows) add(row.name, row.cell);
  }
  void operator()(const present::Figures& block) {
    for (const Figure& figure : block.figures) add(figure.name, figure.cell);
  }
  void operator()(const Facts& block) {
    for (const Fact& fact : block.facts) add(fact.name, fact.cell);
  }
  void operator()(const Derivation& block) {
    for (const Derivation::Term& term : block.terms) add(term.symbol, term.value);
  }
  void operator()(const Bill& bill) {
    for (const Bill::Line& line : bill.lines) {
      add(line.item + " · quantity", count(line.quantity));
      add(line.item + " · each", line.unit_price);
      add(line.item + " · total", line.total);
    }
    add("total", bill.total);
  }
  void operator()(const Table& table) {
    if (table.ranking) return;
    for (const Table::Row& row : table.rows) {
      if (row.heads) continue;
      for (std::size_t i = 1; i < row.cells.size(); ++i) {
        const std::string column = i < table.header.size() ? table.header[i] : std::string{};
        add(row.cells[0].text + (column.empty() ? "" : " · " + column), row.cells[i]);
      }
    }
  }
  void operator()(const auto&) {}

 private:
  void add(std::string name, Cell cell) {
    const std::size_t seen = ++times_[section_ + '\n' + name];
    if (seen > 1) name += (name.empty() ? "" : " ") + ("(" + std::to_string(seen) + ")");
    all_.push_back({section_, std::move(name), std::move(cell)});
  }

  std::string section_;
  std::unordered_map<std::string, std::size_t> times_;
  std::vector<Named> all_;
};

bool alike(const Cell& a, const Cell& b) {
  return a.value == b.value && a.at_least == b.at_least && a.text == b.text;
}

}  // namespace

void compare_documents(const Document& a, const Document& b, DiffAnswer& result) {
  const std::vector<Named> left = Figures(a).take(), right = Figures(b).take();
  std::map<std::pair<std::string, std::string>, const Cell*> rest;
  for (const Named& one : right) rest.emplace(std::pair{one.section, one.name}, &one.cell);
  const Cell kNothing = none();
  for (const Named& one : left) {
    const auto found = rest.find({one.section, one.name});
    const Cell& other = found == rest.end() ? kNothing : *found->second;
    if (found != rest.end() && alike(one.cell, other)) {
      ++result.agree;
    } else {
      result.figures.push_back({one.section, one.name, one.cell, other});
    }
    if (found != rest.end()) rest.erase(found);
  }
  for (const Named& one : right) {
    if (rest.contains({one.section, one.name})) {
      result.figures.push_back({one.section, one.name, kNothing, one.cell});
    }
  }
  // What only b has stands with its section.
  std::vector<std::string> order;
  for (const DiffFigure& figure : result.figures) {
    if (std::find(order.begin(), order.end(), figure.section) == order.end()) {
      order.push_back(figure.section);
    }
  }
  std::stable_sort(result.figures.begin(), result.figures.end(),
                   [&](const DiffFigure& x, const DiffFigure& y) {
                     return std::find(order.begin(), order.end(), x.section) <
                            std::find(order.begin(), order.end(), y.section);
                   });
}

}  // namespace planner::commands
