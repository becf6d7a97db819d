#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/catalog/documents.hpp"
#include "planner/domain/calibration.hpp"
#include "planner/domain/measured.hpp"
#include "planner/domain/system.hpp"

namespace planner::catalog {

/// One kind of data file: what it is called and in which folder of a data directory it lies.
struct CatalogKind {
  std::string_view noun;    ///< "model"
  std::string_view plural;  ///< "models", as in `planner list models`
  std::string_view folder;  ///< "models"
};

namespace kinds {
inline constexpr CatalogKind model{"model", "models", "models"};
inline constexpr CatalogKind accelerator{"accelerator", "accelerators", "catalog/accelerators"};
inline constexpr CatalogKind node{"node", "nodes", "catalog/nodes"};
inline constexpr CatalogKind system{"system", "systems", "catalog/systems"};
inline constexpr CatalogKind switch_model{"switch", "switches", "catalog/switches"};
inline constexpr CatalogKind optic{"optic", "optics", "catalog/optics"};
inline constexpr CatalogKind nic{"network card", "nics", "catalog/nics"};
inline constexpr CatalogKind price_book{"price book", "prices", "catalog/prices"};
inline constexpr CatalogKind economics{"set of economics", "economics", "catalog/economics"};
inline constexpr CatalogKind calibration{"calibration", "calibrations", "catalog/calibrations"};
inline constexpr CatalogKind collectives{"collective library", "collectives",
                                         "catalog/collectives"};
inline constexpr CatalogKind storage{"storage system", "storage", "catalog/storage"};
inline constexpr CatalogKind cluster{"cluster", "clusters", "examples/clusters"};
inline constexpr CatalogKind rates{"set of failure rates", "rates", "catalog/rates"};
}  // namespace kinds

/// A data file with the name that messages give it.
struct CatalogFile {
  std::string source_name;
  std::string text;
};

/// Whether `ref` names a catalog entry: no '/', not ending in .json, not "-".
bool is_catalog_name(std::string_view ref);

/// Where data is looked up, in order: `flag` (--data-dir), $PLANNER_DATA_DIR,
/// $XDG_DATA_HOME/planner (~/.local/share/planner when unset), <executable>/../share/planner (of
/// libplanner.so: the share/planner it was installed with), and the folder this was built from.
/// @throws InputError "no-such-directory" when one that the user named is not there
std::vector<std::filesystem::path> data_directories(
    const std::optional<std::filesystem::path>& flag);

/// The data files of a list of directories; an earlier directory wins.
class Catalog {
 public:
  explicit Catalog(std::vector<std::filesystem::path> directories)
      : directories_(std::move(directories)) {}

  /// All names of a kind, sorted.
  [[nodiscard]] std::vector<std::string> names(const CatalogKind& kind) const;

  /// The file that `ref` means: a catalog name, a path, or "-" for standard input.
  /// @throws InputError "unknown-name", or what read_text_file() throws
  [[nodiscard]] CatalogFile read(const CatalogKind& kind, const std::string& ref) const;

  // Each loads what `ref` means, as read() does, and throws InputError with all that is wrong.
  [[nodiscard]] LoadedModel load_model(const std::string& ref) const;
  [[nodiscard]] Accelerator load_accelerator(const std::string& ref) const;
  [[nodiscard]] Node load_node(const std::string& ref) const;
  [[nodiscard]] StorageSystem load_storage(const std::string& ref) const;
  [[nodiscard]] System load_system(const std::string& ref) const;
  [[nodiscard]] SwitchModel load_switch(const std::string& ref) const;
  [[nodiscard]] Optic load_optic(const std::string& ref) const;
  [[nodiscard]] Nic load_nic(const std::string& ref) const;
  [[nodiscard]] PriceBook load_price_book(const std::string& ref) const;
  [[nodiscard]] Economics load_economics(const std::string& ref) const;
  [[nodiscard]] CollectiveLibrary load_collectives(const std::string& ref) const;
  [[nodiscard]] Cluster load_cluster(const std::string& ref) const;
  [[nodiscard]] FailureRates load_rates(const std::string& ref) const;
  [[nodiscard]] Calibration load_calibration(const std::string& ref) const;

  /// Rows of measured runs (JSON Lines) from a path, or "-" for standard input. The catalog's
  /// accelerators resolve their GPU names.
  [[nodiscard]] std::vector<MeasuredRow> load_measured(const std::string& path) const;
  /// Those of catalog/measured: "runs" or "memory".
  [[nodiscard]] std::vector<MeasuredRow> load_shipped_measured(const std::string& name) const;

 private:
  [[nodiscard]] std::vector<Accelerator> accelerators() const;

  std::vector<std::filesystem::path> directories_;
};

}  // namespace planner::catalog
