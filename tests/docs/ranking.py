"""Ranks pages as the search of the site does, without a browser.

The site searches with lunr, in the configuration of the theme: a title counts a thousand times its text, each heading is a document
of its own, the last word also finds longer ones, and the results of a page are placed where its best one is. `./dev check docs` makes the
same searches in the site itself."""

import collections
import math
import re

import markdown_text

SEPARATOR = re.compile(r"[\s\-:.,<>(){}`\"]+")  # docs/site/mkdocs.yml
FIELDS = {"title": 1000, "text": 1}
K1, B = 1.2, 0.75


def words(text):
    trimmed = (re.sub(r"^\W+|\W+$", "", word) for word in SEPARATOR.split(text.lower()))
    return [word for word in trimmed if word]


def sections(text):
    """(title, text) of the page, with everything in it, and of each of its sections."""
    yield markdown_text.title(text), text
    parts = re.split(r"^#+ (.+)$", text, flags=re.M)
    yield from zip(parts[1::2], parts[2::2])


class Ranking:
    """The order of pages for a search; `pages` maps a name to Markdown."""

    def __init__(self, pages):
        self.documents, self.counts, self.lengths = [], [], []
        self.holders = collections.defaultdict(set)  # word -> (document, field)
        for name, text in pages.items():
            for number, (title, body) in enumerate(sections(text)):
                self.add(name, number == 0, {"title": title, "text": body})
        self.mean = {field: sum(each[field] for each in self.lengths) / len(self.lengths) for field in FIELDS}

    def add(self, name, is_page, fields):
        counts = {field: collections.Counter(words(text)) for field, text in fields.items()}
        for field, found in counts.items():
            for word in found:
                self.holders[word].add((len(self.documents), field))
        self.documents.append((name, is_page))
        self.counts.append(counts)
        self.lengths.append({field: sum(found.values()) for field, found in counts.items()})

    def weight(self, word, document, field):
        count = self.counts[document][field][word]
        holders = len(self.holders[word])
        rarity = math.log(1 + abs((len(self.documents) - holders + 0.5) / (holders + 0.5)))
        length = self.lengths[document][field] / self.mean[field]
        return FIELDS[field] * rarity * (K1 + 1) * count / (K1 * (1 - B + B * length) + count)

    def search(self, query):
        asked = words(query)
        scores, met = collections.Counter(), collections.defaultdict(set)
        for number, word in enumerate(asked):
            last = number == len(asked) - 1
            for known in [each for each in self.holders if each == word or (last and each.startswith(word))]:
                for document, field in self.holders[known]:
                    scores[document] += self.weight(known, document, field)
                    met[document].add(word)
        for document in scores:
            scores[document] *= 1 + self.documents[document][1] + (met[document] == set(asked))
        ordered = sorted(scores, key=lambda document: -scores[document])
        return list(dict.fromkeys(self.documents[document][0] for document in ordered))
