#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "support/documents.hpp"
#include "support/models.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::testing;

namespace {

const std::string kSmall = R"({
  "name": "tiny",
  "layers": 4,
  "hidden": 64,
  "heads": 8,
  "ffn_hidden": 256,
  "vocab": 1000
})";

TransformerSpec parsed(const std::string& text) {
  return parse_model(text, "m.json").spec;
}
Lines faults(const std::string& text) {
  return told([&] { parse_model(text, "m.json"); });
}
Diagnostic fault(const std::string& text) {
  const auto found = problems_of([&] { parse_model(text, "m.json"); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].file == "m.json");
  return found[0];
}
std::string with(const std::string& members) {
  return replaced(kSmall, "\"vocab\"", members + ",\n  \"vocab\"");
}

TransformerSpec everything() {
  return {.name = "x",
          .title = "The X",
          .layers = 61,
          .hidden = 7168,
          .heads = 128,
          .kv_heads = 64,
          .head_dim = 192,
          .ffn_hidden = 18432,
          .gated_mlp = true,
          .vocab = 129280,
          .tied_embeddings = true,
          .norm = Norm::layer,
          .biases = Biases::attention,
          .qk_norm = true,
          .positions = Positions::learned,
          .sliding_window = 4096,
          .sliding_window_layers = 30,
          .mtp_layers = 1,
          .mla = testing::deepseek_v3().mla,
          .moe = testing::deepseek_v3().moe,
          .reference_run = ReferenceRun{.global_batch = 15360, .sequence = 4096},
          .sources = {{.keys = {"layers", "mla.kv_lora_rank", "moe"},
                       .source = "arXiv 2412.19437, §4.2",
                       .as_of = "2024-12-27",
                       .verified = true}}};
}

}  // namespace

TEST_CASE("defaults are those of the contract") {
  const TransformerSpec model = parsed(kSmall);
  CHECK(model == TransformerSpec{.name = "tiny",
                                 .title = "tiny",
                                 .layers = 4,
                                 .hidden = 64,
                                 .heads = 8,
                                 .kv_heads = 8,
                                 .head_dim = 8,
                                 .ffn_hidden = 256,
                                 .gated_mlp = false,
                                 .vocab = 1000,
                                 .tied_embeddings = false,
                                 .norm = Norm::rms,
                                 .biases = Biases::none,
                                 .qk_norm = false,
                                 .positions = Positions::rotary});
}

TEST_CASE("a written model reads back as the same") {
  for (const TransformerSpec& model : {everything(), parsed(kSmall)}) {
    CHECK(parsed(to_json(model).dump(2)) == model);
  }
  const auto json = to_json(everything());
  CHECK(json.at("norm") == "layer");
  CHECK(json.at("mla").at("kv_lora_rank") == 512);
  CHECK(json.begin().key() == "name");
  CHECK_FALSE(to_json(parsed(kSmall)).contains("sources"));
  CHECK_FALSE(to_json(parsed(kSmall)).contains("moe"));
}

TEST_CASE("every name of a choice is read and written") {
  for (const std::string name : {"none", "qkv", "attention", "all"}) {
    CHECK(to_json(parsed(with("\"biases\": \"" + name + "\""))).at("biases") == name);
  }
  for (const std::string name : {"learned", "rotary"}) {
    CHECK(to_json(parsed(with("\"positions\": \"" + name + "\""))).at("positions") == name);
  }
}

TEST_CASE("an unknown key comes with the one that was meant") {
  const Diagnostic found = fault(with("\"kv_head\": 2"));
  CHECK(found.code == "unknown-key");
  CHECK(found.message == "unknown key \"kv_head\"");
  CHECK(found.hint == "did you mean \"kv_heads\"?   (planner schema model)");
  CHECK(found.line == 7);
  CHECK(found.column == 3);
  CHECK(fault(with("\"zzzzzz\": 2")).hint == "(planner schema model)");
}

TEST_CASE("a misspelt required key is reported once, not also as missing") {
  const Diagnostic found = fault(replaced(kSmall, "\"layers\"", "\"layrs\""));
  CHECK(found.code == "unknown-key");
  CHECK(found.hint == "did you mean \"layers\"?   (planner schema model)");
}

TEST_CASE("missing and duplicate keys") {
  CHECK(faults("{\"name\": \"x\"}") ==
        Lines{"missing-key 1:1 missing key \"layers\"", "missing-key 1:1 missing key \"hidden\"",
              "missing-key 1:1 missing key \"heads\"", "missing-key 1:1 missing key \"ffn_hidden\"",
              "missing-key 1:1 missing key \"vocab\""});
  CHECK(faults(with("\"layers\": 5")) == Lines{"duplicate-key 7:3 duplicate key \"layers\""});
  CHECK(faults(with("\"moe\": {\"experts\": 8, \"expert_ffn_hidden\": 4}")) ==
        Lines{"missing-key 7:10 missing key \"top_k\" in \"moe\""});
}

TEST_CASE("wrong types say what was expected and what is there") {
  const auto value = [](const std::string& text) {
    return replaced(kSmall, "\"hidden\": 64", "\"hidden\": " + text);
  };
  CHECK(faults(value("\"64\"")) ==
        Lines{"wrong-type 4:13 \"hidden\": expected an integer, got a string"});
  CHECK(faults(value("2.5")) == Lines{"wrong-type 4:13 \"hidden\": expected an integer, got 2.5"});
  CHECK(faults(value("null")) ==
        Lines{"wrong-type 4:13 \"hidden\": expected an integer, got null"});
  CHECK(faults(value("[64]")) ==
        Lines{"wrong-type 4:13 \"hidden\": expected an integer, got an array"});
  CHECK(faults(with("\"gated_mlp\": 1")) ==
        Lines{"wrong-type 7:16 \"gated_mlp\": expected true or false, got an integer"});
  CHECK(faults(with("\"moe\": 8")) ==
        Lines{"wrong-type 7:10 \"moe\": expected an object, got an integer"});
  CHECK(faults("[]") == Lines{"wrong-type 1:1 expected an object, got an array"});
  CHECK(faults(replaced(kSmall, "\"tiny\"", "7")) ==
        Lines{"wrong-type 2:11 \"name\": expected a string, got an integer"});
}

TEST_CASE("whole numbers in any notation are integers") {
  CHECK(parsed(replaced(kSmall, "64", "64.0")).hidden == 64);
  CHECK(parsed(replaced(kSmall, "1000", "1e6")).vocab == 1'000'000);
}

TEST_CASE("out of range") {
  const auto value = [](const std::string& text) {
    return faults(replaced(kSmall, "\"vocab\": 1000", "\"vocab\": " + text));
  };
  CHECK(value("0") == Lines{"out-of-range 7:12 \"vocab\": must be positive, got 0"});
  CHECK(value("-3") == Lines{"out-of-range 7:12 \"vocab\": must be positive, got -3"});
  CHECK(value("1000000001") ==
        Lines{"out-of-range 7:12 \"vocab\": must be between 1 and 1000000000, got 1000000001"});
  CHECK(value("18446744073709551615").at(0).find("got 18446744073709551615") != std::string::npos);
  CHECK(value("1e300").at(0).find("out-of-range") == 0);
  CHECK(value("-1e300") == Lines{"out-of-range 7:12 \"vocab\": must be positive, got -1e+300"});
  CHECK(value("1e400") == Lines{"out-of-range 7:12 number out of range"});
  CHECK(faults(with("\"sliding_window\": -1")) ==
        Lines{"out-of-range 7:21 \"sliding_window\": must be between 0 and 1000000000, got -1"});
  CHECK(faults(replaced(kSmall, "\"layers\": 4", "\"layers\": 1000001")).size() == 1);
}

TEST_CASE("bad names and choices") {
  CHECK(faults(replaced(kSmall, "\"tiny\"", "\"\"")) ==
        Lines{"bad-value 2:11 \"name\": must not be empty"});
  CHECK(faults(replaced(kSmall, "tiny", "a\\u001bb")) ==
        Lines{"bad-value 2:11 \"name\": must not have control characters"});
  CHECK(faults(replaced(kSmall, "tiny", "a\\u009bb")) ==
        Lines{"bad-value 2:11 \"name\": must not have control characters"});
  const Diagnostic found = fault(with("\"norm\": \"rmss\""));
  CHECK(found.message == "\"norm\": expected one of \"layer\", \"rms\", got \"rmss\"");
  CHECK(found.hint == "did you mean \"rms\"?");
}

TEST_CASE("all problems come in one run, in the order of the file") {
  CHECK(faults(R"({
  "name": 1,
  "layers": 0,
  "hiden": 64,
  "heads": 8,
  "heads": 9,
  "ffn_hidden": "x",
  "moe": {"experts": 4, "top_k": 8, "extra": 1}
})") == Lines{"missing-key 1:1 missing key \"vocab\"",
              "wrong-type 2:11 \"name\": expected a string, got an integer",
              "out-of-range 3:13 \"layers\": must be positive, got 0",
              "unknown-key 4:3 unknown key \"hiden\"", "duplicate-key 6:3 duplicate key \"heads\"",
              "wrong-type 7:17 \"ffn_hidden\": expected an integer, got a string",
              "missing-key 8:10 missing key \"expert_ffn_hidden\" in \"moe\"",
              "unknown-key 8:37 unknown key \"extra\" in \"moe\""});
}

TEST_CASE("a file full of problems is reported up to a bound") {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"k" + std::to_string(i) + "\": 0, ";
  const auto found = problems_of([&] { parse_model(text + "\"z\": 0}", "m.json"); });
  REQUIRE(found.size() == 101);
  CHECK(found.back().code == "too-many-problems");
  CHECK(found.back().message == "907 more problems");
}

TEST_CASE("rules between fields") {
  CHECK(faults(with("\"kv_heads\": 3")) ==
        Lines{"inconsistent 7:15 \"kv_heads\": 3 does not divide the 8 heads"});
  CHECK(faults(replaced(kSmall, "\"heads\": 8", "\"heads\": 7")) ==
        Lines{"inconsistent 5:12 \"heads\": 7 does not divide hidden 64, and no head_dim is "
              "given"});
  CHECK(parsed(replaced(kSmall, "\"heads\": 8", "\"heads\": 7, \"head_dim\": 9")).head_dim == 9);
  const std::string moe = "\"moe\": {\"experts\": 8, \"expert_ffn_hidden\": 4, ";
  CHECK(faults(with(moe + "\"top_k\": 9}")) ==
        Lines{"inconsistent 7:58 \"moe.top_k\": 9 experts per token of only 8"});
  CHECK(faults(with(moe + "\"top_k\": 2, \"leading_dense_layers\": 5}")) ==
        Lines{"inconsistent 7:85 \"moe.leading_dense_layers\": 5 of only 4 layers"});
  CHECK(faults(with("\"sliding_window_layers\": 5")) ==
        Lines{"inconsistent 7:28 \"sliding_window_layers\": 5 of only 4 layers"});
}

TEST_CASE("a rule between fields is silent when one of them was bad") {
  CHECK(faults(replaced(with("\"kv_heads\": 3"), "\"heads\": 8", "\"heads\": \"8\"")) ==
        Lines{"wrong-type 5:12 \"heads\": expected an integer, got a string"});
}

TEST_CASE("sources name keys of their file") {
  const auto sources = [](const std::string& keys) {
    return with("\"sources\": [{\"keys\": [" + keys + "], \"source\": \"paper\"}]");
  };
  const TransformerSpec model = parsed(sources("\"layers\", \"vocab\""));
  REQUIRE(model.sources.size() == 1);
  CHECK(model.sources[0] ==
        SourceNote{.keys = {"layers", "vocab"}, .source = "paper", .as_of = "", .verified = false});
  const Diagnostic found = fault(sources("\"layers\", \"vocabb\""));
  CHECK(found.code == "unknown-source-key");
  CHECK(found.message == "\"sources[0].keys[1]\": \"vocabb\" is no key of this file");
  CHECK(found.hint == "did you mean \"vocab\"?");
  CHECK(found.column == 35);
  // A key that the type has, but not this file.
  CHECK(fault(sources("\"moe\"")).code == "unknown-source-key");
  CHECK(fault(sources("\"mla.kv_lora_rank\"")).code == "unknown-source-key");
  CHECK(faults(sources("7")) ==
        Lines{"wrong-type 7:25 \"sources[0].keys[0]\": expected a string, got an integer"});
}

TEST_CASE("dates of sources") {
  const auto dated = [](const std::string& date) {
    return with("\"sources\": [{\"keys\": [], \"source\": \"s\", \"as_of\": \"" + date + "\"}]");
  };
  for (const char* good : {"", "2024", "2024-03", "2024-03-18"}) {
    CHECK(parsed(dated(good)).sources.at(0).as_of == good);
  }
  for (const char* bad : {"2020-23x", "24", "2024-3", "2024/03", "March 2024"}) {
    CHECK(fault(dated(bad)).code == "bad-value");
  }
}

TEST_CASE("the schema is that of the reader") {
  const auto schema = json_schema("model");
  CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  CHECK(schema.at("title") == "planner model");
  CHECK(schema.at("type") == "object");
  CHECK(schema.at("additionalProperties") == false);
  CHECK(schema.at("required") ==
        nlohmann::json({"name", "layers", "hidden", "heads", "ffn_hidden", "vocab"}));
  const auto& properties = schema.at("properties");
  const auto written = to_json(everything());
  CHECK(properties.size() == written.size());  // everything() sets every key
  for (const auto& [key, value] : written.items()) CHECK(properties.contains(key));
  for (const auto& [key, value] : properties.items()) CHECK_FALSE(value.at("description").empty());
  CHECK(properties.at("layers").at("type") == "integer");
  CHECK(properties.at("layers").at("minimum") == 1);
  CHECK(properties.at("layers").at("maximum") == 1'000'000);
  CHECK(properties.at("norm").at("enum") == nlohmann::json({"layer", "rms"}));
  CHECK(properties.at("norm").at("default") == "rms");
  CHECK(properties.at("sliding_window").at("default") == 0);
  CHECK_FALSE(properties.at("kv_heads").contains("default"));  // follows from heads
  CHECK(properties.at("moe").at("required") ==
        nlohmann::json({"experts", "top_k", "expert_ffn_hidden"}));
  CHECK(properties.at("moe").at("additionalProperties") == false);
  CHECK(properties.at("sources").at("items").at("properties").contains("as_of"));
}
