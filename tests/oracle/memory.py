"""Peak memory by the calibrated model, from docs/calibrated.md."""

from layer import expert_weights, mlp_width, weights
from row import Case


def layers_of_stage(k: Case, i: int) -> int:
    """Where p divides neither L nor L + 2, all stages but the last are full"""
    if k.p == 1:
        return k.L
    if k.L % k.p and (k.L + 2) % k.p == 0:
        return (k.L + 2) // k.p - (i == 0) - (i == k.p - 1)
    full = -(-k.L // k.p)
    return full if i < k.p - 1 else k.L - (k.p - 1) * full


def inventory(k: Case, moe: bool, modules: bool = True, waiting: bool = False) -> float:
    """Bytes that a layer keeps of one micro-batch (Korthikanti's items, for any shape), or for
    weight gradients that wait: what was run again is back by then, but for scores"""
    again = k.modules if modules else set()
    if waiting:
        again = k.modules & {"core_attn"}
    low = k.format != "bf16" and k.core  # products' inputs are kept in 8 bits
    i, before = (1 if low else 2), 2 * (k.matrices - 1)  # the latter of an activation function
    per_token = 4 * k.h / k.sp + (2 * k.h / k.sp if k.cls == "eager" else 0)
    if "layernorm" not in again:
        per_token += 2 * i * k.h / k.sp
    latent = k.latent and "mla_up_proj" in again
    per_token += 2 * k.latent if latent else 2 * k.w_qkv / k.t
    per_token += (3 if low else 2) * k.a * k.dv / k.t
    if ("shared_experts" if moe else "mlp") not in again:
        per_token += (before + i) * mlp_width(k, moe) / k.t
    scores_run_again = k.recompute == "selective" and not k.modules
    if k.unfused and not scores_run_again and "core_attn" not in again:
        per_token += 5 * k.a * k.s / k.t
    if moe and "moe" not in again:
        o = 0 if k.core else 2  # mcore and te weigh experts' outputs in the activation function
        per_token += k.k / k.t * (i * k.h * k.etp + o * k.h + before * k.fe
                                  + (0 if "moe_act" in again else i * k.fe))
    return k.T * per_token


def in_flight(k: Case, i: int) -> tuple[float, float]:
    """Micro-batches ahead of their backward pass, and behind it with weight gradients ahead."""
    held, late = float(k.p - i), 0.0
    if k.v > 1:
        N = k.p
        while k.flush > k.p and k.flush % N and k.flush % N < k.p:
            N += 1
        held = ((k.v - 1) * N + 2 * (k.p - 1 - i) + 1) / k.v
    elif k.p > 1 and k.schedule in ("zb-1p", "zb-2p"):
        twice = 2 if k.schedule == "zb-2p" else 1
        held, late = twice * held, float(twice * i)
    held = min(held, k.flush)
    return held, min(late, k.flush - held)


def stage_memory(k: Case, i: int) -> float:
    first, last = i == 0, i == k.p - 1
    mtp = k.mtp if last else 0
    before = sum(layers_of_stage(k, j) for j in range(i))
    n = layers_of_stage(k, i)
    dense = max(0, min(k.dense_layers - before, n)) if k.E else n
    moe = n - dense + (mtp if k.E else 0)
    dense += 0 if k.E else mtp
    # Parameters. Norms, not split, and the router count here (not in the time)
    routed = weights(k, True) + k.h * k.E / k.t if k.E else 0.0
    vocabularies = 1 if k.p == 1 and k.tied else first + last
    if mtp and k.p > 1 and not k.tied:  # a copy of the embedding
        vocabularies += 1
    P = (dense * weights(k, False) + moe * routed + 2 * k.h * (dense + moe)
         + vocabularies * k.V * k.h / k.t)
    P_e = moe * expert_weights(k) if k.E else 0.0
    # States. Gradients of mcore and te as they are reduced
    g = (2 if k.g == 2 else 4) if k.core else 6 if k.fp32_gradients else 2
    adam = 4 + 2 * k.moment

    def states(P: float, shard: float) -> float:
        if k.zero == 3:
            return (2 + adam + g) * P / shard
        if k.zero == 2:
            return 2 * P + (adam + g) * P / shard
        beside = 4 if g == 2 and not k.core else 0
        return (2 + g) * P + (adam + beside) * P / (shard if k.zero else 1)

    memory = states(P, k.shard) + states(P_e, k.expert_shard if k.zero == 3 else k.expert_d)
    stepping = memory  # fp32 gradients of the shard while the optimizer runs
    if k.fetched and k.core and k.zero == 1:  # for the step alone
        memory -= adam * (P / k.shard + P_e / k.expert_d)
    if k.core and g == 2 and k.zero < 3:
        stepping += 4 * (P / k.shard + P_e / k.expert_d if k.zero else P + P_e)
    if k.zero == 3:  # A layer of each kind gathered twice, and a vocabulary
        gathered = (weights(k, False) if not k.E or k.dense_layers else 0.0) + (
            routed + expert_weights(k) if k.E else 0.0)
        of_gradients, of_vocabulary = (0, 2) if k.cls == "jax" else (g, 4)
        memory += 2 * (2 + of_gradients) * gathered + of_vocabulary * k.V * k.h / k.t
    # Activations.
    held, late = in_flight(k, i)
    kept = k.c["activation_inventory"] * (dense * inventory(k, False)
                                          + (moe * inventory(k, True) if k.E else 0))
    needed_again = k.recompute == "full" or "layernorm" in k.modules
    if k.free_inputs and k.p > 1 and not needed_again:  # of v chunks
        kept -= k.c["activation_inventory"] * min(k.v, dense + moe) * 2 * k.h / k.sp * k.T
    waiting = k.c["activation_inventory"] * (
        dense * inventory(k, False, waiting=True)
        + (moe * inventory(k, True, waiting=True) if k.E else 0))
    # A layer at work: all of it with full recomputation, else 0.3; half in a last stage
    half = 0.5 if k.p > 1 and last else 1.0
    kinds = [kind for kind, count in ((False, dense), (True, moe)) if count] or [bool(k.E)]
    largest = max(inventory(k, kind, modules=False) for kind in kinds)
    at_work = half * k.c["working_set"] * largest * (1.0 if k.recompute == "full"
                                                                    else 0.3)
    layers = dense + moe
    in_host = min(1.0, k.offloaded / layers) if layers else 0.0
    if k.recompute == "full":
        inputs = layers * k.c["checkpoint"] * 2 * k.h / k.sp * k.T
        memory += (held * (1 - in_host) * (k.recomputed * inputs + (1 - k.recomputed) * kept)
                   + late * 32 / 34 * waiting)
    elif k.recompute == "selective" and k.cls == "torch":
        memory += held * k.c["selective_kept"] * kept + late * 32 / 34 * waiting
    else:
        memory += held * (1 - in_host) * kept + late * 32 / 34 * waiting
    # Buffers of communication: a micro-batch sent, a sequence gathered
    buffers = (2 * k.h * k.T if k.p > 1 and not last else 0) + (half * 4 * k.h * k.T if k.sp > 1
                                                                else 0)
    if last:
        memory += (k.c["logit_bytes." + k.loss] / k.loss_chunks * k.T * k.V / k.t
                   * (1 + k.mtp))
    return max(memory + at_work + buffers, stepping) + k.c["base"]


def peak_memory(k: Case) -> float:
    """Of the fullest stage, of those that the source looked at, in the row's metric."""
    metric = k.row.get("memory_metric", "")
    ends = {0, k.p - 1} if "first/last" in metric else range(k.p)
    memory = max(stage_memory(k, i) for i in ends)
    smi = "nvidia-smi" in metric or "GB rounded" in metric
    if smi or "reserved" in metric:
        memory *= k.c["reserved"]
    return memory + (k.c["driver_context"] if smi else 0)


def recomputation(k: Case) -> str:
    """Unknown is none, or full for dense models, not with te, that need 1.3 times the memory."""
    if not k.unknown or k.E or k.cls == "te":
        return k.recompute
    whole = max(stage_memory(k, i) for i in range(k.p))
    return "full" if whole > 1.3 * k.memory else k.recompute


def peak_memory_GB(k: Case) -> float:
    k.recompute = recomputation(k)
    return peak_memory(k) / 1e9
