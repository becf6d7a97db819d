#include "planner/commands/diff/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/commands/reply.hpp"
#include "planner/core/usage.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/text_file.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHowToSave = "save an answer with -o FILE.json";

/// In dollars, whatever it was shown in: amounts of two rates do not compare.
Reply load_answer(const std::string& path) {
  Reply reply = saved_reply(json::read_text_file(path, kHowToSave), json::source_name(path));
  if (reply.answer) reply.answer->shown_in.reset();
  return reply;
}

/// What the field tables say of the keys of an answer, and of the rows of a sweep.
class Keys {
 public:
  Keys(const Command& command) {
    for (const Command& one : registry()) {
      if (one.describe && (&one == &command || (command.runs_others && one.lines))) {
        one.describe(schema_[one.name]);
      }
    }
  }
  [[nodiscard]] std::set<std::string> with(json::Role role) const {
    return json::keys_with(role, schema_);
  }

 private:
  Json schema_;
};

void remove(const std::set<std::string>& keys, Json& json) {
  if (!json.is_structured()) return;
  if (json.is_object()) {
    for (const std::string& key : keys) json.erase(key);
  }
  for (Json& element : json) remove(keys, element);
}

/// What is compared of an answer: its result, or what stands for it, such as the best plan of a
/// search; of plans with what they are for.
Json comparable(const Reply& reply) {
  const Keys keys(*reply.command);
  Json answer = Json::object();
  reply.answer->write(answer);
  Json result = answer[kResult];
  for (const std::string& key : keys.with(json::Role::in_place_of_all)) {
    if (const auto found = result.find(key); found != result.end()) result = Json(*found);
  }
  remove(keys.with(json::Role::aside), result);
  if (reply.command->plans) result[kInputs] = answer[kInputs];
  return result;
}

/// In the unit of both, with its sign; nothing where there is no number to compare.
std::string difference(const present::Cell& a, const present::Cell& b) {
  const auto before = a.number(), after = b.number();
  if (!before || !after || a.unit != b.unit) return {};
  const double change = *after - *before;
  const bool whole = change == std::floor(change) && std::abs(change) < 1e15;
  return fmt::format("{}{}{}", change > 0 ? "+" : "",
                     whole ? grouped(std::llround(change)) : significant(change),
                     a.unit.empty() ? "" : " " + a.unit);
}

std::string share(const present::Cell& a, const present::Cell& b) {
  const auto before = a.number(), after = b.number();
  if (!before || !after || a.unit != b.unit || *before == 0) return {};
  return fmt::format("{:+.1f} %", 100 * (*after - *before) / std::abs(*before));
}

/// Too wide for one of four columns of a terminal.
bool is_long(const DiffFigure& figure) {
  constexpr std::size_t kLongest = 18;
  return std::max(display_width(figure.a.text), display_width(figure.b.text)) > kLongest;
}

}  // namespace

DiffAnswer diff_files(const DiffRequest& request, Context&) {
  if (request.files.size() != 2) {
    usage_error("diff takes two saved answers", "planner cost cluster.json -o saved.json");
  }
  DiffAnswer answer{.a = request.files[0], .b = request.files[1]};
  const Reply a = load_answer(answer.a), b = load_answer(answer.b);
  if (a.command != b.command && !(a.command->plans && b.command->plans)) {
    throw InputError(
        Diagnostic{.code = "not-comparable",
                   .message = fmt::format("an answer of {} cannot be compared with one of {}",
                                          a.command->name, b.command->name)});
  }
  compare_answers(comparable(a), comparable(b), Keys(*a.command).with(json::Role::names), answer);
  compare_documents(a.answer->document(), b.answer->document(), answer);
  return answer;
}

present::Document diff_view(const DiffAnswer& answer) {
  using namespace present;
  Document document{.title = "a: " + answer.a, .kicker = "What differs"};
  document.add(Text{.text = "b: " + answer.b, .indent = 0});
  for (auto first = answer.figures.begin(); first != answer.figures.end();) {
    const auto last = std::find_if(first, answer.figures.end(), [&](const DiffFigure& figure) {
      return figure.section != first->section;
    });
    document.add(Section{first->section.empty() ? "At the top" : first->section});
    Table table{.header = {"", "a", "b", "b - a", "%"}};
    Table long_words{.header = {"", "a", "b"}};
    std::vector<Text> texts;
    for (auto figure = first; figure != last; ++figure) {
      if (!is_long(*figure)) {
        table.add({words(figure->name), figure->a, figure->b,
                   words(difference(figure->a, figure->b)), words(share(figure->a, figure->b))});
        continue;
      }
      long_words.add({words(figure->name), figure->a, figure->b});
      if (!figure->name.empty()) texts.push_back({.text = figure->name, .wrap = false});
      texts.push_back({.text = "a: " + figure->a.text, .indent = 4});
      texts.push_back({.text = "b: " + figure->b.text, .indent = 4});
    }
    if (!table.rows.empty()) document.add(std::move(table));
    // Long words go below each other on a terminal.
    for (Text& text : texts) document.blocks.push_back({std::move(text), Where::terminal});
    if (!long_words.rows.empty()) document.detail(std::move(long_words));
    first = last;
  }
  const auto differ = std::ssize(answer.figures);
  document.add(Text{
      .text = fmt::format("{} figure{} differ{}, {} agree.", grouped(differ),
                          differ == 1 ? "" : "s", differ == 1 ? "s" : "", grouped(answer.agree)),
      .indent = 0,
      .apart = true});
  return document;
}

Command diff() {
  return erased(
      CommandOf<DiffRequest, DiffAnswer>{.name = "diff",
                                         .summary = "two saved JSON answers, figure by figure",
                                         .arguments = "FILES",
                                         .looks_up = false,
                                         .options = {},
                                         .positional = &DiffRequest::files,
                                         .run = diff_files,
                                         .fields = diff_fields,
                                         .view = diff_view});
}

}  // namespace planner::commands
