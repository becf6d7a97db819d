#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/tables.hpp"

namespace planner::catalog {

using namespace json;

const FieldTable<StorageSystem>& storage_table() {
  using S = StorageSystem;
  static const FieldTable<S> table{
      "storage",
      "A shared file system on nodes of its own",
      {name_field<S>(), title_field<S>(),
       required("nodes", &S::nodes, integer(1, 1'000'000), "storage nodes"),
       required("nics", &S::nics, integer(1, 1'000), "NICs of a node"),
       required("nic_bandwidth_GBps", &S::nic_bandwidth, gbps(), "of each NIC, per direction"),
       required("ssds", &S::ssds, integer(1, 1'000), "SSDs of a node that hold data"),
       required("ssd_GB", &S::ssd_capacity, quantity(units::GB, Range::positive()),
                "of each; 1 GB is 1e9 bytes"),
       optional("ssd_read_GBps", &S::ssd_read_bandwidth, gbps(), "of each SSD"),
       optional("ssd_write_GBps", &S::ssd_write_bandwidth, gbps(), "of each SSD"),
       optional("copies", &S::copies, integer(1, 100), "of every byte"),
       optional("measured_read_GBps", &S::measured_read, gbps(), "of the whole system"),
       optional("measured_node_write_GBps", &S::measured_node_write, gbps(),
                "that one compute node reaches"),
       optional("checkpoint_interval_s", &S::checkpoint_interval,
                quantity(units::second, Range::positive()), "between two checkpoints of a job"),
       sources_field<S>()},
      {},
      check_source_keys,
      complete_title<S>};
  return table;
}

}  // namespace planner::catalog
