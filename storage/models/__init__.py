"""The tables. Importing this package registers every one of them in `Base.metadata`."""

from storage.models.alert import AlertMuteTable, AlertTable
from storage.models.article import ArticleTable, ChunkTable, ShelfRevisionTable
from storage.models.article_history import ArticleDraftTable, ArticleVersionTable, DeletionReceiptTable
from storage.models.base import Base
from storage.models.conversation import ConversationTable, TurnShareTable, TurnTable
from storage.models.engine_event import EngineEventTable, EngineRunTable
from storage.models.engine_profile import EngineProfileTable
from storage.models.evaluation import EvaluationQuestionTable, EvaluationRunTable
from storage.models.metric_sample import MetricColumnsTable, MetricSampleTable
from storage.models.tenant import TenantTable, UsageDayTable

__all__ = [
    "AlertMuteTable",
    "AlertTable",
    "ArticleDraftTable",
    "ArticleTable",
    "ArticleVersionTable",
    "Base",
    "ChunkTable",
    "ConversationTable",
    "DeletionReceiptTable",
    "EngineEventTable",
    "EngineProfileTable",
    "EngineRunTable",
    "EvaluationQuestionTable",
    "EvaluationRunTable",
    "MetricColumnsTable",
    "MetricSampleTable",
    "ShelfRevisionTable",
    "TenantTable",
    "TurnShareTable",
    "TurnTable",
    "UsageDayTable",
]
