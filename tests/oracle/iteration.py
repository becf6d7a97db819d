"""One iteration of the calibrated model, from docs/calibrated.md."""

import math

from layer import expert_weights, exposed, layer, product, soft_max, weights
from memory import assume_recomputation, layers_of_stage
from row import Case


def loss(k: Case) -> float:
    """Without host time."""
    traffic = k.c["loss_traffic.eager"] if k.cls == "eager" else 1
    one = product(k, k.h * k.V / k.t, k.h, k.V / k.t, k.T, k.F16, 2)
    return 3 * one + 32 * traffic * k.T * k.V / k.t / k.BW


def mean_layer(k: Case) -> float:
    """Stages are timed with the mean layer, of dense ones, mixtures and MTP's."""
    dense = k.dense_layers if k.E else k.L
    kinds = [layer(k, False)] * dense if dense else []
    kinds += [layer(k, True)] * (k.L - dense) if k.E else []
    kinds += kinds[-1:] * k.mtp
    return sum(kinds) / len(kinds)


def stages(k: Case) -> tuple[float, float]:
    """The slowest and all. MTP has a layer, and a loss layer without host time."""
    mean = mean_layer(k)
    end = mean * k.mtp + loss(k) * (1 + k.mtp) + k.host_time
    last = layers_of_stage(k, k.p - 1) * mean + end
    # Where p divides L + 2 a full stage has (L + 2)/p layers.
    full = -(-k.L // k.p) if k.L % k.p == 0 or (k.L + 2) % k.p else (k.L + 2) // k.p
    return max(last, full * mean if k.p > 1 else 0), k.L * mean + end


def bubble(k: Case, stage: float, total: float) -> float:
    """Of 1F1B and interleaved stages; no measured run has zero bubbles."""
    n = k.m / k.flush
    # With chunks, micro-batches that are too few follow each other a chunk apart.
    least = total - k.m / n * stage + ((k.m / n - 1) * stage / k.v if k.v > 1 else 0.0)
    return n * max((total - stage) / k.v, least)


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
    """Dense ones and experts of a rank; layers over p, one vocabulary, MTP's not counted"""
    dense = k.dense_layers if k.E else k.L
    layers = dense * weights(k, False) + (k.L - dense) * (weights(k, True) if k.E else 0)
    vocabularies = 2 if k.p == 1 and not k.tied else 1
    return (layers / k.p + k.V * k.h / k.t * vocabularies,
            (k.L - dense) / k.p * expert_weights(k) if k.E else 0.0)


def collective(k: Case, D: float, n: float, stride: float) -> float:
    """Of n ranks `stride` apart, D bytes in all, over domain and network, with latency"""
    if n <= 1:
        return 0.0
    xi = min(max(k.K / stride, 1.0), n)
    y = max(1.0, n / xi)
    return ((xi - 1) / xi * D / k.nvl + (y - 1) / y * D / (xi * k.nic)
            + k.c["network_latency"] * math.log2(n))


def data_parallelism(k: Case, stage: float) -> float:
    P, P_e = parameters(k)
    x = k.c["dp_exposed"] if k.cls in ("te", "torch") else 1.0  # Which classes overlap
    if k.zero == 3:  # Hybrid: and an all-reduce of the shards; its exposure
        replicas = k.d * k.cp / k.shard
        return 2 * x * collective(k, k.g * P / k.shard, replicas, k.shard * k.t)
    groups = [(P, k.d * k.cp, k.t), (P_e, k.expert_d, k.ep * k.etp)]
    reduced, gathered = (sum(collective(k, each * size, n, apart)
                             for size, n, apart in groups if size)
                         for each in (k.g, 2 if k.zero else k.g))
    # Whole passes of the slowest stage, not backward ones alone.
    passes = 1 + (k.p - 1) * (k.v - 1) / k.v
    last = exposed(reduced + gathered, x, 0.8 * passes * stage)
    if k.zero == 2:  # Gradients are kept sharded: each micro-batch reduces, as with FSDP
        last += (k.m - 1) * behind_stage(k, reduced, stage)
    return last


def behind_stage(k: Case, time: float, stage: float) -> float:
    """What outlasts the stage, with a soft corner, and the share that never hides."""
    x = 0.01 if k.cls == "eager" else k.c["fsdp_exposed"]
    return soft_max(stage, time, 2) - stage + x * time


def fsdp(k: Case, stage: float) -> float:
    if k.zero < 3:
        return 0.0
    P, P_e = parameters(k)
    if k.cls == "eager":  # Flat rings over the slowest link; which is that
        link = k.nvl if k.shard * k.t <= k.K else k.nic
        time = (P + P_e) * (2 * k.gathers + k.g) / link if k.shard > 1 else 0.0
    else:
        stride = k.ep * k.etp
        groups = [(P, k.shard, k.t), (P_e, k.shard * k.t / stride, stride)]
        time = sum(count * collective(k, each * size, n, apart) for size, n, apart in groups
                   if size for count, each in ((k.gathers, 2), (1, k.g)))
    return k.m * behind_stage(k, time, stage)


def adam(k: Case) -> float:
    P, P_e = parameters(k)
    if k.zero == 3:
        return 36 / k.BW * (P / k.shard + P_e / max(1, k.shard * k.t / (k.ep * k.etp)))
    shard, shard_e = (k.d * k.cp, k.expert_d) if k.zero else (1, 1)
    return (30 * (P / shard + P_e / shard_e) + 6 * (P + P_e)) / k.BW


def iteration_time(k: Case) -> float:
    assume_recomputation(k)
    stage, total = stages(k)
    straggling = 1 + k.c["straggling"] * max(0.0, math.log2(k.N / 8))
    return (k.m * stage + bubble(k, stage, total) + sends(k, stage)
            + data_parallelism(k, stage) + fsdp(k, stage)) * straggling + adam(k)
