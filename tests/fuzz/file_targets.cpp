#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/targets.hpp"
#include "planner/io/calibration_documents.hpp"
#include "planner/io/huggingface.hpp"
#include "planner/io/microbenchmarks.hpp"
#include "support/parse_anything.hpp"

namespace planner::fuzz {

namespace {

constexpr std::string_view kSource = "fuzz";

/// Reads a file type and writes it again; a text of ours that cannot be read back is a bug.
template <auto parse>
void written_again(std::string_view text) {
  const std::string written = io::to_json(parse(text, kSource)).dump();
  try {
    parse(written, "written by planner");
  } catch (const InputError& error) {
    throw std::logic_error(error.diagnostics().front().message);
  }
}

TransformerSpec model_of(std::string_view text, std::string_view source) {
  return io::parse_model(text, source).spec;
}

void huggingface(std::string_view text) {
  io::to_json(io::parse_huggingface(text, kSource).spec);
}

System system_of(std::string_view text, std::string_view source) {
  return io::parse_system(text, source, [](const std::string&) -> Accelerator {
    throw InputError(Diagnostic{.code = "unknown-name", .message = "no catalog"});
  });
}

void measured_rows(std::string_view text) {
  read_measured_rows(text);
}

void nccl_tests(std::string_view text) {
  io::parse_nccl_tests(text, kSource);
}

void gemms(std::string_view text) {
  io::parse_gemms(text, kSource);
}

/// Every file type in turn, the parts of a system too.
void parsers(std::string_view text) {
  parse_as_everything(text);
}

const Targets kTargets({
    {"model", written_again<model_of>},
    {"huggingface", huggingface},
    {"accelerator", written_again<io::parse_accelerator>},
    {"node", written_again<io::parse_node>},
    {"system", written_again<system_of>},
    {"storage", written_again<io::parse_storage>},
    {"switch", written_again<io::parse_switch>},
    {"optic", written_again<io::parse_optic>},
    {"nic", written_again<io::parse_nic>},
    {"price_book", written_again<io::parse_price_book>},
    {"economics", written_again<io::parse_economics>},
    {"collectives", written_again<io::parse_collectives>},
    {"rates", written_again<io::parse_rates>},
    {"calibration", written_again<io::parse_calibration>},
    {"cluster", written_again<io::parse_cluster>},
    {"nccl_tests", nccl_tests},
    {"gemms", gemms},
    {"measured_rows", measured_rows},
    {"parsers", parsers},
});

}  // namespace

const io::Catalog& catalog() {
  static const io::Catalog kCatalog({PLANNER_SOURCE_DIR});
  return kCatalog;
}

std::vector<MeasuredRow> read_measured_rows(std::string_view text) {
  static const std::vector<Accelerator> kKnown = [] {
    std::vector<Accelerator> known;
    for (const std::string& name : catalog().names(io::kinds::accelerator)) {
      known.push_back(catalog().load_accelerator(name));
    }
    return known;
  }();
  return io::parse_measured_runs(text, kSource, kKnown);
}

}  // namespace planner::fuzz
