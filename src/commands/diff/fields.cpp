#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/commands/diff/diff.hpp"

namespace planner::commands {

namespace {

using namespace json;

struct ValueToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(double figure) const {
    const bool whole = figure == std::floor(figure) && std::abs(figure) < 9e15;
    return whole ? Json(static_cast<std::int64_t>(figure)) : Json(figure);
  }
  Json operator()(const auto& figure) const { return figure; }
};

/// A number, a word, a boolean or nothing.
Codec<AnswerValue> answer_value() {
  return {[](const JsonNode& node, const ReadContext& context) -> std::optional<AnswerValue> {
            if (node.is_null()) return AnswerValue{};
            if (const auto* flag = node.get<bool>()) return AnswerValue{*flag};
            if (const auto* text = node.get<std::string>()) return AnswerValue{*text};
            const auto number = figure().read(node, context);
            return number ? std::optional(AnswerValue{*number}) : std::nullopt;
          },
          [](const AnswerValue& value, Json& out) { out = std::visit(ValueToJson{}, value); },
          [](Json& schema) {
            schema["type"] = {"number", "string", "boolean", "null"};
          }};
}

const FieldTable<DiffRow>& row_table() {
  using R = DiffRow;
  const auto maybe = or_null(figure());
  static const FieldTable<R> kTable{
      .type = "difference",
      .doc = "a value in which the JSON of two answers differs",
      .fields = {required("section", &R::section, any_text(), "where it is"),
                 required("name", &R::name, any_text(), "key"),
                 required("a", &R::a, answer_value(), "of the first"),
                 required("b", &R::b, answer_value(), "of the second"),
                 shown<R, std::optional<double>>(
                     "difference", [](const R& row) { return row.difference(); }, maybe, "b - a"),
                 shown<R, std::optional<double>>(
                     "difference_pct",
                     [](const R& row) {
                       const auto share = row.relative();
                       return share ? std::optional{100 * *share} : std::nullopt;
                     },
                     maybe, "of |a|")},
      .open = true};
  return kTable;
}

Codec<present::Cell> cell() {
  using C = present::Cell;
  static const FieldTable<C> kTable{
      .type = "cell",
      .doc = "a figure as its table shows it",
      .fields = {{"value", "null: words alone, or nothing", true,
                  [](const JsonNode& node, C& into, const ReadContext& context) {
                    const auto value = answer_value().read(node, context);
                    if (!value) return false;
                    if (const auto* number = std::get_if<double>(&*value)) into.value = *number;
                    if (const auto* flag = std::get_if<bool>(&*value)) into.value = *flag;
                    if (const auto* text = std::get_if<std::string>(&*value)) into.value = *text;
                    return true;
                  },
                  [](const C& from, Json& out) {
                    out["value"] = std::visit(
                        [](const auto& v) -> Json {
                          if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) {
                            return nullptr;
                          } else if constexpr (std::is_same_v<std::decay_t<decltype(v)>, double>) {
                            return ValueToJson{}(v);
                          } else {
                            return v;
                          }
                        },
                        from.value);
                  },
                  answer_value().description()},
                 required("unit", &C::unit, any_text(), "of the value"),
                 required("text", &C::text, any_text(), "with its unit, range and bound"),
                 required("at_least", &C::at_least, boolean(), "a lower bound")},
      .open = true};
  return object(kTable);
}

const FieldTable<DiffFigure>& figure_table() {
  using F = DiffFigure;
  static const FieldTable<F> kTable{
      .type = "figure",
      .doc = "a figure in which the tables of two answers differ",
      .fields = {required("section", &F::section, any_text(), "its heading"),
                 required("name", &F::name, any_text(), "of the figure"),
                 required("a", &F::a, cell(), "of the first"),
                 required("b", &F::b, cell(), "of the second")},
      .open = true};
  return kTable;
}

const FieldTable<DiffAnswer>& result_table() {
  using A = DiffAnswer;
  static const FieldTable<A> kTable{
      .type = "diff",
      .doc = "two answers, figure by figure",
      .fields = {required("a", &A::a, any_text(), "what the first is called"),
                 required("b", &A::b, any_text(), "what the second is called"),
                 required("same", &A::same, whole(), "values of the JSON that agree"),
                 required("rows", &A::rows, list(object(row_table())), "values that differ"),
                 required("figures_same", &A::agree, whole(), "figures of the tables that agree"),
                 required("figures", &A::figures, list(object(figure_table())),
                          "figures of the tables that differ, in their words")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<DiffAnswer>& diff_fields() {
  static const FieldTable<DiffAnswer> kTable{
      .type = "answer",
      .doc = "an answer of diff",
      .fields = {group("result", result_table(), "the differences")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
