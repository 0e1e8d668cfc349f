"""What the list and the form say of profiles: rows, the line of truth, effects, defaults. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.engine.profiles_state import DESCRIBED
from console.widgets.list_rows import ListRow
from engine_host.engine.options_values import range_text, value_text
from engine_host.engine.profile_shelf import folded
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from console.engine.profiles_state import ProfilesView
    from engine_host.engine.models import ModelSpec
    from engine_host.engine.options import Option
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.state import EngineState

BY_MEMORY: Final = ("Model", "Memory")
"""Groups whose options are chosen for what they do to memory; the others for TTFT first."""
_AT_REST: Final = (EngineStatus.NONE, EngineStatus.STOPPED, EngineStatus.FAILED)


def derive_profile_rows(view: ProfilesView) -> tuple[ListRow, ...]:
    """Ready-made ones first; what the settings describe comes before them while a start uses it."""
    rows = [_row(view, folded(one.name), one.name, one.profile) for one in view.kept]
    if view.in_use_key == DESCRIBED or view.key == DESCRIBED:
        rows.insert(0, _row(view, DESCRIBED, "From the settings", view.described))
    return tuple(rows)


def _row(view: ProfilesView, key: str, title: str, profile: EngineProfile) -> ListRow:
    used = key == view.in_use_key
    changed = key == view.key and view.dirty
    words = [version_word(profile, key), "changed" if changed else "", "in use" if used else ""]
    return ListRow(
        key,
        title,
        ", ".join(one for one in words if one),
        _summary(profile, on_gpu=view.on_gpu),
        time_color="accent-ink" if used else "text-3",
    )


def version_word(profile: EngineProfile, key: str) -> str:
    """A ready-made one needs no word; the pill beside its name says it."""
    return f"v{profile.version}" if profile.version and key != DESCRIBED else ""


def _summary(profile: EngineProfile, *, on_gpu: bool) -> str:
    """As "SmolLM2-135M, 1 GiB KV", or how many at once where the KV space is no figure of the profile's own."""
    space = profile.value("gpu_kv_space_gib") if on_gpu else profile.kv_space_gib
    room = f"{space:g} GiB KV" if isinstance(space, int | float) else f"{profile.max_num_seqs:,} at once"
    return f"{short_model(profile.model)}, {room}"


def short_model(model: ModelSpec) -> str:
    return model.name.removesuffix("-Instruct")


def derive_title(view: ProfilesView) -> str:
    return "From the settings" if view.key == DESCRIBED else view.base.name


def derive_version(view: ProfilesView) -> str:
    """The pill beside the title."""
    if view.key == DESCRIBED:
        return ""
    return f"version {view.base.version}" if view.base.version else "ready-made"


def derive_profile_line(view: ProfilesView, engine: EngineState | None) -> str:
    """What is true of the form now: saved or not, and when it counts."""
    if view.faults:
        return "An engine could not start with this."
    if view.dirty:
        return "Not saved yet."
    if view.elsewhere:
        return "It is for more than this machine."
    if view.key != view.in_use_key:
        return "Start takes it into use."
    running = engine is not None and engine.hosted and engine.status not in _AT_REST
    return "In use; restart for changes." if running else "In use: the next start takes it."


def effect_text(option: Option) -> str:
    """What to know at a glance, in two lines of the form: its own words, or the most telling of the three sentences."""
    if option.brief:
        return option.brief
    told = (option.ttft, option.inter_token, option.memory)
    ordered = reversed(told) if option.group in BY_MEMORY else told
    first = next((one for one in ordered if not one.startswith("None")), "")
    rest = max(told, key=len).removeprefix("None; ")
    return first or f"{rest[:1].upper()}{rest[1:]}"


@dataclass(frozen=True, slots=True)
class EffectsShown:
    """`columns` are (what is affected, sentence); `allowed` the flag and the range, "" without either."""

    columns: tuple[tuple[str, str], ...]
    allowed: str


def derive_effects(option: Option) -> EffectsShown:
    columns = (("TTFT", option.ttft), ("Inter-token latency", option.inter_token), ("Memory", option.memory))
    allowed = range_text(option)
    return EffectsShown(columns, ", ".join(filter(None, (option.flag, allowed))))


def effects_text(option: Option) -> str:
    """All three, a line each, for a screen reader."""
    return "\n".join(f"{title}: {sentence}" for title, sentence in derive_effects(option).columns)


def default_text(option: Option) -> str:
    """Short enough for the last column; what the engine does when nothing is said stands in the field itself."""
    return (
        "not said" if option.default is None else value_text(option, option.default).removesuffix(option.unit).strip()
    )


def model_note(model: ModelSpec, *, here: bool) -> str:
    """What it is, in two lines of the form; or where it comes from while it is not `here`."""
    if not here and not model.bundled:
        return "Not here yet: vLLM fetches it at its first start."
    shape = model.shape
    return f"{shape.layers} layers, {shape.kv_heads} KV heads of {shape.head_size}, {shape.context:,} positions."
