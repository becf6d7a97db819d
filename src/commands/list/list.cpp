#include "planner/commands/list/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "planner/commands/list/files.hpp"
#include "planner/json/compared_field.hpp"

namespace planner::commands {

namespace {

const CatalogFiles& asked_files(const ListRequest& request) {
  const std::vector<std::string> known = list_kinds();
  const std::string all = fmt::format("{}", fmt::join(known, ", "));
  if (request.kinds.size() != 1) usage_error("list takes one argument: " + all);
  const std::string& kind = request.kinds.front();
  const CatalogFiles* const files = files_named(kind);
  if (files == nullptr) {
    throw InputError(Diagnostic{.code = "unknown-name",
                                .message = fmt::format("there is no list of \"{}\"", kind),
                                .hint = did_you_mean(kind, known, all)});
  }
  return *files;
}

}  // namespace

ListAnswer list_files(const ListRequest& request, Context& context) {
  const CatalogFiles& files = asked_files(request);
  ListAnswer answer{.kind = request.kinds.front()};
  std::vector<Diagnostic> broken;
  for (const std::string& name : context.catalog.names(files.kind)) {
    try {
      const CatalogItem item = files.load(context.catalog, name);
      answer.entries.push_back({.name = name, .title = title(item), .summary = summary(item)});
    } catch (const InputError& error) {
      for (const Diagnostic& problem : error.diagnostics()) broken.push_back(problem);
    }
  }
  if (answer.entries.empty() && !broken.empty()) throw InputError(std::move(broken));
  for (const Diagnostic& problem : broken) {
    context.warnings.push_back("left out: " + to_string(problem));
  }
  return answer;
}

const json::FieldTable<ListAnswer>& list_fields() {
  using namespace json;
  static const FieldTable<ListEntry> kEntry{
      .type = "entry",
      .doc = "one file",
      .fields = {naming(required("name", &ListEntry::name, any_text(), "as on the command line")),
                 required("title", &ListEntry::title, any_text(), "as in a report"),
                 required("summary", &ListEntry::summary, any_text(), "its main figures")},
      .open = true};
  static const FieldTable<ListAnswer> kResult{
      .type = "list",
      .doc = "the files of a kind",
      .fields = {required("kind", &ListAnswer::kind, any_text(), "as asked for"),
                 required("entries", &ListAnswer::entries, list(object(kEntry)), "by name")},
      .open = true};
  static const FieldTable<ListAnswer> kAnswer{.type = "answer",
                                              .doc = "an answer of list",
                                              .fields = {group("result", kResult, "the list")},
                                              .open = true};
  return kAnswer;
}

present::Document list_view(const ListAnswer& answer) {
  using namespace present;
  Document document{.title = answer.kind, .kicker = "Catalog", .bare = true};
  Terms terms;
  Table table{.header = {"name", "title", "summary"}};
  for (const ListEntry& entry : answer.entries) {
    terms.terms.emplace_back(entry.name, entry.summary);
    table.add({words(entry.name), words(entry.title), words(entry.summary)});
  }
  document.blocks.push_back({std::move(terms), Where::terminal});
  document.detail(std::move(table));
  return document;
}

Command list() {
  return erased(CommandOf<ListRequest, ListAnswer>{
      .name = "list",
      .summary = "names of models, systems, switches, prices, clusters, …",
      .arguments = "KIND",
      .words = list_kinds,
      .options = {},
      .positional = &ListRequest::kinds,
      .run = list_files,
      .fields = list_fields,
      .view = list_view});
}

}  // namespace planner::commands
