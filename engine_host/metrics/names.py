"""What vLLM calls its series, over its versions: each list newest first. The first name that a page has is read."""

from __future__ import annotations

from typing import Final

Names = tuple[str, ...]

RUNNING: Final[Names] = ("vllm:num_requests_running",)
WAITING: Final[Names] = ("vllm:num_requests_waiting",)
WAITING_BY_REASON: Final[Names] = ("vllm:num_requests_waiting_by_reason",)
KV_USAGE: Final[Names] = ("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc")
CACHE_CONFIG: Final[Names] = ("vllm:cache_config_info",)
SLEEP_STATE: Final[Names] = ("vllm:engine_sleep_state",)
STARTED: Final[Names] = ("process_start_time_seconds",)

PROMPT_TOKENS: Final[Names] = ("vllm:prompt_tokens_total",)
PROMPT_BY_SOURCE: Final[Names] = ("vllm:prompt_tokens_by_source_total",)
PROMPT_CACHED: Final[Names] = ("vllm:prompt_tokens_cached_total",)
OUTPUT_TOKENS: Final[Names] = ("vllm:generation_tokens_total",)
PREFIX_QUERIES: Final[Names] = ("vllm:prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries_total")
PREFIX_HITS: Final[Names] = ("vllm:prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits_total")
PREEMPTIONS: Final[Names] = ("vllm:num_preemptions_total",)
SUCCESS: Final[Names] = ("vllm:request_success_total",)
REJECTIONS: Final[Names] = ("vllm:admission_rejections_total",)

TTFT: Final[Names] = ("vllm:time_to_first_token_seconds",)
# V0 called the time between two tokens "per output token"; today that is the mean of a whole request.
INTER_TOKEN: Final[Names] = ("vllm:inter_token_latency_seconds", "vllm:time_per_output_token_seconds")
PER_TOKEN: Final[Names] = ("vllm:request_time_per_output_token_seconds",)
QUEUE: Final[Names] = ("vllm:request_queue_time_seconds", "vllm:time_in_queue_requests")
PREFILL: Final[Names] = ("vllm:request_prefill_time_seconds",)
DECODE: Final[Names] = ("vllm:request_decode_time_seconds",)
E2E: Final[Names] = ("vllm:e2e_request_latency_seconds",)
STEP_TOKENS: Final[Names] = ("vllm:iteration_tokens_total",)

PLAIN: Final = (
    RUNNING, WAITING, WAITING_BY_REASON, KV_USAGE, CACHE_CONFIG, SLEEP_STATE, STARTED, PROMPT_TOKENS, PROMPT_BY_SOURCE,
    PROMPT_CACHED, OUTPUT_TOKENS, PREFIX_QUERIES, PREFIX_HITS, PREEMPTIONS, SUCCESS, REJECTIONS,
)  # fmt: skip
HISTOGRAMS: Final = (TTFT, INTER_TOKEN, PER_TOKEN, QUEUE, PREFILL, DECODE, E2E, STEP_TOKENS)
