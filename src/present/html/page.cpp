#include "planner/present/html/page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "planner/core/printable.hpp"
#include "planner/present/html/embedded.hpp"

namespace planner::present {

namespace {

using Json = nlohmann::ordered_json;

/// JSON inside <script>, for the charts to show: without '<', nothing in it can end the element.
std::string inline_json(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  for (const char c : printable(text, "\uFFFD")) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : printable(text, "\uFFFD", "\n\t")) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string html_head(const std::string& title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src '{}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
      "form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"planner " PLANNER_VERSION
      "\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n",
      embedded::script_hash(), html_escaped(title), embedded::style());
}

std::string html_drawing(const Json& charts) {
  return "<script type=\"application/json\" id=\"chart-data\">" + inline_json(charts) +
         "</script>\n<script>" + std::string{embedded::script()} + "</script>\n";
}

}  // namespace planner::present
