"""Configurations that are not as they should be, and what a check must say of them: one sentence, soon."""

from dataclasses import dataclass

REFUSED, ACCEPTED = "refused", "accepted"
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


@dataclass(frozen=True)
class Written:
    """What stands in a configuration, what is said of it, and what becomes of it."""

    content: bytes
    says: str = ""
    end: str | None = REFUSED

    @property
    def ends(self) -> tuple[str, ...]:
        """What may become of it; of some cases either is right."""
        return (self.end,) if self.end else (REFUSED, ACCEPTED)


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
COUNTS = ("trials", "folds", "inner_folds", "seed", "scsg_inner_steps", "n_components", "random_sets")
NO_COUNTS = ("2.0", "2.5", "1e3", ".nan", ".inf", "-1", "'2'", "true", "null", "[2]", "{a: 2}", "2020-01-01", "1_0.0")
NUMBERS = ("near_tie", "slack", "tolerance", "min_confidence")
NO_NUMBERS = (".nan", ".inf", "-.inf", "-1", "'0.1'", "true", "null", "[0.1]", "1e400", "0x1p3")
LISTS = ("sparsities", "n_blocks", "lambdas", "epochs")
NO_LISTS = ("[]", "5", "[.nan]", "[.inf]", "['5']", "[-1]", "[5, 5]", "[[5]]", "[null]", "{}", "[true]")
BILLION = "1000000000"
HUGE = {
    **dict.fromkeys(("trials", "folds", "inner_folds"), BILLION),
    **dict.fromkeys(("random_sets", "n_components", "scsg_inner_steps"), BILLION),
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
    "as it should be": Written(BASE.encode(), "No problems found", ACCEPTED),
    "a byte order mark": Written(b"\xef\xbb\xbf" + BASE.encode(), "", ACCEPTED),
    "Windows line ends": Written(BASE.replace("\n", "\r\n").encode(), "", ACCEPTED),
    "empty": Written(b"", "found an empty file"),
    "a comment": Written(b"# nothing\n", "expected keys and values"),
    "a list": Written(b"- a\n- b\n", "expected keys and values"),
    "a word": Written(b"own", "expected keys and values"),
    "keys that are numbers": Written(b"1: 2\n", "expected keys and values"),
    "no YAML": Written(b"a: [1, 2\nb: }", "expected a configuration in YAML"),
    "tabs": Written(b"own:\n\tname: x\n", "expected a configuration in YAML"),
    "two documents": Written(BASE.encode() + b"---\n" + BASE.encode(), "expected a configuration in YAML"),
    "NULs": Written(b"\0" * 100, "found a NUL byte"),
    "UTF-16": Written(BASE.encode("utf-16"), "found UTF-16"),
    "UTF-16 without its mark": Written(BASE.encode("utf-16-le"), "found a NUL byte"),
    "UTF-32": Written(BASE.encode("utf-32"), ""),
    "latin-1": Written(b"# \xe9\n" + BASE.encode(), "found other bytes in line 1"),
    "Python objects": Written(b"a: !!python/object/apply:os.system ['touch canary']\n", "expected a configuration"),
    "a long key": Written(b"x" * 90_000 + b": 1\n", ""),
    "a long value": Written(_own(f"name: {'x' * 90_000}"), "own: name"),
    "an unknown key": Written(_with("sparsites: [2]"), "did you mean sparsities?"),
    "an unknown key with an escape": Written(_with('"\\e[2J": 1'), "unknown key"),
    "an unknown method": Written(_with("methods: [ihtt]"), "did you mean iht?"),
    "a method twice": Written(_with("methods: [iht, iht]"), "methods"),
    "no methods": Written(_with("methods: []"), "methods"),
    "a key twice": Written(BASE.encode() + b"trials: 3\n", "the key trials appears twice"),
    "more genes than there are": Written(_with("sparsities: [2, 500]"), "at most the network's 30 genes"),
    "more folds than patients": Written(_with("folds: 60"), "folds"),
    "more inner folds than patients": Written(_with("inner_folds: 50"), "inner_folds"),
    "more components than genes": Written(_with("n_components: 3"), "n_components"),
    "a horizon before all": Written(_with("outcome: {horizon: 0.001}"), "expected"),
    "a horizon behind all": Written(_with("outcome: {horizon: 1000}"), "expected"),
    "a horizon of nothing": Written(_with("outcome: {horizon: 0}"), "horizon"),
    "a horizon without end": Written(_with("outcome: {horizon: .inf}"), "horizon"),
    "no expression": Written(_with("own: {outcome: outcome.csv, edges: edges.tsv}"), "expected the key expression"),
    "no edges": Written(_with("own: {outcome: outcome.csv, expression: expression.csv}"), "expected the key edges"),
    "a file with a NUL": Written(_expression('"a\\0b"'), "own: exp"),
    "a file with a line feed": Written(_expression('"a\\nb"'), "own: exp"),
    "a file of a long name": Written(_expression("x" * 5000), "expected a readable file"),
    "the same file twice": Written(_expression("outcome.csv"), "", None),
    "a network of no one": Written(_with("network: nowhere"), "network: expected one of"),
    "a network of others": Written(_with("network: published"), "network: expected one of"),
    **{f"a name {name!r}": Written(_own(f"name: {name}"), "own: name") for name in NO_NAMES},
    **{
        f"{key}: {value}": Written(_with(f"{key}: {value}"), key)
        for keys, values in WRONG
        for key in keys
        for value in values
    },
    **{f"huge {key}": Written(_with(f"{key}: {value}"), key) for key, value in HUGE.items()},
    **{f"{key} of 1,000": Written(_with(f"{key}: {list(range(1, 1001))}"), key) for key in LISTS},
}
