# Written by tools/python-stubs from the library's own description of its commands.
from os import PathLike
from typing import List, Optional, Union

from ._answer import Answer as Answer, Chart as Chart, PlannerError as PlannerError
from ._commands import Value, call as call
from ._library import version as version

__version__: str
__all__: List[str]

def optimize(
    *,
    model: Optional[Value] = ...,
    system: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    global_batch: Optional[Value] = ...,
    seq: Optional[Value] = ...,
    precision: Optional[Value] = ...,
    tokens: Optional[Value] = ...,
    timing: Optional[Value] = ...,
    software: Optional[Value] = ...,
    attention: Optional[Value] = ...,
    tp_overlap: Optional[bool] = ...,
    dp_overlap: Optional[bool] = ...,
    gradient_bytes: Optional[Value] = ...,
    moment_bytes: Optional[Value] = ...,
    zero1_shard_gpus: Optional[Value] = ...,
    fp8_attention: Optional[bool] = ...,
    loss: Optional[Value] = ...,
    loss_chunks: Optional[Value] = ...,
    offloaded_layers: Optional[Value] = ...,
    free_stage_inputs: Optional[bool] = ...,
    offloaded_optimizer: Optional[bool] = ...,
    dispatcher: Optional[Value] = ...,
    dropless: Optional[bool] = ...,
    micro_batches_per_flush: Optional[Value] = ...,
    expert_overlap: Optional[bool] = ...,
    expert_domain_limit: Optional[Value] = ...,
    dispatch_bytes: Optional[Value] = ...,
    communication_sm_share: Optional[Value] = ...,
    gradient_sync: Optional[Value] = ...,
    pipeline_sends: Optional[Value] = ...,
    calibration: Optional[Value] = ...,
    hb_domain: Optional[Value] = ...,
    hb_bandwidth: Optional[Value] = ...,
    network_bandwidth: Optional[Value] = ...,
    memory: Optional[Value] = ...,
    tp: Optional[Value] = ...,
    pp: Optional[Value] = ...,
    dp: Optional[Value] = ...,
    cp: Optional[Value] = ...,
    ep: Optional[Value] = ...,
    expert_tp: Optional[Value] = ...,
    interleave: Optional[Value] = ...,
    micro_batch: Optional[Value] = ...,
    recompute: Optional[Value] = ...,
    recompute_modules: Optional[Value] = ...,
    recompute_layer_share: Optional[Value] = ...,
    zero: Optional[Value] = ...,
    shard_ranks: Optional[Value] = ...,
    sequence_parallel: Optional[bool] = ...,
    tp_hb: Optional[Value] = ...,
    pp_hb: Optional[Value] = ...,
    dp_hb: Optional[Value] = ...,
    cp_hb: Optional[Value] = ...,
    ep_hb: Optional[Value] = ...,
    schedule: Optional[Value] = ...,
    max_tp: Optional[Value] = ...,
    all_axes: Optional[bool] = ...,
    bytes_per_param: Optional[Value] = ...,
    topology: Optional[Value] = ...,
    radix: Optional[Value] = ...,
    port_gbps: Optional[Value] = ...,
    rails: Optional[Value] = ...,
    planes: Optional[Value] = ...,
    oversubscription: Optional[Value] = ...,
    inter_zone_links: Optional[Value] = ...,
    storage_ports: Optional[Value] = ...,
    max_pods: Optional[Value] = ...,
    agg_core_ports: Optional[Value] = ...,
    rail_only_tier2: Optional[bool] = ...,
    max_gpus: Optional[Value] = ...,
    objective: Optional[Value] = ...,
    gpu_hour_price: Optional[Value] = ...,
    economics: Optional[Value] = ...,
    rent_term: Optional[Value] = ...,
    top: Optional[Value] = ...,
    min_p_fits: Optional[Value] = ...,
    pareto: Optional[bool] = ...,
    traffic: Optional[bool] = ...,
    nearest: Optional[Value] = ...,
    explain: Optional[bool] = ...,
    emit: Optional[Value] = ...,
    threads: Optional[Value] = ...,
    confidence: Optional[Value] = ...,
    routing: Optional[Value] = ...,
    qps: Optional[Value] = ...,
    entropy: Optional[Value] = ...,
    striping: Optional[Value] = ...,
    fail: Optional[Value] = ...,
    port_down: Optional[Value] = ...,
    uplink_use: Optional[Value] = ...,
    same_hash: Optional[bool] = ...,
    placement: Optional[Value] = ...,
    free_gpus: Optional[Value] = ...,
    cluster_gpus: Optional[Value] = ...,
    rack_share: Optional[Value] = ...,
    peers: Optional[Value] = ...,
    path_efficiency: Optional[Value] = ...,
    quantile: Optional[Value] = ...,
    storage_writes: Optional[Value] = ...,
    storage_interval: Optional[Value] = ...,
    storage_reads: Optional[Value] = ...,
    storage_limit: Optional[Value] = ...,
    storage_flows: Optional[Value] = ...,
    traffic_class: Optional[Value] = ...,
    rates: Optional[Value] = ...,
    gpus_per_node: Optional[Value] = ...,
    nics: Optional[Value] = ...,
    switches: Optional[Value] = ...,
    upper_switches: Optional[Value] = ...,
    chassis_switches: Optional[Value] = ...,
    hosts_per_switch: Optional[Value] = ...,
    feeds: Optional[Value] = ...,
    hosts_per_feed: Optional[Value] = ...,
    optional_lines: Optional[bool] = ...,
    flaps: Optional[Value] = ...,
    running_share: Optional[Value] = ...,
    rate_uncertainty: Optional[Value] = ...,
    tor: Optional[Value] = ...,
    degraded_speed: Optional[Value] = ...,
    checkpoint: Optional[Value] = ...,
    stall: Optional[Value] = ...,
    durable: Optional[Value] = ...,
    detect: Optional[Value] = ...,
    diagnose: Optional[Value] = ...,
    restart: Optional[Value] = ...,
    checkpoint_size: Optional[Value] = ...,
    checkpoint_rate: Optional[Value] = ...,
    load_rate: Optional[Value] = ...,
    synchronous: Optional[bool] = ...,
    recovery: Optional[Value] = ...,
    link_loss: Optional[Value] = ...,
    optical_swap: Optional[Value] = ...,
    optical_ports: Optional[Value] = ...,
    optical_port_price: Optional[Value] = ...,
    optical_port_power: Optional[Value] = ...,
    spares: Optional[Value] = ...,
    swap_unit: Optional[Value] = ...,
    shrink: Optional[Value] = ...,
    tray: Optional[Value] = ...,
    spare_trays: Optional[Value] = ...,
    hazard_while_down: Optional[Value] = ...,
    spare_pools: Optional[Value] = ...,
    repair: Optional[Value] = ...,
    crews: Optional[Value] = ...,
    repair_visits: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Find the best strategy, exactly, out of every legal one.

    model (NAME|FILE): a name (planner list models), or a JSON file
    system (NAME|FILE): GPU, HB domain, network (default dgx-h100)
    gpus (N): GPUs in all (optimize --objective cost: a list)
    global_batch (N): sequences per iteration (default: reference run)
    seq (N): tokens per sequence (default: reference run)
    precision (NAME): of the matrix products (default bf16)
    tokens (N): tokens to train, e.g. 15T: adds days, GPU-hours
    timing (MODEL): calibrated (default) or closed-form
    software (CLASS): eager, flash, torch, mcore, te or jax (default: by GPU)
    attention (KERNEL): unfused, flash1, flash2 or cudnn
    tp_overlap: torch's asynchronous tensor parallelism (te overlaps anyway)
    dp_overlap: the gradient reduction overlaps the backward pass
    gradient_bytes (N): of a reduced gradient: 2 or 4 (default: by class)
    moment_bytes (N): of each of Adam's moments: 2 or 4 (4)
    zero1_shard_gpus (N): neighbours that ZeRO 1 shards optimizer states over (all)
    fp8_attention: fused attention in 8 bits
    loss (KERNEL): plain, fused or in-place (default: by class)
    loss_chunks (N): that the loss layer takes in turn (1)
    offloaded_layers (N): of a stage, whose activations lie in host memory (0)
    free_stage_inputs: of a pipeline's chunk, once its first norm has read it
    offloaded_optimizer: ZeRO 1's states lie in host memory but for its step
    dispatcher (NAME): of tokens to experts: alltoall, deepep or hybridep (default: by class)
    dropless: routing is as it comes, not balanced: slower
    micro_batches_per_flush (N): after which pipelines drain (default: all)
    expert_overlap: all-to-alls overlap another micro-batch (DualPipe)
    expert_domain_limit (N): HB domains that one token's experts lie in
    dispatch_bytes (N): per element sent to the experts: 1 for fp8 (2)
    communication_sm_share (X): of the SMs, taken by communication (0)
    gradient_sync (HOW): auto (default), nccl or hfreduce (PCIe nodes)
    pipeline_sends (HOW): staggered (default) or at-once, on shared NICs
    calibration (NAME|FILE): constants of the calibrated model
    hb_domain (K): GPUs per HB domain
    hb_bandwidth (GB/s): in an HB domain, per GPU and direction
    network_bandwidth (GB/s): between HB domains, per GPU and direction
    memory (GB): of one GPU, 1 GB is 1e9 bytes
    tp (N): tensor parallel degree
    pp (N): pipeline parallel degree
    dp (N): data parallel degree
    cp (N): context parallel degree
    ep (N): expert parallel degree
    expert_tp (N): tensor parallel degree of the experts
    interleave (N): model chunks per pipeline rank
    micro_batch (N): sequences per micro-batch
    recompute (MODE): none, selective (default) or full
    recompute_modules (LIST): of selective recomputation, as Megatron's: layernorm,moe_act
    recompute_layer_share (X): of the layers, that --recompute full runs again (1)
    zero (STAGE): ZeRO stage 0 (default) to 3
    shard_ranks (N): ranks that ZeRO 3 shards over (hybrid: not all)
    sequence_parallel: shard norms along the sequence too (default)
    tp_hb (N): tensor parallel ranks inside an HB domain
    pp_hb (N): pipeline ranks inside an HB domain
    dp_hb (N): data parallel ranks inside an HB domain
    cp_hb (N): context parallel ranks inside an HB domain
    ep_hb (N): expert parallel ranks inside an HB domain
    schedule (NAME): 1f1b, interleaved, zb-1p or zb-2p
    max_tp (N): no larger tensor parallel degree
    all_axes: open recompute, ZeRO and sequence parallel too
    bytes_per_param (N): weights, gradients and optimizer (default 18)
    topology (NAME): fat-tree, rail-optimized, superpod, rail-only, …
    radix (K): ports of a switch at the port speed
    port_gbps (GBPS): speed of a port, Gb/s per direction
    rails (R): GPUs of an HB domain that have a rail of their own
    planes (P): disjoint networks, GPUs on all; multi-plane: on one
    oversubscription (D:U): of a leaf switch, down to up: 2:1
    inter_zone_links (N): of each zone of a two-zone tree
    storage_ports (N): for storage in each zone of a two-zone tree
    max_pods (N): pods of hpn and dcn-plus at most
    agg_core_ports (N): of an aggregation switch of hpn and dcn-plus
    rail_only_tier2: hpn: each rail in planes of its own above its ToRs
    max_gpus (N): in place of --gpus: the best number up to so many
    objective (WHAT): rank by time (default), cost or memory
    gpu_hour_price (USD): of one GPU, all included: adds dollars
    economics (NAME|FILE): whose rent of the GPU it is (cost: us-2026)
    rent_term (TERM): that it is rented for: on-demand (default), one-year or three-years
    top (K): how many strategies to list (default 5)
    min_p_fits (P): least probability that a plan fits the memory
    pareto: the front of time against memory, from the search
    traffic: what the plan sends, and what links carry
    nearest (K): measured runs most like the plan, beside it
    explain: show each formula with its numbers
    emit (STACK): settings for megatron, nemo, torchtitan, deepspeed or maxtext
    threads (N): of the search or fit (default: all cores)
    confidence (SHARE): of runs that stay within the days and dollars told (default 0.9)
    routing (NAME): ecmp, ecmp-qp, pin, te, c4p, spray or dual-plane
    qps (N): queue pairs per pair of ports (default 1)
    entropy (SHARE): of the QPs that the hash tells apart, 0 to 1
    striping (static|adaptive): of bytes over queue pairs (default static)
    fail (WHAT): uplink:K, nic-link, tor, plane, agg:K or core:K
    port_down (fixed|rebalanced): who carries its bytes: its card, or the node (default fixed)
    uplink_use (shared|alone): other jobs on units that the job shares (default shared)
    same_hash: all tiers hash alike: polarization
    placement (NAME): whole, partial, random, zone-pair or pp-across-pods
    free_gpus (LIST): of each pod, zone or else leaf: where the job can stand
    cluster_gpus (N): of the whole network (default: the job's)
    rack_share (SHARE): of a rack's slices that a partial job uses (0.5)
    peers (N): ranks an all-to-all sends to at a time (default 1)
    path_efficiency (SHARE): goodput of planned or sprayed paths (default 1)
    quantile (P): of the slowdown (default 0.99)
    storage_writes (GB): of one checkpoint (a plan: its model's)
    storage_interval (S): seconds between checkpoints
    storage_reads (GB/s): training data, all the time
    storage_limit (GB/s): that the storage takes (default: all)
    storage_flows (N): beside each flow of training (default 1)
    traffic_class (SHARE): kept for training by a traffic class
    rates (NAME|FILE): failure rates: planner list rates
    gpus_per_node (N): GPUs of a server (default 8)
    nics (N): network cards in all (default: one per GPU)
    switches (N): access switches, or pairs (default: a 64th of the NICs)
    upper_switches (N): aggregation and core switches of one chip
    chassis_switches (N): modular switches
    hosts_per_switch (N): that an access switch takes with it (default: its links)
    feeds (N): power feeds of rows, whose loss takes nodes with it
    hosts_per_feed (N): nodes that one of them takes with it
    optional_lines: count the optional lines of the rates too
    flaps (N): of one link in a day: 9 s each, 0 with --tor dual
    running_share (SHARE): of its calendar in which the rates' own job ran (default: as they say)
    rate_uncertainty (FACTOR): the rates hold here within it, 80 of 100 (1: your own) (default 2.4)
    tor (single|dual): access switches that a network card hangs on
    degraded_speed (SHARE): of full speed, one of two links or switches down
    checkpoint (auto|S): useful seconds between two (auto: the optimum)
    stall (S): training time that one checkpoint takes
    durable (S): then until it can be loaded (asynchronous)
    detect (S): until someone knows of a failure
    diagnose (S): until the faulty part is found and isolated
    restart (S): until the job trains again
    checkpoint_size (GB): a GPU's part of a checkpoint
    checkpoint_rate (GB/s): that storage takes from one GPU: gives stall and durability
    load_rate (GB/s): that storage gives one GPU at the restart
    synchronous: the job waits until a checkpoint is written
    recovery (MODE): a failure during recovery: merge (default), phased or restart
    link_loss (slow|swap): of two, one down: run on, or swap the host (default: what loses less)
    optical_swap (S): optical switches put a spare in the place of a failed part in so long
    optical_ports (N): of these switches
    optical_port_price (USD): of one of them
    optical_port_power (W): of one of them
    spares (N): units in all (default: always one at hand)
    swap_unit (GPUS): that a spare replaces at once (default: server, HB domain; optical: tray)
    shrink (DP): data-parallel groups: go on without one that lost a host until it is back
    tray (GPUS): of a unit's parts that fail one by one
    spare_trays (N): kept ready in each unit, idle ones among them
    hazard_while_down (running|all): hours in which nodes of a waiting job fail (default running)
    spare_pools (N): equal pools that share no spares, of all --spares (default 1)
    repair (H): mean hours until a failed part is back
    crews (N): repairs at once, of all pools (default: as many as needed)
    repair_visits (DAYS): repair all failed nodes every so many days
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def estimate(
    *,
    model: Optional[Value] = ...,
    system: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    global_batch: Optional[Value] = ...,
    seq: Optional[Value] = ...,
    precision: Optional[Value] = ...,
    tokens: Optional[Value] = ...,
    timing: Optional[Value] = ...,
    software: Optional[Value] = ...,
    attention: Optional[Value] = ...,
    tp_overlap: Optional[bool] = ...,
    dp_overlap: Optional[bool] = ...,
    gradient_bytes: Optional[Value] = ...,
    moment_bytes: Optional[Value] = ...,
    zero1_shard_gpus: Optional[Value] = ...,
    fp8_attention: Optional[bool] = ...,
    loss: Optional[Value] = ...,
    loss_chunks: Optional[Value] = ...,
    offloaded_layers: Optional[Value] = ...,
    free_stage_inputs: Optional[bool] = ...,
    offloaded_optimizer: Optional[bool] = ...,
    dispatcher: Optional[Value] = ...,
    dropless: Optional[bool] = ...,
    micro_batches_per_flush: Optional[Value] = ...,
    expert_overlap: Optional[bool] = ...,
    expert_domain_limit: Optional[Value] = ...,
    dispatch_bytes: Optional[Value] = ...,
    communication_sm_share: Optional[Value] = ...,
    gradient_sync: Optional[Value] = ...,
    pipeline_sends: Optional[Value] = ...,
    calibration: Optional[Value] = ...,
    hb_domain: Optional[Value] = ...,
    hb_bandwidth: Optional[Value] = ...,
    network_bandwidth: Optional[Value] = ...,
    memory: Optional[Value] = ...,
    tp: Optional[Value] = ...,
    pp: Optional[Value] = ...,
    dp: Optional[Value] = ...,
    cp: Optional[Value] = ...,
    ep: Optional[Value] = ...,
    expert_tp: Optional[Value] = ...,
    interleave: Optional[Value] = ...,
    micro_batch: Optional[Value] = ...,
    recompute: Optional[Value] = ...,
    recompute_modules: Optional[Value] = ...,
    recompute_layer_share: Optional[Value] = ...,
    zero: Optional[Value] = ...,
    shard_ranks: Optional[Value] = ...,
    sequence_parallel: Optional[bool] = ...,
    tp_hb: Optional[Value] = ...,
    pp_hb: Optional[Value] = ...,
    dp_hb: Optional[Value] = ...,
    cp_hb: Optional[Value] = ...,
    ep_hb: Optional[Value] = ...,
    schedule: Optional[Value] = ...,
    bytes_per_param: Optional[Value] = ...,
    topology: Optional[Value] = ...,
    radix: Optional[Value] = ...,
    port_gbps: Optional[Value] = ...,
    rails: Optional[Value] = ...,
    planes: Optional[Value] = ...,
    oversubscription: Optional[Value] = ...,
    inter_zone_links: Optional[Value] = ...,
    storage_ports: Optional[Value] = ...,
    max_pods: Optional[Value] = ...,
    agg_core_ports: Optional[Value] = ...,
    rail_only_tier2: Optional[bool] = ...,
    gpu_hour_price: Optional[Value] = ...,
    economics: Optional[Value] = ...,
    rent_term: Optional[Value] = ...,
    traffic: Optional[bool] = ...,
    nearest: Optional[Value] = ...,
    explain: Optional[bool] = ...,
    emit: Optional[Value] = ...,
    threads: Optional[Value] = ...,
    confidence: Optional[Value] = ...,
    routing: Optional[Value] = ...,
    qps: Optional[Value] = ...,
    entropy: Optional[Value] = ...,
    striping: Optional[Value] = ...,
    fail: Optional[Value] = ...,
    port_down: Optional[Value] = ...,
    uplink_use: Optional[Value] = ...,
    same_hash: Optional[bool] = ...,
    placement: Optional[Value] = ...,
    free_gpus: Optional[Value] = ...,
    cluster_gpus: Optional[Value] = ...,
    rack_share: Optional[Value] = ...,
    peers: Optional[Value] = ...,
    path_efficiency: Optional[Value] = ...,
    quantile: Optional[Value] = ...,
    storage_writes: Optional[Value] = ...,
    storage_interval: Optional[Value] = ...,
    storage_reads: Optional[Value] = ...,
    storage_limit: Optional[Value] = ...,
    storage_flows: Optional[Value] = ...,
    traffic_class: Optional[Value] = ...,
    rates: Optional[Value] = ...,
    gpus_per_node: Optional[Value] = ...,
    nics: Optional[Value] = ...,
    switches: Optional[Value] = ...,
    upper_switches: Optional[Value] = ...,
    chassis_switches: Optional[Value] = ...,
    hosts_per_switch: Optional[Value] = ...,
    feeds: Optional[Value] = ...,
    hosts_per_feed: Optional[Value] = ...,
    optional_lines: Optional[bool] = ...,
    flaps: Optional[Value] = ...,
    running_share: Optional[Value] = ...,
    rate_uncertainty: Optional[Value] = ...,
    tor: Optional[Value] = ...,
    degraded_speed: Optional[Value] = ...,
    checkpoint: Optional[Value] = ...,
    stall: Optional[Value] = ...,
    durable: Optional[Value] = ...,
    detect: Optional[Value] = ...,
    diagnose: Optional[Value] = ...,
    restart: Optional[Value] = ...,
    checkpoint_size: Optional[Value] = ...,
    checkpoint_rate: Optional[Value] = ...,
    load_rate: Optional[Value] = ...,
    synchronous: Optional[bool] = ...,
    recovery: Optional[Value] = ...,
    link_loss: Optional[Value] = ...,
    optical_swap: Optional[Value] = ...,
    optical_ports: Optional[Value] = ...,
    optical_port_price: Optional[Value] = ...,
    optical_port_power: Optional[Value] = ...,
    spares: Optional[Value] = ...,
    swap_unit: Optional[Value] = ...,
    shrink: Optional[Value] = ...,
    tray: Optional[Value] = ...,
    spare_trays: Optional[Value] = ...,
    hazard_while_down: Optional[Value] = ...,
    spare_pools: Optional[Value] = ...,
    repair: Optional[Value] = ...,
    crews: Optional[Value] = ...,
    repair_visits: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Time and memory of one strategy.

    model (NAME|FILE): a name (planner list models), or a JSON file
    system (NAME|FILE): GPU, HB domain, network (default dgx-h100)
    gpus (N): GPUs in all (optimize --objective cost: a list)
    global_batch (N): sequences per iteration (default: reference run)
    seq (N): tokens per sequence (default: reference run)
    precision (NAME): of the matrix products (default bf16)
    tokens (N): tokens to train, e.g. 15T: adds days, GPU-hours
    timing (MODEL): calibrated (default) or closed-form
    software (CLASS): eager, flash, torch, mcore, te or jax (default: by GPU)
    attention (KERNEL): unfused, flash1, flash2 or cudnn
    tp_overlap: torch's asynchronous tensor parallelism (te overlaps anyway)
    dp_overlap: the gradient reduction overlaps the backward pass
    gradient_bytes (N): of a reduced gradient: 2 or 4 (default: by class)
    moment_bytes (N): of each of Adam's moments: 2 or 4 (4)
    zero1_shard_gpus (N): neighbours that ZeRO 1 shards optimizer states over (all)
    fp8_attention: fused attention in 8 bits
    loss (KERNEL): plain, fused or in-place (default: by class)
    loss_chunks (N): that the loss layer takes in turn (1)
    offloaded_layers (N): of a stage, whose activations lie in host memory (0)
    free_stage_inputs: of a pipeline's chunk, once its first norm has read it
    offloaded_optimizer: ZeRO 1's states lie in host memory but for its step
    dispatcher (NAME): of tokens to experts: alltoall, deepep or hybridep (default: by class)
    dropless: routing is as it comes, not balanced: slower
    micro_batches_per_flush (N): after which pipelines drain (default: all)
    expert_overlap: all-to-alls overlap another micro-batch (DualPipe)
    expert_domain_limit (N): HB domains that one token's experts lie in
    dispatch_bytes (N): per element sent to the experts: 1 for fp8 (2)
    communication_sm_share (X): of the SMs, taken by communication (0)
    gradient_sync (HOW): auto (default), nccl or hfreduce (PCIe nodes)
    pipeline_sends (HOW): staggered (default) or at-once, on shared NICs
    calibration (NAME|FILE): constants of the calibrated model
    hb_domain (K): GPUs per HB domain
    hb_bandwidth (GB/s): in an HB domain, per GPU and direction
    network_bandwidth (GB/s): between HB domains, per GPU and direction
    memory (GB): of one GPU, 1 GB is 1e9 bytes
    tp (N): tensor parallel degree
    pp (N): pipeline parallel degree
    dp (N): data parallel degree
    cp (N): context parallel degree
    ep (N): expert parallel degree
    expert_tp (N): tensor parallel degree of the experts
    interleave (N): model chunks per pipeline rank
    micro_batch (N): sequences per micro-batch
    recompute (MODE): none, selective (default) or full
    recompute_modules (LIST): of selective recomputation, as Megatron's: layernorm,moe_act
    recompute_layer_share (X): of the layers, that --recompute full runs again (1)
    zero (STAGE): ZeRO stage 0 (default) to 3
    shard_ranks (N): ranks that ZeRO 3 shards over (hybrid: not all)
    sequence_parallel: shard norms along the sequence too (default)
    tp_hb (N): tensor parallel ranks inside an HB domain
    pp_hb (N): pipeline ranks inside an HB domain
    dp_hb (N): data parallel ranks inside an HB domain
    cp_hb (N): context parallel ranks inside an HB domain
    ep_hb (N): expert parallel ranks inside an HB domain
    schedule (NAME): 1f1b, interleaved, zb-1p or zb-2p
    bytes_per_param (N): weights, gradients and optimizer (default 18)
    topology (NAME): fat-tree, rail-optimized, superpod, rail-only, …
    radix (K): ports of a switch at the port speed
    port_gbps (GBPS): speed of a port, Gb/s per direction
    rails (R): GPUs of an HB domain that have a rail of their own
    planes (P): disjoint networks, GPUs on all; multi-plane: on one
    oversubscription (D:U): of a leaf switch, down to up: 2:1
    inter_zone_links (N): of each zone of a two-zone tree
    storage_ports (N): for storage in each zone of a two-zone tree
    max_pods (N): pods of hpn and dcn-plus at most
    agg_core_ports (N): of an aggregation switch of hpn and dcn-plus
    rail_only_tier2: hpn: each rail in planes of its own above its ToRs
    gpu_hour_price (USD): of one GPU, all included: adds dollars
    economics (NAME|FILE): whose rent of the GPU it is (cost: us-2026)
    rent_term (TERM): that it is rented for: on-demand (default), one-year or three-years
    traffic: what the plan sends, and what links carry
    nearest (K): measured runs most like the plan, beside it
    explain: show each formula with its numbers
    emit (STACK): settings for megatron, nemo, torchtitan, deepspeed or maxtext
    threads (N): of the search or fit (default: all cores)
    confidence (SHARE): of runs that stay within the days and dollars told (default 0.9)
    routing (NAME): ecmp, ecmp-qp, pin, te, c4p, spray or dual-plane
    qps (N): queue pairs per pair of ports (default 1)
    entropy (SHARE): of the QPs that the hash tells apart, 0 to 1
    striping (static|adaptive): of bytes over queue pairs (default static)
    fail (WHAT): uplink:K, nic-link, tor, plane, agg:K or core:K
    port_down (fixed|rebalanced): who carries its bytes: its card, or the node (default fixed)
    uplink_use (shared|alone): other jobs on units that the job shares (default shared)
    same_hash: all tiers hash alike: polarization
    placement (NAME): whole, partial, random, zone-pair or pp-across-pods
    free_gpus (LIST): of each pod, zone or else leaf: where the job can stand
    cluster_gpus (N): of the whole network (default: the job's)
    rack_share (SHARE): of a rack's slices that a partial job uses (0.5)
    peers (N): ranks an all-to-all sends to at a time (default 1)
    path_efficiency (SHARE): goodput of planned or sprayed paths (default 1)
    quantile (P): of the slowdown (default 0.99)
    storage_writes (GB): of one checkpoint (a plan: its model's)
    storage_interval (S): seconds between checkpoints
    storage_reads (GB/s): training data, all the time
    storage_limit (GB/s): that the storage takes (default: all)
    storage_flows (N): beside each flow of training (default 1)
    traffic_class (SHARE): kept for training by a traffic class
    rates (NAME|FILE): failure rates: planner list rates
    gpus_per_node (N): GPUs of a server (default 8)
    nics (N): network cards in all (default: one per GPU)
    switches (N): access switches, or pairs (default: a 64th of the NICs)
    upper_switches (N): aggregation and core switches of one chip
    chassis_switches (N): modular switches
    hosts_per_switch (N): that an access switch takes with it (default: its links)
    feeds (N): power feeds of rows, whose loss takes nodes with it
    hosts_per_feed (N): nodes that one of them takes with it
    optional_lines: count the optional lines of the rates too
    flaps (N): of one link in a day: 9 s each, 0 with --tor dual
    running_share (SHARE): of its calendar in which the rates' own job ran (default: as they say)
    rate_uncertainty (FACTOR): the rates hold here within it, 80 of 100 (1: your own) (default 2.4)
    tor (single|dual): access switches that a network card hangs on
    degraded_speed (SHARE): of full speed, one of two links or switches down
    checkpoint (auto|S): useful seconds between two (auto: the optimum)
    stall (S): training time that one checkpoint takes
    durable (S): then until it can be loaded (asynchronous)
    detect (S): until someone knows of a failure
    diagnose (S): until the faulty part is found and isolated
    restart (S): until the job trains again
    checkpoint_size (GB): a GPU's part of a checkpoint
    checkpoint_rate (GB/s): that storage takes from one GPU: gives stall and durability
    load_rate (GB/s): that storage gives one GPU at the restart
    synchronous: the job waits until a checkpoint is written
    recovery (MODE): a failure during recovery: merge (default), phased or restart
    link_loss (slow|swap): of two, one down: run on, or swap the host (default: what loses less)
    optical_swap (S): optical switches put a spare in the place of a failed part in so long
    optical_ports (N): of these switches
    optical_port_price (USD): of one of them
    optical_port_power (W): of one of them
    spares (N): units in all (default: always one at hand)
    swap_unit (GPUS): that a spare replaces at once (default: server, HB domain; optical: tray)
    shrink (DP): data-parallel groups: go on without one that lost a host until it is back
    tray (GPUS): of a unit's parts that fail one by one
    spare_trays (N): kept ready in each unit, idle ones among them
    hazard_while_down (running|all): hours in which nodes of a waiting job fail (default running)
    spare_pools (N): equal pools that share no spares, of all --spares (default 1)
    repair (H): mean hours until a failed part is back
    crews (N): repairs at once, of all pools (default: as many as needed)
    repair_visits (DAYS): repair all failed nodes every so many days
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def traffic(
    *,
    model: Optional[Value] = ...,
    system: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    global_batch: Optional[Value] = ...,
    seq: Optional[Value] = ...,
    precision: Optional[Value] = ...,
    tokens: Optional[Value] = ...,
    timing: Optional[Value] = ...,
    software: Optional[Value] = ...,
    attention: Optional[Value] = ...,
    tp_overlap: Optional[bool] = ...,
    dp_overlap: Optional[bool] = ...,
    gradient_bytes: Optional[Value] = ...,
    moment_bytes: Optional[Value] = ...,
    zero1_shard_gpus: Optional[Value] = ...,
    fp8_attention: Optional[bool] = ...,
    loss: Optional[Value] = ...,
    loss_chunks: Optional[Value] = ...,
    offloaded_layers: Optional[Value] = ...,
    free_stage_inputs: Optional[bool] = ...,
    offloaded_optimizer: Optional[bool] = ...,
    dispatcher: Optional[Value] = ...,
    dropless: Optional[bool] = ...,
    micro_batches_per_flush: Optional[Value] = ...,
    expert_overlap: Optional[bool] = ...,
    expert_domain_limit: Optional[Value] = ...,
    dispatch_bytes: Optional[Value] = ...,
    communication_sm_share: Optional[Value] = ...,
    gradient_sync: Optional[Value] = ...,
    pipeline_sends: Optional[Value] = ...,
    calibration: Optional[Value] = ...,
    hb_domain: Optional[Value] = ...,
    hb_bandwidth: Optional[Value] = ...,
    network_bandwidth: Optional[Value] = ...,
    memory: Optional[Value] = ...,
    tp: Optional[Value] = ...,
    pp: Optional[Value] = ...,
    dp: Optional[Value] = ...,
    cp: Optional[Value] = ...,
    ep: Optional[Value] = ...,
    expert_tp: Optional[Value] = ...,
    interleave: Optional[Value] = ...,
    micro_batch: Optional[Value] = ...,
    recompute: Optional[Value] = ...,
    recompute_modules: Optional[Value] = ...,
    recompute_layer_share: Optional[Value] = ...,
    zero: Optional[Value] = ...,
    shard_ranks: Optional[Value] = ...,
    sequence_parallel: Optional[bool] = ...,
    tp_hb: Optional[Value] = ...,
    pp_hb: Optional[Value] = ...,
    dp_hb: Optional[Value] = ...,
    cp_hb: Optional[Value] = ...,
    ep_hb: Optional[Value] = ...,
    schedule: Optional[Value] = ...,
    bytes_per_param: Optional[Value] = ...,
    topology: Optional[Value] = ...,
    radix: Optional[Value] = ...,
    port_gbps: Optional[Value] = ...,
    rails: Optional[Value] = ...,
    planes: Optional[Value] = ...,
    oversubscription: Optional[Value] = ...,
    inter_zone_links: Optional[Value] = ...,
    storage_ports: Optional[Value] = ...,
    max_pods: Optional[Value] = ...,
    agg_core_ports: Optional[Value] = ...,
    rail_only_tier2: Optional[bool] = ...,
    routing: Optional[Value] = ...,
    qps: Optional[Value] = ...,
    entropy: Optional[Value] = ...,
    striping: Optional[Value] = ...,
    fail: Optional[Value] = ...,
    port_down: Optional[Value] = ...,
    uplink_use: Optional[Value] = ...,
    same_hash: Optional[bool] = ...,
    placement: Optional[Value] = ...,
    free_gpus: Optional[Value] = ...,
    cluster_gpus: Optional[Value] = ...,
    rack_share: Optional[Value] = ...,
    peers: Optional[Value] = ...,
    path_efficiency: Optional[Value] = ...,
    quantile: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """What a plan sends, and what links carry of it.

    model (NAME|FILE): a name (planner list models), or a JSON file
    system (NAME|FILE): GPU, HB domain, network (default dgx-h100)
    gpus (N): GPUs in all (optimize --objective cost: a list)
    global_batch (N): sequences per iteration (default: reference run)
    seq (N): tokens per sequence (default: reference run)
    precision (NAME): of the matrix products (default bf16)
    tokens (N): tokens to train, e.g. 15T: adds days, GPU-hours
    timing (MODEL): calibrated (default) or closed-form
    software (CLASS): eager, flash, torch, mcore, te or jax (default: by GPU)
    attention (KERNEL): unfused, flash1, flash2 or cudnn
    tp_overlap: torch's asynchronous tensor parallelism (te overlaps anyway)
    dp_overlap: the gradient reduction overlaps the backward pass
    gradient_bytes (N): of a reduced gradient: 2 or 4 (default: by class)
    moment_bytes (N): of each of Adam's moments: 2 or 4 (4)
    zero1_shard_gpus (N): neighbours that ZeRO 1 shards optimizer states over (all)
    fp8_attention: fused attention in 8 bits
    loss (KERNEL): plain, fused or in-place (default: by class)
    loss_chunks (N): that the loss layer takes in turn (1)
    offloaded_layers (N): of a stage, whose activations lie in host memory (0)
    free_stage_inputs: of a pipeline's chunk, once its first norm has read it
    offloaded_optimizer: ZeRO 1's states lie in host memory but for its step
    dispatcher (NAME): of tokens to experts: alltoall, deepep or hybridep (default: by class)
    dropless: routing is as it comes, not balanced: slower
    micro_batches_per_flush (N): after which pipelines drain (default: all)
    expert_overlap: all-to-alls overlap another micro-batch (DualPipe)
    expert_domain_limit (N): HB domains that one token's experts lie in
    dispatch_bytes (N): per element sent to the experts: 1 for fp8 (2)
    communication_sm_share (X): of the SMs, taken by communication (0)
    gradient_sync (HOW): auto (default), nccl or hfreduce (PCIe nodes)
    pipeline_sends (HOW): staggered (default) or at-once, on shared NICs
    calibration (NAME|FILE): constants of the calibrated model
    hb_domain (K): GPUs per HB domain
    hb_bandwidth (GB/s): in an HB domain, per GPU and direction
    network_bandwidth (GB/s): between HB domains, per GPU and direction
    memory (GB): of one GPU, 1 GB is 1e9 bytes
    tp (N): tensor parallel degree
    pp (N): pipeline parallel degree
    dp (N): data parallel degree
    cp (N): context parallel degree
    ep (N): expert parallel degree
    expert_tp (N): tensor parallel degree of the experts
    interleave (N): model chunks per pipeline rank
    micro_batch (N): sequences per micro-batch
    recompute (MODE): none, selective (default) or full
    recompute_modules (LIST): of selective recomputation, as Megatron's: layernorm,moe_act
    recompute_layer_share (X): of the layers, that --recompute full runs again (1)
    zero (STAGE): ZeRO stage 0 (default) to 3
    shard_ranks (N): ranks that ZeRO 3 shards over (hybrid: not all)
    sequence_parallel: shard norms along the sequence too (default)
    tp_hb (N): tensor parallel ranks inside an HB domain
    pp_hb (N): pipeline ranks inside an HB domain
    dp_hb (N): data parallel ranks inside an HB domain
    cp_hb (N): context parallel ranks inside an HB domain
    ep_hb (N): expert parallel ranks inside an HB domain
    schedule (NAME): 1f1b, interleaved, zb-1p or zb-2p
    bytes_per_param (N): weights, gradients and optimizer (default 18)
    topology (NAME): fat-tree, rail-optimized, superpod, rail-only, …
    radix (K): ports of a switch at the port speed
    port_gbps (GBPS): speed of a port, Gb/s per direction
    rails (R): GPUs of an HB domain that have a rail of their own
    planes (P): disjoint networks, GPUs on all; multi-plane: on one
    oversubscription (D:U): of a leaf switch, down to up: 2:1
    inter_zone_links (N): of each zone of a two-zone tree
    storage_ports (N): for storage in each zone of a two-zone tree
    max_pods (N): pods of hpn and dcn-plus at most
    agg_core_ports (N): of an aggregation switch of hpn and dcn-plus
    rail_only_tier2: hpn: each rail in planes of its own above its ToRs
    routing (NAME): ecmp, ecmp-qp, pin, te, c4p, spray or dual-plane
    qps (N): queue pairs per pair of ports (default 1)
    entropy (SHARE): of the QPs that the hash tells apart, 0 to 1
    striping (static|adaptive): of bytes over queue pairs (default static)
    fail (WHAT): uplink:K, nic-link, tor, plane, agg:K or core:K
    port_down (fixed|rebalanced): who carries its bytes: its card, or the node (default fixed)
    uplink_use (shared|alone): other jobs on units that the job shares (default shared)
    same_hash: all tiers hash alike: polarization
    placement (NAME): whole, partial, random, zone-pair or pp-across-pods
    free_gpus (LIST): of each pod, zone or else leaf: where the job can stand
    cluster_gpus (N): of the whole network (default: the job's)
    rack_share (SHARE): of a rack's slices that a partial job uses (0.5)
    peers (N): ranks an all-to-all sends to at a time (default 1)
    path_efficiency (SHARE): goodput of planned or sprayed paths (default 1)
    quantile (P): of the slowdown (default 0.99)
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def network(
    *,
    gpus: Optional[Value] = ...,
    hb_domain: Optional[Value] = ...,
    topology: Optional[Value] = ...,
    radix: Optional[Value] = ...,
    port_gbps: Optional[Value] = ...,
    rails: Optional[Value] = ...,
    planes: Optional[Value] = ...,
    oversubscription: Optional[Value] = ...,
    inter_zone_links: Optional[Value] = ...,
    storage_ports: Optional[Value] = ...,
    max_pods: Optional[Value] = ...,
    agg_core_ports: Optional[Value] = ...,
    rail_only_tier2: Optional[bool] = ...,
    pod_aligned: Optional[bool] = ...,
    scalable_units: Optional[Value] = ...,
    fabric_manager_ports: Optional[Value] = ...,
    zone_switches: Optional[Value] = ...,
    prices: Optional[Value] = ...,
    switch: Optional[Value] = ...,
    modules: Optional[Value] = ...,
    nic_modules: Optional[Value] = ...,
    switch_port_price: Optional[Value] = ...,
    transceiver_price: Optional[Value] = ...,
    require_prices: Optional[bool] = ...,
    dot: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Count and price one network.

    gpus (N): GPUs in all
    hb_domain (K): GPUs per HB domain
    topology (NAME): fat-tree, rail-optimized, superpod, rail-only, …
    radix (K): ports of a switch at the port speed
    port_gbps (GBPS): speed of a port, Gb/s per direction
    rails (R): GPUs of an HB domain that have a rail of their own
    planes (P): disjoint networks, GPUs on all; multi-plane: on one
    oversubscription (D:U): of a leaf switch, down to up: 2:1
    inter_zone_links (N): of each zone of a two-zone tree
    storage_ports (N): for storage in each zone of a two-zone tree
    max_pods (N): pods of hpn and dcn-plus at most
    agg_core_ports (N): of an aggregation switch of hpn and dcn-plus
    rail_only_tier2: hpn: each rail in planes of its own above its ToRs
    pod_aligned: whole pods, every leaf spread evenly
    scalable_units (N): of a superpod (default: as many as needed)
    fabric_manager_ports (N): leaf ports of a superpod's fabric manager
    zone_switches (N): switches between zones of a two-zone tree
    prices (NAME|FILE): price book: planner list prices
    switch (PART): its switches: planner list switches
    modules (PART): its transceivers: planner list optics
    nic_modules (PART): those in the NICs, where they are others
    switch_port_price (USD): of every switch port; no price book then
    transceiver_price (USD): of every optical end, cables included
    require_prices: exit with 5 when a line has no price
    dot (FILE): its graph for Graphviz: device by device, or by tier where many
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def collective(
    *,
    kind: Optional[Value] = ...,
    bytes: Optional[Value] = ...,
    algorithm: Optional[Value] = ...,
    in_switch_reduction: Optional[Value] = ...,
    network_reach: Optional[Value] = ...,
    library: Optional[Value] = ...,
    system: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    hb_domain: Optional[Value] = ...,
    hb_bandwidth: Optional[Value] = ...,
    network_bandwidth: Optional[Value] = ...,
    topology: Optional[Value] = ...,
    radix: Optional[Value] = ...,
    port_gbps: Optional[Value] = ...,
    rails: Optional[Value] = ...,
    planes: Optional[Value] = ...,
    oversubscription: Optional[Value] = ...,
    inter_zone_links: Optional[Value] = ...,
    storage_ports: Optional[Value] = ...,
    max_pods: Optional[Value] = ...,
    agg_core_ports: Optional[Value] = ...,
    rail_only_tier2: Optional[bool] = ...,
    routing: Optional[Value] = ...,
    qps: Optional[Value] = ...,
    entropy: Optional[Value] = ...,
    striping: Optional[Value] = ...,
    fail: Optional[Value] = ...,
    port_down: Optional[Value] = ...,
    uplink_use: Optional[Value] = ...,
    same_hash: Optional[bool] = ...,
    placement: Optional[Value] = ...,
    free_gpus: Optional[Value] = ...,
    cluster_gpus: Optional[Value] = ...,
    rack_share: Optional[Value] = ...,
    peers: Optional[Value] = ...,
    path_efficiency: Optional[Value] = ...,
    quantile: Optional[Value] = ...,
    channels: Optional[Value] = ...,
    channel_buffer: Optional[Value] = ...,
    round_trip: Optional[Value] = ...,
    clear_to_send: Optional[Value] = ...,
    message_size: Optional[Value] = ...,
    message_overhead: Optional[Value] = ...,
    explain: Optional[bool] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Time of one collective by every algorithm.

    kind (NAME): all-gather, reduce-scatter, all-reduce, all-to-all, …
    bytes (SIZE): of the buffer nccl-tests name: 1GiB, 256MB; 1KiB:16GiB:x4
    algorithm (NAME): ring, tree, hierarchical, …; auto: the fastest (default auto)
    in_switch_reduction (WHERE): hb, network or both (default none)
    network_reach (WHO): any-to-any (default) or rail-only
    library (NAME|FILE): latencies, efficiencies; or ideal (default nccl)
    system (NAME|FILE): GPU, HB domain, network (default dgx-h100)
    gpus (N): GPUs in all
    hb_domain (K): GPUs per HB domain
    hb_bandwidth (GB/s): in an HB domain, per GPU and direction
    network_bandwidth (GB/s): between HB domains, per GPU and direction
    topology (NAME): fat-tree, rail-optimized, superpod, rail-only, …
    radix (K): ports of a switch at the port speed
    port_gbps (GBPS): speed of a port, Gb/s per direction
    rails (R): GPUs of an HB domain that have a rail of their own
    planes (P): disjoint networks, GPUs on all; multi-plane: on one
    oversubscription (D:U): of a leaf switch, down to up: 2:1
    inter_zone_links (N): of each zone of a two-zone tree
    storage_ports (N): for storage in each zone of a two-zone tree
    max_pods (N): pods of hpn and dcn-plus at most
    agg_core_ports (N): of an aggregation switch of hpn and dcn-plus
    rail_only_tier2: hpn: each rail in planes of its own above its ToRs
    routing (NAME): ecmp, ecmp-qp, pin, te, c4p, spray or dual-plane
    qps (N): queue pairs per pair of ports (default 1)
    entropy (SHARE): of the QPs that the hash tells apart, 0 to 1
    striping (static|adaptive): of bytes over queue pairs (default static)
    fail (WHAT): uplink:K, nic-link, tor, plane, agg:K or core:K
    port_down (fixed|rebalanced): who carries its bytes: its card, or the node (default fixed)
    uplink_use (shared|alone): other jobs on units that the job shares (default shared)
    same_hash: all tiers hash alike: polarization
    placement (NAME): whole, partial, random, zone-pair or pp-across-pods
    free_gpus (LIST): of each pod, zone or else leaf: where the job can stand
    cluster_gpus (N): of the whole network (default: the job's)
    rack_share (SHARE): of a rack's slices that a partial job uses (0.5)
    peers (N): ranks an all-to-all sends to at a time (default 1)
    path_efficiency (SHARE): goodput of planned or sprayed paths (default 1)
    quantile (P): of the slowdown (default 0.99)
    channels (N): with a buffer each
    channel_buffer (SIZE): of one channel: 1MiB
    round_trip (US): of an unloaded network, microseconds
    clear_to_send (US): that a sender waits for it besides (default 0)
    message_size (SIZE): posted after one clear-to-send
    message_overhead (US): a channel's, to post and complete each (default 0)
    explain: show each formula with its numbers
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def cost(
    *arguments: Union[str, PathLike[str]],
    model: Optional[Value] = ...,
    tokens: Optional[Value] = ...,
    global_batch: Optional[Value] = ...,
    seq: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    oversubscription: Optional[Value] = ...,
    prices: Optional[Value] = ...,
    price: Optional[Value] = ...,
    economics: Optional[Value] = ...,
    electricity: Optional[Value] = ...,
    pue: Optional[Value] = ...,
    utilisation: Optional[Value] = ...,
    years: Optional[Value] = ...,
    cost_of_capital: Optional[Value] = ...,
    require_prices: Optional[bool] = ...,
    bill: Optional[bool] = ...,
    confidence: Optional[Value] = ...,
    routing: Optional[Value] = ...,
    qps: Optional[Value] = ...,
    entropy: Optional[Value] = ...,
    striping: Optional[Value] = ...,
    fail: Optional[Value] = ...,
    port_down: Optional[Value] = ...,
    uplink_use: Optional[Value] = ...,
    same_hash: Optional[bool] = ...,
    placement: Optional[Value] = ...,
    rack_share: Optional[Value] = ...,
    peers: Optional[Value] = ...,
    path_efficiency: Optional[Value] = ...,
    quantile: Optional[Value] = ...,
    storage_writes: Optional[Value] = ...,
    storage_interval: Optional[Value] = ...,
    storage_reads: Optional[Value] = ...,
    storage_limit: Optional[Value] = ...,
    storage_flows: Optional[Value] = ...,
    traffic_class: Optional[Value] = ...,
    rates: Optional[Value] = ...,
    gpus_per_node: Optional[Value] = ...,
    nics: Optional[Value] = ...,
    switches: Optional[Value] = ...,
    upper_switches: Optional[Value] = ...,
    chassis_switches: Optional[Value] = ...,
    hosts_per_switch: Optional[Value] = ...,
    feeds: Optional[Value] = ...,
    hosts_per_feed: Optional[Value] = ...,
    optional_lines: Optional[bool] = ...,
    flaps: Optional[Value] = ...,
    running_share: Optional[Value] = ...,
    rate_uncertainty: Optional[Value] = ...,
    tor: Optional[Value] = ...,
    degraded_speed: Optional[Value] = ...,
    checkpoint: Optional[Value] = ...,
    stall: Optional[Value] = ...,
    durable: Optional[Value] = ...,
    detect: Optional[Value] = ...,
    diagnose: Optional[Value] = ...,
    restart: Optional[Value] = ...,
    checkpoint_size: Optional[Value] = ...,
    checkpoint_rate: Optional[Value] = ...,
    load_rate: Optional[Value] = ...,
    synchronous: Optional[bool] = ...,
    recovery: Optional[Value] = ...,
    link_loss: Optional[Value] = ...,
    optical_swap: Optional[Value] = ...,
    optical_ports: Optional[Value] = ...,
    optical_port_price: Optional[Value] = ...,
    optical_port_power: Optional[Value] = ...,
    spares: Optional[Value] = ...,
    swap_unit: Optional[Value] = ...,
    shrink: Optional[Value] = ...,
    tray: Optional[Value] = ...,
    spare_trays: Optional[Value] = ...,
    hazard_while_down: Optional[Value] = ...,
    spare_pools: Optional[Value] = ...,
    repair: Optional[Value] = ...,
    crews: Optional[Value] = ...,
    repair_visits: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """One cluster's parts, capex, opex, total cost and training.

    Arguments: FILE

    model (NAME|FILE): what all of them train
    tokens (N): to train, e.g. 15T
    global_batch (N): sequences per iteration
    seq (N): tokens per sequence
    gpus (N): GPUs of the whole cluster
    oversubscription (D:U): of a leaf switch, down to up: 2:1
    prices (NAME|FILE): price book: planner list prices
    price (PART=USD): of one part, before the book's
    economics (NAME|FILE): running costs: planner list economics
    electricity (USD): of a kWh
    pue (RATIO): facility power over IT power
    utilisation (SHARE): of the hours that are used
    years (N): horizon of the total cost
    cost_of_capital (SHARE): per year, e.g. 0.08
    require_prices: exit with 5 when a line has no price
    bill: lay every cable out as build does, and bill its length and what its reach takes
    confidence (SHARE): of runs that stay within the days and dollars told (default 0.9)
    routing (NAME): ecmp, ecmp-qp, pin, te, c4p, spray or dual-plane
    qps (N): queue pairs per pair of ports (default 1)
    entropy (SHARE): of the QPs that the hash tells apart, 0 to 1
    striping (static|adaptive): of bytes over queue pairs (default static)
    fail (WHAT): uplink:K, nic-link, tor, plane, agg:K or core:K
    port_down (fixed|rebalanced): who carries its bytes: its card, or the node (default fixed)
    uplink_use (shared|alone): other jobs on units that the job shares (default shared)
    same_hash: all tiers hash alike: polarization
    placement (NAME): whole, partial, random, zone-pair or pp-across-pods
    rack_share (SHARE): of a rack's slices that a partial job uses (0.5)
    peers (N): ranks an all-to-all sends to at a time (default 1)
    path_efficiency (SHARE): goodput of planned or sprayed paths (default 1)
    quantile (P): of the slowdown (default 0.99)
    storage_writes (GB): of one checkpoint (a plan: its model's)
    storage_interval (S): seconds between checkpoints
    storage_reads (GB/s): training data, all the time
    storage_limit (GB/s): that the storage takes (default: all)
    storage_flows (N): beside each flow of training (default 1)
    traffic_class (SHARE): kept for training by a traffic class
    rates (NAME|FILE): failure rates: planner list rates
    gpus_per_node (N): GPUs of a server (default 8)
    nics (N): network cards in all (default: one per GPU)
    switches (N): access switches, or pairs (default: a 64th of the NICs)
    upper_switches (N): aggregation and core switches of one chip
    chassis_switches (N): modular switches
    hosts_per_switch (N): that an access switch takes with it (default: its links)
    feeds (N): power feeds of rows, whose loss takes nodes with it
    hosts_per_feed (N): nodes that one of them takes with it
    optional_lines: count the optional lines of the rates too
    flaps (N): of one link in a day: 9 s each, 0 with --tor dual
    running_share (SHARE): of its calendar in which the rates' own job ran (default: as they say)
    rate_uncertainty (FACTOR): the rates hold here within it, 80 of 100 (1: your own) (default 2.4)
    tor (single|dual): access switches that a network card hangs on
    degraded_speed (SHARE): of full speed, one of two links or switches down
    checkpoint (auto|S): useful seconds between two (auto: the optimum)
    stall (S): training time that one checkpoint takes
    durable (S): then until it can be loaded (asynchronous)
    detect (S): until someone knows of a failure
    diagnose (S): until the faulty part is found and isolated
    restart (S): until the job trains again
    checkpoint_size (GB): a GPU's part of a checkpoint
    checkpoint_rate (GB/s): that storage takes from one GPU: gives stall and durability
    load_rate (GB/s): that storage gives one GPU at the restart
    synchronous: the job waits until a checkpoint is written
    recovery (MODE): a failure during recovery: merge (default), phased or restart
    link_loss (slow|swap): of two, one down: run on, or swap the host (default: what loses less)
    optical_swap (S): optical switches put a spare in the place of a failed part in so long
    optical_ports (N): of these switches
    optical_port_price (USD): of one of them
    optical_port_power (W): of one of them
    spares (N): units in all (default: always one at hand)
    swap_unit (GPUS): that a spare replaces at once (default: server, HB domain; optical: tray)
    shrink (DP): data-parallel groups: go on without one that lost a host until it is back
    tray (GPUS): of a unit's parts that fail one by one
    spare_trays (N): kept ready in each unit, idle ones among them
    hazard_while_down (running|all): hours in which nodes of a waiting job fail (default running)
    spare_pools (N): equal pools that share no spares, of all --spares (default 1)
    repair (H): mean hours until a failed part is back
    crews (N): repairs at once, of all pools (default: as many as needed)
    repair_visits (DAYS): repair all failed nodes every so many days
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def compare(
    *arguments: Union[str, PathLike[str]],
    model: Optional[Value] = ...,
    tokens: Optional[Value] = ...,
    global_batch: Optional[Value] = ...,
    seq: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    oversubscription: Optional[Value] = ...,
    prices: Optional[Value] = ...,
    price: Optional[Value] = ...,
    economics: Optional[Value] = ...,
    electricity: Optional[Value] = ...,
    pue: Optional[Value] = ...,
    utilisation: Optional[Value] = ...,
    years: Optional[Value] = ...,
    cost_of_capital: Optional[Value] = ...,
    require_prices: Optional[bool] = ...,
    bill: Optional[bool] = ...,
    confidence: Optional[Value] = ...,
    routing: Optional[Value] = ...,
    qps: Optional[Value] = ...,
    entropy: Optional[Value] = ...,
    striping: Optional[Value] = ...,
    fail: Optional[Value] = ...,
    port_down: Optional[Value] = ...,
    uplink_use: Optional[Value] = ...,
    same_hash: Optional[bool] = ...,
    placement: Optional[Value] = ...,
    rack_share: Optional[Value] = ...,
    peers: Optional[Value] = ...,
    path_efficiency: Optional[Value] = ...,
    quantile: Optional[Value] = ...,
    storage_writes: Optional[Value] = ...,
    storage_interval: Optional[Value] = ...,
    storage_reads: Optional[Value] = ...,
    storage_limit: Optional[Value] = ...,
    storage_flows: Optional[Value] = ...,
    traffic_class: Optional[Value] = ...,
    rates: Optional[Value] = ...,
    gpus_per_node: Optional[Value] = ...,
    nics: Optional[Value] = ...,
    switches: Optional[Value] = ...,
    upper_switches: Optional[Value] = ...,
    chassis_switches: Optional[Value] = ...,
    hosts_per_switch: Optional[Value] = ...,
    feeds: Optional[Value] = ...,
    hosts_per_feed: Optional[Value] = ...,
    optional_lines: Optional[bool] = ...,
    flaps: Optional[Value] = ...,
    running_share: Optional[Value] = ...,
    rate_uncertainty: Optional[Value] = ...,
    tor: Optional[Value] = ...,
    degraded_speed: Optional[Value] = ...,
    checkpoint: Optional[Value] = ...,
    stall: Optional[Value] = ...,
    durable: Optional[Value] = ...,
    detect: Optional[Value] = ...,
    diagnose: Optional[Value] = ...,
    restart: Optional[Value] = ...,
    checkpoint_size: Optional[Value] = ...,
    checkpoint_rate: Optional[Value] = ...,
    load_rate: Optional[Value] = ...,
    synchronous: Optional[bool] = ...,
    recovery: Optional[Value] = ...,
    link_loss: Optional[Value] = ...,
    optical_swap: Optional[Value] = ...,
    optical_ports: Optional[Value] = ...,
    optical_port_price: Optional[Value] = ...,
    optical_port_power: Optional[Value] = ...,
    spares: Optional[Value] = ...,
    swap_unit: Optional[Value] = ...,
    shrink: Optional[Value] = ...,
    tray: Optional[Value] = ...,
    spare_trays: Optional[Value] = ...,
    hazard_while_down: Optional[Value] = ...,
    spare_pools: Optional[Value] = ...,
    repair: Optional[Value] = ...,
    crews: Optional[Value] = ...,
    repair_visits: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Clusters side by side, the first as the reference.

    Arguments: FILES

    model (NAME|FILE): what all of them train
    tokens (N): to train, e.g. 15T
    global_batch (N): sequences per iteration
    seq (N): tokens per sequence
    gpus (N): GPUs of the whole cluster
    oversubscription (D:U): of a leaf switch, down to up: 2:1
    prices (NAME|FILE): price book: planner list prices
    price (PART=USD): of one part, before the book's
    economics (NAME|FILE): running costs: planner list economics
    electricity (USD): of a kWh
    pue (RATIO): facility power over IT power
    utilisation (SHARE): of the hours that are used
    years (N): horizon of the total cost
    cost_of_capital (SHARE): per year, e.g. 0.08
    require_prices: exit with 5 when a line has no price
    bill: lay every cable out as build does, and bill its length and what its reach takes
    confidence (SHARE): of runs that stay within the days and dollars told (default 0.9)
    routing (NAME): ecmp, ecmp-qp, pin, te, c4p, spray or dual-plane
    qps (N): queue pairs per pair of ports (default 1)
    entropy (SHARE): of the QPs that the hash tells apart, 0 to 1
    striping (static|adaptive): of bytes over queue pairs (default static)
    fail (WHAT): uplink:K, nic-link, tor, plane, agg:K or core:K
    port_down (fixed|rebalanced): who carries its bytes: its card, or the node (default fixed)
    uplink_use (shared|alone): other jobs on units that the job shares (default shared)
    same_hash: all tiers hash alike: polarization
    placement (NAME): whole, partial, random, zone-pair or pp-across-pods
    rack_share (SHARE): of a rack's slices that a partial job uses (0.5)
    peers (N): ranks an all-to-all sends to at a time (default 1)
    path_efficiency (SHARE): goodput of planned or sprayed paths (default 1)
    quantile (P): of the slowdown (default 0.99)
    storage_writes (GB): of one checkpoint (a plan: its model's)
    storage_interval (S): seconds between checkpoints
    storage_reads (GB/s): training data, all the time
    storage_limit (GB/s): that the storage takes (default: all)
    storage_flows (N): beside each flow of training (default 1)
    traffic_class (SHARE): kept for training by a traffic class
    rates (NAME|FILE): failure rates: planner list rates
    gpus_per_node (N): GPUs of a server (default 8)
    nics (N): network cards in all (default: one per GPU)
    switches (N): access switches, or pairs (default: a 64th of the NICs)
    upper_switches (N): aggregation and core switches of one chip
    chassis_switches (N): modular switches
    hosts_per_switch (N): that an access switch takes with it (default: its links)
    feeds (N): power feeds of rows, whose loss takes nodes with it
    hosts_per_feed (N): nodes that one of them takes with it
    optional_lines: count the optional lines of the rates too
    flaps (N): of one link in a day: 9 s each, 0 with --tor dual
    running_share (SHARE): of its calendar in which the rates' own job ran (default: as they say)
    rate_uncertainty (FACTOR): the rates hold here within it, 80 of 100 (1: your own) (default 2.4)
    tor (single|dual): access switches that a network card hangs on
    degraded_speed (SHARE): of full speed, one of two links or switches down
    checkpoint (auto|S): useful seconds between two (auto: the optimum)
    stall (S): training time that one checkpoint takes
    durable (S): then until it can be loaded (asynchronous)
    detect (S): until someone knows of a failure
    diagnose (S): until the faulty part is found and isolated
    restart (S): until the job trains again
    checkpoint_size (GB): a GPU's part of a checkpoint
    checkpoint_rate (GB/s): that storage takes from one GPU: gives stall and durability
    load_rate (GB/s): that storage gives one GPU at the restart
    synchronous: the job waits until a checkpoint is written
    recovery (MODE): a failure during recovery: merge (default), phased or restart
    link_loss (slow|swap): of two, one down: run on, or swap the host (default: what loses less)
    optical_swap (S): optical switches put a spare in the place of a failed part in so long
    optical_ports (N): of these switches
    optical_port_price (USD): of one of them
    optical_port_power (W): of one of them
    spares (N): units in all (default: always one at hand)
    swap_unit (GPUS): that a spare replaces at once (default: server, HB domain; optical: tray)
    shrink (DP): data-parallel groups: go on without one that lost a host until it is back
    tray (GPUS): of a unit's parts that fail one by one
    spare_trays (N): kept ready in each unit, idle ones among them
    hazard_while_down (running|all): hours in which nodes of a waiting job fail (default running)
    spare_pools (N): equal pools that share no spares, of all --spares (default 1)
    repair (H): mean hours until a failed part is back
    crews (N): repairs at once, of all pools (default: as many as needed)
    repair_visits (DAYS): repair all failed nodes every so many days
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def design(
    *arguments: Union[str, PathLike[str]],
    model: Optional[Value] = ...,
    tokens: Optional[Value] = ...,
    global_batch: Optional[Value] = ...,
    seq: Optional[Value] = ...,
    precision: Optional[Value] = ...,
    within_days: Optional[Value] = ...,
    budget: Optional[Value] = ...,
    tco_budget: Optional[Value] = ...,
    run_budget: Optional[Value] = ...,
    power: Optional[Value] = ...,
    facility_power: Optional[Value] = ...,
    max_gpus: Optional[Value] = ...,
    confidence: Optional[Value] = ...,
    systems: Optional[Value] = ...,
    minimise: Optional[Value] = ...,
    front: Optional[Value] = ...,
    top: Optional[Value] = ...,
    prices: Optional[Value] = ...,
    economics: Optional[Value] = ...,
    time_limit: Optional[Value] = ...,
    state: Optional[Value] = ...,
    no_bounds: Optional[bool] = ...,
    threads: Optional[Value] = ...,
    write_cluster: Optional[Value] = ...,
    rates: Optional[Value] = ...,
    gpus_per_node: Optional[Value] = ...,
    nics: Optional[Value] = ...,
    switches: Optional[Value] = ...,
    upper_switches: Optional[Value] = ...,
    chassis_switches: Optional[Value] = ...,
    hosts_per_switch: Optional[Value] = ...,
    feeds: Optional[Value] = ...,
    hosts_per_feed: Optional[Value] = ...,
    optional_lines: Optional[bool] = ...,
    flaps: Optional[Value] = ...,
    running_share: Optional[Value] = ...,
    rate_uncertainty: Optional[Value] = ...,
    tor: Optional[Value] = ...,
    degraded_speed: Optional[Value] = ...,
    checkpoint: Optional[Value] = ...,
    stall: Optional[Value] = ...,
    durable: Optional[Value] = ...,
    detect: Optional[Value] = ...,
    diagnose: Optional[Value] = ...,
    restart: Optional[Value] = ...,
    checkpoint_size: Optional[Value] = ...,
    checkpoint_rate: Optional[Value] = ...,
    load_rate: Optional[Value] = ...,
    synchronous: Optional[bool] = ...,
    recovery: Optional[Value] = ...,
    link_loss: Optional[Value] = ...,
    optical_swap: Optional[Value] = ...,
    optical_ports: Optional[Value] = ...,
    optical_port_price: Optional[Value] = ...,
    optical_port_power: Optional[Value] = ...,
    spares: Optional[Value] = ...,
    swap_unit: Optional[Value] = ...,
    shrink: Optional[Value] = ...,
    tray: Optional[Value] = ...,
    spare_trays: Optional[Value] = ...,
    hazard_while_down: Optional[Value] = ...,
    spare_pools: Optional[Value] = ...,
    repair: Optional[Value] = ...,
    crews: Optional[Value] = ...,
    repair_visits: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """What to buy, by a deadline and a budget: exactly, with a proof.

    Arguments: BRIEF

    model (NAME|FILE): what to train: planner list models
    tokens (N): tokens to train, e.g. 15T
    global_batch (N): sequences per iteration, or a list to choose from
    seq (N): tokens per sequence (default: reference run)
    precision (NAME): of the matrix products (default bf16)
    within_days (D): the run takes no longer
    budget (USD): of the purchase (capex), e.g. 600M
    tco_budget (USD): of what owning costs over the years: the net present cost (after tax) where the economics have a cost of capital or a tax rate, else the TCO
    run_budget (USD): of what the run costs of it
    power (MW): rated, of nodes and network, e.g. 30MW
    facility_power (MW): the same with cooling
    max_gpus (N): bought
    confidence (P): share of cases in which the limits hold (default 0.8)
    systems (A,B): names or files (default: all that can be priced)
    minimise (KEY): what is to be least: tco (default), capex, run-cost, days, power, facility-power, energy, co2 or gpus
    front (KEYS): two or three: also all that nothing beats in each: cost,days
    top (K): the best so many (default 1)
    prices (NAME|FILE): price book (default street-2026)
    economics (NAME|FILE): what running costs (default us-2026)
    time_limit (S): seconds after which the best so far is the answer
    state (FILE): kept as the search goes; a run that was ended goes on from it
    no_bounds: look at every design, as a check: small spaces only
    threads (N): (default: all cores)
    write_cluster (FILE): write the cluster to buy, for cost, compare and others
    rates (NAME|FILE): failure rates: planner list rates
    gpus_per_node (N): GPUs of a server (default 8)
    nics (N): network cards in all (default: one per GPU)
    switches (N): access switches, or pairs (default: a 64th of the NICs)
    upper_switches (N): aggregation and core switches of one chip
    chassis_switches (N): modular switches
    hosts_per_switch (N): that an access switch takes with it (default: its links)
    feeds (N): power feeds of rows, whose loss takes nodes with it
    hosts_per_feed (N): nodes that one of them takes with it
    optional_lines: count the optional lines of the rates too
    flaps (N): of one link in a day: 9 s each, 0 with --tor dual
    running_share (SHARE): of its calendar in which the rates' own job ran (default: as they say)
    rate_uncertainty (FACTOR): the rates hold here within it, 80 of 100 (1: your own) (default 2.4)
    tor (single|dual): access switches that a network card hangs on
    degraded_speed (SHARE): of full speed, one of two links or switches down
    checkpoint (auto|S): useful seconds between two (auto: the optimum)
    stall (S): training time that one checkpoint takes
    durable (S): then until it can be loaded (asynchronous)
    detect (S): until someone knows of a failure
    diagnose (S): until the faulty part is found and isolated
    restart (S): until the job trains again
    checkpoint_size (GB): a GPU's part of a checkpoint
    checkpoint_rate (GB/s): that storage takes from one GPU: gives stall and durability
    load_rate (GB/s): that storage gives one GPU at the restart
    synchronous: the job waits until a checkpoint is written
    recovery (MODE): a failure during recovery: merge (default), phased or restart
    link_loss (slow|swap): of two, one down: run on, or swap the host (default: what loses less)
    optical_swap (S): optical switches put a spare in the place of a failed part in so long
    optical_ports (N): of these switches
    optical_port_price (USD): of one of them
    optical_port_power (W): of one of them
    spares (N): units in all (default: always one at hand)
    swap_unit (GPUS): that a spare replaces at once (default: server, HB domain; optical: tray)
    shrink (DP): data-parallel groups: go on without one that lost a host until it is back
    tray (GPUS): of a unit's parts that fail one by one
    spare_trays (N): kept ready in each unit, idle ones among them
    hazard_while_down (running|all): hours in which nodes of a waiting job fail (default running)
    spare_pools (N): equal pools that share no spares, of all --spares (default 1)
    repair (H): mean hours until a failed part is back
    crews (N): repairs at once, of all pools (default: as many as needed)
    repair_visits (DAYS): repair all failed nodes every so many days
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def build(
    *arguments: Union[str, PathLike[str]],
    site: Optional[Value] = ...,
    arrangement: Optional[Value] = ...,
    seed: Optional[Value] = ...,
    switch_position: Optional[Value] = ...,
    rack_kw: Optional[Value] = ...,
    rack_units: Optional[Value] = ...,
    switches_per_rack: Optional[Value] = ...,
    bay_racks: Optional[Value] = ...,
    block_racks: Optional[Value] = ...,
    rows: Optional[Value] = ...,
    rows_per_hall: Optional[Value] = ...,
    hall_mw: Optional[Value] = ...,
    facility_mw: Optional[Value] = ...,
    tray_height_m: Optional[Value] = ...,
    tray_fill: Optional[Value] = ...,
    slack_m: Optional[Value] = ...,
    feeds: Optional[Value] = ...,
    busway_amps: Optional[Value] = ...,
    ups_share: Optional[Value] = ...,
    ups_minutes: Optional[Value] = ...,
    generator_share: Optional[Value] = ...,
    pue: Optional[Value] = ...,
    node_load: Optional[Value] = ...,
    bill: Optional[bool] = ...,
    cables: Optional[Value] = ...,
    floor: Optional[Value] = ...,
    elevations: Optional[Value] = ...,
    netbox: Optional[Value] = ...,
    netbox_racks: Optional[Value] = ...,
    netbox_devices: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Racks, floor, every cable with its length, feeds and heat.

    Arguments: FILE

    site (NAME|FILE): the building: planner list sites
    arrangement (HOW): how racks find their places (default regular)
    seed (N): of the search
    switch_position (WHERE): where switches stand
    rack_kw (X): limit of a rack; left out: 42, or 140 with liquid-cooled nodes
    rack_units (X): height of a rack
    switches_per_rack (X): at most
    bay_racks (X): racks beside one network place
    block_racks (X): racks of a row between main aisles
    rows (X): rows of the floor; left out: as many as needed
    rows_per_hall (X): left out: one hall
    hall_mw (X): limit of a hall, cooling included
    facility_mw (X): limit of all, cooling included
    tray_height_m (X): of the overhead trays
    tray_fill (X): share of its section that cables may take
    slack_m (X): at each end
    feeds (X): independent feeds of a rack
    busway_amps (X): of the busway of a row block and feed
    ups_share (X): of IT power behind a UPS; left out: all
    ups_minutes (X): that it carries them; left out: not known
    generator_share (X): of IT and cooling that generators carry; left out: not known
    pue (X): facility over IT power
    node_load (X): share of rated power that nodes draw
    bill: adds what is to be bought, cables by length
    cables (FILE): every cable, as CSV
    floor (FILE): the floor from above, as SVG
    elevations (FILE): the racks, as SVG
    netbox (FILE): the cables for NetBox's import, as CSV
    netbox_racks (FILE): the racks for NetBox's import, as CSV
    netbox_devices (FILE): nodes, cards and switches for NetBox's import, as CSV
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def sweep(
    *arguments: Union[str, PathLike[str]],
    vary: Optional[Value] = ...,
    model: Optional[Value] = ...,
    system: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    global_batch: Optional[Value] = ...,
    seq: Optional[Value] = ...,
    precision: Optional[Value] = ...,
    tokens: Optional[Value] = ...,
    timing: Optional[Value] = ...,
    software: Optional[Value] = ...,
    attention: Optional[Value] = ...,
    tp_overlap: Optional[bool] = ...,
    dp_overlap: Optional[bool] = ...,
    gradient_bytes: Optional[Value] = ...,
    moment_bytes: Optional[Value] = ...,
    zero1_shard_gpus: Optional[Value] = ...,
    fp8_attention: Optional[bool] = ...,
    loss: Optional[Value] = ...,
    loss_chunks: Optional[Value] = ...,
    offloaded_layers: Optional[Value] = ...,
    free_stage_inputs: Optional[bool] = ...,
    offloaded_optimizer: Optional[bool] = ...,
    dispatcher: Optional[Value] = ...,
    dropless: Optional[bool] = ...,
    micro_batches_per_flush: Optional[Value] = ...,
    expert_overlap: Optional[bool] = ...,
    expert_domain_limit: Optional[Value] = ...,
    dispatch_bytes: Optional[Value] = ...,
    communication_sm_share: Optional[Value] = ...,
    gradient_sync: Optional[Value] = ...,
    pipeline_sends: Optional[Value] = ...,
    calibration: Optional[Value] = ...,
    hb_domain: Optional[Value] = ...,
    hb_bandwidth: Optional[Value] = ...,
    network_bandwidth: Optional[Value] = ...,
    memory: Optional[Value] = ...,
    tp: Optional[Value] = ...,
    pp: Optional[Value] = ...,
    dp: Optional[Value] = ...,
    cp: Optional[Value] = ...,
    ep: Optional[Value] = ...,
    expert_tp: Optional[Value] = ...,
    interleave: Optional[Value] = ...,
    micro_batch: Optional[Value] = ...,
    recompute: Optional[Value] = ...,
    recompute_modules: Optional[Value] = ...,
    recompute_layer_share: Optional[Value] = ...,
    zero: Optional[Value] = ...,
    shard_ranks: Optional[Value] = ...,
    sequence_parallel: Optional[bool] = ...,
    tp_hb: Optional[Value] = ...,
    pp_hb: Optional[Value] = ...,
    dp_hb: Optional[Value] = ...,
    cp_hb: Optional[Value] = ...,
    ep_hb: Optional[Value] = ...,
    schedule: Optional[Value] = ...,
    max_tp: Optional[Value] = ...,
    all_axes: Optional[bool] = ...,
    bytes_per_param: Optional[Value] = ...,
    topology: Optional[Value] = ...,
    radix: Optional[Value] = ...,
    port_gbps: Optional[Value] = ...,
    rails: Optional[Value] = ...,
    planes: Optional[Value] = ...,
    oversubscription: Optional[Value] = ...,
    inter_zone_links: Optional[Value] = ...,
    storage_ports: Optional[Value] = ...,
    max_pods: Optional[Value] = ...,
    agg_core_ports: Optional[Value] = ...,
    rail_only_tier2: Optional[bool] = ...,
    max_gpus: Optional[Value] = ...,
    objective: Optional[Value] = ...,
    gpu_hour_price: Optional[Value] = ...,
    economics: Optional[Value] = ...,
    rent_term: Optional[Value] = ...,
    top: Optional[Value] = ...,
    min_p_fits: Optional[Value] = ...,
    pareto: Optional[bool] = ...,
    traffic: Optional[bool] = ...,
    nearest: Optional[Value] = ...,
    explain: Optional[bool] = ...,
    emit: Optional[Value] = ...,
    threads: Optional[Value] = ...,
    confidence: Optional[Value] = ...,
    routing: Optional[Value] = ...,
    qps: Optional[Value] = ...,
    entropy: Optional[Value] = ...,
    striping: Optional[Value] = ...,
    fail: Optional[Value] = ...,
    port_down: Optional[Value] = ...,
    uplink_use: Optional[Value] = ...,
    same_hash: Optional[bool] = ...,
    placement: Optional[Value] = ...,
    free_gpus: Optional[Value] = ...,
    cluster_gpus: Optional[Value] = ...,
    rack_share: Optional[Value] = ...,
    peers: Optional[Value] = ...,
    path_efficiency: Optional[Value] = ...,
    quantile: Optional[Value] = ...,
    storage_writes: Optional[Value] = ...,
    storage_interval: Optional[Value] = ...,
    storage_reads: Optional[Value] = ...,
    storage_limit: Optional[Value] = ...,
    storage_flows: Optional[Value] = ...,
    traffic_class: Optional[Value] = ...,
    rates: Optional[Value] = ...,
    gpus_per_node: Optional[Value] = ...,
    nics: Optional[Value] = ...,
    switches: Optional[Value] = ...,
    upper_switches: Optional[Value] = ...,
    chassis_switches: Optional[Value] = ...,
    hosts_per_switch: Optional[Value] = ...,
    feeds: Optional[Value] = ...,
    hosts_per_feed: Optional[Value] = ...,
    optional_lines: Optional[bool] = ...,
    flaps: Optional[Value] = ...,
    running_share: Optional[Value] = ...,
    rate_uncertainty: Optional[Value] = ...,
    tor: Optional[Value] = ...,
    degraded_speed: Optional[Value] = ...,
    checkpoint: Optional[Value] = ...,
    stall: Optional[Value] = ...,
    durable: Optional[Value] = ...,
    detect: Optional[Value] = ...,
    diagnose: Optional[Value] = ...,
    restart: Optional[Value] = ...,
    checkpoint_size: Optional[Value] = ...,
    checkpoint_rate: Optional[Value] = ...,
    load_rate: Optional[Value] = ...,
    synchronous: Optional[bool] = ...,
    recovery: Optional[Value] = ...,
    link_loss: Optional[Value] = ...,
    optical_swap: Optional[Value] = ...,
    optical_ports: Optional[Value] = ...,
    optical_port_price: Optional[Value] = ...,
    optical_port_power: Optional[Value] = ...,
    spares: Optional[Value] = ...,
    swap_unit: Optional[Value] = ...,
    shrink: Optional[Value] = ...,
    tray: Optional[Value] = ...,
    spare_trays: Optional[Value] = ...,
    hazard_while_down: Optional[Value] = ...,
    spare_pools: Optional[Value] = ...,
    repair: Optional[Value] = ...,
    crews: Optional[Value] = ...,
    repair_visits: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
    pod_aligned: Optional[bool] = ...,
    scalable_units: Optional[Value] = ...,
    fabric_manager_ports: Optional[Value] = ...,
    zone_switches: Optional[Value] = ...,
    prices: Optional[Value] = ...,
    switch: Optional[Value] = ...,
    modules: Optional[Value] = ...,
    nic_modules: Optional[Value] = ...,
    switch_port_price: Optional[Value] = ...,
    transceiver_price: Optional[Value] = ...,
    require_prices: Optional[bool] = ...,
    dot: Optional[Value] = ...,
    kind: Optional[Value] = ...,
    bytes: Optional[Value] = ...,
    algorithm: Optional[Value] = ...,
    in_switch_reduction: Optional[Value] = ...,
    network_reach: Optional[Value] = ...,
    library: Optional[Value] = ...,
    channels: Optional[Value] = ...,
    channel_buffer: Optional[Value] = ...,
    round_trip: Optional[Value] = ...,
    clear_to_send: Optional[Value] = ...,
    message_size: Optional[Value] = ...,
    message_overhead: Optional[Value] = ...,
    price: Optional[Value] = ...,
    electricity: Optional[Value] = ...,
    pue: Optional[Value] = ...,
    utilisation: Optional[Value] = ...,
    years: Optional[Value] = ...,
    cost_of_capital: Optional[Value] = ...,
    bill: Optional[bool] = ...,
    site: Optional[Value] = ...,
    arrangement: Optional[Value] = ...,
    seed: Optional[Value] = ...,
    switch_position: Optional[Value] = ...,
    rack_kw: Optional[Value] = ...,
    rack_units: Optional[Value] = ...,
    switches_per_rack: Optional[Value] = ...,
    bay_racks: Optional[Value] = ...,
    block_racks: Optional[Value] = ...,
    rows: Optional[Value] = ...,
    rows_per_hall: Optional[Value] = ...,
    hall_mw: Optional[Value] = ...,
    facility_mw: Optional[Value] = ...,
    tray_height_m: Optional[Value] = ...,
    tray_fill: Optional[Value] = ...,
    slack_m: Optional[Value] = ...,
    busway_amps: Optional[Value] = ...,
    ups_share: Optional[Value] = ...,
    ups_minutes: Optional[Value] = ...,
    generator_share: Optional[Value] = ...,
    node_load: Optional[Value] = ...,
    cables: Optional[Value] = ...,
    floor: Optional[Value] = ...,
    elevations: Optional[Value] = ...,
    netbox: Optional[Value] = ...,
    netbox_racks: Optional[Value] = ...,
    netbox_devices: Optional[Value] = ...,
    scheme: Optional[Value] = ...,
    flows: Optional[Value] = ...,
    links: Optional[Value] = ...,
    load: Optional[Value] = ...,
    downlinks: Optional[Value] = ...,
    uplinks: Optional[Value] = ...,
    upper_links: Optional[Value] = ...,
    flow_sizes: Optional[Value] = ...,
    nic_ports: Optional[Value] = ...,
    receivers: Optional[Value] = ...,
    days: Optional[Value] = ...,
    node: Optional[Value] = ...,
    nvlink_pairs: Optional[bool] = ...,
    memcpy_h2d: Optional[bool] = ...,
    host_memory: Optional[Value] = ...,
    genoa_memory: Optional[bool] = ...,
    host_bridge: Optional[Value] = ...,
    pcie: Optional[Value] = ...,
    pcie_switch: Optional[Value] = ...,
    zone_bandwidth: Optional[Value] = ...,
    message: Optional[Value] = ...,
    step_latency: Optional[Value] = ...,
    compute_time: Optional[Value] = ...,
    microbatches: Optional[Value] = ...,
    kernel_share: Optional[Value] = ...,
    storage: Optional[Value] = ...,
    groups: Optional[Value] = ...,
) -> Answer:
    """One table over one or two parameters of another command.

    Arguments: COMMAND

    vary (OPTION=…): values 1,2,4, or from:to:x2, or from:to:+8; once or twice
    model (NAME|FILE): a name (planner list models), or a JSON file
    system (NAME|FILE): GPU, HB domain, network (default dgx-h100)
    gpus (N): GPUs in all (optimize --objective cost: a list)
    global_batch (N): sequences per iteration (default: reference run)
    seq (N): tokens per sequence (default: reference run)
    precision (NAME): of the matrix products (default bf16)
    tokens (N): tokens to train, e.g. 15T: adds days, GPU-hours
    timing (MODEL): calibrated (default) or closed-form
    software (CLASS): eager, flash, torch, mcore, te or jax (default: by GPU)
    attention (KERNEL): unfused, flash1, flash2 or cudnn
    tp_overlap: torch's asynchronous tensor parallelism (te overlaps anyway)
    dp_overlap: the gradient reduction overlaps the backward pass
    gradient_bytes (N): of a reduced gradient: 2 or 4 (default: by class)
    moment_bytes (N): of each of Adam's moments: 2 or 4 (4)
    zero1_shard_gpus (N): neighbours that ZeRO 1 shards optimizer states over (all)
    fp8_attention: fused attention in 8 bits
    loss (KERNEL): plain, fused or in-place (default: by class)
    loss_chunks (N): that the loss layer takes in turn (1)
    offloaded_layers (N): of a stage, whose activations lie in host memory (0)
    free_stage_inputs: of a pipeline's chunk, once its first norm has read it
    offloaded_optimizer: ZeRO 1's states lie in host memory but for its step
    dispatcher (NAME): of tokens to experts: alltoall, deepep or hybridep (default: by class)
    dropless: routing is as it comes, not balanced: slower
    micro_batches_per_flush (N): after which pipelines drain (default: all)
    expert_overlap: all-to-alls overlap another micro-batch (DualPipe)
    expert_domain_limit (N): HB domains that one token's experts lie in
    dispatch_bytes (N): per element sent to the experts: 1 for fp8 (2)
    communication_sm_share (X): of the SMs, taken by communication (0)
    gradient_sync (HOW): auto (default), nccl or hfreduce (PCIe nodes)
    pipeline_sends (HOW): staggered (default) or at-once, on shared NICs
    calibration (NAME|FILE): constants of the calibrated model
    hb_domain (K): GPUs per HB domain
    hb_bandwidth (GB/s): in an HB domain, per GPU and direction
    network_bandwidth (GB/s): between HB domains, per GPU and direction
    memory (GB): of one GPU, 1 GB is 1e9 bytes
    tp (N): tensor parallel degree
    pp (N): pipeline parallel degree
    dp (N): data parallel degree
    cp (N): context parallel degree
    ep (N): expert parallel degree
    expert_tp (N): tensor parallel degree of the experts
    interleave (N): model chunks per pipeline rank
    micro_batch (N): sequences per micro-batch
    recompute (MODE): none, selective (default) or full
    recompute_modules (LIST): of selective recomputation, as Megatron's: layernorm,moe_act
    recompute_layer_share (X): of the layers, that --recompute full runs again (1)
    zero (STAGE): ZeRO stage 0 (default) to 3
    shard_ranks (N): ranks that ZeRO 3 shards over (hybrid: not all)
    sequence_parallel: shard norms along the sequence too (default)
    tp_hb (N): tensor parallel ranks inside an HB domain
    pp_hb (N): pipeline ranks inside an HB domain
    dp_hb (N): data parallel ranks inside an HB domain
    cp_hb (N): context parallel ranks inside an HB domain
    ep_hb (N): expert parallel ranks inside an HB domain
    schedule (NAME): 1f1b, interleaved, zb-1p or zb-2p
    max_tp (N): no larger tensor parallel degree
    all_axes: open recompute, ZeRO and sequence parallel too
    bytes_per_param (N): weights, gradients and optimizer (default 18)
    topology (NAME): fat-tree, rail-optimized, superpod, rail-only, …
    radix (K): ports of a switch at the port speed
    port_gbps (GBPS): speed of a port, Gb/s per direction
    rails (R): GPUs of an HB domain that have a rail of their own
    planes (P): disjoint networks, GPUs on all; multi-plane: on one
    oversubscription (D:U): of a leaf switch, down to up: 2:1
    inter_zone_links (N): of each zone of a two-zone tree
    storage_ports (N): for storage in each zone of a two-zone tree
    max_pods (N): pods of hpn and dcn-plus at most
    agg_core_ports (N): of an aggregation switch of hpn and dcn-plus
    rail_only_tier2: hpn: each rail in planes of its own above its ToRs
    max_gpus (N): in place of --gpus: the best number up to so many
    objective (WHAT): rank by time (default), cost or memory
    gpu_hour_price (USD): of one GPU, all included: adds dollars
    economics (NAME|FILE): whose rent of the GPU it is (cost: us-2026)
    rent_term (TERM): that it is rented for: on-demand (default), one-year or three-years
    top (K): how many strategies to list (default 5)
    min_p_fits (P): least probability that a plan fits the memory
    pareto: the front of time against memory, from the search
    traffic: what the plan sends, and what links carry
    nearest (K): measured runs most like the plan, beside it
    explain: show each formula with its numbers
    emit (STACK): settings for megatron, nemo, torchtitan, deepspeed or maxtext
    threads (N): of the search or fit (default: all cores)
    confidence (SHARE): of runs that stay within the days and dollars told (default 0.9)
    routing (NAME): ecmp, ecmp-qp, pin, te, c4p, spray or dual-plane
    qps (N): queue pairs per pair of ports (default 1)
    entropy (SHARE): of the QPs that the hash tells apart, 0 to 1
    striping (static|adaptive): of bytes over queue pairs (default static)
    fail (WHAT): uplink:K, nic-link, tor, plane, agg:K or core:K
    port_down (fixed|rebalanced): who carries its bytes: its card, or the node (default fixed)
    uplink_use (shared|alone): other jobs on units that the job shares (default shared)
    same_hash: all tiers hash alike: polarization
    placement (NAME): whole, partial, random, zone-pair or pp-across-pods
    free_gpus (LIST): of each pod, zone or else leaf: where the job can stand
    cluster_gpus (N): of the whole network (default: the job's)
    rack_share (SHARE): of a rack's slices that a partial job uses (0.5)
    peers (N): ranks an all-to-all sends to at a time (default 1)
    path_efficiency (SHARE): goodput of planned or sprayed paths (default 1)
    quantile (P): of the slowdown (default 0.99)
    storage_writes (GB): of one checkpoint (a plan: its model's)
    storage_interval (S): seconds between checkpoints
    storage_reads (GB/s): training data, all the time
    storage_limit (GB/s): that the storage takes (default: all)
    storage_flows (N): beside each flow of training (default 1)
    traffic_class (SHARE): kept for training by a traffic class
    rates (NAME|FILE): failure rates: planner list rates
    gpus_per_node (N): GPUs of a server (default 8)
    nics (N): network cards in all (default: one per GPU)
    switches (N): access switches, or pairs (default: a 64th of the NICs)
    upper_switches (N): aggregation and core switches of one chip
    chassis_switches (N): modular switches
    hosts_per_switch (N): that an access switch takes with it (default: its links)
    feeds (N): power feeds of rows, whose loss takes nodes with it
    hosts_per_feed (N): nodes that one of them takes with it
    optional_lines: count the optional lines of the rates too
    flaps (N): of one link in a day: 9 s each, 0 with --tor dual
    running_share (SHARE): of its calendar in which the rates' own job ran (default: as they say)
    rate_uncertainty (FACTOR): the rates hold here within it, 80 of 100 (1: your own) (default 2.4)
    tor (single|dual): access switches that a network card hangs on
    degraded_speed (SHARE): of full speed, one of two links or switches down
    checkpoint (auto|S): useful seconds between two (auto: the optimum)
    stall (S): training time that one checkpoint takes
    durable (S): then until it can be loaded (asynchronous)
    detect (S): until someone knows of a failure
    diagnose (S): until the faulty part is found and isolated
    restart (S): until the job trains again
    checkpoint_size (GB): a GPU's part of a checkpoint
    checkpoint_rate (GB/s): that storage takes from one GPU: gives stall and durability
    load_rate (GB/s): that storage gives one GPU at the restart
    synchronous: the job waits until a checkpoint is written
    recovery (MODE): a failure during recovery: merge (default), phased or restart
    link_loss (slow|swap): of two, one down: run on, or swap the host (default: what loses less)
    optical_swap (S): optical switches put a spare in the place of a failed part in so long
    optical_ports (N): of these switches
    optical_port_price (USD): of one of them
    optical_port_power (W): of one of them
    spares (N): units in all (default: always one at hand)
    swap_unit (GPUS): that a spare replaces at once (default: server, HB domain; optical: tray)
    shrink (DP): data-parallel groups: go on without one that lost a host until it is back
    tray (GPUS): of a unit's parts that fail one by one
    spare_trays (N): kept ready in each unit, idle ones among them
    hazard_while_down (running|all): hours in which nodes of a waiting job fail (default running)
    spare_pools (N): equal pools that share no spares, of all --spares (default 1)
    repair (H): mean hours until a failed part is back
    crews (N): repairs at once, of all pools (default: as many as needed)
    repair_visits (DAYS): repair all failed nodes every so many days
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first
    pod_aligned: whole pods, every leaf spread evenly
    scalable_units (N): of a superpod (default: as many as needed)
    fabric_manager_ports (N): leaf ports of a superpod's fabric manager
    zone_switches (N): switches between zones of a two-zone tree
    prices (NAME|FILE): price book: planner list prices
    switch (PART): its switches: planner list switches
    modules (PART): its transceivers: planner list optics
    nic_modules (PART): those in the NICs, where they are others
    switch_port_price (USD): of every switch port; no price book then
    transceiver_price (USD): of every optical end, cables included
    require_prices: exit with 5 when a line has no price
    dot (FILE): its graph for Graphviz: device by device, or by tier where many
    kind (NAME): all-gather, reduce-scatter, all-reduce, all-to-all, …
    bytes (SIZE): of the buffer nccl-tests name: 1GiB, 256MB; 1KiB:16GiB:x4
    algorithm (NAME): ring, tree, hierarchical, …; auto: the fastest (default auto)
    in_switch_reduction (WHERE): hb, network or both (default none)
    network_reach (WHO): any-to-any (default) or rail-only
    library (NAME|FILE): latencies, efficiencies; or ideal (default nccl)
    channels (N): with a buffer each
    channel_buffer (SIZE): of one channel: 1MiB
    round_trip (US): of an unloaded network, microseconds
    clear_to_send (US): that a sender waits for it besides (default 0)
    message_size (SIZE): posted after one clear-to-send
    message_overhead (US): a channel's, to post and complete each (default 0)
    price (PART=USD): of one part, before the book's
    electricity (USD): of a kWh
    pue (RATIO): facility power over IT power
    utilisation (SHARE): of the hours that are used
    years (N): horizon of the total cost
    cost_of_capital (SHARE): per year, e.g. 0.08
    bill: lay every cable out as build does, and bill its length and what its reach takes
    site (NAME|FILE): the building: planner list sites
    arrangement (HOW): how racks find their places (default regular)
    seed (N): of the search
    switch_position (WHERE): where switches stand
    rack_kw (X): limit of a rack; left out: 42, or 140 with liquid-cooled nodes
    rack_units (X): height of a rack
    switches_per_rack (X): at most
    bay_racks (X): racks beside one network place
    block_racks (X): racks of a row between main aisles
    rows (X): rows of the floor; left out: as many as needed
    rows_per_hall (X): left out: one hall
    hall_mw (X): limit of a hall, cooling included
    facility_mw (X): limit of all, cooling included
    tray_height_m (X): of the overhead trays
    tray_fill (X): share of its section that cables may take
    slack_m (X): at each end
    busway_amps (X): of the busway of a row block and feed
    ups_share (X): of IT power behind a UPS; left out: all
    ups_minutes (X): that it carries them; left out: not known
    generator_share (X): of IT and cooling that generators carry; left out: not known
    node_load (X): share of rated power that nodes draw
    cables (FILE): every cable, as CSV
    floor (FILE): the floor from above, as SVG
    elevations (FILE): the racks, as SVG
    netbox (FILE): the cables for NetBox's import, as CSV
    netbox_racks (FILE): the racks for NetBox's import, as CSV
    netbox_devices (FILE): nodes, cards and switches for NetBox's import, as CSV
    scheme (NAME): ecmp (default), ecmp-qp, pin, te, c4p, spray or dual-plane
    flows (N): pairs of ports that send, before QPs
    links (N): that the flows are spread over
    load (RHO): offered over capacity if balanced (default 1)
    downlinks (N): ports of a leaf to cards: flows, unless given
    uplinks (N): ports of a leaf to spines; with --downlinks the load
    upper_links (N): of each next switch: a second stage
    flow_sizes (LIST): relative sizes of the flows, repeated
    nic_ports (N): bonded ports of a receiving card (default 1)
    receivers (N): cards that receive (default: as many as flows)
    days (D): training time without failures: adds mean, p50, p95
    node (NAME|FILE): planner list nodes (default fire-flyer-2)
    nvlink_pairs: GPUs joined by NVLink bridges reduce first
    memcpy_h2d: MemcpyAsync instead of GDRCopy back to the GPUs
    host_memory (GB/s): practical bandwidth of host memory
    genoa_memory: 24 channels of DDR5-4800, at the node's share of peak
    host_bridge (GB/s): of one PCIe root port to the CPU, both directions
    pcie (GEN): PCIe generation of the GPUs' slots
    pcie_switch (N): PCIe switches, each with N GPUs and (without --nics) a NIC
    zone_bandwidth (GB/s): of the link between two network zones
    message (MIB): all-reduced in the table by nodes (default 186)
    step_latency (US): of one tree edge: NCCL's (default 14)
    compute_time (S): of an iteration: shows what all-reduce adds
    microbatches (N): of an iteration; the last overlaps (default 1)
    kernel_share (PCT): of a GPU that NCCL's kernels take (default 0)
    storage (NAME|FILE): planner list storage (default: the node's)
    groups (N): sums side by side on a node: tensor parallel ranks

    Returns an Answer; raises PlannerError."""

def routing(
    *arguments: Union[str, PathLike[str]],
    gpus: Optional[Value] = ...,
    network_bandwidth: Optional[Value] = ...,
    scheme: Optional[Value] = ...,
    qps: Optional[Value] = ...,
    entropy: Optional[Value] = ...,
    striping: Optional[Value] = ...,
    fail: Optional[Value] = ...,
    port_down: Optional[Value] = ...,
    uplink_use: Optional[Value] = ...,
    same_hash: Optional[bool] = ...,
    placement: Optional[Value] = ...,
    free_gpus: Optional[Value] = ...,
    rack_share: Optional[Value] = ...,
    peers: Optional[Value] = ...,
    path_efficiency: Optional[Value] = ...,
    quantile: Optional[Value] = ...,
    flows: Optional[Value] = ...,
    links: Optional[Value] = ...,
    load: Optional[Value] = ...,
    downlinks: Optional[Value] = ...,
    uplinks: Optional[Value] = ...,
    switches: Optional[Value] = ...,
    upper_links: Optional[Value] = ...,
    flow_sizes: Optional[Value] = ...,
    nic_ports: Optional[Value] = ...,
    receivers: Optional[Value] = ...,
    storage_writes: Optional[Value] = ...,
    storage_interval: Optional[Value] = ...,
    storage_reads: Optional[Value] = ...,
    storage_limit: Optional[Value] = ...,
    storage_flows: Optional[Value] = ...,
    traffic_class: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Load balance and bandwidth of a cluster or plain numbers.

    Arguments: FILE

    gpus (N): GPUs in all (optimize --objective cost: a list)
    network_bandwidth (GB/s): between HB domains, per GPU and direction
    scheme (NAME): ecmp (default), ecmp-qp, pin, te, c4p, spray or dual-plane
    qps (N): queue pairs per pair of ports (default 1)
    entropy (SHARE): of the QPs that the hash tells apart, 0 to 1
    striping (static|adaptive): of bytes over queue pairs (default static)
    fail (WHAT): uplink:K, nic-link, tor, plane, agg:K or core:K
    port_down (fixed|rebalanced): who carries its bytes: its card, or the node (default fixed)
    uplink_use (shared|alone): other jobs on units that the job shares (default shared)
    same_hash: all tiers hash alike: polarization
    placement (NAME): whole, partial, random, zone-pair or pp-across-pods
    free_gpus (LIST): of each pod, zone or else leaf: where the job can stand
    rack_share (SHARE): of a rack's slices that a partial job uses (0.5)
    peers (N): ranks an all-to-all sends to at a time (default 1)
    path_efficiency (SHARE): goodput of planned or sprayed paths (default 1)
    quantile (P): of the slowdown (default 0.99)
    flows (N): pairs of ports that send, before QPs
    links (N): that the flows are spread over
    load (RHO): offered over capacity if balanced (default 1)
    downlinks (N): ports of a leaf to cards: flows, unless given
    uplinks (N): ports of a leaf to spines; with --downlinks the load
    switches (N): groups of links, up and down (default 1)
    upper_links (N): of each next switch: a second stage
    flow_sizes (LIST): relative sizes of the flows, repeated
    nic_ports (N): bonded ports of a receiving card (default 1)
    receivers (N): cards that receive (default: as many as flows)
    storage_writes (GB): of one checkpoint (a plan: its model's)
    storage_interval (S): seconds between checkpoints
    storage_reads (GB/s): training data, all the time
    storage_limit (GB/s): that the storage takes (default: all)
    storage_flows (N): beside each flow of training (default 1)
    traffic_class (SHARE): kept for training by a traffic class
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def reliability(
    *arguments: Union[str, PathLike[str]],
    gpus: Optional[Value] = ...,
    rates: Optional[Value] = ...,
    gpus_per_node: Optional[Value] = ...,
    nics: Optional[Value] = ...,
    switches: Optional[Value] = ...,
    upper_switches: Optional[Value] = ...,
    chassis_switches: Optional[Value] = ...,
    hosts_per_switch: Optional[Value] = ...,
    feeds: Optional[Value] = ...,
    hosts_per_feed: Optional[Value] = ...,
    optional_lines: Optional[bool] = ...,
    flaps: Optional[Value] = ...,
    running_share: Optional[Value] = ...,
    rate_uncertainty: Optional[Value] = ...,
    tor: Optional[Value] = ...,
    degraded_speed: Optional[Value] = ...,
    checkpoint: Optional[Value] = ...,
    stall: Optional[Value] = ...,
    durable: Optional[Value] = ...,
    detect: Optional[Value] = ...,
    diagnose: Optional[Value] = ...,
    restart: Optional[Value] = ...,
    checkpoint_size: Optional[Value] = ...,
    checkpoint_rate: Optional[Value] = ...,
    load_rate: Optional[Value] = ...,
    synchronous: Optional[bool] = ...,
    recovery: Optional[Value] = ...,
    link_loss: Optional[Value] = ...,
    optical_swap: Optional[Value] = ...,
    optical_ports: Optional[Value] = ...,
    optical_port_price: Optional[Value] = ...,
    optical_port_power: Optional[Value] = ...,
    spares: Optional[Value] = ...,
    swap_unit: Optional[Value] = ...,
    shrink: Optional[Value] = ...,
    tray: Optional[Value] = ...,
    spare_trays: Optional[Value] = ...,
    hazard_while_down: Optional[Value] = ...,
    spare_pools: Optional[Value] = ...,
    repair: Optional[Value] = ...,
    crews: Optional[Value] = ...,
    repair_visits: Optional[Value] = ...,
    days: Optional[Value] = ...,
    gpu_hour_price: Optional[Value] = ...,
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Failures, checkpoints, spares: availability and days.

    Arguments: FILE

    gpus (N): GPUs in all, or a list of such numbers
    rates (NAME|FILE): failure rates: planner list rates
    gpus_per_node (N): GPUs of a server (default 8)
    nics (N): network cards in all (default: one per GPU)
    switches (N): access switches, or pairs (default: a 64th of the NICs)
    upper_switches (N): aggregation and core switches of one chip
    chassis_switches (N): modular switches
    hosts_per_switch (N): that an access switch takes with it (default: its links)
    feeds (N): power feeds of rows, whose loss takes nodes with it
    hosts_per_feed (N): nodes that one of them takes with it
    optional_lines: count the optional lines of the rates too
    flaps (N): of one link in a day: 9 s each, 0 with --tor dual
    running_share (SHARE): of its calendar in which the rates' own job ran (default: as they say)
    rate_uncertainty (FACTOR): the rates hold here within it, 80 of 100 (1: your own) (default 2.4)
    tor (single|dual): access switches that a network card hangs on
    degraded_speed (SHARE): of full speed, one of two links or switches down
    checkpoint (auto|S): useful seconds between two (auto: the optimum)
    stall (S): training time that one checkpoint takes
    durable (S): then until it can be loaded (asynchronous)
    detect (S): until someone knows of a failure
    diagnose (S): until the faulty part is found and isolated
    restart (S): until the job trains again
    checkpoint_size (GB): a GPU's part of a checkpoint
    checkpoint_rate (GB/s): that storage takes from one GPU: gives stall and durability
    load_rate (GB/s): that storage gives one GPU at the restart
    synchronous: the job waits until a checkpoint is written
    recovery (MODE): a failure during recovery: merge (default), phased or restart
    link_loss (slow|swap): of two, one down: run on, or swap the host (default: what loses less)
    optical_swap (S): optical switches put a spare in the place of a failed part in so long
    optical_ports (N): of these switches
    optical_port_price (USD): of one of them
    optical_port_power (W): of one of them
    spares (N): units in all (default: always one at hand)
    swap_unit (GPUS): that a spare replaces at once (default: server, HB domain; optical: tray)
    shrink (DP): data-parallel groups: go on without one that lost a host until it is back
    tray (GPUS): of a unit's parts that fail one by one
    spare_trays (N): kept ready in each unit, idle ones among them
    hazard_while_down (running|all): hours in which nodes of a waiting job fail (default running)
    spare_pools (N): equal pools that share no spares, of all --spares (default 1)
    repair (H): mean hours until a failed part is back
    crews (N): repairs at once, of all pools (default: as many as needed)
    repair_visits (DAYS): repair all failed nodes every so many days
    days (D): training time without failures: adds mean, p50, p95
    gpu_hour_price (USD): price of a GPU-hour: adds dollars
    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def hfreduce(
    *,
    node: Optional[Value] = ...,
    system: Optional[Value] = ...,
    nvlink_pairs: Optional[bool] = ...,
    memcpy_h2d: Optional[bool] = ...,
    nics: Optional[Value] = ...,
    host_memory: Optional[Value] = ...,
    genoa_memory: Optional[bool] = ...,
    host_bridge: Optional[Value] = ...,
    pcie: Optional[Value] = ...,
    pcie_switch: Optional[Value] = ...,
    zone_bandwidth: Optional[Value] = ...,
    message: Optional[Value] = ...,
    step_latency: Optional[Value] = ...,
    compute_time: Optional[Value] = ...,
    microbatches: Optional[Value] = ...,
    kernel_share: Optional[Value] = ...,
    storage: Optional[Value] = ...,
    model: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    precision: Optional[Value] = ...,
    pp: Optional[Value] = ...,
    groups: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """What bounds an all-reduce by the CPUs of PCIe nodes.

    node (NAME|FILE): planner list nodes (default fire-flyer-2)
    system (NAME|FILE): its node, with pairs where they are its HB domains
    nvlink_pairs: GPUs joined by NVLink bridges reduce first
    memcpy_h2d: MemcpyAsync instead of GDRCopy back to the GPUs
    nics (N): NICs of the node
    host_memory (GB/s): practical bandwidth of host memory
    genoa_memory: 24 channels of DDR5-4800, at the node's share of peak
    host_bridge (GB/s): of one PCIe root port to the CPU, both directions
    pcie (GEN): PCIe generation of the GPUs' slots
    pcie_switch (N): PCIe switches, each with N GPUs and (without --nics) a NIC
    zone_bandwidth (GB/s): of the link between two network zones
    message (MIB): all-reduced in the table by nodes (default 186)
    step_latency (US): of one tree edge: NCCL's (default 14)
    compute_time (S): of an iteration: shows what all-reduce adds
    microbatches (N): of an iteration; the last overlaps (default 1)
    kernel_share (PCT): of a GPU that NCCL's kernels take (default 0)
    storage (NAME|FILE): planner list storage (default: the node's)
    model (NAME|FILE): a name (planner list models), or a JSON file
    gpus (N): GPUs in all
    precision (NAME): of the gradients (default bf16)
    pp (N): pipeline parallel degree
    groups (N): sums side by side on a node: tensor parallel ranks
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def validate(
    *arguments: Union[str, PathLike[str]],
    calibration: Optional[Value] = ...,
    data: Optional[Value] = ...,
    threads: Optional[Value] = ...,
    peak_memory: Optional[bool] = ...,
    leave_out: Optional[Value] = ...,
    model: Optional[Value] = ...,
    gpus: Optional[Value] = ...,
    seq: Optional[Value] = ...,
    precision: Optional[Value] = ...,
    top: Optional[Value] = ...,
    system: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Predictions beside measurements; exit 1 on a miss.

    Arguments: measured|nearest|published

    calibration (NAME|FILE): constants of the calibrated model
    data (FILE): measured runs (planner schema measured-run)
    threads (N): of the search or fit (default: all cores)
    peak_memory: memory instead of time
    leave_out (WHAT): source, group or year: predict rows by fits without them
    model (NAME|FILE): whose like to look for
    gpus (N): on so many
    seq (N): tokens per sequence (default: reference run)
    precision (NAME): fp32, tf32, fp16, bf16, fp8 or fp4 (bf16)
    top (K): how many runs (8)
    system (NAME|FILE): GPU, HB domain, network (default dgx-h100)
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def calibrate(
    *,
    calibration: Optional[Value] = ...,
    data: Optional[Value] = ...,
    threads: Optional[Value] = ...,
    memory_data: Optional[Value] = ...,
    nccl_tests: Optional[Value] = ...,
    system: Optional[Value] = ...,
    gemms: Optional[Value] = ...,
    attention: Optional[Value] = ...,
    accelerator: Optional[Value] = ...,
    name: Optional[Value] = ...,
    title: Optional[Value] = ...,
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Constants of the calibrated model from measurements.

    calibration (NAME|FILE): constants of the calibrated model
    data (FILE): measured runs (planner schema measured-run)
    threads (N): of the search or fit (default: all cores)
    memory_data (FILE): measured runs with their peak memory
    nccl_tests (FILE): output of nccl-tests on --system
    system (NAME|FILE): machine of --nccl-tests: planner list systems
    gemms (FILE): CSV of matrix products on --accelerator
    attention (FILE): CSV of fused attention on --accelerator
    accelerator (NAME|FILE): GPU of --gemms, --attention: planner list accelerators
    name (NAME): of the new calibration (default mine)
    title (TEXT): of the new calibration (default: the name)
    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def report(
    *arguments: Union[str, PathLike[str]],
    currency: Optional[Value] = ...,
    exchange_rate: Optional[Value] = ...,
    exchange_date: Optional[Value] = ...,
    asked_by: Optional[Value] = ...,
) -> Answer:
    """Render a saved JSON answer again.

    Arguments: FILE

    currency (CODE): show dollars in it (EUR), at a rate that you give
    exchange_rate (X): of that currency for a US dollar: 0.92
    exchange_date (DAY): of the rate: 2026-11-20
    asked_by (NAME): who asked, as a line of the answer

    Returns an Answer; raises PlannerError."""

def diff(
    *arguments: Union[str, PathLike[str]],
) -> Answer:
    """Two saved JSON answers, figure by figure.

    Arguments: FILES

    
    Returns an Answer; raises PlannerError."""

def list(
    *arguments: Union[str, PathLike[str]],
    data_dir: Optional[Value] = ...,
) -> Answer:
    """Names of models, systems, switches, prices, clusters, ….

    Arguments: KIND

    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def show(
    *arguments: Union[str, PathLike[str]],
    data_dir: Optional[Value] = ...,
) -> Answer:
    """One file of the catalog with its sources.

    Arguments: NAME

    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""

def schema(
    *arguments: Union[str, PathLike[str]],
    data_dir: Optional[Value] = ...,
) -> Answer:
    """JSON Schema of a file type.

    Arguments: TYPE [COMMAND]

    data_dir (DIR): look up models and catalog here first

    Returns an Answer; raises PlannerError."""
