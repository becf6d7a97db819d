#include "planner/json/compared_field.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/json/answer_fields.hpp"

using namespace planner::json;

namespace {

struct Part {
  std::string name;
  std::int64_t pieces = 0;
};
struct Whole {
  std::vector<Part> parts;
  std::string remark;
};

const FieldTable<Part>& part_table() {
  static const FieldTable<Part> kTable{
      .type = "part",
      .doc = "one of several",
      .fields = {naming(required("name", &Part::name, any_text(), "what it goes by")),
                 required("pieces", &Part::pieces, whole(), "of it")},
      .open = true};
  return kTable;
}

const FieldTable<Whole>& whole_table() {
  static const FieldTable<Whole> kTable{
      .type = "whole",
      .doc = "its parts",
      .fields = {in_place_of_all(
                     required("parts", &Whole::parts, list(object(part_table())), "in order")),
                 aside(required("remark", &Whole::remark, any_text(), "on them"))},
      .open = true};
  return kTable;
}

}  // namespace

TEST_CASE("what keys are to a comparison is read from the schema, however deep they stand") {
  Json schema;
  describe_object(whole_table(), schema);
  using Keys = std::set<std::string>;
  CHECK(keys_with(Role::names, schema) == Keys{"name"});
  CHECK(keys_with(Role::aside, schema) == Keys{"remark"});
  CHECK(keys_with(Role::in_place_of_all, schema) == Keys{"parts"});
  CHECK(keys_with(Role::names, Json::object()) == Keys{});
}

TEST_CASE("a role changes nothing of what is written and read") {
  Json written;
  write_object(whole_table(), {.parts = {{"bolt", 2}}, .remark = "few"}, written);
  CHECK(written.dump() == R"({"parts":[{"name":"bolt","pieces":2}],"remark":"few"})");
}
