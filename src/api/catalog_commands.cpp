#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "planner/api/commands.hpp"
#include "planner/core/closest_match.hpp"

namespace planner {

namespace {

std::string parameters(const TransformerSpec& model) {
  const std::int64_t sequence = model.reference_run ? model.reference_run->sequence : 0;
  const double total = total_parameters(model, sequence) / 1e9;
  if (!model.moe) return fmt::format("{:.1f} B parameters", total);
  return fmt::format("{:.1f} B parameters, {:.1f} B active", total,
                     active_parameters(model, sequence) / 1e9);
}

std::string shape(const System& system) {
  return fmt::format("{} · HB domain {} at {:g} GB/s · network {:g} GB/s", system.accelerator.name,
                     system.hb_domain, system.hb_bandwidth.in(units::GBps),
                     system.network_bandwidth.in(units::GBps));
}

std::string shape(const Accelerator& accelerator) {
  const std::optional<FlopsPerSecond> peak = accelerator.datasheet.at(Precision::bf16);
  return fmt::format("{}{:g} GB at {:g} GB/s",
                     peak ? fmt::format("{:g} TFLOP/s bf16 · ", peak->in(units::TFLOPs)) : "",
                     accelerator.memory.in(units::GB),
                     accelerator.memory_bandwidth.in(units::GBps));
}

std::string shape(const Node& node) {
  return fmt::format("{} × {} · {} NICs at {:g} GB/s", node.accelerators, node.accelerator,
                     node.nics, node.nic_bandwidth.in(units::GBps));
}

const std::array<std::string, 4> kKinds{"models", "systems", "accelerators", "nodes"};

[[noreturn]] void unknown(std::string message, std::string_view word,
                          const std::vector<std::string>& candidates, std::string fallback) {
  const std::optional<std::string> match = closest_match(word, candidates);
  throw InputError(Diagnostic{
      .code = "unknown-name",
      .message = std::move(message),
      .hint = match ? fmt::format("did you mean \"{}\"?", *match) : std::move(fallback)});
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Response list(const Request& request, const io::Catalog& catalog) {
  if (request.arguments.size() != 1) {
    usage_error("list takes one argument: models, systems, accelerators or nodes");
  }
  ListResult result{.kind = request.arguments.front()};
  if (result.kind == "models") {
    for (const std::string& name : catalog.names(io::kinds::model)) {
      const TransformerSpec model = catalog.load_model(name).spec;
      result.entries.push_back({name, model.title, parameters(model)});
    }
  } else if (result.kind == "systems") {
    for (const std::string& name : catalog.names(io::kinds::system)) {
      const System system = catalog.load_system(name);
      result.entries.push_back({name, system.title, shape(system)});
    }
  } else if (result.kind == "accelerators") {
    for (const std::string& name : catalog.names(io::kinds::accelerator)) {
      const Accelerator accelerator = catalog.load_accelerator(name);
      result.entries.push_back({name, accelerator.title, shape(accelerator)});
    }
  } else if (result.kind == "nodes") {
    for (const std::string& name : catalog.names(io::kinds::node)) {
      const Node node = catalog.load_node(name);
      result.entries.push_back({name, node.title, shape(node)});
    }
  } else {
    unknown(fmt::format("there is no list of \"{}\"", result.kind), result.kind,
            {kKinds.begin(), kKinds.end()}, "models, systems, accelerators or nodes");
  }
  return {.command = Command::list, .result = std::move(result)};
}

Response show(const Request& request, const io::Catalog& catalog) {
  if (request.arguments.size() != 1) usage_error("show takes one name", "planner list models");
  const std::string& name = request.arguments.front();
  ShowResult result;
  if (!io::is_catalog_name(name) || holds(catalog.names(io::kinds::model), name)) {
    result.item = catalog.load_model(name).spec;
  } else if (holds(catalog.names(io::kinds::system), name)) {
    result.item = catalog.load_system(name);
  } else if (holds(catalog.names(io::kinds::accelerator), name)) {
    result.item = catalog.load_accelerator(name);
  } else if (holds(catalog.names(io::kinds::node), name)) {
    result.item = catalog.load_node(name);
  } else {
    std::vector<std::string> all;
    for (const io::CatalogKind& kind :
         {io::kinds::model, io::kinds::system, io::kinds::accelerator, io::kinds::node}) {
      const std::vector<std::string> names = catalog.names(kind);
      all.insert(all.end(), names.begin(), names.end());
    }
    unknown(fmt::format("nothing in the catalog is called \"{}\"", name), name, all,
            "planner list models|systems|accelerators|nodes");
  }
  return {.command = Command::show, .result = std::move(result)};
}

Response schema(const Request& request) {
  const std::vector<std::string> types = io::schema_types();
  if (request.arguments.size() != 1) usage_error("schema takes one type", "model, system, …");
  const std::string& type = request.arguments.front();
  if (!holds(types, type)) {
    unknown(fmt::format("no file type is called \"{}\"", type), type, types,
            fmt::format("{}", fmt::join(types, ", ")));
  }
  return {.command = Command::schema, .result = SchemaResult{.type = type}};
}

}  // namespace planner
