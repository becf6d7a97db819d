#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/job/traffic.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/perf/machine/torus.hpp"

namespace planner::job {

/// Those of a machine's phases whose groups reach beyond an HB domain.
std::vector<TrafficPhase> beyond_domains(std::span<const TrafficPhase> phases, std::int64_t domain);

/// What the links of a machine and its network carry of a plan.
class TrafficOnLinks {
 public:
  /// @param sums  of the CPUs; none: they sum nothing
  TrafficOnLinks(const Workload& workload, std::span<const TrafficPhase> phases,
                 std::vector<SumByCpus> sums, Seconds iteration);

  /// From the GPU out.
  /// @param placed  see traffic_of()
  /// @throws InputError "no-routing" for a network that is no tree
  [[nodiscard]] std::vector<TierTraffic> tiers(const std::optional<JobOnNetwork>& on,
                                               const std::optional<Node>& node,
                                               const JobSlowdowns* placed) const;
  /// Host bridges and memory of nodes whose GPUs share NICs.
  [[nodiscard]] std::vector<HostTraffic> host() const;

 private:
  using BytesByType = network::BytesByType;
  /// A row of the table. Its links lead out of units of the tier before.
  struct Row {
    std::string name;
    std::int64_t unit_gpus = 1;
    LinkClass links;
    std::optional<std::size_t> links_of;  ///< tier of the network that they are the uplinks of
    std::optional<std::size_t> tier;      ///< that the row is
  };

  void add_node(const Node& node, std::vector<Row>& rows) const;
  void add_fabric(const JobOnNetwork& on, LinkClass cards, const JobSlowdowns* placed,
                  std::vector<Row>& rows) const;
  [[nodiscard]] std::vector<Row> rows(const std::optional<JobOnNetwork>& on,
                                      const std::optional<Node>& node,
                                      const JobSlowdowns* placed) const;
  /// Out of the busiest unit of so many GPUs.
  [[nodiscard]] BytesByType busiest_out(std::span<const TrafficPhase> phases,
                                        std::int64_t unit) const;
  [[nodiscard]] BytesByType out_of_port() const;
  /// Out of the busiest HB domain over the PCIe of its GPUs.
  [[nodiscard]] BytesByType out_over_pcie(const Node& node) const;
  /// So many bytes to the CPU for each byte of a GPU's gradients that they sum.
  template <class PerByte>
  [[nodiscard]] std::vector<TrafficPhase> copies(PerByte&& per_byte) const;
  [[nodiscard]] double usable_share(const DomainLinks& links) const;

  const Workload& workload_;
  std::int64_t gpus_, domain_;
  std::vector<TrafficPhase> all_, inside_, beyond_;
  std::vector<TrafficPhase> of_gpus_;  ///< of those beyond, what no CPU sends
  std::vector<SumByCpus> sums_;
  Seconds iteration_;
};

}  // namespace planner::job
