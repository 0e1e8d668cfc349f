"""The library's one index: opened when it is needed, and changed to another embedder while it serves."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from knowledge.chunking import ChunkLimits
from knowledge.embedder_change import ChangeProgress, embed_beside
from knowledge.embedding_choice import embedder_of
from knowledge.errors import EmbedderUnreachable, IndexUnavailable, KnowledgeError, ModelMissing, MoveFailed
from knowledge.index_place import choice_of, choose, chosen
from knowledge.moving import copy_and_check
from knowledge.publish_hands import to_the_end
from knowledge.publish_repair import open_repaired, repair

if TYPE_CHECKING:
    from collections.abc import Callable

    from knowledge.embedding import Embedder
    from knowledge.index import PassageIndex
    from knowledge.moving import Moved
    from knowledge.publish_hands import Hands
    from storage.database import Database
    from storage.paths import Home
    from storage.settings import KnowledgeSettings

    Load = Callable[[], Embedder]

_log = logging.getLogger(__name__)


class IndexRoom:
    """`writing` is held by whoever changes articles; `hands_of` makes what puts an index right.

    When the settings name another embedder than the one that made the
    index, the old one serves until `change_embedder` has run; where it can't be loaded, the index is made anew at once.
    """

    def __init__(
        self,
        db: Database,
        home: Home,
        settings: KnowledgeSettings,
        writing: asyncio.Lock,
        hands_of: Callable[[PassageIndex], Hands],
        load_of: Callable[[KnowledgeSettings], Load] | None = None,
    ) -> None:
        self._db = db
        self._home = home
        self._settings = settings
        self._place = settings.qdrant_url or home.vectors
        self._writing = writing
        self._hands_of = hands_of
        self._load_of = load_of or partial(embedder_of, home=home)
        self._wanted = choice_of(settings)
        self._index: PassageIndex | None = None
        self._beside: PassageIndex | None = None
        self._served: list[PassageIndex] = []
        self._closed = False
        self._opening = asyncio.Lock()
        self._changing = asyncio.Lock()
        self._change: asyncio.Task[None] | None = None
        self.progress: ChangeProgress | None = None
        """How far a change to another embedder is, also after it failed; None when none is under way."""

    async def index(self) -> PassageIndex:
        """The index, as it stands or opened. Raises IndexInUse, IndexUnavailable, ModelMissing; then try again."""
        async with self._opening:
            if self._closed:
                raise IndexUnavailable("The article library is closed. Open it again first.")
            if self._index is None:
                self._index = await self._opened()
                self._served.append(self._index)
            return self._index

    @property
    def outdated(self) -> bool:
        """Whether another embedder than the one of the settings made the vectors that serve."""
        return chosen(self._home.vectors) not in (None, self._wanted)

    def start_change(self) -> None:
        """Change the embedder in the background, when another is set. After a failure the next start tries again."""
        if self.outdated and self._change is None:
            self._change = asyncio.create_task(self._change_quietly(), name="embedder-change")

    async def change_embedder(self, progress: Callable[[ChangeProgress], None]) -> bool:
        """Make the vectors of the embedder that is set, then switch to them; False when they serve already.

        The old ones answer until then. Raises ModelMissing, EmbedderUnreachable, IndexUnavailable; what was made is
        kept and used by the next run.
        """
        async with self._changing:
            old = await self.index()
            if not self.outdated:
                return False
            if self._beside is None:
                self._beside = await old.beside(self._load_of(self._settings))
                self._served.insert(0, self._beside)
            new = self._beside
            await embed_beside(self._db, old, new, progress)
            async with self._writing:  # what was published meanwhile, and nothing more
                await embed_beside(self._db, old, new, progress)
                await repair(self._hands_of(new))
                await new.serve(self._wanted, self._home.vectors)
                self._index, self._beside = new, None
            return True

    async def move(self, url: str, progress: Callable[[int, int], None]) -> Moved:
        """Copy everything to a Qdrant server and check it there; the caller then switches the setting.

        Raises MoveFailed, IndexUnavailable; the index serves from where it is, also afterwards.
        """
        if isinstance(self._place, str):
            raise MoveFailed(
                f"The index is at {self._place} already. Remove knowledge.qdrant_url to have it here first."
            )
        here = await self.index()
        there = await here.at_server(url)
        try:
            async with self._writing:  # nothing may change between the copy and the switch of the setting
                return await copy_and_check(self._db, here, there, progress)
        finally:
            await to_the_end(there.close())

    async def stop_change(self) -> None:
        """What was made is kept for the next run."""
        if self._change:
            self._change.cancel()
            await asyncio.wait({self._change})

    async def close(self) -> None:
        """Close what was opened; the folder is given back last."""
        async with self._opening:
            self._closed = True
            for index in self._served:
                await index.close()

    async def _opened(self) -> PassageIndex:
        if self.outdated:
            kept = chosen(self._home.vectors) or self._wanted
            try:
                return await self._with(self._settings.model_copy(update=kept))
            except (ModelMissing, EmbedderUnreachable) as error:
                _log.warning("The embedder of the index is gone, so that the index is made anew: %s", error)
        index = await self._with(self._settings)
        choose(self._home.vectors, self._wanted)
        return index

    async def _with(self, settings: KnowledgeSettings) -> PassageIndex:
        limits = ChunkLimits(settings.chunk_tokens, settings.chunk_overlap)
        return await open_repaired(self._place, self._load_of(settings), limits, self._hands_of)

    async def _change_quietly(self) -> None:
        try:
            await self.change_embedder(self._told)
        except KnowledgeError as error:
            _log.warning("The embedder could not be changed: %s", error)
            self.progress = replace(self.progress or ChangeProgress("", 0, 0), trouble=str(error))
        else:
            self.progress = None

    def _told(self, progress: ChangeProgress) -> None:
        self.progress = progress
