"""Files of totals, to which each `./dev prove` adds: comments, and a row for each name."""


def parse(text, kind):
    """The totals by name. `kind` is a NamedTuple; the types of its fields read the words of a row."""
    types = kind.__annotations__.values()
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {name: kind(*(read(word) for read, word in zip(types, words, strict=True))) for name, *words in rows}


def read(file, kind):
    return parse(file.read_text(), kind) if file.exists() else {}


def text_of(about, name, totals, kind):
    """The text of a file: what it is about, the names of the columns, and the rows."""
    rows = [(f"# {name}", *kind._fields), *((each, *map(str, total)) for each, total in sorted(totals.items()))]
    first, *widths = (max(map(len, column)) for column in zip(*rows))
    lines = (f"{row[0]:{first}}" + "".join(f"  {word:>{width}}" for word, width in zip(row[1:], widths)) for row in rows)
    return f"{about}#\n" + "".join(f"{line}\n" for line in lines)
