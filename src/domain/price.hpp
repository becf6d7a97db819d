#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/core/money.hpp"
#include "planner/core/quantity.hpp"
#include "planner/domain/estimate.hpp"

namespace planner {

/// What the numbers of a price book count. Relative units compare designs and buy nothing: they
/// never mix with dollars.
enum class Currency { usd, relative };
inline constexpr std::array kCurrencies{Currency::usd, Currency::relative};

/// As in files and answers: "USD".
std::string_view name_of(Currency currency);

/// The groups of a bill of materials, in its order.
enum class PartCategory {
  compute,
  nics,
  switches,
  transceivers,
  cables,
  network,  ///< a whole network priced as one
  storage,
  facility,
  other,
};

inline constexpr std::array kPartCategories = {
    PartCategory::compute,      PartCategory::nics,     PartCategory::switches,
    PartCategory::transceivers, PartCategory::cables,   PartCategory::network,
    PartCategory::storage,      PartCategory::facility, PartCategory::other};

/// As in files and answers: "switches".
std::string_view name_of(PartCategory category);

/// Where a price comes from.
struct PriceSource {
  std::string source;                 ///< document, table or page
  std::string as_of;                  ///< ISO 8601 (year, month or day); may be empty
  bool verified = false;              ///< checked against the named source itself, not a copy of it
  std::optional<std::string> note{};  ///< what a reader should know
  /// Nobody published it: computed or judged from other prices, which this names.
  std::optional<std::string> derived_from{};

  bool operator==(const PriceSource&) const = default;
};

/// The price of one part.
struct Price {
  std::string part;                         ///< name in the catalog
  std::optional<Estimate<Money>> amount{};  ///< nothing: not known
  Currency currency = Currency::usd;
  PriceSource origin;
  std::optional<PartCategory> category{};  ///< of the part; nothing: not known
  /// For each metre of a cable whose length is known, on top of `amount`.
  std::optional<Estimate<Money>> per_metre{};

  bool operator==(const Price&) const = default;
};

/// A price per port of a switch, or per end of an optical link, of one speed.
struct PortPrice {
  std::int64_t port_gbps = 0;
  Estimate<Money> amount;
  PriceSource origin;

  bool operator==(const PortPrice&) const = default;
};

/// Parts of `category` cost nothing more: another category's prices hold them.
struct Inclusion {
  PartCategory category = PartCategory::cables;
  PartCategory within = PartCategory::transceivers;

  bool operator==(const Inclusion&) const = default;
};

/// Unit prices of one origin and currency.
struct PriceBook {
  std::string name;
  std::string title;
  Currency currency = Currency::usd;
  std::vector<Price> prices;
  std::vector<PortPrice> switch_ports;  ///< for switches without a price of their own, all ports
  /// Per logical end, whatever the module. With any, optics are billed by ends, not by modules.
  std::vector<PortPrice> transceiver_ends;
  std::vector<Inclusion> included;
  std::vector<std::string> notes;

  bool operator==(const PriceBook&) const = default;
};

}  // namespace planner
