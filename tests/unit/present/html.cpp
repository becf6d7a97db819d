#include "planner/present/html/html.hpp"

#include <doctest/doctest.h>

#include "planner/present/html/page.hpp"

using namespace planner::present;

TEST_CASE("text is escaped") {
  CHECK(html_escaped("<b>&\"'") == "&lt;b&gt;&amp;&quot;&#39;");
  CHECK(html_escaped(std::string{"a\x1b[31m\0b", 8}) == "a\uFFFD[31m\uFFFDb");
  CHECK(html_escaped("a\u009B\u202Eb") == "a\uFFFD\uFFFDb");
}

TEST_CASE("a document without blocks is a page with its title") {
  CHECK(to_html({.title = "Nothing <to> show"}).find("<h1>Nothing &lt;to&gt; show</h1>") !=
        std::string::npos);
}
