"""Both backends of the kernels give the same answers, bit for bit."""

from __future__ import annotations

import pathlib
import random
import shutil
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tapeline.errors import BackendError
from tapeline.geometry import backends
from tapeline.geometry.discs.field import Field
from tapeline.geometry.discs.goals import CircleGoal, PointGoal
from tapeline.geometry.discs.reach import reach
from tapeline.geometry.discs.shortest_path import shortest
from tapeline.geometry.plane.legs import Arc, Path
from tapeline.geometry.rectangles.rectangle import (
    Rect,
    region_of_circle,
    region_of_rect,
    region_of_segment,
    union_of,
)
from tapeline.geometry.sight.lines import sight_to_region
from tapeline.geometry.sight.visible_region import Blockers
from tapeline.geometry.typing_memory import typing_remembered

from .test_field_discs import random_field
from .test_sight_region import cluttered


def test_an_unknown_gear_is_refused() -> None:
    with pytest.raises(BackendError):
        backends.use("fast")


def test_another_installation_of_the_same_finds_its_kernels(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Numba finds compiled code by where its source is.
    pytest.importorskip("numba")
    monkeypatch.setenv("TAPELINE_CACHE", str(tmp_path / "cache"))
    folder, sources = backends.cache_folder(), backends._copied()
    assert sources.is_relative_to(folder)
    copied = shutil.copytree(pathlib.Path(backends.__file__).parent, tmp_path / "geometry")
    monkeypatch.setattr(backends, "__file__", str(copied / "backends.py"))
    assert (backends.cache_folder(), backends._copied()) == (folder, sources)
    for source in copied.rglob("*.py"):
        assert (sources / source.relative_to(copied)).read_bytes() == source.read_bytes()
    backends._made_from.cache_clear()
    (copied / "epsilons.py").write_text("# other constants")
    assert backends.cache_folder() != folder
    backends._made_from.cache_clear()
    monkeypatch.setenv("TAPELINE_CACHE", str(copied / "epsilons.py"))
    assert backends._copied() == copied, "where nothing can be written"


def test_what_an_operator_gives_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba")
    builtin = numba.core.types.functions.BaseFunction
    find, asked = builtin.get_call_type, []

    def counted(self: Any, context: Any, args: Any, kws: Any) -> Any:
        asked.append((self, args))
        return find(self, context, args, kws)

    def sums(x: float, n: int) -> float:
        return (x + x) + (x + x) + (n + n) + n * x

    monkeypatch.setattr(builtin, "get_call_type", counted)
    plain = numba.njit("float64(float64, int64)")(sums)
    often, kinds = len(asked), {*asked}
    asked.clear()
    with typing_remembered():
        quick = numba.njit("float64(float64, int64)")(sums)
    assert builtin.get_call_type is counted
    assert {*asked} == kinds
    assert len(asked) == len(kinds) < often
    assert plain(0.1, 3) == quick(0.1, 3) == sums(0.1, 3)
    (one,), (other,) = plain.nopython_signatures, quick.nopython_signatures
    assert one == other


@pytest.mark.usefixtures("compiled")
def test_gears_agree_bit_for_bit(budget: Callable[[int, int], int]) -> None:
    rng = random.Random(12)
    routes = 0
    for _ in range(budget(40, 3000)):
        plain = random_field(rng)
        quick = plain.on_backend(True)
        assert quick.compiled
        for _ in range(4):
            a = (rng.uniform(1, 29), rng.uniform(1, 29))
            b = (rng.uniform(1, 29), rng.uniform(1, 29))
            assert plain.standable(*a, 0.5) == quick.standable(*a, 0.5)
            assert plain.straight(*a, *b, 0.5) == quick.straight(*a, *b, 0.5)
            arc = Arc(*a, rng.uniform(0.1, 3), rng.uniform(0, 6), rng.uniform(-6, 6))
            assert plain.follows(Path((arc,)), 0.5) == quick.follows(Path((arc,)), 0.5)
            name = rng.choice(list(plain.bodies))
            plain, quick = plain.moved(name, *b), quick.moved(name, *b)
            goal = CircleGoal(*b, plain.bodies[name][2] + 0.5)
            for goals in ([PointGoal(rng.uniform(1, 29), rng.uniform(1, 29))], [goal]):
                one = shortest(plain, a, goals, 0.5, limit=30.0)
                two = shortest(quick, a, goals, 0.5, limit=30.0)
                assert one == two
                routes += one.route is not None
            near, far = reach(plain, a, 0.5, 6.0), reach(quick, a, 0.5, 6.0)
            assert near.generators == far.generators
    assert routes > 50


@pytest.mark.usefixtures("compiled")
def test_batches_agree_bit_for_bit() -> None:
    rng = random.Random(13)
    plain = random_field(rng)
    corners = [rng.uniform(1, 29) for _ in range(1200)]
    starts = list(range(0, 601, 3))
    slow = plain.follows_many(corners, starts, 0.4)
    quick = plain.on_backend(True).follows_many(corners, starts, 0.4)
    assert [bool(v) for v in quick] == slow
    assert True in slow
    assert False in slow


@pytest.mark.usefixtures("compiled")
def test_sight_from_a_point_agrees_bit_for_bit() -> None:
    rng, seen = random.Random(14), {True: 0, False: 0}
    for _ in range(60):
        features = [
            region_of_rect(Rect.of_degrees(rng.randrange(20), rng.randrange(20), turn, 4, 2))
            if (turn := rng.choice((0.0, 90.0, rng.uniform(0, 360))))
            else region_of_circle(rng.randrange(20), rng.randrange(20), 1.5)
            for _ in range(4)
        ]
        features.append(union_of([features[0], region_of_segment((6, 9), (10, 9))]))
        eye, target = (rng.uniform(0, 20), 0.5), Rect(rng.randrange(20), 18, 0.5, 4, 2)
        found, see_out = [], rng.random() < 0.5
        for mode in ("plain", "compiled"):
            backends.use(mode)
            found.append(sight_to_region(eye, target, features, see_out=see_out))
        assert found[0] == found[1]
        seen[found[0].visible] += 1
    assert min(seen.values()) > 10


@pytest.mark.usefixtures("compiled")
def test_the_gear_is_chosen() -> None:
    backends.use("compiled")
    assert Field.of(width=5, depth=5).compiled
    backends.use("plain")
    assert not Field.of(width=5, depth=5).compiled


@pytest.mark.usefixtures("compiled")
def test_compiled_entries_cast_whole_numbers_and_compile_nothing_new() -> None:
    np = pytest.importorskip("numpy")

    tangent = backends.functions(True).tangent_cost
    signatures = list(tangent.signatures)
    assert tangent(3, 4, 0, 0, 0, 0, 0, 0, 1, 0) == 6.0
    assert tangent.signatures == signatures
    solid = backends.functions(True).in_solid
    no_ring = np.zeros(1, dtype=np.int64)
    assert not solid(1.0, 1.0, np.zeros(0), no_ring)
    for rings in ([0.0], np.zeros(0, dtype=np.float32)):
        with pytest.raises(TypeError, match="argument type"):
            solid(1.0, 1.0, rings, no_ring)


class _Inner(NamedTuple):
    floats: backends.Floats
    ints: list[int]


class _Outer(NamedTuple):
    inner: _Inner
    count: int


def test_structures_are_typed_by_their_annotations() -> None:
    pytest.importorskip("numba")
    inner = "_Inner(array(float64, 1d, C), array(int64, 1d, C))"
    assert str(backends.structure(_Outer)) == f"_Outer({inner}, int64)"
    with pytest.raises(BackendError, match="str"):
        backends.structure(str)


@pytest.mark.usefixtures("compiled")
def test_only_kernels_that_make_heaps_count_references() -> None:
    entries = vars(backends.functions(True)).values()
    counts = [one.targetoptions["_nrt"] for one in entries if hasattr(one, "targetoptions")]
    assert counts, "each says whether it counts references"
    assert not any(counts), "these only read and write what they are given"
    counting = {one.__name__ for one in backends.KERNELS.values() if backends._has_lists(one)}
    assert counting == {"explore", "spread"}


@pytest.mark.usefixtures("compiled")
def test_visible_regions_agree_bit_for_bit() -> None:
    rng = random.Random(14)
    eyes = [(rng.uniform(0, 48), rng.uniform(0, 48)) for _ in range(60)]
    # A large table after a small one and the other way round: room kept from before does no harm.
    for count in (0, 30, 3):
        blockers = Blockers(cluttered(rng, count), 48, 48)
        backends.use("plain")
        slow = [blockers.seen_from(eye).outline for eye in eyes]
        backends.use("compiled")
        assert [blockers.seen_from(eye).outline for eye in eyes] == slow
        assert [view.outline for view in blockers.views(eyes)] == slow
        backends.use("plain")


def test_in_cache_once_all_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("TAPELINE_CACHE", str(tmp_path))
    monkeypatch.setattr(backends, "_TWINS", None)
    monkeypatch.setattr(backends, "settle", lambda: None)

    def compile_all(progress: object) -> object:
        backends.cache_folder().mkdir(parents=True)
        assert not backends.in_cache()
        return object()

    monkeypatch.setattr(backends, "_compile", compile_all)
    assert not backends.in_cache()
    backends.warmup()
    assert backends.in_cache()
