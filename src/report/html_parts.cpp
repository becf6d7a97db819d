#include "planner/report/html_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace planner::html {

std::size_t Sources::add(const Json& json, const std::string& used_for) {
  Source source{.text = text(json, {"source"}),
                .as_of = text(json, {"as_of"}),
                .note = text(json, {"note"}),
                .verified = {}};
  if (source.text.empty()) return 0;
  const Json& verified = at(json, {"verified"});
  if (verified.is_boolean()) source.verified = verified.get<bool>();
  const auto [entry, is_new] = numbers_.try_emplace({source.text, source.as_of}, list_.size() + 1);
  if (is_new) list_.push_back(std::move(source));
  Source& kept = list_[entry->second - 1];
  // One figure that was not checked makes the whole source one to check.
  if (verified.is_boolean()) kept.verified = kept.verified.value_or(true) && verified.get<bool>();
  if (std::find(kept.used_for.begin(), kept.used_for.end(), used_for) == kept.used_for.end()) {
    kept.used_for.push_back(used_for);
  }
  return entry->second;
}

std::string in_short(std::string text, const Page& page) {
  for (std::size_t i = 0; i < page.clusters.size(); ++i) {
    const std::string title = planner::text(page.clusters[i], {"title"});
    const std::string& name = page.names[i];
    if (title.empty() || title == name) continue;
    for (std::size_t found = text.find(title); found != std::string::npos;
         found = text.find(title, found + name.size())) {
      text.replace(found, title.size(), name);
    }
  }
  // A number and its percent sign stay on one line.
  for (std::size_t found = text.find(" %"); found != std::string::npos; found = text.find(" %")) {
    text.replace(found, 1, "\u00A0");
  }
  return text;
}

std::string reference(std::size_t number) {
  if (number == 0) return {};
  return fmt::format(R"(<a class="ref" href="#source-{0}">[{0}]</a>)", number);
}

}  // namespace planner::html
