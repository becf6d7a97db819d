#include "planner/site/wiring/wirer.hpp"

namespace planner::site {
namespace {

/// Global links between groups, in rounds: each joins every pair of groups once, group i to
/// i + 1 … i + g-1. What is left over of the groups' ports joins each group to its nearest
/// neighbours on the circle, and an odd port to the opposite group; of an odd number of groups,
/// to its mirror image about group `left`, whose own port stays free.
class GlobalLinks {
 public:
  GlobalLinks(std::int64_t groups, std::int64_t ports, std::int64_t left)
      : groups_(groups), ports_(ports), left_(left) {}

  template <class Join>
  void each(const Join& join) const {
    const std::int64_t others = groups_ - 1;
    for (std::int64_t round = 0; round < ports_ / others; ++round) {
      for (std::int64_t a = 0; a < groups_; ++a) {
        for (std::int64_t b = a + 1; b < groups_; ++b) join(a, b);
      }
    }
    const std::int64_t rest = ports_ % others;
    for (std::int64_t step = 1; step <= rest / 2; ++step) {
      for (std::int64_t a = 0; a < groups_; ++a) join(a, (a + step) % groups_);
    }
    if (rest % 2 == 0) return;
    if (groups_ % 2 == 0) {
      for (std::int64_t a = 0; a < groups_ / 2; ++a) join(a, a + groups_ / 2);
      return;
    }
    for (std::int64_t step = 1; step <= groups_ / 2; ++step) {
      join((left_ + step) % groups_, (left_ + groups_ - step) % groups_);
    }
  }

 private:
  std::int64_t groups_, ports_, left_;
};

/// Hands out the global ports of each group, router by router.
class GroupPorts {
 public:
  /// @param short_router  the one with a port less; negative: none
  GroupPorts(std::int64_t groups, std::int64_t in_group, std::int64_t each,
             std::int64_t short_router)
      : in_group_(in_group), each_(each), short_(short_router), next_(groups, 0) {}

  std::int64_t router(std::int64_t group) {
    std::int64_t port = next_[group]++;
    if (short_ >= 0 && short_ / in_group_ == group &&
        port >= (short_ % in_group_ + 1) * each_ - 1) {
      ++port;
    }
    return group * in_group_ + port / each_;
  }

 private:
  std::int64_t in_group_, each_, short_;
  std::vector<std::int64_t> next_;
};

}  // namespace

void wire_parts(Wirer& wirer, const FabricDesign& design, const FabricCount& count,
                const Dragonfly& options) {
  const std::int64_t routers = count.switches_named("router");
  const std::int64_t groups = count.units, in_group = routers / groups;
  const std::int64_t global = options.global_per_router.value_or((design.radix + 1) / 4);
  const Runs hosts{.things = count.endpoints, .bins = routers};
  const std::size_t gpu = wirer.devices("gpu", count.endpoints);
  const std::size_t router = wirer.tier("router");
  const std::size_t host = wirer.layer("host", gpu, router);
  for (std::int64_t e = 0; e < count.endpoints; ++e) wirer.link(host, e, hosts.bin_of(e));
  wirer.sets(groups);
  wirer.set_of(gpu, [&](std::int64_t e) { return hosts.bin_of(e) / in_group; });
  wirer.set_of(router, [&](std::int64_t id) { return id / in_group; });
  wirer.align(router);
  const std::size_t local = wirer.layer("local", router, router);
  for (std::int64_t group = 0; group < groups; ++group) {
    for (std::int64_t a = 0; a < in_group; ++a) {
      for (std::int64_t b = a + 1; b < in_group; ++b) {
        wirer.link(local, group * in_group + a, group * in_group + b);
      }
    }
  }
  if (groups < 2) return;
  // Of an odd number of ports one stays free: on the router before the one where, as cards are
  // dealt, the next would go.
  const bool odd = routers * global % 2 != 0;
  const std::int64_t left = odd ? (count.endpoints + routers - 1) % routers : -1;
  GroupPorts ports(groups, in_group, global, left);
  const std::size_t across = wirer.layer("global", router, router);
  GlobalLinks(groups, in_group * global, odd ? left / in_group : 0)
      .each([&](std::int64_t a, std::int64_t b) {
        const std::int64_t from = ports.router(a);
        wirer.link(across, from, ports.router(b));
      });
}

}  // namespace planner::site
