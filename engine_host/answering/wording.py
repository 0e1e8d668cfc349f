"""Words as the grounding check compares them: one form for what is said in another way, one stem for one meaning."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from engine_host.answering.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

_LETTER = r"(?:[^\W\d_]|[\u0900-\u0963\u0970-\u097f])"
TOKEN = re.compile(rf"\d+(?:[:.,]\d+)*|°\s?[cf]\b|{_LETTER}+(?:'{_LETTER}+)?|[%₹]|[^\w\s]")
_WORD = re.compile(rf"{_LETTER}+(?:'{_LETTER}+)?")
_MARKUP = re.compile(r"\[\d{1,2}(?:\s*,\s*\d{1,2})*\]|[*_`#>~]+|^\s*(?:[-+•|]\s+|\d{1,2}[.)]\s+)+")
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s?([ap])\.?\s?m\b\.?")
NOON = 12
LISTS = ("alike", "kin", "rivals", "units")
_SHORTEST = 2
_NUKTA = str.maketrans({"\u093c": None, "ँ": "ं", "ी": "ि", "ू": "ु"})
_INDIC_SUFFIX = re.compile(
    (
        r"(?:ांमध्ये|ामध्ये|मध्ये|ांमधल[ेीा]|मधल[ेीा]|ांसाठी|ासाठी|साठी|ांच्या|ाच्या|च्या|ां?च[ाीे]|च[ाीे]|ांना|ाला|ीला|ला"
        r"|ांनी|ाने|ीने|ने|ांवर|ावर|वरून|वर|ापासून|पासून|ापर्यंत|पर्यंत|ांहून|हून|ांतून|ातून|तून|ापेक्षा|पेक्षा|ांत|ात"
        r"|ल्यानंतर|ानंतर|नंतर|ण्यापूर्वी|ल्यास|ल्यावर|लेल्या|लेल[ाीे]|ायला|ाव[ाीे]|ायच[ाीे]|णार[ाीे]?|ण्याची|ण्याचे|ण्यासाठी|ण्यास"
        r"|ाइए|िए|इए|ही|तात|त[ोेीा]|ल्या|ल[ाीे]|ू|ियों|ियाँ|ियां|ाओं|ाएँ|ाएं|ओं|ों|ें|ाकर|कर|ाए|ाई|ाया|ान[ाेी]|न[ाेी])$"
    ).translate(_NUKTA)
)
_VOWELS = re.compile(r"(?:[\u0901-\u0903\u093a\u093b\u093e-\u094c]|\u094d\u092f)+$")

_STRESSED = "च"
"""What Marathi adds to a word to stress it: लगेचच is लगेच."""
_VOWELS_ANYWHERE = re.compile(r"[\u0901-\u0903\u093a\u093b\u093e-\u094d]")


@cache
def lexicon() -> dict[str, Any]:
    return tomllib.loads(files("assets").joinpath("grounding/words.toml").read_text(encoding="utf-8"))


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list, folded."""
    return frozenset(fold(lexicon()[name]).split())


@cache
def meanings(name: str) -> frozenset[str]:
    """The words of a list as meanings."""
    return frozenset(meaning(word) for word in word_list(name))


@cache
def lines(name: str) -> tuple[tuple[str, ...], ...]:
    """The lines of a list, folded."""
    return tuple(tuple(fold(line).split()) for line in lexicon()[name].splitlines() if line.strip())


@lru_cache(maxsize=8192)
def normal(text: str) -> str:
    """`text` folded, without marks and citations, with clock times in 24 hours and set phrases replaced."""
    folded = _MARKUP.sub(" ", fold(text)).strip()
    folded = _CLOCK.sub(_in_24_hours, folded)
    folded = _indic_clock().sub(_hour_of_day, folded)
    for has, form, other in _forms():
        if has in folded:
            folded = form.sub(other, folded)
    pattern, replaced = _phrases()
    return " ".join(pattern.sub(lambda match: replaced[match.group()], folded).split())


@lru_cache(maxsize=16384)
def meaning(word: str) -> str:
    """The stem that stands for a word and for all that mean the same."""
    stem = _stem(word)
    if word.endswith(_STRESSED) and stem not in _alike():
        stem = _stem(word.removesuffix(_STRESSED))
    return _alike().get(stem, stem)


def as_written(text: str, wanted: Iterable[str]) -> list[str]:
    """For each of these meanings the first word of `text` that has it; the meaning itself where no single word has."""
    words = {meaning(word): word for word in reversed(_WORD.findall(fold(text)))}
    return [words.get(one, one) for one in wanted]


def is_word(token: str) -> bool:
    return _WORD.fullmatch(token) is not None


def is_listed(own: str) -> bool:
    """Whether a meaning stands in a list of words that mean the same."""
    return own in _listed()


@cache
def _listed() -> frozenset[str]:
    return frozenset(meaning(word) for name in LISTS for line in lines(name) for word in line) | meanings("limits")


@cache
def spelled(name: str) -> dict[str, str]:
    """Spelled numbers of a list, folded, with their digits."""
    return dict(pair.split("=") for pair in fold(lexicon()[name]).split())


@cache
def _alike() -> dict[str, str]:
    return {_stem(word): _stem(line[0]) for line in lines("alike") for word in line}


@cache
def _unstemmed() -> frozenset[str]:
    return frozenset(word.translate(_NUKTA) for word in word_list("unstemmed"))


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, str]]:
    replaced = {fold(said): fold(other) for said, other in lexicon()["phrases"].items()}
    longest_first = sorted(replaced, key=len, reverse=True)
    edge = r"[\w\u0900-\u097f]"
    return re.compile(rf"(?<!{edge})(?:{'|'.join(map(re.escape, longest_first))})(?!{edge})"), replaced


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Letters that each text has in which the pattern can be found, the pattern, and what stands for it."""
    return tuple((form.get("has", ""), re.compile(form["pattern"]), form["other"]) for form in lexicon()["form"])


def _in_24_hours(match: re.Match[str]) -> str:
    hour = int(match[1]) % NOON + NOON * (match[3] == "p")
    return f"{hour}:{match[2] or '00'}"


@cache
def _indic_clock() -> re.Pattern[str]:
    parts = "|".join(word_list("before_noon") | word_list("after_noon"))
    return re.compile(rf"(?:(?P<part>{parts})\s+)?\b(?P<hour>\d{{1,2}})(?P<minute>:\d{{2}})?(?=\s+(?:बजे|वाज))")


def _hour_of_day(match: re.Match[str]) -> str:
    hour = int(match["hour"])
    is_late = hour < NOON and match["part"] in word_list("after_noon")
    return f"{hour + NOON * is_late}{match['minute'] or ':00'}"


def _stem(word: str) -> str:
    """A word without light endings; `cancelled` and `cancel`, `arrives` and `arriving`, डब्यात and डबे are one."""
    word = word.removesuffix("'s")
    return _english_stem(word) if word.isascii() else _indic_stem(word)


def _english_stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "ys", "s", "ly", "y", "e"):
        shortest = 4 if ending == "ly" else 3
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _indic_stem(word: str) -> str:
    bare = word.translate(_NUKTA)
    if bare in _unstemmed():
        return bare
    ending = _INDIC_SUFFIX.search(bare)
    if ending and len(_VOWELS_ANYWHERE.sub("", bare[: ending.start()])) >= _SHORTEST:
        bare = bare[: ending.start()]
    shorter = _VOWELS.sub("", bare)
    return shorter if len(shorter) >= _SHORTEST else bare
