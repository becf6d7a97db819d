"""One layer of the calibrated model, from docs/calibrated.md."""

import math

from row import Case


def soft_max(x: float, y: float, order: int) -> float:
    top = max(x, y)
    return top * ((x / top) ** order + (y / top) ** order) ** (1 / order) if top > 0 else 0.0


def exposed(c: float, x: float, w: float) -> float:
    return x * c + max(0.0, (1 - x) * c - w)


def product(k: Case, W: float, K: float, n: float, M: float, F: float, bytes_: float) -> float:
    shape = k.c["gemm_shape"] * F * bytes_ / (2 * k.BW) * (1 / M + 1 / K + 1 / n)
    return 2 * M * W / F * (1 + shape)


def mlp_width(k: Case, moe: bool) -> float:
    return k.fe * k.shared if moe else k.f


def weights(k: Case, moe: bool) -> float:
    """Of a rank, without routed experts."""
    return (k.W_attention + k.h * k.matrices * mlp_width(k, moe)) / k.t


def expert_weights(k: Case) -> float:
    return k.E / (k.ep * k.etp) * k.h * k.fe * k.matrices


def products(k: Case, moe: bool) -> float:
    """Attention's matrices count as one product h by n_qkv/t, those of the MLP as h by f/t"""
    f = mlp_width(k, moe)
    time = product(k, k.W_attention / k.t, k.h, k.n_qkv / k.t, k.T, k.F, k.bytes)
    if f:
        time += product(k, k.h * f * k.matrices / k.t, k.h, f / k.t, k.T, k.F, k.bytes)
    return time


def experts(k: Case) -> float:
    M_e = k.T * k.k / k.t * k.etp * k.ep / k.E
    shape = (k.c["gemm_shape"] * k.F * k.bytes / (2 * k.BW)
             * (2 / M_e + 1 / k.h + k.etp / k.fe))
    return (2 * k.T * k.k / k.t * k.h * k.fe * k.matrices / k.F * (1 + shape)
            * k.c["dropless_imbalance" if k.dropless else "expert_imbalance"])


def attention(k: Case) -> tuple[float, float]:
    """Forward and backward, with the steps of the context ring."""
    if k.unfused:
        scores = k.T * k.s * k.a / k.t
        two = product(k, k.s * (k.dqk + k.dv), k.dqk, k.s, k.s, k.F16, 2) * scores / k.s**2
        two *= k.c["unaligned_head"] if k.dqk % 8 else 1
        traffic = scores / k.BW * k.c["score_traffic"] * (k.c["framework_ops"] if k.framework_ops
                                                          else 1)
        forward, backward = two + 9 * traffic, 2 * two + 15 * traffic
    else:
        forward = k.window * k.T * k.s * (k.a / k.t) * (k.dqk + k.dv) / k.attention_rate
        backward = 3 * forward
    if k.cp > 1:
        forward += 8 * k.cp * k.T * k.a * k.dv / k.t / k.BW
        backward += 8 * k.cp * k.T * (k.a * k.dqk + k.w_kv) / k.t / k.BW
    return forward, backward


def memory_bound(k: Case, moe: bool) -> float:
    f = mlp_width(k, moe) * (1.5 if k.gated else 1)
    return k.T * (24 * k.h / k.sp * k.ew + k.q * k.h + (4 * k.ew + k.q) * k.w_qkv / k.t
                  + (8 * k.ew + k.q) * f / k.t) / k.BW


def routed_tokens(k: Case) -> float:
    f = k.fe * (1.5 if k.gated else 1)
    return (k.T * k.k / k.t * ((8 * k.ew + k.q) * f + (4 + k.q) * k.h * k.etp) / k.BW
            * (k.c["fused_routing"] if k.graphs else 1))


def weight_gradients(k: Case, moe: bool) -> float:
    P = weights(k, moe) + (expert_weights(k) if moe else 0)
    return k.c["gradient_accumulation"] * 2 * k.g * P / k.BW


def all_reduces(k: Case, moe: bool, work: float, forward: bool) -> float:
    if k.t == 1:
        return 0.0
    xi = min(k.t, k.K)
    one = (2 * 2 * k.T * k.h * ((xi - 1) / xi / k.inside(xi, 1) + (1 - xi / k.t) / (xi * k.nic))
           + k.c["tp_latency"] * math.log2(k.t))
    # Half as many again backward only with sequence parallelism
    count = (2 if not moe or k.shared else 1) * (1 if forward or k.sp == 1 else 1.5)
    share = k.c["tp_exposed." + (k.cls if k.cls in ("torch", "jax") else "te")]
    overlaps = k.tp_overlap and k.sp > 1 and k.t <= k.K
    return exposed(count * one, share if overlaps else 1.0, work / 2)


def all_to_alls(k: Case, work: float) -> float:
    """Two a pass, dispatch and combination, without latency"""
    def D(x: float) -> float:
        none = 1.0
        for i in range(int(k.k)):  # different experts, E/x of them on each of x
            none *= max(0.0, k.E - k.E / x - i) / (k.E - i)
        return x * (1 - none)
    nvl = k.exchanging(k.e * k.etp)
    if k.plain_exchange:
        one = k.k * (((1 - 1 / k.e) / k.n + k.etp - 1) / nvl + (1 - 1 / k.n) / k.nic)
    else:
        one = max(k.etp * D(k.n * k.e) * (1 - 1 / (k.e * k.etp)) / nvl,
                  D(k.n) * (1 - 1 / k.n) / k.nic)
    if k.expert_overlap:  # behind another micro-batch
        return exposed(2 * 2 * k.T * k.h / k.t * one, k.c["ep_exposed_overlap"], work)
    return exposed(2 * 2 * k.T * k.h / k.t * one, k.c["ep_exposed"], work / 2)


def context_ring(k: Case, work: float, forward: bool) -> float:
    link = k.inside(k.cp, k.t) if k.t * k.cp <= k.K else k.nic
    ring = (k.cp - 1) * (2 * k.T * k.w_kv / k.t / link + k.c["tp_latency"])
    return exposed(ring * (1 if forward else 2), k.c["cp_exposed"], work)


def launches(k: Case, moe: bool) -> float:
    """Host time of a layer's pass."""
    if not moe:
        return k.host_time
    return (k.host_time + k.c["moe_host_time"]) * (k.c["cuda_graphs"] if k.graphs else 1)


def gaps(k: Case, moe: bool) -> float:
    gap = k.host_time * k.c["launch_gap"]
    if moe:
        gap += k.c["moe_gap"] + k.c["moe_gap_per_expert"] * k.E / k.ep
        gap *= k.c["cuda_graphs"] if k.graphs else 1
    return gap + (k.c["launch_blocking"] * launches(k, moe) if k.blocking else 0)


def one_pass(k: Case, moe: bool, forward: bool) -> float:
    attended = attention(k)[0 if forward else 1]
    dense, traffic = products(k, moe), memory_bound(k, moe)
    if moe:
        dense, traffic = dense + experts(k), traffic + routed_tokens(k)
    work = dense * (1 if forward else 2) + attended
    time = (work + traffic * (1 if forward else 1.6) + gaps(k, moe) * (1 if forward else 2)
            + all_reduces(k, moe, work, forward) + context_ring(k, attended, forward))
    if moe:
        time += all_to_alls(k, work)
    return soft_max(time + (0 if forward else weight_gradients(k, moe)), launches(k, moe), 4)


def scores_again(k: Case) -> float:
    """Attention without the steps of the ring"""
    cp, k.cp = k.cp, 1
    time = attention(k)[0]
    k.cp = cp
    return time


def modules_again(k: Case, moe: bool) -> float:
    """Megatron-Core's --recompute-modules."""
    R, time = k.T * (k.k or 0) / k.t, 0.0
    if "core_attn" in k.modules:
        time += scores_again(k)
    if "layernorm" in k.modules:
        time += 8 * k.h * k.ew * k.T / k.sp / k.BW
    if "mla_up_proj" in k.modules and k.latent:
        time += k.T * k.W_attention / k.t / k.F
    if "mlp" in k.modules and not moe:
        time += 2 / 3 * 2 * k.T * k.h * k.f * k.matrices / k.t / k.F
    if not moe:
        return time
    if "moe_act" in k.modules:
        time += 6 * k.fe * k.ew * R / k.BW
    if "moe" in k.modules:
        time += experts(k) + routed_tokens(k)
    if "shared_experts" in k.modules:
        time += 2 / 3 * 2 * k.T * k.h * k.fe * k.shared * k.matrices / k.t / k.F
    return time


def layer(k: Case, moe: bool) -> float:
    """Forward and backward with what is computed again."""
    forward = one_pass(k, moe, True)
    again = {"none": 0.0, "full": k.recomputed * forward,
             "selective": attention(k)[0] if k.unfused else 0.0}
    if k.cls == "torch":
        again["selective"] = forward / 2
    if k.modules:
        again["selective"] = modules_again(k, moe)
    return forward + one_pass(k, moe, False) + again[k.recompute]


def layer_forward(k: Case, moe: bool) -> float:
    return one_pass(k, moe, True)


def layer_weight_gradients(k: Case, moe: bool) -> float:
    """What a zero-bubble schedule can put off."""
    return products(k, moe) + (experts(k) if moe else 0) + weight_gradients(k, moe)
