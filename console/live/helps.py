"""What "What is this?" says of each tile and panel: definition, source, how it is computed, what to do."""

from __future__ import annotations

from typing import Final

from console.live.charts_shown import LEAST_TURNS

HELPS: Final = {
    "batch": (
        "Sequences that share the engine's steps now, and requests that wait for a place. From "
        "vllm:num_requests_running and vllm:num_requests_waiting, read once a second. Waiting for long: lower the "
        "longest answer of a busy tenant, or start the engine with a higher max-num-seqs if KV blocks are free."
    ),
    "kv": (
        "Part of the KV blocks that hold the keys and values of running sequences. vllm:kv_cache_usage_perc times the "
        "number of blocks of vllm:cache_config_info. Near the limit the engine preempts: allow fewer sequences or a "
        "shorter context, or give it more KV space."
    ),
    "ttft": (
        "Time from sending a request to its first token. "
        f"With {LEAST_TURNS} ended turns or more in the window: measured by this program for each of its own turns, "
        "percentiles by nearest rank, a turn counted when it ended. Else from the buckets of "
        "vllm:time_to_first_token_seconds, interpolated: only the bucket's edges are sure. "
        "Over the SLO: look at waiting requests first, then at long prompts that are not cached."
    ),
    "inter_token": (
        "Time between two tokens of one answer. "
        f"With {LEAST_TURNS} ended turns or more in the window: the mean gap of each own turn, percentiles over the "
        "turns. Else from the buckets of vllm:inter_token_latency_seconds, interpolated. Over the SLO: too many "
        "sequences share a step, or long prompts are read between; lower max-num-seqs or the tokens per step."
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
        "limits on the Tenants page."
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
