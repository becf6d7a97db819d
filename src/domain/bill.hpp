#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/price.hpp"

namespace planner {

/// Something to be bought, before it has a price.
struct Part {
  std::string id;     ///< name in the catalog and in price books
  std::string title;  ///< as in the bill
  PartCategory category = PartCategory::other;
  std::optional<Watts> power{};      ///< of one; 0 for a passive part; nothing: not known
  std::int64_t ports = 0;            ///< of a switch
  std::int64_t port_gbps = 0;        ///< of a switch or a transceiver
  std::optional<double> length_m{};  ///< of a cable, as sold; nothing: any

  bool operator==(const Part&) const = default;
};

/// How many of a part are bought.
struct PartQuantity {
  Part part;
  std::int64_t quantity = 0;
  std::optional<Price> own_price{};  ///< goes before the price book
  std::string included_in;           ///< the part whose price holds this one; may be empty

  bool operator==(const PartQuantity&) const = default;
};

/// One line of a bill of materials.
struct BillLine {
  Part part;
  std::int64_t quantity = 0;
  std::optional<Estimate<Money>> unit_price{};  ///< nothing: missing, or in another line's price
  std::optional<Estimate<Money>> total{};
  std::string included_in;       ///< what holds its cost; empty: itself
  std::optional<Watts> power{};  ///< of the line
  PriceSource origin;            ///< of the price
  /// Without a price: its pieces at the book's highest price of their category. Nothing: it has a
  /// price, or the book has none of that category.
  std::optional<Money> at_most{};

  /// Its cost is not in any total.
  [[nodiscard]] bool unpriced() const { return quantity > 0 && !total && included_in.empty(); }
  bool operator==(const BillLine&) const = default;
};

struct BillOfMaterials {
  Currency currency = Currency::usd;
  std::vector<BillLine> lines;

  bool operator==(const BillOfMaterials&) const = default;
};

}  // namespace planner
