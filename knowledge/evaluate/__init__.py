"""How well the right passage is found: questions with known answers, asked of a library, counted, kept and compared."""

from knowledge.evaluate.asking import Asked, Conditions, ask_all
from knowledge.evaluate.figures import Figures, figures_by_language, figures_of
from knowledge.evaluate.question_files import read_questions
from knowledge.evaluate.questions import KnownQuestion, QuestionSource, Support

__all__ = [
    "Asked",
    "Conditions",
    "Figures",
    "KnownQuestion",
    "QuestionSource",
    "Support",
    "ask_all",
    "figures_by_language",
    "figures_of",
    "read_questions",
]
