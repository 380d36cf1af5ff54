"""Views, which metrics look at: tokens, n-grams, scene graphs, bags of words, pictures. Each is computed once, when a
metric first asks for it, and shared by all."""

from vericap.views.facts import CorpusSize, Facts
from vericap.views.sources import Source
from vericap.views.view import View
from vericap.views.views import Views

__all__ = ["CorpusSize", "Facts", "Source", "View", "Views"]
