#include <fmt/format.h>

#include "planner/report/html_parts.hpp"

namespace planner::html {

namespace {

std::string list_of(const Json& texts) {
  std::string items;
  for (const Json& one : texts.is_array() ? texts : Json::array()) {
    if (one.is_string()) items += "<li>" + html_escaped(one.get<std::string>()) + "</li>\n";
  }
  return items.empty() ? "" : "<ul class=\"hint\">\n" + items + "</ul>\n";
}

}  // namespace

std::string expected(const Page& page) {
  std::string body;
  for (std::size_t i = 0; i < page.clusters.size(); ++i) {
    const Json& one = at(page.clusters[i], {"expected"});
    if (!one.is_object()) continue;
    const Json& routing = at(one, {"routing"});
    const Json& reliability = at(one, {"reliability"});
    body += fmt::format("<h3>{}</h3>\n", html_escaped(page.names[i]));
    if (routing.is_object()) {
      body += data_table(collective_table(routing), 4) + list_of(at(routing, {"assumptions"}));
    }
    if (reliability.is_object()) body += data_table(improvement_table(reliability), 4);
  }
  if (body.empty()) return {};
  return "<section id=\"expected\"><h2>Routing and goodput</h2>\n<p class=\"hint\">Expected days "
         "count uneven links, failures, recovery and checkpoints; ideal days count none of them."
         "</p>\n" +
         body + "</section>\n";
}

}  // namespace planner::html
