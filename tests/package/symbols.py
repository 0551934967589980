#!/usr/bin/python3
"""Compares what the libraries export with the lists in sdk/abi, for people who run programs that were linked to an older build.

    symbols.py check SOURCES SOVERSION LIBRARY…    fails unless the lists name exactly what these static libraries would export
    symbols.py write SOURCES SOVERSION LIBRARY…    writes the lists
    symbols.py contain SOURCES LIBRARY…            fails unless these shared libraries export what the lists name

SOURCES is the project. A static library has the visibility of each name, and shows what public headers declare. A shared one also
exports internal functions that another library of tally calls. The lists leave out what each program has for itself: functions
that headers define, and type information of classes without virtual functions of their own."""

import pathlib
import re
import subprocess
import sys

OURS = re.compile(r"_Z(T[VI])?N[KRO]*5tally")
INSTANTIATION = re.compile(r"^template (.+);$", re.M)
CAPITALISED = re.compile(r"\b[A-Z]\w+")
SHORTER = [("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"),
           ("std::basic_string_view<char, std::char_traits<char> >", "std::string_view"),
           ("std::basic_ostream<char, std::char_traits<char> >", "std::ostream"),
           ("std::basic_istream<char, std::char_traits<char> >", "std::istream"),
           ("std::chrono::duration<long, std::ratio<1l, 1000000000l> >", "std::chrono::nanoseconds"),
           ("std::chrono::duration<long, std::ratio<1l, 1000l> >", "std::chrono::milliseconds"),
           ("[abi:cxx11]", "")]


def demangled(names):
    return subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout.splitlines()


def shorter(text):
    for long, short in SHORTER:
        text = text.replace(long, short)
    return text.replace(" >", ">")


def symbols(library):
    """The names of namespace tally that the library exports, or would export if it were shared, each with whether it is weak."""
    table = "--dyn-syms" if ".so" in library.name else "--syms"
    output = subprocess.run(["readelf", table, "--wide", library], capture_output=True, text=True, check=True).stdout
    rows = [row for row in map(str.split, output.splitlines()) if len(row) == 8 and row[4] in ("GLOBAL", "WEAK")]
    found = {name: binding == "WEAK" for *_, binding, visibility, section, name in rows
             if visibility == "DEFAULT" and section != "UND" and OURS.match(name)}
    return list(zip(map(shorter, demangled(found)), found.values()))


def instantiated(sources):
    """The templates that sources instantiate explicitly: of a class, how the names of its members begin; of a function, its name
    and the types in its declaration."""
    for source in sorted(sources.rglob("*.cpp")):
        for line in INSTANTIATION.findall(source.read_text()):
            if of_class := re.match(r"(?:class|struct) (\w+)<(\w+)>$", line):
                yield f"tally::{of_class[1]}<tally::{of_class[2]}>"
            else:
                yield function_key(line)


def function_key(declaration):
    name = re.search(r"(operator<<|\w+)(?: ?<[\w:]+>)?\(", declaration)
    return name and name[1], frozenset(CAPITALISED.findall(declaration))


def template_of(name):
    """What instantiated() has for this symbol, if it is of a template."""
    of_class = re.match(r"tally::\w+<tally::\w+>(?=::)", name)
    return of_class[0] if of_class else function_key(name)


def list_of(project, library):
    return project / "sdk/abi" / f"{library.name.split('.')[0]}.symbols"


def broken(project, soversion, library, found):
    """What is wrong with the list of the library, in readable form."""
    name = library.name.split(".")[0]
    soname, *listed = list_of(project, library).read_text().splitlines()
    removed, added = sorted({*listed} - found), sorted(found - {*listed})
    if soname != f"{name}.so.{soversion}":
        yield f"{name}.so.{soversion} has no list yet, only {soname}: run ./dev abi"
    elif removed:
        yield f"""{name} no longer exports these symbols:{lines(removed)}
Programs that call them do not start with this {soname}. If it has been released, raise the version in project() that the soname
contains, in CMakeLists.txt. Then run ./dev abi, which updates the lists in sdk/abi."""
    if added:
        yield f"{name} newly exports these symbols:{lines(added)}\nIf they are to be public, run ./dev abi, which adds them to sdk/abi."


def lines(names):
    return "".join(f"\n  {name}" for name in names)


def missing(project, library):
    _, *listed = list_of(project, library).read_text().splitlines()
    if absent := sorted({*listed} - {name for name, _ in symbols(library)}):
        yield f"{library.name} does not export these symbols, which sdk/abi lists:{lines(absent)}"


def main():
    task, project, arguments = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    if task == "contain":
        problems = [problem for library in map(pathlib.Path, arguments) for problem in missing(project, library)]
    else:
        problems = check_or_write(task, project, *arguments)
    print("\n\n".join(problems) or "The libraries export what sdk/abi lists")
    return 1 if problems else 0


def check_or_write(task, project, soversion, *libraries):
    templates = set(instantiated(project / "sdk"))
    problems, seen = [], set()
    for library in map(pathlib.Path, libraries):
        names = symbols(library)
        seen |= {template_of(name) for name, _ in names}
        found = {name for name, is_weak in names if not is_weak or template_of(name) in templates}
        if task == "write":
            list_of(project, library).write_text("\n".join([f"{library.stem}.so.{soversion}", *sorted(found)]) + "\n")
        else:
            problems += broken(project, soversion, library, found)
    if hidden := templates - seen:
        problems.append(f"Nothing exports these templates, which sources instantiate:{lines(map(str, hidden))}")
    return problems


if __name__ == "__main__":
    sys.exit(main())
