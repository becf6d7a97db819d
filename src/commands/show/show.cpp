#include "planner/commands/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/commands/list/files.hpp"

namespace planner::commands {

namespace {

[[noreturn]] void unknown(std::string message, const std::string& word,
                          const std::vector<std::string>& candidates, std::string otherwise) {
  throw InputError(Diagnostic{.code = "unknown-name",
                              .message = std::move(message),
                              .hint = did_you_mean(word, candidates, std::move(otherwise))});
}

CatalogItem asked_item(const std::vector<std::string>& words, const catalog::Catalog& catalog) {
  if (words.empty() || words.size() > 2) {
    usage_error("show takes one name, or a kind and a name", "planner list models");
  }
  const std::string& name = words.back();
  if (words.size() == 2) {
    const std::string& kind = words.front();
    if (const CatalogFiles* const files = files_named(kind)) return files->load(catalog, name);
    const std::vector<std::string> known = list_kinds();
    unknown(fmt::format("no kind of file is called \"{}\"", kind), kind, known,
            fmt::format("{}", fmt::join(known, ", ")));
  }
  std::vector<std::string> all;
  for (const CatalogFiles& files : catalog_files()) {
    const std::vector<std::string> names = catalog.names(files.kind);
    const bool here = std::find(names.begin(), names.end(), name) != names.end();
    if (here || !catalog::is_catalog_name(name)) return files.load(catalog, name);
    all.insert(all.end(), names.begin(), names.end());
  }
  unknown(fmt::format("nothing in the catalog is called \"{}\"", name), name, all,
          fmt::format("planner list {}", fmt::join(list_kinds(), "|")));
}

present::Document show_view(const ShowAnswer& answer) {
  present::Document document{.title = "A file of the catalog", .kicker = "Catalog", .bare = true};
  document.add(present::Verbatim{answer.file});
  return document;
}

}  // namespace

ShowAnswer show_file(const ShowRequest& request, Context& context) {
  return {file_text(asked_item(request.words, context.catalog))};
}

Command show() {
  return erased(
      CommandOf<ShowRequest, ShowAnswer>{.name = "show",
                                         .summary = "one file of the catalog with its sources",
                                         .arguments = "NAME",
                                         .to_the_letter = true,
                                         .options = {},
                                         .positional = &ShowRequest::words,
                                         .run = show_file,
                                         .fields = show_fields,
                                         .view = show_view});
}

}  // namespace planner::commands
