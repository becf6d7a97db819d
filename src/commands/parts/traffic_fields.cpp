
#include "planner/commands/parts/traffic.hpp"
#include "planner/commands/parts/younger_field.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/json/compared_field.hpp"

namespace planner::commands {

namespace {

using namespace json;
using T = TrafficSummary;

const FieldTable<T::ByType>& by_type_table() {
  using B = T::ByType;
  static const FieldTable<B> kTable = [] {
    FieldTable<B> table{
        .type = "by_type", .doc = "a figure by what makes ranks send", .open = true};
    for (const TrafficType type : kTrafficTypes) {
      const auto at = static_cast<std::size_t>(type);
      table.fields.push_back(computed<B, double>(
          std::string{name_of(type)}, [at](const B& by) { return by.figures[at]; },
          [at](B& by, double figure) { by.figures[at] = figure; }, figure(),
          std::string{words_of(type)}));
    }
    return table;
  }();
  return kTable;
}

const FieldTable<T::ByType>& with_total_table() {
  using B = T::ByType;
  static const FieldTable<B> kTable = [] {
    FieldTable<B> table = by_type_table();
    table.fields.push_back(shown<B, double>(
        "total", [](const B& by) { return by.total(); }, figure(), "of all types"));
    return table;
  }();
  return kTable;
}

const FieldTable<T::Tier>& tier_table() {
  using R = T::Tier;
  static const FieldTable<R> kTable{
      .type = "tier",
      .doc = "what both ends of lie in one unit, but not of the tier before",
      .fields = {naming(required("name", &R::name, any_text(), "\"leaf\"")),
                 required("gpus", &R::unit_gpus, whole(), "of a unit"),
                 shown<R, double>(
                     "GB", [](const R& tier) { return tier.GB.total(); }, figure(), "of all GPUs"),
                 required("by_type_GB", &R::GB, object(with_total_table()), "the same by type"),
                 required("share", &R::share, figure(), "of all bytes"),
                 required("links", &R::links, any_text(), "that lead there"),
                 required("links_unit_gpus", &R::links_unit_gpus, whole(),
                          "GPUs of the unit that these links leave"),
                 required("busiest_unit_GB", &R::busiest_GB, object(with_total_table()),
                          "out of the unit that most leaves"),
                 required("capacity_GBps", &R::capacity_GBps, figure(),
                          "of a unit's links, one direction"),
                 required("utilisation", &R::utilisation, figure(), "of these links, 0 to 1")},
      .open = true};
  return kTable;
}

const FieldTable<T::Host>& host_table() {
  using H = T::Host;
  static const FieldTable<H> kTable{
      .type = "host",
      .doc = "what both directions between the GPUs of a node and its CPUs share",
      .fields = {naming(required("name", &H::name, any_text(), "\"host bridge\"")),
                 required("gpus", &H::unit_gpus, whole(), "that share it"),
                 required("busiest_GB", &H::GB, object(with_total_table()),
                          "in and out of the busiest; of memory, all operations on it"),
                 required("capacity_GBps", &H::capacity_GBps, figure(), "both directions together"),
                 required("utilisation", &H::utilisation, figure(), "0 to 1")},
      .open = true};
  return kTable;
}

const FieldTable<T::Pairs>& pairs_table() {
  using P = T::Pairs;
  static const FieldTable<P> kTable{
      .type = "pairs",
      .doc = "ordered pairs of GPUs",
      .fields = {required("possible", &P::possible, figure(), "N(N - 1)"),
                 required("silent_share", &P::silent_share, figure(), "of them that send nothing"),
                 required("by_type", &P::share, object(by_type_table()), "share that sends")},
      .open = true};
  return kTable;
}

const FieldTable<RankPlace>& place_table() {
  static const FieldTable<RankPlace> kTable{
      .type = "place",
      .doc = "ranks whose place in a period lies in a range",
      .fields = {required("period", &RankPlace::period, whole(), "GPUs"),
                 required("from", &RankPlace::low, whole(), "first place"),
                 required("to", &RankPlace::high, whole(), "place after the last")},
      .open = true};
  return kTable;
}

const FieldTable<Sending>& sending_table() {
  static const FieldTable<Sending> kTable{
      .type = "sending",
      .doc = "ranks that send to the rank so many GPUs after them",
      .fields = {required("offset", &Sending::offset, whole(), "to - from"),
                 required("who", &Sending::who, list(object(place_table())),
                          "all of these hold: of a rank's place in the period before each")},
      .open = true};
  return kTable;
}

const FieldTable<T::Groups>& groups_table() {
  using G = T::Groups;
  static constexpr std::array kKinds{FlowKind::ring, FlowKind::all_to_all, FlowKind::line,
                                     FlowKind::wrap};
  static const FieldTable<G> kTable{
      .type = "groups",
      .doc = "ranks that send alike",
      .fields = {required("type", &G::type, json::choice(kTrafficTypes), "why they send"),
                 required("kind", &G::kind, json::choice(kKinds), "who sends to whom"),
                 required("stride", &G::stride, whole(), "GPUs between neighbours"),
                 required("ranks", &G::ranks, whole(), "of a group"),
                 required("GB", &G::GB, figure(), "that each rank sends, of a line to either side"),
                 required("senders", &G::senders, figure(), "share of the ranks that send"),
                 added("sends", &G::sends, list(object(sending_table())),
                       "who alone sends, and where to; none: all ranks of the groups"),
                 added("end_gpus", &G::end_gpus, whole(),
                       "of answers without \"sends\": the first and the last so many GPUs alone "
                       "send; 0: any, or as that says"),
                 required("mixed_ranks", &G::mixed_ranks, whole(),
                          "of each other HB domain that one rank sends to"),
                 required("mixed_stride", &G::mixed_stride, whole(), "GPUs between these")},
      .open = true};
  return kTable;
}

const FieldTable<T::HeatRow>& heat_table() {
  using R = T::HeatRow;
  static const FieldTable<R> kTable{
      .type = "heat_row",
      .doc = "what one rank sends",
      .fields = {required("from", &R::from, whole(), "rank"),
                 required("to", &R::to, list(whole()), "ranks"),
                 required("GB", &R::GB, list(figure()), "to each of them")},
      .open = true};
  return kTable;
}

const FieldTable<T::Distance>& distance_table() {
  using D = T::Distance;
  static const FieldTable<D> kTable{
      .type = "distance",
      .doc = "pairs at one distance in rank",
      .fields = {required("type", &D::type, json::choice(kTrafficTypes), "why they send"),
                 required("distance", &D::distance, whole(), "|rank - rank|"),
                 required("pairs", &D::pairs, figure(), "ordered"),
                 required("GB_per_pair", &D::GB_per_pair, figure(), "from the one to the other")},
      .open = true};
  return kTable;
}

const FieldTable<T::RailOnly>& rail_only_table() {
  using R = T::RailOnly;
  static const FieldTable<R> kTable{
      .type = "rail_only_enough",
      .doc = "whether rails alone carry the plan",
      .fields = {required("enough", &R::enough, json::boolean(),
                          "without moving anything to its rail"),
                 required("network_GB", &R::network_GB, figure(),
                          "between HB domains, of all GPUs"),
                 required("off_rail_GB", &R::off_rail_GB, figure(),
                          "of that, between different places in HB domains"),
                 required("rails", &R::rails, whole(), "GPUs of an HB domain"),
                 required("rail_GB", &R::rail_GB, figure(), "of one rail, of what stays on it"),
                 required("forwarding_s", &R::forwarding_s, figure(),
                          "that an iteration takes longer for moving what changes rail inside HB "
                          "domains first"),
                 required("sentence", &R::sentence, any_text(), "the answer in words")},
      .open = true};
  return kTable;
}

const FieldTable<T::Zones>& zones_table() {
  using Z = T::Zones;
  static const FieldTable<T::Zone> kZone{
      .type = "zone",
      .doc = "GPUs of the job in one zone",
      .fields = {required("gpus", &T::Zone::gpus, whole(), "of the job"),
                 required("out_GB", &T::Zone::out_GB, object(with_total_table()),
                          "to other zones")},
      .open = true};
  static const FieldTable<Z> kTable{
      .type = "zones",
      .doc = "what zones send each other",
      .fields = {required("outermost", &Z::outermost, any_text(),
                          "axis whose ranks different zones hold"),
                 required("zones", &Z::zones, list(object(kZone)), "in the order of ranks"),
                 required("pp_outermost_GB", &Z::pp_outermost_GB, figure(),
                          "out of all zones, with the pipeline outermost"),
                 required("dp_outermost_GB", &Z::dp_outermost_GB, figure(),
                          "with data parallelism outermost")},
      .open = true};
  return kTable;
}

}  // namespace

const FieldTable<TrafficSummary>& traffic_summary_fields() {
  static const FieldTable<T> kTable{
      .type = "traffic",
      .doc = "bytes sent in one iteration; GB is 1e9",
      .fields = {required("gpus", &T::gpus, whole(), "N"),
                 required("hb_domain", &T::hb_domain, whole(), "GPUs of one that are used"),
                 required("per_gpu_GB", &T::per_gpu_GB, object(with_total_table()),
                          "mean of all GPUs"),
                 required("tiers", &T::tiers, list(object(tier_table())), "from the GPU out"),
                 when([](const T& traffic) { return !traffic.host.empty(); },
                      required("host", &T::host, list(object(host_table())),
                               "of nodes whose GPUs share NICs")),
                 required("pairs", &T::pairs, object(pairs_table()), "who sends to whom"),
                 required("distances", &T::distances, list(object(distance_table())),
                          "diagonals of the heat map"),
                 required("groups", &T::groups, list(object(groups_table())),
                          "from which all else follows"),
                 when([](const T& traffic) { return traffic.gpus <= kMostHeatMapGpus; },
                      shown<T, std::vector<T::HeatRow>>(
                          "heat_map", [](const T& traffic) { return heat_rows(traffic); },
                          list(object(heat_table())),
                          "of each rank, of up to 512: what it sends to whom")),
                 required("rail_only_enough", &T::rail_only, object(rail_only_table()),
                          "whether rails alone carry the plan"),
                 required("gradient_bytes", &T::gradient_bytes, whole(),
                          "of a parameter, in a reduction"),
                 when([](const T& traffic) { return traffic.by_cpus; },
                      required("by_cpus", &T::by_cpus, boolean(),
                               "gradients are summed by HFReduce: its tree stands as a ring of "
                               "nodes")),
                 optional("zones", &T::zones, object(zones_table()), "what zones send")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
