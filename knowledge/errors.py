"""What can go wrong with articles and their index. Every message is a finished sentence for the person at the desk."""

from __future__ import annotations


class KnowledgeError(Exception):
    """Something about articles failed. `str(error)` is fit to be shown."""


class ReadRefused(KnowledgeError):
    """A file can't become an article: what is wrong with it and what to do."""


class ReaderFailed(ReadRefused):
    """The reader of this kind of file has a fault: the file is refused, and the fault is ours."""


class ModelMissing(KnowledgeError):
    """The embedding model isn't there, or its files are not the checked ones."""


class ModelFetchFailed(KnowledgeError):
    """The embedding model could not be fetched or did not match its checksum."""


class EmbedderUnreachable(KnowledgeError):
    """The server that embeds doesn't answer as it should."""


class MoveFailed(KnowledgeError):
    """The index was not moved to the server; it serves from where it was."""


class TextTooLong(KnowledgeError):
    """A text is longer than the embedder reads; embedding it would cut it."""


class IndexInUse(KnowledgeError):
    """Another process holds the folder of the passage index."""


class IndexUnavailable(KnowledgeError):
    """The passage index can't be read or written."""


class ArticleUnknown(KnowledgeError):
    """No article has this id (any more)."""


class QuestionRefused(KnowledgeError):
    """A known question can't be kept or read: what is wrong with it and what to do."""


class RunUnknown(KnowledgeError):
    """No evaluation run has this name."""


class ChangeRefused(KnowledgeError):
    """A change of an article that can't be made: what is wrong with it and what to do."""


class SweepRefused(KnowledgeError):
    """A sweep has nothing to compare."""


class SweepTooLarge(KnowledgeError):
    """A cutting needs more texts embedded than the sweep may."""


class ArticleMoved(KnowledgeError):
    """Somebody else changed the article between reading and writing it."""
