#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/targets.hpp"
#include "planner/catalog/huggingface/huggingface.hpp"
#include "planner/catalog/measured/microbenchmarks.hpp"
#include "planner/catalog/tables/calibration.hpp"
#include "support/parse_anything.hpp"

namespace planner::fuzz {

namespace {

constexpr std::string_view kSource = "fuzz";

/// Reads a file type and writes it again; a text of ours that cannot be read back is a bug.
template <auto parse>
void written_again(std::string_view text) {
  const std::string written = catalog::to_json(parse(text, kSource)).dump();
  try {
    parse(written, "written by planner");
  } catch (const InputError& error) {
    throw std::logic_error(error.diagnostics().front().message);
  }
}

TransformerSpec model_of(std::string_view text, std::string_view source) {
  return catalog::parse_model(text, source).spec;
}

void huggingface(std::string_view text) {
  catalog::to_json(catalog::parse_huggingface(text, kSource).spec);
}

System system_of(std::string_view text, std::string_view source) {
  return catalog::parse_system(text, source, [](const std::string&) -> Accelerator {
    throw InputError(Diagnostic{.code = "unknown-name", .message = "no catalog"});
  });
}

void measured_rows(std::string_view text) {
  read_measured_rows(text);
}

void nccl_tests(std::string_view text) {
  catalog::parse_nccl_tests(text, kSource);
}

void gemms(std::string_view text) {
  catalog::parse_gemms(text, kSource);
}

/// Every file type in turn, the parts of a system too.
void parsers(std::string_view text) {
  testing::parse_as_everything(text);
}

const Targets kFileTargets({
    {"model", written_again<model_of>},
    {"huggingface", huggingface},
    {"accelerator", written_again<catalog::parse_accelerator>},
    {"node", written_again<catalog::parse_node>},
    {"system", written_again<system_of>},
    {"storage", written_again<catalog::parse_storage>},
    {"switch", written_again<catalog::parse_switch>},
    {"optic", written_again<catalog::parse_optic>},
    {"nic", written_again<catalog::parse_nic>},
    {"price_book", written_again<catalog::parse_price_book>},
    {"economics", written_again<catalog::parse_economics>},
    {"collectives", written_again<catalog::parse_collectives>},
    {"rates", written_again<catalog::parse_rates>},
    {"calibration", written_again<catalog::parse_calibration>},
    {"cluster", written_again<catalog::parse_cluster>},
    {"nccl_tests", nccl_tests},
    {"gemms", gemms},
    {"measured_rows", measured_rows},
    {"parsers", parsers},
});

}  // namespace

const catalog::Catalog& catalog() {
  static const catalog::Catalog kCatalog({PLANNER_SOURCE_DIR});
  return kCatalog;
}

std::vector<MeasuredRow> read_measured_rows(std::string_view text) {
  static const std::vector<Accelerator> kKnown = [] {
    std::vector<Accelerator> known;
    for (const std::string& name : catalog().names(catalog::kinds::accelerator)) {
      known.push_back(catalog().load_accelerator(name));
    }
    return known;
  }();
  return catalog::parse_measured_runs(text, kSource, kKnown);
}

}  // namespace planner::fuzz
