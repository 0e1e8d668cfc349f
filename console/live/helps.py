"""What "What is this?" says of each tile and panel: definition, source, how it is computed, what to do."""

from __future__ import annotations

from typing import Final

from console.live.latency_shown import LEAST_TURNS


def _latency(what: str, own: str, series: str, bad: str) -> str:
    return (
        f"{what} With {LEAST_TURNS} ended turns or more in the window: {own}, percentiles by nearest rank. Else from "
        f"the buckets of {series}, interpolated. Only the edges of a bucket are sure: the dashed lines are those "
        f"around the engine's own p95. {bad}"
    )


HELPS: Final = {
    "batch": (
        "Sequences that share the engine's steps now, and requests that wait: for a place in the batch or in the KV "
        "blocks, or deferred by the engine (vllm:num_requests_waiting_by_reason). From vllm:num_requests_running and "
        "vllm:num_requests_waiting, read once a second, twice where Settings say so. Waiting for long: lower the "
        "longest answer of a busy tenant, or start the engine with a higher max-num-seqs if KV blocks are free."
    ),
    "kv": (
        "Part of the KV blocks that hold the keys and values of running sequences. vllm:kv_cache_usage_perc times the "
        "number of blocks of vllm:cache_config_info. Filled by us: the tokens of our own turns under way, as full "
        "blocks. If reserved: what these turns would take if the longest answer that each may give were kept free for "
        "it, as engines without paging do. Near the limit the engine preempts: allow fewer sequences or a "
        "shorter context, or give it more KV space."
    ),
    "ttft": _latency(
        "Time from sending a request to its first token.",
        "measured by this program for each of its own turns, a turn counted when it ended",
        "vllm:time_to_first_token_seconds",
        "Over the SLO: look at waiting requests first, then at long prompts that are not cached.",
    ),
    "inter_token": _latency(
        "Time between two tokens of one answer.",
        "the mean gap of each own turn",
        "vllm:inter_token_latency_seconds",
        "Over the SLO: too many sequences share a step, or long prompts are read between; lower max-num-seqs or the "
        "tokens per step.",
    ),
    "per_token": _latency(
        "Mean time per token of a whole answer, its first token left out.",
        "the mean gap of each own turn",
        "vllm:request_time_per_output_token_seconds",
        "A customer reads about 5 words a second: slower than 200 ms a token feels slow.",
    ),
    "queue": _latency(
        "Time that a request waited in the engine before it was first worked on.",
        "what the engine says of each own turn",
        "vllm:request_queue_time_seconds",
        "Long: the batch or the KV blocks are full. See the Batch and KV panels.",
    ),
    "prefill": _latency(
        "Time from the first work on a prompt to the first token.",
        "what each own turn took",
        "vllm:request_prefill_time_seconds",
        "Long: long prompts that are not in the prefix cache. See Tokens in.",
    ),
    "decode": _latency(
        "Time from the first token of an answer to its last.",
        "what each own turn took",
        "vllm:request_decode_time_seconds",
        "Long: long answers, or slow steps. See Inter-token latency.",
    ),
    "e2e": _latency(
        "Time from a request to the end of its answer.",
        "the whole of each own turn, with order look-up, retrieval and gate, so it is more than the engine's",
        "vllm:e2e_request_latency_seconds",
        "Long: choose queue, prefill and decode one after the other to see which of them it is.",
    ),
    "tokens_in": (
        "Prompt tokens each second: vllm:prompt_tokens_total, means over a sixtieth of the time shown. Parted into "
        "computed (vllm:prompt_tokens_by_source_total, local_compute) and cached (vllm:prompt_tokens_cached_total) "
        "ones where the engine tells both. Much computed and little cached: prompts do not begin alike."
    ),
    "steps": (
        "How many tokens the engine works on in one of its steps: the sum of vllm:iteration_tokens_total over its "
        "count. About as many as sequences run: it only writes. Far more: it reads prompts, and every answer waits "
        "for that; lower max-num-batched-tokens when inter-token latency suffers."
    ),
    "tokens": (
        "Tokens that the engine writes each second: vllm:generation_tokens_total over the last 10 s. 'In' is "
        "vllm:prompt_tokens_total, cached ones included. Falling while requests wait: the machine is busy with "
        "something else, or long prompts hold up the steps."
    ),
    "prefix": (
        "Part of the prompt tokens of the window that were read from the prefix cache and not computed again: "
        "vllm:prefix_cache_hits_total over vllm:prefix_cache_queries_total. Low: prompts do not begin alike, or the "
        "KV space is too small to keep their beginnings."
    ),
    "tenant_tokens": (
        "Stack: output tokens of each tenant's settled turns in the ledger, each turn's tokens spread evenly over the "
        "time in which it decoded, which is taken to end with the turn. It stops where turns are still under way. "
        "Line: what the engine itself counted, vllm:generation_tokens_total. Both are means over a sixtieth of the "
        "time shown. Line far above the stack: somebody else uses this engine."
    ),
    "tenants": (
        "Turns that ended in the window, from the ledger: refused, failed and cancelled ones too, each with the "
        "tokens it really used. 'Tokens in' includes those that were cached. One tenant far above the others: see its "
        "limits on the Tenants page. TTFT p95: exact, of the turns that wrote a token, the slowest where there are "
        "fewer than 20, beside what this tenant is promised; red when it is over. One alone is over: its prompts "
        "are long, or do not begin alike; all are: see waiting requests."
    ),
    "truth": (
        "What the bot held back rather than say something untrue, from the turns of the ledger that ended in the "
        "window. Withheld: sentences of the model that did not pass the gate; the Chat page shows each with its "
        "reason. Order look-up: all look-ups of a turn together, those that failed too; of fewer than "
        f"{LEAST_TURNS} turns the slowest stands for p95. “I do not know”: what the customer read, counted by its "
        "reason. Order system failed: see its address and limit in Settings. No passage near enough: an article is "
        "missing."
    ),
}
