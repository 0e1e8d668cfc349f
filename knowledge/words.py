"""Words of a text as search keys, for English, Hindi, Marathi, and Hindi in Roman letters. Pure.

A word has its stem as a key, and `~` with its consonants as a second one: that is how `refund` and `रिफ़ंड`, or
`dabba` and `डब्बा`, come together. Vowels differ too much between spellings to be compared.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from knowledge.word_lists import ALIKE, HINDI_ENDINGS, MARATHI_ENDINGS, SAME_MEANING, SMALL_ROMAN_WORDS, SMALL_WORDS

_MARKS = "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"  # \w leaves the vowel signs of Devanagari out
_WORD = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*")
_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_ENGLISH_ENDINGS = ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly")
_CONSONANTS = dict(
    zip(
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसह",
        "kkggnccjjnttddnttddnpfbbmyrllvssshh",
        strict=False,
    )
)
_ROMAN_PAIRS = (("chh", "C"), ("ch", "C"), ("sh", "s"), ("ph", "f"), ("ck", "k"), ("tion", "sn"), ("x", "ks"))


def words_of(text: str) -> list[str]:
    """Lower-case words and numbers in their order; Devanagari digits become 0 to 9."""
    plain = unicodedata.normalize("NFC", text).lower().replace("\u200c", "").replace("\u200d", "")
    return [_with_plain_digits(word) for word in _WORD.findall(plain)]


def keys_of_passage(text: str) -> list[tuple[str, ...]]:
    """The keys of every content word of a passage."""
    return [(stem(word), sound(word)) for word in words_of(text) if word not in SMALL_WORDS]


def keys_of_question(text: str, *, indic: bool) -> list[tuple[str, ...]]:
    """For every different content word of a question the keys that count as finding it.

    `indic` = the passages are in Hindi or Marathi: words in Roman letters are also compared by their sound, and common
    English words of help questions by what they mean. Otherwise English words that are alike find each other.
    """
    left_out = SMALL_WORDS | SMALL_ROMAN_WORDS if indic else SMALL_WORDS
    found: dict[str, tuple[str, ...]] = {}
    for word in words_of(text):
        if word not in left_out:
            others = _indic_keys(word) if indic else _alike().get(stem(word), ())
            found.setdefault(stem(word), (stem(word), *others))
    return list(found.values())


def _indic_keys(word: str) -> list[str]:
    keys = [stem(other) for other in SAME_MEANING.get(word, ())]
    roman = not _DEVANAGARI.search(word)
    return [sound(word), *keys] if roman and len(sound(word)) > 2 else keys  # one consonant says too little


@cache
def _alike() -> dict[str, tuple[str, ...]]:
    """The stem of a word, and those of the words that are alike."""
    found: dict[str, set[str]] = {}
    for group in ALIKE:
        stems = {stem(word) for word in group}
        for one in stems:
            found.setdefault(one, set()).update(stems - {one})
    return {one: tuple(sorted(others)) for one, others in found.items()}


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its commonest endings; cautious, so that different words seldom meet."""
    return _devanagari_stem(word) if _DEVANAGARI.search(word) else _english_stem(word)


@lru_cache(maxsize=50_000)
def sound(word: str) -> str:
    """`~` and the consonants of a word as they sound, the same for both scripts; numbers stay themselves."""
    if word.isdigit():
        return f"~{word}"
    letters = _devanagari_letters(stem(word)) if _DEVANAGARI.search(word) else _roman_letters(word)
    return "~" + re.sub(r"(\D)\1+", r"\1", re.sub(r"[^a-z0-9]", "", letters))


def _with_plain_digits(word: str) -> str:
    if word.isascii():
        return word
    return "".join(str(unicodedata.digit(letter)) if letter.isdigit() else letter for letter in word)


def _english_stem(word: str) -> str:
    for ending in _ENGLISH_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            break
    if len(word) > 3 and word[-1] == word[-2] and (word[-1] not in "ls" or len(word) > 5):  # call, but cancel-led
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _devanagari_stem(word: str) -> str:
    """Spelling variants folded (nukta, long vowels, doubled letters), a case ending and a vowel ending taken off."""
    word = unicodedata.normalize("NFD", word).replace("\u093c", "").replace("ँ", "ं")
    for endings in (MARATHI_ENDINGS, HINDI_ENDINGS):
        for ending in endings:
            if word.endswith(ending) and len(word) - len(ending) >= 2:
                word = word.removesuffix(ending)
                break
    word = re.sub(r"(.)्\1", r"\1", word.removesuffix("्य"))
    return word.replace("ी", "ि").replace("ू", "ु").replace("ई", "इ").replace("ऊ", "उ")


def _devanagari_letters(word: str) -> str:
    letters = re.sub(r"ं(?=[पफबभम])", "म", word)
    letters = "".join("n" if letter == "ं" else _CONSONANTS.get(letter, letter) for letter in letters)
    return re.sub(r"[yh]", "", letters)


def _roman_letters(word: str) -> str:
    for pair, letter in _ROMAN_PAIRS:
        word = word.replace(pair, letter)
    word = re.sub(r"c(?=[eiy])", "s", word)
    word = word.replace("c", "k").replace("q", "k").replace("w", "v").replace("C", "c")
    word = re.sub(r"g(?=[eiy])", "j", word).replace("z", "j")
    return re.sub(r"[aeiouyh]", "", word)
