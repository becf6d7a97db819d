#include "planner/catalog/tables/tables.hpp"

namespace planner::catalog {

using namespace json;

namespace {

constexpr double kLongestHours = 1e6, kLongestDays = 1e6;

/// "agg:2"
Codec<Fault> fault() {
  const Codec<std::string> plain = text();
  return {[plain](const JsonNode& node, const ReadContext& context) -> std::optional<Fault> {
            const std::optional<std::string> named = plain.read(node, context);
            const std::optional<Fault> found = named ? fault_named(*named) : std::nullopt;
            if (named && !found) {
              context.report(node, "bad-value",
                             "expected uplink:K, nic-link, tor, plane, agg:K or core:K, got \"" +
                                 *named + '"');
            }
            return found;
          },
          [plain](const Fault& value, Json& out) { plain.write(text_of(value), out); },
          plain.description()};
}

/// An older key for failed uplinks: read, and written as "fail".
Field<RoutingSettings> failed_uplinks() {
  const Codec<std::int64_t> plain = count_or_none();
  return {"fail_uplinks",
          "uplinks of one leaf that are down, as \"fail\": \"uplink:K\"",
          false,
          [plain](const JsonNode& node, RoutingSettings& settings, const ReadContext& context) {
            const std::optional<std::int64_t> count = plain.read(node, context);
            if (count) settings.fail = Fault{.kind = FaultKind::uplink, .count = *count};
            return count.has_value();
          },
          [](const RoutingSettings&, Json&) {},
          plain.description()};
}

}  // namespace

const FieldTable<RoutingSettings>& routing_table() {
  using S = RoutingSettings;
  static const FieldTable<S> table{
      "routing",
      "How flows find their links and where the job's hosts stand",
      {optional("scheme", &S::scheme, choice(kRoutingSchemes), "how flows find their links"),
       optional("qps", &S::qps, integer(1, 1'000'000), "queue pairs per pair of ports"),
       optional("entropy", &S::entropy, number({0, 1}),
                "share of the QPs that the hash tells apart"),
       optional("striping", &S::striping, choice(kStripings), "of bytes over queue pairs"),
       optional("path_efficiency", &S::efficiency, number(Range::positive(1)),
                "goodput of planned or sprayed paths over their share"),
       optional("quantile", &S::quantile, number({1e-6, 1 - 1e-6}), "of the slowdown"),
       optional("fail", &S::fail, fault(),
                "what is down: uplink:K, nic-link, tor, plane, agg:K, core:K"),
       failed_uplinks(),
       optional("port_down", &S::channels, choice(kChannels),
                "who carries the bytes of a card's port that is down: fixed: the card's others; "
                "rebalanced: all of the node"),
       optional("uplink_use", &S::uplinks, choice(kUplinkUses),
                "how busy other jobs keep those of units that the job has a part of"),
       optional("same_hash", &S::same_hash, boolean(), "all tiers hash alike: polarization"),
       optional("placement", &S::placement, choice(kPlacements), "where the job's hosts stand"),
       optional("rack_share", &S::rack_share, number({1e-6, 1 - 1e-6}),
                "of a rack's slices that a partial job uses"),
       optional("peers", &S::peers, integer(1, 1'000'000),
                "remote ranks that an all-to-all sends to at a time")},
      {{.keys = {"scheme"},
        .holds = [](const S& settings) { return settings.scheme.has_value(); },
        .message = [](const S&) { return std::string("must be given: no scheme is assumed"); }}}};
  return table;
}

const FieldTable<SharingSettings>& sharing_table() {
  using S = SharingSettings;
  static const FieldTable<S> table{
      "storage traffic",
      "What storage moves through the network that training uses too, per GPU",
      {optional("writes_GB", &S::writes, quantity(units::GB, Range::positive()),
                "of one checkpoint; left out: that of the run's model"),
       optional("interval_s", &S::interval,
                quantity(units::second, Range::positive(kLongestSeconds)), "between checkpoints"),
       optional("reads_GBps", &S::reads, quantity(units::GBps, Range::positive()),
                "training data, all the time"),
       optional("limit_GBps", &S::limit, quantity(units::GBps, Range::positive()),
                "that the storage takes; left out: all"),
       optional("flows", &S::flows, integer(1, 1'000'000), "beside each flow of training"),
       optional("traffic_class", &S::traffic_class, number({1e-6, 1 - 1e-6}),
                "share of the network kept for training")},
      {{.keys = {"writes_GB"},
        .holds = [](const S& settings) { return !settings.writes || settings.interval; },
        .message = [](const S&) { return std::string("needs \"interval_s\""); }}}};
  return table;
}

namespace {

/// What older files say of the recovery: true is "restart".
Field<ReliabilitySettings> recovery_can_fail() {
  const Codec<bool> plain = boolean();
  return {"recovery_can_fail",
          "true: \"recovery\": \"restart\", as older files say it",
          false,
          [plain](const JsonNode& node, ReliabilitySettings& into, const ReadContext& context) {
            const std::optional<bool> fails = plain.read(node, context);
            if (fails && *fails && !into.recovery) into.recovery = RecoveryMode::restart;
            return fails.has_value();
          },
          [](const ReliabilitySettings&, Json&) {},
          plain.description()};
}

}  // namespace

const FieldTable<ReliabilitySettings>& recovery_table() {
  using S = ReliabilitySettings;
  static const FieldTable<S> table{
      "recovery",
      "How the job meets failures, where it is not as the rates say",
      {optional("gpus_per_node", &S::gpus_per_node, count(), "of a server; left out: the node's"),
       optional("nics", &S::nics, count_or_none(), "network cards in all; left out: the network's"),
       optional("switches", &S::switches, count_or_none(),
                "access switches, or pairs; left out: the network's"),
       optional("tor", &S::access, choice(kAccessLinks),
                "access switches that a network card hangs on"),
       optional("degraded_speed", &S::degraded_speed, number(Range::positive(1)),
                "of full speed, one of two links or switches down"),
       optional("checkpoint_s", &S::checkpoint,
                quantity(units::second, Range::positive(kLongestSeconds)),
                "useful work between two checkpoints"),
       optional("checkpoint_auto", &S::optimal_checkpoint, boolean(),
                "the optimal interval, whatever the rates' jobs used"),
       optional("stall_s", &S::stall, seconds(), "training time that one checkpoint takes"),
       optional("durable_s", &S::durable, seconds(), "then until it can be loaded (asynchronous)"),
       optional("detect_s", &S::detect, seconds(), "until someone knows of a failure"),
       optional("diagnose_s", &S::diagnose, seconds(),
                "until the faulty part is found and isolated"),
       optional("restart_s", &S::restart, seconds(), "until the job trains again"),
       optional("checkpoint_GB", &S::checkpoint_size, quantity(units::GB, Range::positive()),
                "of one GPU: stall and durability then follow from what storage takes"),
       optional("checkpoint_GBps", &S::checkpoint_rate, quantity(units::GBps, Range::positive()),
                "that storage takes from one GPU"),
       optional("load_GBps", &S::load_rate, quantity(units::GBps, Range::positive()),
                "that storage gives one GPU at the restart"),
       optional("synchronous", &S::synchronous, boolean(),
                "the job waits until a checkpoint is written"),
       optional("recovery", &S::recovery, choice(kRecoveryModes),
                "a failure during the recovery: merge (is cured by it), phased (starts the restart "
                "over) or restart (starts all of it over)"),
       recovery_can_fail(),
       optional("hazard_while_down", &S::hazard, choice(kDownHazards),
                "when nodes of a job that waits for a spare fail: running (never) or all (as "
                "always)"),
       optional(
           "link_loss", &S::link_loss, choice(kLinkLosses),
           "one of two links down: slow (runs on) or swap (pauses for another host); left out: "
           "what loses less"),
       optional("running_share", &S::running_share, number({1e-6, 1}),
                "of its calendar in which the job of the rates ran"),
       optional("rate_uncertainty", &S::rate_factor, number({1, 1000}),
                "the factor within which the rates hold for this cluster, 80 of 100"),
       optional("optional_lines", &S::optional_lines, boolean(),
                "the optional lines of the rates count"),
       optional("flaps_per_link_day", &S::flaps, number(Range::non_negative(1e6)),
                "links down for seconds"),
       optional("upper_switches", &S::upper_switches, count_or_none(),
                "aggregation and core switches of one chip; left out: the network's"),
       optional("chassis_switches", &S::chassis_switches, count_or_none(), "modular switches"),
       optional("feeds", &S::feeds, count_or_none(),
                "power feeds of rows, whose loss cuts nodes off"),
       optional("hosts_per_feed", &S::feed_hosts, count(), "nodes that one of them takes with it"),
       optional("hosts_per_switch", &S::switch_hosts, count(),
                "that an access switch takes with it; left out: its links"),
       optional("spares", &S::spares, integer(0, 1'000'000), "units; left out: always one at hand"),
       optional(
           "swap_unit_gpus", &S::swap_unit, count(),
           "that a spare takes the place of at once; left out: server or HB domain, with optical "
           "switches tray"),
       optional("shrink_groups", &S::shrink, integer(2, 100'000'000),
                "data-parallel groups: in the place of spares the job goes on without those that "
                "lost a host until it is back"),
       optional("tray_gpus", &S::tray, count(), "of a unit's parts that fail one by one"),
       optional("spare_trays", &S::spare_trays, count_or_none(), "kept ready in each unit"),
       optional("optical_swap_s", &S::reconfigure, seconds(),
                "optical switches put a spare in the place of a failed part in such a time"),
       optional("optical_ports", &S::optical_ports, count_or_none(), "of these switches"),
       optional("optical_port_price_usd", &S::optical_port_price,
                quantity(units::usd, Range::non_negative(1e9)), "of one of them"),
       optional("optical_port_power_W", &S::optical_port_power,
                quantity(units::W, Range::non_negative(1e6)), "of one of them"),
       optional("spare_pools", &S::spare_pools, integer(1, 1'000'000),
                "equal pools of all spares, which share none"),
       optional("repair_h", &S::repair, quantity(units::hour, Range::positive(kLongestHours)),
                "mean time until a failed part is back"),
       optional("crews", &S::crews, integer(1, 1'000'000), "repairs at once, of all pools"),
       optional("repair_visits_days", &S::visits,
                quantity(units::day, Range::positive(kLongestDays)),
                "repair all failed nodes every so many days")},
      {{.keys = {"checkpoint_auto", "checkpoint_s"},
        .holds = [](const S& s) { return !s.optimal_checkpoint.value_or(false) || !s.checkpoint; },
        .message =
            [](const S&) { return std::string("excludes \"checkpoint_s\": give one of them"); }}}};
  return table;
}

}  // namespace planner::catalog
