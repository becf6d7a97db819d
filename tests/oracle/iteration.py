"""One iteration of the calibrated model, from docs/calibrated.md."""

import math
from collections.abc import Callable

from layer import expert_weights, exposed, layer, layer_forward, layer_weight_gradients
from layer import product, soft_max, weights
from memory import layers_of_stage, recomputation
from row import Case


def logits(k: Case) -> float:
    """Output projections, one product."""
    return (1 + k.mtp) * product(k, k.h * k.V / k.t, k.h, k.V / k.t, k.T, k.F16, 2)


def loss(k: Case) -> float:
    traffic = k.c["loss_traffic.eager"] if k.cls == "eager" else 1
    through_memory = 32 * traffic * k.T * k.V / k.t / k.BW
    return 3 * logits(k) + (1 + k.mtp) * through_memory + k.host_time


def mean_layer(k: Case, of: Callable[[Case, bool], float]) -> float:
    """Of dense ones, mixtures and MTP's: stages are timed with it."""
    dense = k.dense_layers if k.E else k.L
    kinds = [of(k, False)] * dense if dense else []
    kinds += [of(k, True)] * (k.L - dense) if k.E else []
    kinds += kinds[-1:] * k.mtp
    return sum(kinds) / len(kinds)


def slowest_stage(k: Case) -> tuple[float, int]:
    """Its layers, and loss layers."""
    mean, last = mean_layer(k, layer), layers_of_stage(k, k.p - 1) + k.mtp
    # Where p divides L + 2 a full stage has (L + 2)/p layers.
    full = -(-k.L // k.p) if k.L % k.p == 0 or (k.L + 2) % k.p else (k.L + 2) // k.p
    return (full, 0) if k.p > 1 and full * mean > last * mean + loss(k) else (last, 1)


def stage_time(k: Case) -> float:
    layers, losses = slowest_stage(k)
    return layers * mean_layer(k, layer) + losses * loss(k)


def bubble(k: Case, stage: float) -> float:
    layers, losses = slowest_stage(k)
    others = (k.L + k.mtp - layers) * mean_layer(k, layer) + (1 - losses) * loss(k)
    flushes, following = k.m / k.flush, k.flush - 1
    if k.p > 1 and k.schedule in ("zb-1p", "zb-2p"):
        W = ((k.L + k.mtp - layers) * mean_layer(k, layer_weight_gradients)
             + (1 - losses) * logits(k))
        forward = layers * mean_layer(k, layer_forward) + losses * logits(k)
        own = layers * mean_layer(k, layer_weight_gradients) + losses * logits(k)
        z = 2 if k.schedule == "zb-2p" else 1
        return flushes * max(0.0, others - W - min(z * W, following * min(forward, own)))
    # With chunks, micro-batches that are too few follow each other a chunk apart.
    causal = others - following * stage * (1 - 1 / k.v if k.v > 1 else 1)
    return flushes * max(others / k.v, causal)


def sends(k: Case, stage: float) -> float:
    if k.p == 1:
        return 0.0
    split = k.t if k.sp > 1 or k.cls in ("eager", "flash") else 1
    inner = k.t * k.cp * k.d  # The share that leaves the domain
    phi = 0.0 if inner * k.p <= k.K else min(1.0, inner / k.K)
    send = (2 * k.T * k.h / split * (phi / k.nic + (1 - phi) / k.nvl) + k.c["network_latency"])
    x = 1.0 if k.v == 1 else k.c["pp_exposed.interleaved"]
    handover = k.c["handover.eager" if k.cls in ("eager", "flash") else "handover"]
    return (k.m * exposed(2 * k.v * send, x, stage) + k.m / k.flush * 2 * (k.p - 1) * send
            + k.m * k.v * handover)


def parameters(k: Case) -> tuple[float, float]:
    """Dense ones and experts of a rank of the first stage."""
    further = k.mtp if k.p == 1 else 0  # MTP's are on the last
    dense = k.dense_layers if k.E else k.L + further
    moe = k.L - k.dense_layers + further if k.E else 0
    layers = dense * weights(k, False) + moe * (weights(k, True) if k.E else 0)
    vocabularies = 2 if k.p == 1 and not k.tied else 1
    return (layers / k.p + k.V * k.h / k.t * vocabularies,
            moe / k.p * expert_weights(k) if k.E else 0.0)


def collective(k: Case, D: float, n: float, stride: float) -> float:
    """Of n ranks `stride` apart, D bytes in all, over domain and network, with latency"""
    if n <= 1:
        return 0.0
    xi = min(max(k.K / stride, 1.0), n)
    y = max(1.0, n / xi)
    return ((xi - 1) / xi * D / k.inside(xi, stride) + (y - 1) / y * D / (xi * k.nic)
            + k.c["network_latency"] * math.log2(n))


def cover(k: Case, stage: float) -> float:
    """What follows a chunk's last pass."""
    return 0.8 * stage * (1 + (k.p - 1) * (k.v - 1) / k.v)


def data_parallelism(k: Case, stage: float) -> float:
    P, P_e = parameters(k)
    hides = k.overlaps if k.dp_overlap is None else k.dp_overlap
    x = k.c["dp_exposed"] if hides else 1.0
    if k.zero == 3:  # hybrid: an all-reduce between the replicas, of experts as many
        shards = [(P, k.d * k.cp, k.shard, k.t), (P_e, k.expert_d, k.expert_shard, k.ep * k.etp)]
        replicas = 2 * sum(collective(k, k.g * size / shard, n / shard, shard * apart)
                           for size, n, shard, apart in shards if size)
        return exposed(replicas, x, cover(k, stage))
    groups = [(P, k.d * k.cp, k.t), (P_e, k.expert_d, k.ep * k.etp)]
    reduced, gathered = (sum(collective(k, each * size, n, apart)
                             for size, n, apart in groups if size)
                         for each in (k.g, 2 if k.zero else k.g))
    if k.near < k.d * k.cp:  # ZeRO 1 within fewer GPUs
        experts = collective(k, k.g * P_e, k.expert_d, k.ep * k.etp) if P_e else 0.0
        reduced = (collective(k, k.g * P, k.near, k.t)
                   + 2 * collective(k, k.g * P / k.near, k.d * k.cp / k.near, k.t * k.near)
                   + experts)
        gathered = (collective(k, 2 * P, k.near, k.t)
                    + (collective(k, 2 * P_e, k.expert_d, k.ep * k.etp) if P_e else 0.0))
    domains = max(1.0, k.t * k.cp * k.d / k.K)
    growth = k.c["dp_growth"] * math.log2(domains) * (reduced + gathered)
    if hides and not k.overlaps:  # weights are gathered by themselves
        last = exposed(reduced, x, cover(k, stage)) + gathered
    else:
        last = exposed(reduced + gathered, x, cover(k, stage))
    if k.zero == 2 and k.p == 1:  # each micro-batch reduces its gradients, as with FSDP
        last += (k.m - 1) * behind_stage(k, reduced, stage)
    return last + growth


def behind_stage(k: Case, time: float, stage: float) -> float:
    """What outlasts the stage, with a soft corner, and the share that never hides."""
    x = 0.01 if k.cls == "eager" else k.c["fsdp_exposed" + (".jax" if k.cls == "jax" else "")]
    return soft_max(stage, time, 2) - stage + x * time


def fsdp(k: Case, stage: float) -> float:
    if k.zero < 3:
        return 0.0
    P, P_e = parameters(k)
    groups = [(P, k.shard, k.t), (P_e, k.expert_shard, k.ep * k.etp)]
    if k.cls == "eager":  # flat rings
        time = sum(size * (2 * k.gathers + k.g) / (k.nvl if n * apart <= k.K else k.nic)
                   for size, n, apart in groups if n > 1)
    else:
        time = sum(count * collective(k, each * size, n, apart) for size, n, apart in groups
                   if size for count, each in ((k.gathers, 2), (1, k.g)))
    return k.m * behind_stage(k, time, stage)


def adam(k: Case) -> float:
    P, P_e = parameters(k)
    if k.zero == 3:
        return 36 / k.BW * (P / k.shard + P_e / k.expert_shard)
    shard, shard_e = (k.near, k.expert_d) if k.zero else (1, 1)
    return (30 * (P / shard + P_e / shard_e) + 6 * (P + P_e)) / k.BW


def iteration_time(k: Case) -> float:
    k.recompute = recomputation(k)
    stage = stage_time(k)
    straggling = 1 + k.c["straggling"] * max(0.0, math.log2(k.N / 8))
    return (k.m * stage + bubble(k, stage) + sends(k, stage)
            + data_parallelism(k, stage) + fsdp(k, stage)) * straggling + adam(k)
