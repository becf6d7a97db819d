#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"
#include "planner/job/routing.hpp"
#include "planner/network/flows/traffic.hpp"
#include "planner/perf/hfreduce/hfreduce.hpp"

// What a plan sends in an iteration, and what of it every class of links carries.
namespace planner::job {

/// Bytes that the groups of a strategy send in one iteration, the mean of all stages:
///   tensor      8·(l/p)·(B/d)·(t-1)/t·2hs/cp  (Narayanan et al. 2021, §3.2: four all-reduces of
///               2bsh bytes a layer and micro-batch; full recomputation half as much again); in a
///               layer of experts only attention and shared experts take part
///   context     3·(B/d)·(l/p)·(cp-1)·2(s/cp)·w_kv/t  (arXiv 2310.01889: keys and values forward,
///               with their gradients backward)
///   pipeline    v·(B/d)·2hs/(cp·[t where ranks send parts]) over each boundary and either way, and
///               between the last and first stage (v-1)/v of it
///   data        (n-1)/n·P·r of the layers' P parameters of a GPU, r bytes by ZeRO stage: g + g,
///               g + 2, g + 2 (m·g + 2 without a pipeline), m·(2·gathers + g); of experts likewise
///               over their own ranks
///   vocabulary  the same of the vocabulary's tables, on the stages that have them
///   expert      4·(B/d)·(l_moe/p)·copies·2h(s/cp)/t: dispatch and combine, forward and backward
/// The second gather of sequence parallelism's backward pass, which would add a quarter to tensor
/// parallelism, is left out, as published counts leave it out. Collectives over several HB domains
/// are hierarchical (rail-only paper, arXiv 2307.12169, Eq. 1); where the GPUs of a node share NICs
/// gradients go round one ring of all ranks, see nested_ring(). HFReduce (arXiv 2408.14158, §IV)
/// sends 2·D between the GPUs of an NVLink pair and, as much as its busiest node, u·D for each sum
/// of a node: what it copies to the CPUs is no traffic between GPUs, but loads their links, see
/// Traffic.
/// @param by  what sums the gradients; nothing: a library of the GPUs
std::vector<TrafficPhase> traffic_phases(const Workload& workload, const Strategy& strategy,
                                         std::optional<GradientSync> by = {});
std::vector<TrafficPhase> traffic_phases(const Workload& workload, Strategy strategy,
                                         Outermost axis, std::optional<GradientSync> by = {});

/// What the CPUs of nodes sum in an iteration.
struct SumByCpus {
  TrafficType type = TrafficType::data;
  Bytes reduced{};  ///< of each GPU
  HfReduceOptions options{};
  std::vector<std::vector<RankPlace>> on{};  ///< stages that have them, one each; none: all
};
/// Of a plan whose gradients HFReduce sums; nothing on machines where it cannot.
std::vector<SumByCpus> sums_by_cpus(const Workload& workload, const Strategy& strategy);

/// Links of one kind: out of an HB domain, out of a leaf.
struct LinkClass {
  std::string name;            ///< "leaf – spine"
  std::int64_t unit_gpus = 1;  ///< GPUs of the job in the unit that they leave
  BytesPerSecond capacity{};   ///< of all of a unit's that it has, one direction
};

/// What both ends of which lie in one unit of a tier, but not of the tier before, and the links
/// that lead there.
struct TierTraffic {
  std::string name;  ///< of a leaf in an HB domain: nothing but its links is of note
  std::int64_t unit_gpus = 1;
  network::BytesByType bytes{};  ///< of all GPUs
  LinkClass links;
  network::BytesByType busiest{};  ///< out of the busiest unit of these links
  double utilisation = 0;          ///< of its links, over the iteration
};

/// What is shared by both directions between the GPUs of a node and its CPUs, and what the busiest
/// such thing carries.
struct HostTraffic {
  std::string name;            ///< "host bridge"
  std::int64_t unit_gpus = 1;  ///< GPUs that share it
  BytesPerSecond capacity{};   ///< both directions together
  network::BytesByType bytes{};
  double utilisation = 0;  ///< over the iteration
};

/// What leaves each zone that a job has GPUs of.
struct ZoneTraffic {
  std::vector<std::int64_t> gpus;
  Outermost axis = Outermost::pipeline;  ///< the plan's, or of the smaller sum of what leaves zones
  std::vector<network::BytesByType> out;         ///< of each zone, in that order
  Bytes pipeline_outermost{}, data_outermost{};  ///< out of all zones
};

struct Traffic {
  std::int64_t gpus = 0, hb_domain = 1;
  std::vector<TrafficPhase> phases;
  network::BytesByType sent{};  ///< of all GPUs
  std::vector<TierTraffic> tiers;
  std::vector<HostTraffic> host{};  ///< of nodes whose GPUs share NICs
  network::Pairs pairs;
  std::vector<network::PairRow> rows;
  Bytes network{};       ///< between HB domains
  Bytes off_rail{};      ///< of it, between GPUs of different places in their domains
  Seconds forwarding{};  ///< longer iteration where that is first moved to its rail
  std::optional<ZoneTraffic> zones{};
  bool by_cpus = false;             ///< gradients are summed by HFReduce
  std::int64_t gradient_bytes = 2;  ///< of a parameter, in a reduction
};

/// Bytes in which a workload's gradients are reduced: its software's, of the closed form 2 as the
/// paper counts.
std::int64_t gradient_bytes(const Workload& workload);

/// A plan's traffic on its machine, and on a network where one is given.
/// @param placed  where the job stands and what is down, where its time knows; else null: units are
///                filled one after the other, and nothing is down
/// @param zones  GPUs of the job in each zone, in the order of ranks; empty: no zones
/// @throws InputError "no-routing" for a network that is no tree
Traffic traffic_of(const Workload& workload, const Plan& plan,
                   const std::optional<JobOnNetwork>& on, const std::optional<Node>& node,
                   const JobSlowdowns* placed = nullptr,
                   const std::vector<std::int64_t>& zones = {});

/// Whether rails alone carry the plan, as a sentence.
std::string rail_only_sentence(const Traffic& traffic, Seconds iteration);

}  // namespace planner::job
