#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/api/options.hpp"
#include "planner/present/charts/charts.hpp"
#include "planner/report/answer_json.hpp"
#include "planner/report/charts.hpp"
#include "planner/report/format.hpp"
#include "planner/report/json_cluster.hpp"
#include "planner/report/json_parts.hpp"
#include "planner/report/json_sweep.hpp"
#include "planner/report/report.hpp"
#include "planner/report/schemas.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Diagnostic& diagnostic) {
  return {{"code", diagnostic.code},
          {"message", diagnostic.message},
          {"hint", text_or_null(diagnostic.hint)},
          {"file", text_or_null(diagnostic.file)},
          {"line", diagnostic.line > 0 ? Json(diagnostic.line) : Json(nullptr)},
          {"column", diagnostic.column > 0 ? Json(diagnostic.column) : Json(nullptr)}};
}

struct ValueToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(double figure) const {
    const bool whole = figure == std::floor(figure) && std::abs(figure) < 9e15;
    return whole ? Json(static_cast<std::int64_t>(figure)) : Json(figure);
  }
  Json operator()(const auto& figure) const { return figure; }
};

Json to_json(const AnswerValue& value) {
  return std::visit(ValueToJson{}, value);
}

Json figure_or_null(const std::optional<double>& value) {
  return value ? ValueToJson{}(*value) : Json(nullptr);
}

Json to_json(const DiffResult& result) {
  Json rows = Json::array();
  for (const DiffRow& row : result.rows) {
    const std::optional<double> share = row.relative();
    rows.push_back(
        {{"section", row.section},
         {"name", row.name},
         {"a", to_json(row.a)},
         {"b", to_json(row.b)},
         {"difference", figure_or_null(row.difference())},
         {"difference_pct", figure_or_null(share ? std::optional{100 * *share} : std::nullopt)}});
  }
  return {{"a", result.a}, {"b", result.b}, {"same", result.same}, {"rows", rows}};
}

using planner::to_json;  // of types of job/, too

struct ResultToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const SavedAnswer& saved) const { return saved.answer->at("result"); }
  Json operator()(const commands::Answered&) const { return nullptr; }  // writes itself
  Json operator()(const SchemaResult& result) const { return schema_of(result.type); }
  Json operator()(const auto& result) const { return to_json(result); }
};

enum class Charts { without, with };

Json answer_json(const Response& response, Charts wanted) {
  if (const auto* saved = std::get_if<SavedAnswer>(&response.result)) return *saved->answer;
  Json json{{"schema_version", kSchemaVersion},
            {"command", response.command ? Json(name_of(*response.command)) : Json(nullptr)},
            {"ok", response.errors.empty()}};
  if (const auto* answered = std::get_if<commands::Answered>(&response.result)) {
    answered->write(json);
  } else if (!std::holds_alternative<std::monostate>(response.result)) {
    json["result"] = std::visit(ResultToJson{}, response.result);
  }
  if (wanted == Charts::with) {
    const auto* const answered = std::get_if<commands::Answered>(&response.result);
    Json drawn = !answered                ? charts(json)
                 : answered->has_result() ? present::charts_of(answered->document())
                                          : Json{};
    if (!drawn.empty()) json["charts"] = std::move(drawn);
  }
  json["warnings"] = response.warnings;
  if (!response.errors.empty()) {
    json["errors"] = Json::array();
    for (const Diagnostic& error : response.errors) json["errors"].push_back(to_json(error));
  }
  return json;
}

}  // namespace

Json answer_json(const Response& response) {
  return answer_json(response, Charts::with);
}

Json figures_json(const Response& response) {
  return answer_json(response, Charts::without);
}

std::string render_json(const Response& response) {
  return render(answer_json(response), Format::json);
}

}  // namespace planner
