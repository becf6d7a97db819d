#include "planner/catalog/catalog.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "planner/catalog/documents.hpp"
#include "planner/catalog/measured/runs.hpp"
#include "planner/catalog/tables/calibration.hpp"
#include "planner/core/closest_match.hpp"
#include "planner/json/source_text.hpp"
#include "planner/json/text_file.hpp"

namespace planner::catalog {

using namespace json;

namespace {

namespace fs = std::filesystem;

std::optional<fs::path> environment(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return fs::path(value);
}

/// A directory that the user named must be there: falling back silently would use other data.
fs::path existing(const fs::path& directory, const std::string& named_by) {
  std::error_code failed;
  if (fs::is_directory(directory, failed)) return directory;
  throw InputError(
      Diagnostic{.code = "no-such-directory",
                 .message = named_by + ": there is no directory " + in_quotes(directory.string()),
                 .hint = "name a directory that holds models/ and catalog/"});
}

/// What a file holds, by the parser of its type.
template <class T>
T parsed(const CatalogFile& file, T (*parse)(std::string_view text, std::string_view source_name)) {
  return parse(file.text, file.source_name);
}

/// $XDG_DATA_HOME/planner, with the default of the XDG Base Directory Specification.
std::optional<fs::path> user_data() {
  const auto data_home = environment("XDG_DATA_HOME");
  if (data_home && data_home->is_absolute()) return *data_home / "planner";
  const auto home = environment("HOME");
  if (home) return *home / ".local" / "share" / "planner";
  return std::nullopt;
}

/// The data installed with the file that holds this code: the executable, or the shared library
/// where it is in one.
std::optional<fs::path> installed_data() {
  static const char here = 0;
  Dl_info found{};
  link_map* object = nullptr;
  const bool known =
      ::dladdr1(&here, &found, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0 &&
      object != nullptr && object->l_name != nullptr;
  const bool in_library = known && *object->l_name != '\0';  // the executable has no name there
  std::error_code failed;
  const fs::path file = in_library ? fs::canonical(object->l_name, failed)
                                   : fs::read_symlink("/proc/self/exe", failed);
  if (failed) return std::nullopt;
  constexpr const char *kFromLibrary = PLANNER_DATA_FROM_LIBRARY,
                       *kFromProgram = "../share/planner";
  const fs::path data = in_library ? kFromLibrary : kFromProgram;
  return (file.parent_path() / data).lexically_normal();
}

InputError unknown_name(const CatalogKind& kind, const std::string& name,
                        const std::vector<std::string>& known) {
  const auto meant = closest_match(name, known);
  const std::string list = "planner list " + std::string(kind.plural);
  return InputError(Diagnostic{
      .code = "unknown-name",
      .message = "no " + std::string(kind.noun) + " is called " + in_quotes(name),
      .hint = meant ? "did you mean " + in_quotes(*meant) + "?   (" + list + ")" : list});
}

}  // namespace

bool is_catalog_name(std::string_view ref) {
  return ref != "-" && ref.find('/') == std::string_view::npos && !ref.ends_with(".json");
}

std::vector<fs::path> data_directories(const std::optional<fs::path>& flag) {
  std::vector<fs::path> directories;
  if (flag) directories.push_back(existing(*flag, "--data-dir"));
  if (const auto named = environment("PLANNER_DATA_DIR")) {
    directories.push_back(existing(*named, "PLANNER_DATA_DIR"));
  }
  if (const auto user = user_data()) directories.push_back(*user);
  if (const auto installed = installed_data()) directories.push_back(*installed);
  directories.emplace_back(PLANNER_BUILD_DATA_DIR);
  return directories;
}

std::vector<std::string> Catalog::names(const CatalogKind& kind) const {
  std::vector<std::string> names;
  for (const fs::path& directory : directories_) {
    std::error_code failed;
    fs::directory_iterator entry(directory / kind.folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
      std::error_code unknown;
      const bool file = entry->is_regular_file(unknown);  // or a link to one, as read() takes
      if (file && entry->path().extension() == ".json") {
        names.push_back(entry->path().stem().string());
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

CatalogFile Catalog::read(const CatalogKind& kind, const std::string& ref) const {
  if (!is_catalog_name(ref)) {
    return {source_name(ref),
            read_text_file(ref,
                           "a name without / and without .json is looked up in the catalog   "
                           "(planner list)")};
  }
  for (const fs::path& directory : directories_) {
    const fs::path path = directory / kind.folder / (ref + ".json");
    std::error_code failed;
    if (fs::is_regular_file(path, failed)) return {path.string(), read_text_file(path.string())};
  }
  throw unknown_name(kind, ref, names(kind));
}

LoadedModel Catalog::load_model(const std::string& ref) const {
  return parsed(read(kinds::model, ref), parse_model);
}

Accelerator Catalog::load_accelerator(const std::string& ref) const {
  return parsed(read(kinds::accelerator, ref), parse_accelerator);
}

Node Catalog::load_node(const std::string& ref) const {
  return parsed(read(kinds::node, ref), parse_node);
}

StorageSystem Catalog::load_storage(const std::string& ref) const {
  return parsed(read(kinds::storage, ref), parse_storage);
}

namespace {

/// A torus of one dimension, whatever others of one chip it has, is a ring or a line, of which it
/// is not known how a chip's links are split. (A job may have such a slice of a larger torus.)
void refuse_flat_torus(const System& system, const CatalogFile& file) {
  if (!system.torus || system.torus->ring_from == 0) return;
  const auto& shape = system.torus->shape;
  const auto dimensions =
      std::count_if(shape.begin(), shape.end(), [](std::int64_t extent) { return extent > 1; });
  if (dimensions >= 2) return;
  const json::SourceText text{file.source_name, file.text};
  throw InputError(text.diagnose(file.text.find("\"shape\""), "inconsistent",
                                 "\"torus.shape\": must have two or three dimensions of more than "
                                 "one chip"));
}

}  // namespace

System Catalog::load_system(const std::string& ref) const {
  const CatalogFile file = read(kinds::system, ref);
  System system = parse_system(file.text, file.source_name, [this](const std::string& name) {
    // Inside a file, a name is never a path.
    if (!is_catalog_name(name)) {
      throw unknown_name(kinds::accelerator, name, names(kinds::accelerator));
    }
    return load_accelerator(name);
  });
  refuse_flat_torus(system, file);
  if (!system.node) return system;
  Node node = load_node(*system.node);
  if (node.pcie) system.host = std::move(node);
  return system;
}

SwitchModel Catalog::load_switch(const std::string& ref) const {
  return parsed(read(kinds::switch_model, ref), parse_switch);
}

Optic Catalog::load_optic(const std::string& ref) const {
  return parsed(read(kinds::optic, ref), parse_optic);
}

Nic Catalog::load_nic(const std::string& ref) const {
  return parsed(read(kinds::nic, ref), parse_nic);
}

PriceBook Catalog::load_price_book(const std::string& ref) const {
  return parsed(read(kinds::price_book, ref), parse_price_book);
}

Economics Catalog::load_economics(const std::string& ref) const {
  return parsed(read(kinds::economics, ref), parse_economics);
}

CollectiveLibrary Catalog::load_collectives(const std::string& ref) const {
  return parsed(read(kinds::collectives, ref), parse_collectives);
}

Cluster Catalog::load_cluster(const std::string& ref) const {
  return parsed(read(kinds::cluster, ref), parse_cluster);
}

FailureRates Catalog::load_rates(const std::string& ref) const {
  return parsed(read(kinds::rates, ref), parse_rates);
}

Calibration Catalog::load_calibration(const std::string& ref) const {
  return parsed(read(kinds::calibration, ref), parse_calibration);
}

std::vector<Accelerator> Catalog::accelerators() const {
  std::vector<Accelerator> all;
  for (const std::string& name : names(kinds::accelerator)) all.push_back(load_accelerator(name));
  return all;
}

std::vector<MeasuredRow> Catalog::load_measured(const std::string& path) const {
  std::vector<System> systems;
  for (const std::string& name : names(kinds::system)) systems.push_back(load_system(name));
  return parse_measured_runs(read_text_file(path), source_name(path), accelerators(), systems);
}

std::vector<MeasuredRow> Catalog::load_shipped_measured(const std::string& name) const {
  for (const fs::path& directory : directories_) {
    const fs::path path = directory / "catalog" / "measured" / (name + ".jsonl");
    std::error_code failed;
    if (fs::is_regular_file(path, failed)) return load_measured(path.string());
  }
  throw InputError(
      Diagnostic{.code = "no-such-file",
                 .message = "no data directory holds catalog/measured/" + name + ".jsonl",
                 .hint = "name a file of your own: --data FILE.jsonl"});
}

}  // namespace planner::catalog
