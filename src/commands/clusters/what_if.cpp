#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/commands/clusters/clusters.hpp"
#include "planner/core/closest_match.hpp"
#include "planner/cost/bill.hpp"
#include "planner/network/topologies/topologies.hpp"
#include "planner/present/text.hpp"

// What is asked of clusters in place of what their files say.
namespace planner::commands {

namespace {

constexpr const char* kAsked = "In place of what the files say";
constexpr const char* kAskedPrice = "--price";  // where such a price is from
constexpr double kMostTokens = 1e18, kMostElectricity = 1e6, kMostPue = 10, kMostYears = 100;

Price* entry_of(PriceBook& book, const std::string& part) {
  const auto found = std::find_if(book.prices.begin(), book.prices.end(),
                                  [&part](const Price& price) { return price.part == part; });
  return found == book.prices.end() ? nullptr : &*found;
}

/// "qm9700=30000".
std::optional<std::string> read_part_price(std::string_view text, WhatIf& asked) {
  const std::size_t equals = text.rfind('=');
  if (equals == 0 || equals == std::string_view::npos) return "must be like qm9700=30000";
  Parsed<double> price = parse_positive(text.substr(equals + 1), kMostPriceUsd);
  if (!price.value) return std::move(price.error);
  if (Money::from_dollars(*price.value) <= Money{}) return "must be at least a cent";
  asked.part_prices.emplace_back(text.substr(0, equals), *price.value);
  return std::nullopt;
}

/// "7:1": down and up.
std::optional<std::string> read_ratio(std::string_view text, WhatIf& asked) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto down = parse_integer(text.substr(0, colon), 1, kMostSequences);
  const auto up = parse_integer(text.substr(std::min(colon + 1, text.size())), 1, kMostSequences);
  if (!down.value || !up.value) return "must be two whole numbers like 7:1";
  asked.oversubscription = Ratio{.down = *down.value, .up = *up.value};
  return std::nullopt;
}

void change_run(Cluster& cluster, const WhatIf& asked) {
  if (asked.model) {
    if (!cluster.run) cluster.run.emplace();
    if (cluster.run->model != *asked.model) cluster.run = ClusterRun{.model = *asked.model};
  }
  if (!asked.tokens && !asked.global_batch && !asked.sequence) return;
  if (!cluster.run) {
    usage_error(cluster.name + " trains nothing: --tokens, --global-batch and --seq need --model",
                "or \"run\" in the cluster file");
  }
  if (asked.tokens) cluster.run->tokens = asked.tokens;
  if (asked.global_batch) cluster.run->global_batch = asked.global_batch;
  if (asked.sequence) cluster.run->sequence = asked.sequence;
}

/// A price for a network as a whole is of that network only.
void refuse_beside_quote(const Cluster& cluster, const char* option) {
  if (!cluster.fabric_parts.quote) return;
  usage_error(fmt::format("{}: --{} is of another network than the one that \"{}\" is the price of",
                          cluster.name, option, *cluster.fabric_parts.quote),
              "leave \"quote\" out of \"fabric_parts\": its parts are then priced one by one");
}

void change_size(Cluster& cluster, const WhatIf& asked, std::vector<std::string>& warnings) {
  if (!asked.gpus || *asked.gpus == cluster.gpus) return;
  refuse_beside_quote(cluster, "gpus");
  cluster.gpus = *asked.gpus;
  cluster.fabric.gpus.reset();  // one endpoint for each card again
  if (cluster.racks || cluster.storage_nodes || !cluster.extra_lines.empty()) {
    warnings.emplace_back("--gpus: racks, storage and extra lines stay as the file has them");
  }
}

/// The title of a file may name its GPUs or what they train: with others it is another's.
void rename(Cluster& cluster, const Cluster& in_file) {
  std::vector<std::string> others;
  if (cluster.gpus != in_file.gpus) {
    others.push_back(fmt::format("{} GPUs", grouped(cluster.gpus)));
  }
  if (in_file.run && cluster.run->model != in_file.run->model) others.push_back(cluster.run->model);
  if (others.empty()) return;
  cluster.title = fmt::format("{} with {}", cluster.name, fmt::join(others, ", "));
}

}  // namespace

std::vector<OptionOf<WhatIf>> what_if_options() {
  using W = WhatIf;
  return {
      text({"model", "NAME|FILE", "what all of them train", kAsked}, &W::model),
      positive({"tokens", "N", "to train, e.g. 15T", kAsked}, &W::tokens, kMostTokens),
      integer({"global-batch", "N", "sequences per iteration", kAsked}, &W::global_batch, 1,
              kMostSequences),
      integer({"seq", "N", "tokens per sequence", kAsked}, &W::sequence, 1, kMostSequences),
      integer({"gpus", "N", "GPUs of the whole cluster", kAsked}, &W::gpus, 1, kMostGpus),
      of_member<W>({"oversubscription", "D:U", "of a leaf switch, down to up: 2:1", kAsked},
                   &W::oversubscription, read_ratio),
      text({"prices", "NAME|FILE", "price book: planner list prices", kAsked}, &W::prices),
      of_member<W>({.name = "price",
                    .value = "PART=USD",
                    .help = "of one part, before the book's",
                    .group = kAsked,
                    .repeats = true},
                   &W::part_prices, read_part_price),
      text({"economics", "NAME|FILE", "running costs: planner list economics", kAsked},
           &W::economics),
      positive({"electricity", "USD", "of a kWh", kAsked}, &W::electricity, kMostElectricity),
      between({"pue", "RATIO", "facility power over IT power", kAsked}, &W::pue, 1, kMostPue),
      between({"utilisation", "SHARE", "of the hours that are used", kAsked}, &W::utilisation,
              0.001, 1),
      between({"years", "N", "horizon of the total cost", kAsked}, &W::years, 0.01, kMostYears),
      between({"cost-of-capital", "SHARE", "per year, e.g. 0.08", kAsked}, &W::cost_of_capital, 0,
              0.99),
  };
}

void change(Cluster& cluster, const WhatIf& asked, std::vector<std::string>& warnings) {
  const Cluster in_file = cluster;
  change_run(cluster, asked);
  change_size(cluster, asked, warnings);
  rename(cluster, in_file);
  for (const auto& [part, dollars] : asked.part_prices) {
    for (ExtraLine& line : cluster.extra_lines) {
      if (line.item != part) continue;
      line.unit_price = Estimate<Money>::exactly(*Money::from_dollars(dollars));
      line.source = kAskedPrice;
      line.as_of.clear();
    }
  }
  if (asked.prices) cluster.prices = *asked.prices;
  if (asked.economics) cluster.economics = *asked.economics;
  if (!asked.oversubscription) return;
  constexpr const char* kRatio = "oversubscription";
  refuse_beside_quote(cluster, kRatio);
  if (!network::takes_option(cluster.fabric.topology, kRatio)) {
    usage_error(fmt::format("{}: --oversubscription has no meaning for {}", cluster.name,
                            name_of(topology_of(cluster.fabric))));
  }
  network::set_option(cluster.fabric, kRatio, *asked.oversubscription);
}

void change(PriceBook& book, const WhatIf& asked) {
  for (const auto& [part, dollars] : asked.part_prices) {
    const auto amount = Estimate<Money>::exactly(*Money::from_dollars(dollars));
    const PriceSource origin{.source = kAskedPrice};
    if (Price* const entry = entry_of(book, part)) {
      entry->amount = amount;
      entry->per_metre.reset();  // it is the price of one, however long
      entry->origin = origin;
    } else {
      book.prices.push_back(
          {.part = part, .amount = amount, .currency = Currency::usd, .origin = origin});
    }
  }
}

void change(std::optional<Economics>& economics, const std::string& cluster, const WhatIf& asked) {
  const bool any =
      asked.electricity || asked.pue || asked.utilisation || asked.years || asked.cost_of_capital;
  if (!any) return;
  if (!economics) {
    usage_error(cluster + " has no running costs to change", "give --economics");
  }
  if (asked.electricity) {
    economics->electricity =
        Estimate<UsdPerJoule>::exactly(*asked.electricity * units::usd / units::kWh);
  }
  if (asked.pue) economics->pue = Estimate<double>::exactly(*asked.pue);
  if (asked.utilisation) economics->utilisation = *asked.utilisation;
  if (asked.cost_of_capital) economics->cost_of_capital = *asked.cost_of_capital;
  if (!asked.years) return;
  economics->horizon_years = *asked.years;
  const auto& shares = economics->residual_by_year;
  if (!shares.empty() && static_cast<double>(shares.size()) < *asked.years) {
    usage_error(fmt::format("--years {:g}: {} has residual values of {} years", *asked.years,
                            economics->name, shares.size()));
  }
}

void warn_about_unbought(const WhatIf& asked, const BillOfMaterials& bill,
                         std::vector<std::string>& warnings) {
  std::vector<std::string> bought;
  for (const BillLine& line : bill.lines) {
    bought.push_back(line.part.id);
    if (line.part.length_m) bought.push_back(key_with_length(line.part));
  }
  for (const auto& [part, price] : asked.part_prices) {
    if (std::find(bought.begin(), bought.end(), part) != bought.end()) continue;
    const auto meant = closest_match(part, bought);
    warnings.push_back(fmt::format("--price {}: the cluster buys no such part{}", part,
                                   meant ? fmt::format(" (did you mean \"{}\"?)", *meant) : ""));
  }
}

}  // namespace planner::commands
