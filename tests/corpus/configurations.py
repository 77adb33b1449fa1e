"""Configurations that are not as they should be, and what a check must say of them: one sentence, soon."""

from corpus import ACCEPTED, Case

BASE = """\
cohort: own
network: own
own: {expression: expression.csv, outcome: outcome.csv, edges: edges.tsv}
methods: [iht]
sparsities: [2, 5]
trials: 2
folds: 3
inner_folds: 3
"""


def _written(content: bytes, *said: str | None) -> Case:
    """Return the case of a configuration with this content."""
    return Case("mine.yaml", lambda path: path.write_bytes(content), *said)


def _with(*lines: str) -> bytes:
    """Return the good configuration with other values: a line replaces the one of its key."""
    keys = [line.partition(":")[0] + ":" for line in lines]
    kept = [line for line in BASE.splitlines() if not line.startswith(tuple(keys))]
    return "\n".join([*kept, *lines, ""]).encode()


def _own(text: str) -> bytes:
    return _with(f"own: {{expression: expression.csv, outcome: outcome.csv, edges: edges.tsv, {text}}}")


def _expression(name: str) -> bytes:
    return _with(f"own: {{expression: {name}, outcome: outcome.csv, edges: edges.tsv}}")


# Integers that count something.
COUNTS = ("trials", "folds", "inner_folds", "seed", "n_components", "random_sets")
NO_COUNTS = ("2.0", "2.5", "1e3", ".nan", ".inf", "-1", "'2'", "true", "null", "[2]", "{a: 2}", "2020-01-01", "1_0.0")
NUMBERS = ("tie_tolerance", "slack", "tolerance", "min_confidence")
NO_NUMBERS = (".nan", ".inf", "-.inf", "-1", "'0.1'", "true", "null", "[0.1]", "1e400", "0x1p3")
LISTS = ("sparsities", "n_blocks", "lambdas", "epochs")
NO_LISTS = ("[]", "5", "[.nan]", "[.inf]", "['5']", "[-1]", "[5, 5]", "[[5]]", "[null]", "{}", "[true]")
BILLION = "1000000000"
HUGE = {
    **dict.fromkeys(("trials", "folds", "inner_folds"), BILLION),
    **dict.fromkeys(("random_sets", "n_components"), BILLION),
    **dict.fromkeys(("sparsities", "n_blocks", "epochs"), f"[{BILLION}]"),
    **dict.fromkeys(("permuted", "controls"), f"{{repetitions: {BILLION}}}"),
    "simulations": f"{{seeds: {BILLION}}}",
    "planted": f"{{draws: {BILLION}}}",
    "seed": BILLION * 2,
    "lambdas": "[1.0e+300]",
    "slack": "1.0e+300",
}
NO_NAMES = ('"a\\n"', '"a\\nb"', "a/b", "..", "../x", "''", '" "', "-x", '"\\0"', "'x{y}'", "a$b", "é", "x" * 101)
NO_FOLDERS = ("''", "/dev/null", '"a\\nb"', '"a\\0b"', '"\\e[2J"', "expression.csv", "'a{b}'", "[a]", "5")
WRONG = ((COUNTS, NO_COUNTS), (NUMBERS, NO_NUMBERS), (LISTS, NO_LISTS), (("results", "reports"), NO_FOLDERS))
CASES = {
    "as it should be": _written(BASE.encode(), "No problems found", ACCEPTED),
    "a byte order mark": _written(b"\xef\xbb\xbf" + BASE.encode(), "", ACCEPTED),
    "Windows line ends": _written(BASE.replace("\n", "\r\n").encode(), "", ACCEPTED),
    "empty": _written(b"", "is empty"),
    "a comment": _written(b"# nothing\n", "contains no settings. Write `cohort: own`."),
    "a list": _written(b"- a\n- b\n", "contains no settings. Write `cohort: own`."),
    "a word": _written(b"own", "contains no settings. Write `cohort: own`."),
    "keys that are numbers": _written(b"1: 2\n", "contains no settings. Write `cohort: own`."),
    "no YAML": _written(b"a: [1, 2\nb: }", "is no valid YAML"),
    "tabs": _written(b"own:\n\tname: x\n", "is no valid YAML"),
    "two documents": _written(BASE.encode() + b"---\n" + BASE.encode(), "is no valid YAML"),
    "NULs": _written(b"\0" * 100, "has a NUL byte"),
    "UTF-16": _written(BASE.encode("utf-16"), "is text in UTF-16"),
    "UTF-16 without its mark": _written(BASE.encode("utf-16-le"), "has a NUL byte"),
    "UTF-32": _written(BASE.encode("utf-32"), ""),
    "latin-1": _written(b"# \xe9\n" + BASE.encode(), "line 1 is not text in UTF-8"),
    "Python objects": _written(b"a: !!python/object/apply:os.system ['touch canary']\n", "is no valid YAML"),
    "a long key": _written(b"x" * 90_000 + b": 1\n", ""),
    "a long value": _written(_own(f"name: {'x' * 90_000}"), "own: name"),
    "an unknown key": _written(_with("sparsites: [2]"), "did you mean sparsities?"),
    "an unknown key with an escape": _written(_with('"\\e[2J": 1'), "unknown key"),
    "an unknown method": _written(_with("methods: [ihtt]"), "did you mean iht?"),
    "a method twice": _written(_with("methods: [iht, iht]"), "methods"),
    "no methods": _written(_with("methods: []"), "methods"),
    "a key twice": _written(BASE.encode() + b"trials: 3\n", "the key trials appears twice"),
    "more genes than there are": _written(_with("sparsities: [2, 500]"), "more than the 30 genes of the network"),
    "more folds than patients": _written(_with("folds: 60"), "folds"),
    "more inner folds than patients": _written(_with("inner_folds: 50"), "inner_folds"),
    "more components than genes": _written(_with("n_components: 3"), "n_components"),
    "a horizon before all": _written(_with("outcome: {horizon: 0.001}"), "too few for"),
    "a horizon behind all": _written(_with("outcome: {horizon: 1000}"), "too few for"),
    "a horizon of nothing": _written(_with("outcome: {horizon: 0}"), "horizon"),
    "a horizon without end": _written(_with("outcome: {horizon: .inf}"), "horizon"),
    "no expression": _written(_with("own: {outcome: outcome.csv, edges: edges.tsv}"), "the key expression is missing"),
    "no edges": _written(_with("own: {outcome: outcome.csv, expression: expression.csv}"), "the key edges is missing"),
    "a file with a NUL": _written(_expression('"a\\0b"'), "own: exp"),
    "a file with a line feed": _written(_expression('"a\\nb"'), "own: exp"),
    "a file of a long name": _written(_expression("x" * 5000), "cannot be read"),
    "the same file twice": _written(_expression("outcome.csv"), "", None),
    "a network of no one": _written(_with("network: nowhere"), "network: unknown value nowhere"),
    "a network of others": _written(_with("cohort: nki", "network: own"), "network: own does not go with cohort nki"),
    **{f"a name {name!r}": _written(_own(f"name: {name}"), "own: name") for name in NO_NAMES},
    **{
        f"{key}: {value}": _written(_with(f"{key}: {value}"), key)
        for keys, values in WRONG
        for key in keys
        for value in values
    },
    **{f"huge {key}": _written(_with(f"{key}: {value}"), key) for key, value in HUGE.items()},
    **{f"{key} of 1,000": _written(_with(f"{key}: {list(range(1, 1001))}"), key) for key in LISTS},
}
