#include <nlohmann/json.hpp>

#include "planner/commands/parts/routing.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/json/compared_field.hpp"
#include "planner/json/lifted_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using R = RoutingSummary;

constexpr std::array kScopes{RoutingScope::leaf, RoutingScope::pod, RoutingScope::cluster};

const FieldTable<R::Stage>& stage_table() {
  using S = R::Stage;
  const auto of_links = [](auto field) {
    return lifted<S, LinkStage>(
        [](auto& stage) -> auto& { return stage.links; }, std::move(field));
  };
  using L = LinkStage;
  static const FieldTable<S> kTable{
      .type = "stage",
      .doc = "links that flows are spread over",
      .fields = {of_links(naming(required("name", &L::name, any_text(), "which"))),
                 of_links(required("F", &L::flows, whole(), "pairs of ports on a group")),
                 of_links(required("L", &L::links, whole(), "links of a group")),
                 of_links(required("rho", &L::rho, figure(), "load if balanced")),
                 of_links(required("gcd", &L::polarization, whole(), "of links reached")),
                 of_links(required("groups", &L::groups, whole(), "groups of links")),
                 of_links(required("failed", &L::failed, whole(), "links of a group")),
                 required("mmr_mean", &S::ratio_mean, figure(), "largest load over mean"),
                 required("mmr_q", &S::ratio_quantile, figure(), "its quantile"),
                 required("S_mean", &S::slowdown, figure(), "slowdown, alone")},
      .open = true};
  return kTable;
}

const FieldTable<R::Collective>& collective_table() {
  using C = R::Collective;
  static const FieldTable<C> kTable{
      .type = "collective",
      .doc = "what a collective gets",
      .fields = {required("collective", &C::pattern, json::choice(kTrafficPatterns), "pattern"),
                 required("scope", &C::scope, json::choice(kScopes), "how far it reaches"),
                 required("gpus", &C::gpus, whole(), "that it spans"),
                 required("S_mean", &C::mean, figure(), "slowdown"),
                 required("S_q", &C::quantile, figure(), "its quantile"),
                 required("bottleneck_stage", &C::binding, text_or_null(), "what binds")},
      .open = true};
  return kTable;
}

/// GB/s by collective and scope; of plain numbers {"flows": …}; null: the network is not known.
Field<R> effective() {
  return {"effective_GBps",
          "what is left of the nominal bandwidth",
          false,
          [](const JsonNode&, R&, const ReadContext&) { return true; },
          [](const R& routing, Json& out) {
            Json& left = out["effective_GBps"] = nullptr;
            if (!routing.nominal) return;
            if (routing.collectives.empty()) {
              left["flows"] = routing.effective(routing.slowdown);
              return;
            }
            for (const R::Collective& one : routing.collectives) {
              left[std::string{name_of(one.pattern)}][std::string{name_of(one.scope)}] =
                  routing.effective(one.mean);
            }
          },
          [](Json& schema) {
            const Json number{{"type", "number"}};
            const Json by_scope{{"type", "object"}, {"additionalProperties", number}};
            schema["type"] = {"object", "null"};
            schema["additionalProperties"]["anyOf"] = {number, by_scope};
          },
          true};
}

const FieldTable<R>& load_table() {
  using B = LoadBin;
  static const FieldTable<B> kBin{
      .type = "bin",
      .doc = "links with a load",
      .fields = {required("low_of_mean", &B::low, figure(), "load over mean, from"),
                 required("high_of_mean", &B::high, figure(), "to"),
                 required("share", &B::share, figure(), "of the links")},
      .open = true};
  static const FieldTable<R> kTable{
      .type = "link_load",
      .doc = "how evenly links are loaded",
      .fields = {required("stage", &R::load_stage, text_or_null(), "which links"),
                 required("bins", &R::loads, list(object(kBin)), "by load")},
      .open = true};
  return kTable;
}

const FieldTable<R::QpsNeeded>& qps_table() {
  using Q = R::QpsNeeded;
  static const FieldTable<Q> kTable{
      .type = "qps_needed",
      .doc = "queue pairs that an evenness takes",
      .fields = {required("mmr", &Q::ratio, figure(), "largest load over mean"),
                 required("qps", &Q::qps, or_null(whole()), "null: more than a million")},
      .open = true};
  return kTable;
}

/// An empty list is null.
Codec<std::vector<std::int64_t>> list_or_null() {
  return written_as<std::vector<std::int64_t>>(
      or_null(list(whole())),
      [](const std::vector<std::int64_t>& values) {
        return values.empty() ? std::nullopt : std::optional{values};
      },
      [](const std::optional<std::vector<std::int64_t>>& values) {
        return values.value_or(std::vector<std::int64_t>{});
      });
}

}  // namespace

const FieldTable<SharingImpact>& sharing_fields() {
  using S = SharingImpact;
  static const FieldTable<S> kTable{
      .type = "sharing",
      .doc = "what storage on the same network takes; null figures are not finite",
      .fields = {required("storage_share", &S::storage_share, figure(), "of the network"),
                 required("reads_share", &S::reads_share, figure(), "that arrives"),
                 required("write_time_s", &S::write_time, measure(units::second),
                          "of a checkpoint; null: never done"),
                 required("writing_share", &S::writing_share, figure(), "of the time"),
                 required("S_writing", &S::slowdown_writing, figure(), "during a checkpoint"),
                 required("S_mean", &S::slowdown_mean, figure(), "over the whole time"),
                 required("S_guaranteed", &S::guaranteed, or_null(figure()),
                          "at most, by the traffic class")},
      .open = true};
  return kTable;
}

const FieldTable<RoutingSummary>& routing_summary_fields() {
  static const FieldTable<R> kTable{
      .type = "routing",
      .doc = "what routing leaves of a network",
      .fields =
          {required("cluster", &R::cluster, text_or_null(), "null: plain numbers"),
           required("scheme", &R::scheme, json::choice(kRoutingSchemes), "how flows find links"),
           required("qps", &R::qps, whole(), "queue pairs per pair of ports"),
           required("distinct_paths", &R::distinct_paths, figure(), "that the hash tells apart"),
           required("striping", &R::striping, json::choice(kStripings), "of bytes over them"),
           required("placement", &R::placement, json::choice(kPlacements), "of the job"),
           required("taken_gpus", &R::taken, list_or_null(), "of each free unit"),
           required("stage_limit_gpus", &R::stage_limit, or_null(whole()),
                    "beyond which only pipelines reach"),
           required("quantile", &R::quantile, figure(), "of slowdowns"),
           required("traffic", &R::traffic, any_text(), "what the stages are those of"),
           required("stages", &R::stages, list(object(stage_table())), "from the leaves up"),
           required("rx_port_S", &R::receive_port, figure(), "slowdown of the receive port"),
           required("S_mean", &R::slowdown, figure(), "slowdown"),
           required("S_q", &R::unlucky, figure(), "its quantile"),
           required("nominal_GBps", &R::nominal, or_null(figure()), "per GPU and direction"),
           effective(),
           required("bottleneck_stage", &R::binding, text_or_null(), "what binds"),
           required("collectives", &R::collectives, list(object(collective_table())),
                    "of a cluster"),
           group("link_load", load_table(), "how evenly links are loaded"),
           required("qps_needed", &R::qps_needed, list(object(qps_table())),
                    "empty: they change nothing"),
           required("sharing", &R::sharing, or_null(object(sharing_fields())), "with storage"),
           required("assumptions", &R::assumptions, list(any_text()), "and formulas used")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
