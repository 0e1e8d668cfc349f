"""The kinds of values that settings have, each with what is wrong with one that is not allowed."""

from __future__ import annotations

import re
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Annotated, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from storage.order_words import checked_fields, checked_statuses, flattened

if TYPE_CHECKING:
    from collections.abc import Sequence

BUNDLED_EMBEDDER = "bundled"
MULTILINGUAL_EMBEDDER = "multilingual"
_HUB_NAME = re.compile(r"[\w-]+/[\w.-]+")


class Section(BaseModel):
    """What every section of the settings is: frozen, strict, and without a key that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


def _known_timezone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError('it must be a time zone name such as "Asia/Kolkata"') from error
    return name


def _http_url(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise ValueError("it must begin with http:// or https://")
    return url.rstrip("/")


def _embedder(choice: str) -> str:
    if choice.startswith(("http://", "https://")):
        return choice.rstrip("/")
    named = choice in (BUNDLED_EMBEDDER, MULTILINGUAL_EMBEDDER) or _HUB_NAME.fullmatch(choice)
    if not named and not choice.startswith(("/", "~/", "./", "../")):
        raise ValueError(
            f'it must be "{BUNDLED_EMBEDDER}", "{MULTILINGUAL_EMBEDDER}", the folder of an ONNX model, a name such as '
            '"BAAI/bge-small-en-v1.5", or the URL of an embedding server that ends with /v1'
        )
    return choice


def _folder(path: str) -> str:
    if not path.startswith(("/", "~/")) and path != "~" and not PureWindowsPath(path).is_absolute():
        raise ValueError('it must be the whole path of a folder, such as "/srv/help-articles" or "~/articles"')
    return path


def as_tuple(values: object) -> object:
    """A list as a tuple: TOML knows lists only, and frozen settings keep none."""
    if not isinstance(values, list | tuple):
        raise ValueError("it must be a list")
    return tuple(cast("Sequence[object]", values))


def _database_url(url: str) -> str:
    if not url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
        raise ValueError("it must begin with postgresql:// or sqlite:///")
    return url


Timezone = Annotated[str, AfterValidator(_known_timezone)]
HttpUrl = Annotated[str, AfterValidator(_http_url)]
EmbedderChoice = Annotated[str, AfterValidator(_embedder)]
FolderPath = Annotated[str, AfterValidator(_folder)]
DatabaseUrl = Annotated[str, AfterValidator(_database_url)]
StatusWords = Annotated[dict[str, str], AfterValidator(checked_statuses)]
FieldNames = Annotated[dict[str, str], BeforeValidator(flattened), AfterValidator(checked_fields)]
EngineWeight = Annotated[float, Field(gt=0, le=1000)]
