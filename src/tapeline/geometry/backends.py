"""The two backends of the kernels: plain Python at once, compiled by Numba when that pays.

`@kernel` registers a function and gives it back unchanged, so importing costs nothing and needs no
Numba. Kernels are plain functions of floats and flat sequences, `a[2 * i + 1]`: lists in plain
Python, float64 and int64 arrays when compiled. An entry is a kernel with a signature, called from
Python; only entries are compiled as such, the rest come along. Lists (heaps) may be made in a
kernel, and be passed to others that put in or take out; `_has_lists` says what that costs.

Kernels that share many arrays take them as a `NamedTuple`, which both backends take as it is. Its
fields, and the parameters of an entry without a signature of its own, are typed by annotation:

    class Board(NamedTuple):
        edges: Floats
        starts: Ints

    @entry()
    def stand_free(x: float, y: float, board: Board) -> bool: ...

An entry that takes one is called past Numba's dispatcher, which would look at the type of every
field at every call: whoever fills a structure sees to its arrays, and gives all arguments by place.

    functions(compiled=False).search     the plain entry
    functions(compiled=True).search      its compiled twin (compiles at first use)
    warmup()                             compile everything now, into the cache folder
    in_cache()                           whether that has been done, and takes moments now
    use("plain" | "compiled" | "auto")   auto: compiled from `warmup` on
"""

from __future__ import annotations

import contextlib
import dis
import gc
import hashlib
import importlib
import os
import shutil
import sys
import tempfile
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast, get_args, get_type_hints

from tapeline.errors import BackendError
from tapeline.geometry.typing_memory import typing_remembered
from tapeline.work import settle

__all__ = [
    "KERNELS",
    "Floats",
    "Ints",
    "blank",
    "blank_ints",
    "cache_folder",
    "chosen",
    "converted",
    "entry",
    "floats",
    "functions",
    "in_cache",
    "ints",
    "joined",
    "kernel",
    "ready",
    "room",
    "structure",
    "use",
    "warmup",
]


Function = TypeVar("Function", bound=Callable[..., Any])
Made = TypeVar("Made")

#: Numbers that a kernel reads: a list, or a float64 or int64 array when compiled.
Floats: TypeAlias = Sequence[float]
Ints: TypeAlias = Sequence[int]

#: A file in the cache folder that says that all kernels are there.
_DONE = "all-compiled"

#: Every kernel by module and name, in order of registration.
KERNELS: dict[str, Callable[..., Any]] = {}

#: Signatures of the kernels called from Python, by key of KERNELS; None: by annotations.
_SIGNATURES: dict[str, str | None] = {}

_LOCK = threading.RLock()
_MODE = "auto"
_TWINS: types.SimpleNamespace | None = None


def _key(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def kernel(function: Function) -> Function:
    """Register a kernel and give it back unchanged."""
    KERNELS[_key(function)] = function
    return function


def _has_lists(function: Callable[..., Any]) -> bool:
    """Whether a kernel makes lists, or puts into heaps or takes out.

    In such a kernel Numba counts references to every array at every call, with a locked addition
    each way: more than a short kernel itself takes. In all others the caller keeps the arrays
    alive, and none are counted. Either may call the other.
    """
    makes = any(step.opname == "BUILD_LIST" for step in dis.get_instructions(function))
    named = (function.__globals__.get(name) for name in function.__code__.co_names)
    return makes or any(value in (heappop, heappush) for value in named)


def entry(signature: str | None = None) -> Callable[[Function], Function]:
    """Register a kernel that is called from Python, with its Numba signature.

    Without one its annotations tell: see `structure`.
    """

    def register(function: Function) -> Function:
        _SIGNATURES[_key(function)] = signature
        return kernel(function)

    return register


def structure(annotation: Any) -> Any:
    """The Numba type of a field or parameter with that annotation.

    float, int, bool; flat sequences (`Floats`, `list[int]`, ...): arrays of these in one piece;
    bytearray: an array of bytes; NamedTuples of all that, also within each other. BackendError for
    any other.
    """
    from numba.core import types as numba_types

    known = {float: numba_types.float64, int: numba_types.int64, bool: numba_types.boolean}
    if annotation is bytearray:
        return numba_types.uint8[::1]
    if annotation in known:
        return known[annotation]
    if hasattr(annotation, "_fields"):
        hints = get_type_hints(annotation)
        fields = [structure(hints[name]) for name in annotation._fields]
        named: Any = numba_types.NamedTuple
        return named(fields, annotation)
    inner = get_args(annotation)
    if len(inner) == 1 and inner[0] in known:
        return known[inner[0]][::1]
    raise BackendError(f"no type of the compiled kernels stands for {annotation!r}")


def _compile_entry(key: str, twin: Any) -> Any:
    """Compile an entry by its signature. Gives what to call: the twin, or its code itself."""
    signature, hints = _SIGNATURES[key], {}
    if signature is None:
        hints = get_type_hints(KERNELS[key])
        hints.pop("return", None)
    twin.compile(signature or tuple(structure(hint) for hint in hints.values()))
    if any(hasattr(hint, "_fields") for hint in hints.values()):
        return next(iter(twin.overloads.values())).entry_point
    return twin


def cache_folder() -> Path:
    """Where compiled kernels are kept: TAPELINE_CACHE, else the user's cache folder.

    A subfolder names the sources and versions the code was made from, so an upgrade never meets
    stale code, and another installation of the same finds it.
    """
    given = os.environ.get("TAPELINE_CACHE")
    if given:
        root = Path(given)
    elif sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "tapeline"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "tapeline"
    return root / "kernels" / _made_from(Path(__file__).resolve().parent)


@cache
def _made_from(here: Path) -> str:
    """What the code of this folder is made from and by, in 16 letters."""
    from importlib.metadata import version

    digest = hashlib.sha256(f"{sys.version}|{version('numba')}".encode())
    # Every source: compiled code takes in constants of modules without kernels.
    for source in sorted(here.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _copied() -> Path:
    """A copy of the sources in the cache folder: Numba finds code again by where its source is.

    The sources themselves where that folder cannot be written.
    """
    here, kept = Path(__file__).parent, cache_folder() / "sources"
    try:
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=kept.parent) as made:
                shutil.copytree(here, Path(made) / "sources", ignore=lambda *_: ["__pycache__"])
                with contextlib.suppress(OSError):  # Somebody else has put it there meanwhile.
                    (Path(made) / "sources").rename(kept)
    except OSError:
        return here
    return kept


def _load() -> None:
    """Import every module of this folder that holds entries."""
    here = Path(__file__).parent
    for source in sorted(here.rglob("*.py")):
        if "\n@entry(" in source.read_text(encoding="utf-8"):
            name = ".".join(source.relative_to(here).with_suffix("").parts)
            importlib.import_module(f"{__package__}.{name}")


def _blind_to_constants(twin: Any) -> None:
    """Let calls with constants use what is compiled for their types, not a variant for each."""
    from numba.core import types as numba_types

    unliteral: Any = vars(numba_types)["unliteral"]
    found = twin.get_call_template
    twin.get_call_template = lambda args, named: found(
        tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in named.items()}
    )


@contextlib.contextmanager
def _machine_code_for_entries() -> Iterator[None]:
    """While this lasts, no kernel but entries gets machine code of its own, which nobody would run,
    nor is optimized but with the entry that takes it in.

    Who calls a kernel takes in its LLVM code, and that of all that it calls, which is the same in
    the end whether it was optimized at each step of a chain of calls or is at the last alone.
    """
    from numba.core.registry import cpu_target

    make: Any = importlib.import_module("numba._dynfunc").make_function
    context: Any = cpu_target.target_context
    executable = context.get_executable

    def only_of_entries(library: Any, described: Any, environment: Any) -> Any:
        key = f"{described.modname}.{described.qualname}"
        if key not in KERNELS or key in _SIGNATURES:
            return executable(library, described, environment)
        # What Numba itself makes of a function without a wrapper for Python.
        module, name = described.lookup_module(), KERNELS[key].__name__
        return make(module, name, "", 0, environment, (library,))

    context.get_executable = only_of_entries
    library: Any = importlib.import_module("numba.core.codegen").CPUCodeLibrary
    optimize = library._optimize_final_module
    others = {KERNELS[key].__name__ for key in KERNELS.keys() - _SIGNATURES.keys()}
    others -= {KERNELS[key].__name__ for key in _SIGNATURES}

    def only_entries(self: Any) -> None:
        if self.name not in others:
            optimize(self)

    finalize = library._finalize_final_module

    def machine_code_of_entries(self: Any) -> None:
        if self.name not in others:
            finalize(self)
        else:
            self._finalize_dynamic_globals()
            self._finalized = True

    library._optimize_final_module = only_entries
    library._finalize_final_module = machine_code_of_entries
    try:
        yield
    finally:
        del context.get_executable
        library._optimize_final_module = optimize
        library._finalize_final_module = finalize


def _compile(progress: Callable[[int, int], None] | None = None) -> types.SimpleNamespace:
    """Compiled twins of all entries, from the cache folder where it holds them."""
    try:
        import numba
        from numba.core import config
        from numba.core.cpu import CPUTargetOptions
    except ImportError as fault:
        raise BackendError("compiled kernels need Numba: pip install 'tapeline[fast]'") from fault
    _load()
    spaces: dict[str, dict[str, Any]] = {}
    twins: dict[int, Any] = {}
    settings: Any = config
    kept, collections = settings.CACHE_DIR, gc.get_threshold()
    settings.CACHE_DIR, copied = str(cache_folder()), _copied()
    # Little of the very many objects of a compiler is garbage: looking for it takes its time.
    gc.set_threshold(100_000, 20, 20)
    try:
        told = hasattr(CPUTargetOptions, "_nrt")
        for key, function in list(KERNELS.items()):
            space = spaces.setdefault(function.__module__, dict(function.__globals__))
            code = function.__code__
            within = os.path.relpath(code.co_filename, Path(__file__).parent)
            code = code.replace(co_filename=str(copied / within))
            twin = types.FunctionType(code, space, function.__name__, function.__defaults__)
            twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
            # Said both ways: what is not said is taken over from whoever calls a kernel first.
            more: Any = {"_nrt": _has_lists(function)} if told else {}
            # Only entries are called from Python, and kept in the cache with all that they call.
            more |= {"cache": key in _SIGNATURES, "no_cpython_wrapper": key not in _SIGNATURES}
            more |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
            make = numba.njit(**more)
            twins[id(function)] = make(twin)
            _blind_to_constants(twins[id(function)])
        for space in spaces.values():
            for name, value in space.items():
                if id(value) in twins:
                    space[name] = twins[id(value)]
        entries = types.SimpleNamespace()
        with _machine_code_for_entries(), typing_remembered():
            for done, key in enumerate(_SIGNATURES, 1):
                function = KERNELS[key]
                setattr(entries, function.__name__, _compile_entry(key, twins[id(function)]))
                if progress is not None:
                    progress(done, len(_SIGNATURES))
        # Nothing new from now on: whole numbers are cast, arrays that do not fit are a TypeError.
        for key in _SIGNATURES:
            twins[id(KERNELS[key])].disable_compile()
    finally:
        settings.CACHE_DIR = kept
        gc.set_threshold(*collections)
    return entries


def warmup(progress: Callable[[int, int], None] | None = None) -> Path:
    """Compile every entry now, or load it from the cache. Gives the cache folder.

    progress: called with how many entries are done, and of how many. Raises BackendError when Numba
    is not installed.
    """
    global _TWINS
    with _LOCK:
        if _TWINS is None:
            _TWINS = _compile(progress)
            settle()
            with contextlib.suppress(OSError):
                (cache_folder() / _DONE).touch()
    return cache_folder()


def in_cache() -> bool:
    """Whether all kernels are compiled and in the cache folder."""
    return find_spec("numba") is not None and (cache_folder() / _DONE).is_file()


def ready() -> bool:
    """Whether compiled kernels are at hand."""
    return _TWINS is not None


def use(mode: str) -> None:
    """Which backend `chosen()` gives: plain, compiled (compiling now if need be) or auto."""
    global _MODE
    if mode not in ("plain", "compiled", "auto"):
        raise BackendError(f"the backend is plain, compiled or auto, not {mode!r}")
    if mode == "compiled":
        warmup()
    _MODE = mode


def chosen() -> bool:
    """Whether the compiled backend is to be used now."""
    return _MODE != "plain" and _TWINS is not None


_PLAIN = types.SimpleNamespace()


def functions(compiled: bool) -> types.SimpleNamespace:
    """The entries by name, in one backend."""
    if compiled:
        if _TWINS is None:
            warmup()
        assert _TWINS is not None
        return _TWINS
    if len(vars(_PLAIN)) < len(_SIGNATURES):
        for key in _SIGNATURES:
            setattr(_PLAIN, KERNELS[key].__name__, KERNELS[key])
    return _PLAIN


@cache
def _held(kind: Any) -> tuple[Any, ...]:
    """What the arrays among the fields of a structure hold, float or int; None for other fields."""
    hints = get_type_hints(kind)
    return tuple(next(iter(get_args(hints[name])), None) for name in kind._fields)


def converted(values: Made, compiled: bool) -> Made:
    """A structure's arrays, and those of structures in it, copied for one backend."""
    given, kind = cast("Any", values), cast("Any", type(values))
    copies = []
    for inner, value in zip(_held(kind), given, strict=True):
        if inner is None:
            copies.append(converted(value, compiled) if hasattr(value, "_fields") else value)
        else:
            copies.append((floats if inner is float else ints)(value, compiled))
    return type(values)(*copies)


def room(compiled: bool, kind: Callable[..., Made], *sizes: Any) -> Made:
    """A structure of arrays as long as the sizes say, all 0; its other fields as they are given."""
    return kind(
        *(
            size if inner is None else (blank if inner is float else blank_ints)(size, compiled)
            for inner, size in zip(_held(kind), sizes, strict=True)
        )
    )


def joined(values: Any, more: Sequence[float]) -> Any:
    """An array of either backend with more numbers at its end, as a new one."""
    if isinstance(values, list):
        return [*values, *more]
    import numpy as np

    return np.concatenate((values, np.array(more, values.dtype)))


def _listed(values: Any) -> list[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)


def floats(values: Sequence[float], compiled: bool) -> Any:
    """Numbers as that backend wants them: a list, or a float64 array."""
    if not compiled:
        return _listed(values)
    import numpy as np

    return np.array(values, dtype=np.float64)


def blank(count: int, compiled: bool, value: float = 0.0) -> Any:
    """Room for so many numbers, as that backend wants it."""
    if not compiled:
        return [value] * count
    import numpy as np

    return np.full(count, value, np.float64) if value else np.zeros(count)


def blank_ints(count: int, compiled: bool, value: int = 0) -> Any:
    """Room for so many whole numbers, likewise."""
    if not compiled:
        return [value] * count
    import numpy as np

    return np.full(count, value, np.int64) if value else np.zeros(count, np.int64)


def ints(values: Sequence[int], compiled: bool) -> Any:
    """Whole numbers as that backend wants them: a list, or an int64 array."""
    if not compiled:
        return _listed(values)
    import numpy as np

    return np.array(values, dtype=np.int64)
