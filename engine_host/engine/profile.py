"""What an engine is started with: a model, a value for each option, and further arguments as typed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from engine_host.engine.options import option_groups, option_named, options_by_key

if TYPE_CHECKING:
    from engine_host.engine.models import ModelSpec
    from engine_host.engine.options import OptionValue, Values
    from storage.settings import EngineSettings

DEFAULT_NAME = "cpu-demo"
NO_TOOLS = "none"
TOOL_PARSER = "tool_call_parser"


@dataclass(frozen=True, slots=True)
class EngineProfile:
    """`values` holds only what was set; the rest are the options' defaults. `version` 0 = not kept, or ready-made.

    `extra` are further vLLM arguments. Which options count depends on the machine: see `Option.counts`.
    """

    name: str
    model: ModelSpec
    values: Values = field(default_factory=dict[str, "OptionValue"])
    extra: tuple[str, ...] = ()
    version: int = 0

    def value(self, key: str) -> OptionValue | None:
        """None = nothing is said about it. Raises ProfileRefused for a key that is no option."""
        return self.values.get(key, option_named(key).default)

    def all_values(self) -> Values:
        """Every option that has a value, in the order of the form."""
        options = (option for group in option_groups() for option in group.options)
        told = {option.key: self.values.get(option.key, option.default) for option in options}
        return {key: value for key, value in told.items() if value is not None}

    def changed(self) -> Values:
        """What differs from the defaults."""
        known = options_by_key()
        return {key: value for key, value in self.values.items() if value != known[key].default}

    def with_values(self, **changes: OptionValue | None) -> EngineProfile:
        """A copy with other values; None gives an option its default back. It counts as not kept."""
        kept = {key: value for key, value in self.values.items() if key not in changes}
        new = {option_named(key).key: value for key, value in changes.items() if value is not None}
        return replace(self, values=kept | new, version=0)

    @property
    def tool_parser(self) -> str | None:
        """The parser of tool calls that is used: the profile's, else the model's own; None = no tools."""
        said = self.values.get(TOOL_PARSER)
        chosen = self.model.tool_parser if said is None else str(said)
        return None if chosen == NO_TOOLS else chosen

    @property
    def kv_space_gib(self) -> float:
        """Counts on a CPU only: on a GPU vLLM takes the share that it is given."""
        return float(cast("float", self.value("kv_space_gib")))

    @property
    def max_num_seqs(self) -> int:
        return self._whole("max_num_seqs")

    @property
    def max_model_len(self) -> int:
        return self._whole("max_model_len")

    @property
    def max_num_batched_tokens(self) -> int:
        return self._whole("max_num_batched_tokens")

    @property
    def max_queued(self) -> int:
        """How many may wait beyond `max_num_seqs`."""
        return self._whole("max_queued")

    @property
    def enforce_eager(self) -> bool:
        return bool(self.value("enforce_eager"))

    @property
    def prefix_caching(self) -> bool:
        return bool(self.value("prefix_caching"))

    def _whole(self, key: str) -> int:
        return int(cast("int", self.value(key)))


def profile_from(settings: EngineSettings, model: ModelSpec, name: str = DEFAULT_NAME) -> EngineProfile:
    """The profile that the settings describe, for `model`."""
    values: Values = {
        "kv_space_gib": settings.kv_space_gib,
        "max_num_seqs": settings.max_num_seqs,
        "max_model_len": min(settings.max_model_len, model.shape.context),
        "max_num_batched_tokens": settings.max_num_batched_tokens,
        "enforce_eager": settings.enforce_eager,
        "prefix_caching": settings.prefix_caching,
        "max_queued": settings.max_queued,
    }
    return EngineProfile(name, model, values)
