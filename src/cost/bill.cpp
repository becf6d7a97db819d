#include "planner/cost/bill.hpp"

#include <algorithm>
#include <cmath>

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/unpriced.hpp"

namespace planner::inline cost {
namespace {

/// A price found, or that there is none.
struct Quote {
  std::optional<Estimate<Money>> amount{};
  PriceSource origin;
};

const PortPrice* at_speed(const std::vector<PortPrice>& prices, std::int64_t gbps) {
  const auto found = std::find_if(prices.begin(), prices.end(), [gbps](const PortPrice& price) {
    return price.port_gbps == gbps;
  });
  return found == prices.end() ? nullptr : &*found;
}

const Price* entry_of(const PriceBook& book, const std::string& part) {
  const auto found = std::find_if(book.prices.begin(), book.prices.end(),
                                  [&part](const Price& price) { return price.part == part; });
  return found == book.prices.end() ? nullptr : &*found;
}

/// What a piece of this length costs; nothing: out of Money's range.
std::optional<Estimate<Money>> with_metres(const Estimate<Money>& amount,
                                           const Estimate<Money>& per_metre, double metres) {
  return all(each(
      [metres](Money piece, Money metre) -> std::optional<Money> {
        const auto more = Money::from_dollars(metre.dollars() * metres);
        return more ? piece.plus(*more) : std::nullopt;
      },
      amount, per_metre));
}

/// Of a cable of this length, before one of any length.
const Price* price_of(const PriceBook& book, const Part& part) {
  const Price* const exact = part.length_m ? entry_of(book, key_with_length(part)) : nullptr;
  return exact != nullptr ? exact : entry_of(book, part.id);
}

/// Nothing inside: the product leaves Money's range.
std::optional<Quote> by_ports(const PortPrice& price, std::int64_t ports) {
  const auto amount = product(price.amount, ports);
  if (!amount) return std::nullopt;
  return Quote{.amount = amount, .origin = price.origin};
}

std::optional<Quote> quote_for(const PartQuantity& bought, const PriceBook& book) {
  const Part& part = bought.part;
  const Price* const entry = price_of(book, part);
  if (bought.own_price && (bought.own_price->amount || entry == nullptr)) {
    return Quote{.amount = bought.own_price->amount, .origin = bought.own_price->origin};
  }
  if (entry != nullptr) {
    if (entry->amount && entry->per_metre && part.length_m && entry->part == part.id) {
      const auto amount = with_metres(*entry->amount, *entry->per_metre, *part.length_m);
      if (!amount) return std::nullopt;
      return Quote{.amount = amount, .origin = entry->origin};
    }
    return Quote{.amount = entry->amount, .origin = entry->origin};
  }
  if (part.category == PartCategory::switches) {
    const PortPrice* const port = at_speed(book.switch_ports, part.port_gbps);
    if (port != nullptr && part.ports > 0) return by_ports(*port, part.ports);
  }
  if (part.category == PartCategory::transceivers) {
    const PortPrice* const end = at_speed(book.transceiver_ends, part.port_gbps);
    if (end != nullptr) return by_ports(*end, part.ports);
  }
  return Quote{};
}

/// What holds the cost of this part; empty: it is paid for by itself.
std::string holder_of(const PartQuantity& bought, const PriceBook& book) {
  if (!bought.included_in.empty() || bought.own_price) return bought.included_in;
  for (const Inclusion& inclusion : book.included) {
    if (inclusion.category == bought.part.category && price_of(book, bought.part) == nullptr) {
      return std::string(name_of(inclusion.within));
    }
  }
  return {};
}

bool foreign(const PartQuantity& bought, const PriceBook& book) {
  if (bought.own_price) return bought.own_price->currency != book.currency;
  const Price* const entry = price_of(book, bought.part);
  return entry != nullptr && entry->currency != book.currency;
}

BillLine line_without_price(const PartQuantity& bought) {
  BillLine line{.part = bought.part, .quantity = bought.quantity};
  if (bought.part.power) {
    line.power = static_cast<double>(bought.quantity) * *bought.part.power;
  }
  return line;
}

/// Nothing also where the amount leaves Money's range: then the line is no small one.
std::optional<Money> bound_of(const PartQuantity& bought, const PriceBook& book) {
  const std::optional<Money> most = dearest(book, bought.part);
  return most ? most->times(bought.quantity) : std::nullopt;
}

}  // namespace

std::string length_text(double metres) {
  const auto tenths = std::llround(metres * 10);
  const std::string tenth = tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10);
  return std::to_string(tenths / 10) + tenth;
}

std::string key_with_length(const Part& cable) {
  return cable.length_m ? cable.id + "-" + length_text(*cable.length_m) + "m" : cable.id;
}

BillResult bill_of_materials(const std::vector<PartQuantity>& parts, const PriceBook& book) {
  BillOfMaterials bill{.currency = book.currency, .lines = {}};
  for (const PartQuantity& bought : parts) {
    if (bought.quantity < 0) return CostProblem{CostRule::out_of_range, bought.part.title};
    if (bought.quantity == 0) continue;
    if (foreign(bought, book)) return CostProblem{CostRule::mixed_currency, bought.part.title};
    BillLine line = line_without_price(bought);
    line.included_in = holder_of(bought, book);
    if (line.included_in.empty()) {
      const std::optional<Quote> quote = quote_for(bought, book);
      if (!quote) return CostProblem{CostRule::too_large, bought.part.title};
      line.unit_price = quote->amount;
      line.origin = quote->origin;
      if (quote->amount) line.total = product(*quote->amount, bought.quantity);
      if (quote->amount && !line.total) return CostProblem{CostRule::too_large, bought.part.title};
      if (!quote->amount) line.at_most = bound_of(bought, book);
    }
    bill.lines.push_back(std::move(line));
  }
  return bill;
}

}  // namespace planner::cost
