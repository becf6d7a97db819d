#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/catalog/locate.hpp"
#include "planner/commands/design/design.hpp"
#include "planner/commands/parts/fabric_models.hpp"
#include "planner/commands/parts/physical_build.hpp"
#include "planner/commands/parts/price_book.hpp"
#include "planner/core/usage.hpp"
#include "planner/cost/bill.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/design/failures.hpp"
#include "planner/design/networks.hpp"
#include "planner/domain/names.hpp"
#include "planner/job/strategy.hpp"
#include "planner/job/workload.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

/// A part of unknown price or power would leave every design without its total.
void check_optical_ports(const design::Space& space) {
  const auto ports = optical_ports(space.failures->recovery);
  if (!ports) return;
  const BillResult billed = bill_of_materials({*ports}, space.book);
  const auto* const bill = std::get_if<BillOfMaterials>(&billed);
  if (bill != nullptr && !bill->lines.front().unpriced() && ports->part.power) return;
  usage_error("--optical-ports: a design's total needs their price and power",
              "give --optical-port-price USD and --optical-port-power W");
}

/// What a brief names, looked up one after the other.
class Opening {
 public:
  Opening(const Brief& brief, const std::optional<catalog::CatalogFile>& file,
          const catalog::Catalog& catalog, std::vector<std::string>& warnings,
          const std::atomic<bool>* stop)
      : brief_(brief),
        file_(file),
        catalog_(catalog),
        timing_(catalog.load_calibration("default")) {
    design::Space& space = open_.space;
    space.book = loaded("prices", brief.prices, &catalog::Catalog::load_price_book);
    if (space.book.currency != Currency::usd) {
      throw InputError(Diagnostic{
          .code = "cannot-price",
          .message = fmt::format("the price book {} is in relative units: design compares dollars",
                                 brief.prices),
          .hint = "planner list prices"});
    }
    space.economics = loaded("economics", brief.economics, &catalog::Catalog::load_economics);
    warn_about_later(space.book, space.economics, warnings);
    space.gpus = brief.choices.gpus;
    space.routing = brief.routing;
    if (brief.limits.gpus) space.gpus.to = std::min(space.gpus.to, *brief.limits.gpus);
    if (brief.rates) {
      space.failures =
          design::Failures{.rates = loaded("rates", *brief.rates, &catalog::Catalog::load_rates),
                           .recovery = brief.recovery.value_or(ReliabilitySettings{}),
                           .spares = brief.choices.spares};
      price_optical_ports(space.failures->recovery,
                          "given by --optical-port-price, or \"recovery\" of the brief",
                          space.book);
      check_optical_ports(space);
    }
    if (brief.build) stand_in(*brief.build, catalog, stop, space);
    open_.price_book = space.book.title;
    open_.price_book_notes = space.book.notes;
    for (std::size_t i = 0; i < brief.runs.size(); ++i) {
      const BriefRun& run = brief.runs[i];
      space.tokens.push_back(run.tokens);
      const bool alone = file_ && catalog::has_text(*file_, "run.model", run.model);
      const std::string path = alone ? "run.model" : fmt::format("run.{}.model", i);
      catalog::LoadedModel model = loaded(path, run.model, &catalog::Catalog::load_model);
      for (const Diagnostic& warning : model.warnings) add_once(to_string(warning), warnings);
      open_.model_titles.push_back(model.spec.title);
      models_.push_back(std::move(model.spec));
    }
  }

  OpenSpace run() {
    check_owned();
    if (brief_.choices.networks.empty()) find_parts();
    const std::vector<std::string>& named = brief_.choices.systems;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (std::find(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(i), named[i]) !=
          named.begin() + static_cast<std::ptrdiff_t>(i)) {
        throw wrong(fmt::format("choices.systems.{}", i),
                    {.code = "inconsistent",
                     .message = fmt::format("\"systems\": {} is named twice", named[i]),
                     .hint = "name each once"});
      }
      add_system(named[i], loaded(fmt::format("choices.systems.{}", i), named[i],
                                  &catalog::Catalog::load_system));
    }
    if (named.empty()) {
      for (const std::string& ref : catalog_.names(catalog::kinds::system)) {
        add_system(ref, catalog_.load_system(ref));
      }
    }
    add_batches();
    for (std::uint32_t s = 0; s < open_.space.systems.size(); ++s) {
      if (open_.space.failures) design::check_recovery(open_.space, s);
      check_routing(s);
    }
    std::stable_partition(open_.left_out.begin(), open_.left_out.end(),
                          [](const LeftOut& one) { return one.kind == "system"; });
    return std::move(open_);
  }

 private:
  /// What a name of the brief means. Where the name is the file's, what is wrong is located there.
  template <class Value>
  Value loaded(const std::string& path, const std::string& name,
               Value (catalog::Catalog::*load)(const std::string&) const) const {
    if (!file_ || !catalog::has_text(*file_, path, name)) return (catalog_.*load)(name);
    return named_at(*file_, path, [&] { return (catalog_.*load)(name); });
  }

  /// Something that is wrong with what the file says.
  [[nodiscard]] InputError wrong(const std::string& path, Diagnostic problem) const {
    return InputError(file_ ? catalog::located(*file_, path, std::move(problem))
                            : std::move(problem));
  }

  /// With the first reason that is found.
  void leave_out(const char* kind, const std::string& name, std::string reason) {
    const auto& all = open_.left_out;
    const auto again = [&](const LeftOut& one) { return one.kind == kind && one.name == name; };
    if (std::any_of(all.begin(), all.end(), again)) return;
    open_.left_out.push_back({.kind = kind, .name = name, .reason = std::move(reason)});
  }

  /// Why a part cannot be ranked; empty: it can.
  std::string missing(const Part& part) const {
    const auto piece =
        design::piece_of(part, open_.space.book, design::economics_of_parts(open_.space));
    const auto* const unpriced = std::get_if<design::Unpriced>(&piece);
    return unpriced == nullptr ? std::string() : unpriced->what + " is not known";
  }

  [[nodiscard]] bool has_price(const Node& node) const {
    return std::any_of(open_.space.book.prices.begin(), open_.space.book.prices.end(),
                       [&](const Price& price) { return price.part == node.name && price.amount; });
  }

  void find_parts() {
    for (const std::string& name : catalog_.names(catalog::kinds::switch_model)) {
      SwitchModel model = catalog_.load_switch(name);
      std::string reason = missing({.id = model.name,
                                    .title = model.title,
                                    .category = PartCategory::switches,
                                    .power = model.power,
                                    .ports = model.ports,
                                    .port_gbps = model.port_gbps});
      if (reason.empty()) {
        parts_.switches.push_back(std::move(model));
      } else {
        leave_out("switch", name, std::move(reason));
      }
    }
    std::vector<Optic> optics;
    for (const std::string& name : catalog_.names(catalog::kinds::optic)) {
      optics.push_back(catalog_.load_optic(name));
    }
    parts_.optics = design::worthwhile_optics(optics, open_.space.book,
                                              design::economics_of_parts(open_.space));
    for (const Optic& optic : optics) leave_out_unless_taken(optic);
  }

  void leave_out_unless_taken(const Optic& optic) {
    const auto is = [&](const std::optional<Optic>& one) { return one && one->name == optic.name; };
    const auto has = [&](const design::OpticsOption& option) {
      return is(option.module) || is(option.fibre) || is(option.active_optical);
    };
    if (std::any_of(parts_.optics.begin(), parts_.optics.end(), has)) return;
    leave_out("optic", optic.name, why_untaken(optic));
  }

  [[nodiscard]] std::string why_untaken(const Optic& optic) const {
    if (optic.kind == OpticKind::copper) return "copper: links may be longer than it reaches";
    const bool transceiver = optic.kind == OpticKind::transceiver;
    std::string reason =
        missing({.id = optic.name,
                 .title = optic.title,
                 .category = transceiver ? PartCategory::transceivers : PartCategory::cables,
                 .power = optic.power});
    return reason.empty() ? "no link with it has a price that others of its speed do not beat"
                          : reason;
  }

  [[nodiscard]] design::Owned owned_of(const std::string& ref, const Node& node) const {
    for (const OwnedGpus& one : brief_.owned) {
      if (one.system != ref) continue;
      const std::int64_t nodes = one.gpus / node.accelerators;
      return {.nodes = nodes, .node = Money::cents(one.resale.in_cents() / nodes)};
    }
    return {};
  }

  /// Owned GPUs are in whole nodes of systems that there are, and so are lead times.
  void check_owned() {
    std::int64_t cents = 0;
    for (std::size_t i = 0; i < brief_.owned.size(); ++i) {
      const OwnedGpus& one = brief_.owned[i];
      const std::string path = fmt::format("owned.{}.system", i);
      const System system = loaded(path, one.system, &catalog::Catalog::load_system);
      if (!system.node) {
        throw wrong(
            path, {.code = "inconsistent",
                   .message = fmt::format("\"owned\": {} names no node: what is owned is not known",
                                          one.system),
                   .hint = "a system whose file has a \"node\""});
      }
      const Node node = catalog_.load_node(*system.node);
      if (one.gpus % node.accelerators != 0) {
        throw wrong(fmt::format("owned.{}.gpus", i),
                    {.code = "inconsistent",
                     .message = fmt::format("\"owned\": {} GPUs of {} are no whole nodes",
                                            grouped(one.gpus), one.system),
                     .hint = fmt::format("nodes have {} GPUs each", node.accelerators)});
      }
      const design::Owned owned = owned_of(one.system, node);
      cents += owned.nodes * owned.node.in_cents();
    }
    open_.space.owned_value = Money::cents(cents);
    for (const auto& [name, weeks] : brief_.lead_weeks) {
      const auto load = [&, &name = name] { return catalog_.load_system(name); };
      // That there is such a one.
      static_cast<void>(file_ ? named_at(*file_, "lead_weeks." + name, load) : load());
    }
  }

  std::optional<design::SystemOption> option_of(const std::string& ref, const System& system,
                                                std::vector<std::string>& warnings) {
    if (!system.node) {
      leave_out("system", ref, "its file names no node: what is bought is not known");
      return std::nullopt;
    }
    design::SystemOption option{.node = catalog_.load_node(*system.node)};
    option.owned = owned_of(ref, option.node);
    if (std::string reason = missing(design::node_part(option.node)); !reason.empty()) {
      option.for_sale = option.owned.nodes == 0 || !option.node.power;
      if (!option.for_sale) reason += ": those that are owned can be kept, and no others bought";
      leave_out("system", ref, std::move(reason));
      if (option.for_sale && (!option.node.power || has_price(option.node))) return std::nullopt;
    }
    for (const auto& [name, weeks] : brief_.lead_weeks) {
      if (name == ref) option.lead = 7 * weeks * units::day;
    }
    try {
      for (std::size_t run = 0; run < brief_.runs.size(); ++run) {
        option.runs.push_back(run_on(system, run, warnings));
      }
    } catch (const InputError& error) {
      const Diagnostic& problem = error.diagnostics().front();
      if (problem.code != "unknown-peak") throw;
      leave_out("system", ref, problem.message);
      return std::nullopt;
    }
    return option;
  }

  [[nodiscard]] design::RunOn run_on(const System& system, std::size_t run,
                                     std::vector<std::string>& warnings) const {
    const BriefRun& of = brief_.runs[run];
    const auto& batches = of.global_batch;
    std::vector<std::string> of_run;
    Workload job = job::workload_of(
        {.model = models_[run],
         .system = system,
         .gpus = 1,
         .run = {.global_batch = batches.empty() ? std::nullopt : std::optional(batches.front()),
                 .sequence = of.sequence,
                 .precision = brief_.precision,
                 .tokens = of.tokens},
         .timing = timing_},
        of_run);
    for (std::string& warning : of_run) add_once(std::move(warning), warnings);
    SearchSpace strategies = job::search_space({}, job);
    return {.job = std::move(job), .strategies = std::move(strategies)};
  }

  void add_system(const std::string& ref, const System& system) {
    std::vector<std::string> warnings;
    std::optional<design::SystemOption> option = option_of(ref, system, warnings);
    if (!option) return;
    if (design::gpu_counts(*option, open_.space.gpus).empty()) {
      leave_out("system", ref,
                fmt::format("no number of GPUs to choose from is in whole pieces of {}",
                            design::bought_together(*option)));
      return;
    }
    option->networks = brief_.choices.networks.empty()
                           ? design::open_networks(option->system(), option->node, parts_)
                           : named_networks();
    for (design::NetworkOption& network : option->networks) {
      if (!brief_.build) break;
      network.media = media_for(*brief_.build, network.choice.fabric.port_gbps, catalog_);
    }
    if (option->networks.empty()) {
      leave_out("system", ref,
                fmt::format("no switch and optics of {:g} Gb/s ports, or of a half or a quarter "
                            "for several planes, have a price and power",
                            option->node.nic_bandwidth.in(units::Gbps)));
      return;
    }
    if (!has_price(option->node) && option->for_sale) {
      open_.unpriced.push_back({ref, *std::move(option)});
      return;
    }
    open_.space.systems.push_back(*std::move(option));
    open_.systems.push_back(ref);
    open_.warnings.push_back(std::move(warnings));
  }

  /// That flows can be routed on the networks of a system as the brief says.
  void check_routing(std::uint32_t system) const {
    const design::Space& space = open_.space;
    if (!space.routing) return;
    design::DesignId id{.system = system};
    const design::SystemOption& option = space.systems[system];
    id.gpus = design::gpu_counts(option, space.gpus).back();
    for (id.network = 0; id.network < option.networks.size(); ++id.network) {
      const Cluster cluster = design::cluster_of(space, id);
      try {
        if (design::can_be_built(space, id)) design::routed_on(space, id);
      } catch (const InputError& error) {
        Diagnostic problem = error.diagnostics().front();
        problem.message =
            fmt::format("\"routing\", on {}: {}", network_words(cluster), problem.message);
        throw InputError(std::move(problem));
      }
    }
  }

  /// Only a file names any.
  std::vector<design::NetworkOption> named_networks() const {
    std::vector<design::NetworkOption> options;
    for (std::size_t i = 0; i < brief_.choices.networks.size(); ++i) {
      const NetworkChoice& choice = brief_.choices.networks[i];
      const std::string path = fmt::format("choices.networks.{}.parts", i);
      options.push_back(
          {.choice = choice, .models = fabric_models(choice.parts, file_.value(), catalog_, path)});
    }
    return options;
  }

  void add_batches() {
    if (open_.space.systems.empty()) return;
    for (std::size_t run = 0; run < brief_.runs.size(); ++run) {
      std::vector<std::int64_t> sizes = brief_.runs[run].global_batch;
      if (sizes.empty()) {
        sizes = {open_.space.systems.front().runs[run].job.run.global_batch};
      }
      std::sort(sizes.begin(), sizes.end());
      sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
      for (const std::int64_t size : sizes) open_.space.batches.push_back({run, size});
    }
  }

  static void add_once(std::string warning, std::vector<std::string>& warnings) {
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back(std::move(warning));
    }
  }

  const Brief& brief_;
  const std::optional<catalog::CatalogFile>& file_;
  const catalog::Catalog& catalog_;
  TimingModel timing_;
  std::vector<TransformerSpec> models_;  ///< of each run
  design::NetworkParts parts_;
  OpenSpace open_;
};

}  // namespace

OpenSpace open_space(const Brief& brief, const std::optional<catalog::CatalogFile>& file,
                     const catalog::Catalog& catalog, std::vector<std::string>& warnings,
                     const std::atomic<bool>* stop) {
  return Opening(brief, file, catalog, warnings, stop).run();
}

}  // namespace planner::commands
