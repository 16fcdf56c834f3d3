from lib import *
far = M("E", (40, 40))
def A(pos=(10, 10), **k): return M("A", pos, **k)
# A01 round mud, off centre
h = sqrt(1.5**2 - .3**2); x = 14 - h + (6 - (14 - h - 10)) / 2
case("A01", "Off centre through a round crater", "the chord .3 off the centre is 2.939388; each inch of it is 2", [A(), far],
 [act(), mv([T(16, 10)], **ill("TC-TER-2", details={"TC-TER-2": {"measured": 6 + 2*h, "limit": 6, "about": "C", "place": [x, 10]}}, nearest={"how": "prefix", "path": [T(x - 4e-6 , 10)]})),
  mv([T(x, 10)], cost=6, values={"moved": x - 10, "allowance_left": 0}, cites=["TC-TER-2", "TC-TER-6", "TC-MOVE-1", "TC-MOVE-4", "TC-ACT-4"], bodies=at(A=(x, 10)))],
 [circ("crater", (14, 10.3), 1.5, "C")])
# A02 turned square, stood up
s = sqrt(2)
case("A02", "A turned square of mud, gone into and out again, and across its corner, stood up", "it stands on its corner: at y = 10.5 it begins at 13.085786, at x = 12.8 it is .428427 across; 1.371573 + 1.428427 of 3",
 [A((12.8, 10.5), down=True), far],
 [act(cites=["TC-DOWN-3"]),
  mv([T(14 - (s - .5) + .2, 10.5), T(12.8, 10.5), T(12.8, 9.5)], cost=2.8, values={"moved": 2*(1.2 - (s - .5) + .2) + 1, "allowance_left": .2}, cites=["TC-TER-2", "TC-DOWN-3", "TC-MOVE-2", "TC-MOVE-14"])],
 [{"id": "C", "kind": "mud", "shape": {"rectangle": {"centre": [14, 10], "width": 2, "depth": 2, "facing": 45}}}])
# A03 an arc that bulges off the table
th = asin((2 - r) / 1.6)
case("A03", "An arc that bulges over the table's edge between two legal ends", "lowest at y = .4: .092126 over the edge; up to where y = r it may be gone", [A((5, 2)), far],
 [act(), mv([arc((6.6, 2), 180)], **ill("TC-MOVE-6", details={"TC-MOVE-6": {"measured": r - .4, "place": [6.6, .4]}}, nearest={"how": "prefix"})),
  mv([arc((6.6, 2), degrees(th))], cost=1.6*th, cites=["TC-MOVE-6", "TC-MOVE-4"], bodies=at(A=(6.6 - 1.6*cos(th), r)))])
case("A04", "The same arc with less than half of the base over the edge", "under_half: y = .4 > 0 at its lowest; 5.026548 long", [A((5, 2)), far],
 [act(), mv([arc((6.6, 2), 180)], cost=1.6*pi, cites=["TC-MOVE-6"], bodies=at(A=(8.2, 2)))], edge_overhang="under_half")
# A05 an arc over a friend, ending in touch
F = (10, 13)
def onarc(dist):  # angle on circle radius 2 about (10,10)... from (12,10) ccw, distance to F=(10,13)
    return bisect(lambda a: hypot(10+2*cos(a)-F[0], 10+2*sin(a)-F[1]) - dist, pi/2, pi)
a0 = onarc(R); a1 = onarc(R - 5e-6)
ain = pi - a0
case("A05", "An arc across a friend that ends in touch with it", "at 90 degrees it is on the friend; out where they touch", [A((12, 10)), M("F", (10, 12.9)), far],
 [act(),
  mv([arc((10, 10), 90)], **ill("TC-MOVE-5", details={"TC-MOVE-5": {"about": "F"}})),
  mv([arc((10, 10), degrees(bisect(lambda a: hypot(2*cos(a), 2*sin(a)-2.9) - R, pi/2, pi)))], cost=2*bisect(lambda a: hypot(2*cos(a), 2*sin(a)-2.9) - R, pi/2, pi), cites=["TC-MOVE-5"])])
# A06 two friends in a row
case("A06", "Two friends in a row: between them is room, behind them is not", "to come out behind F2 takes 6.084252; between them x runs from 13.984252 to 14.115748", [A(), M("F1", (13, 10)), M("F2", (15.1, 10)), far],
 [act(), mv([T(16, 10)], **ill("TC-MOVE-5", details={"TC-MOVE-5": {"about": "F2"}}, nearest={"how": "prefix", "path": [T(15.1 - R - 4e-6, 10)]})),
  mv([T(14.2, 10)], **ill("TC-MOVE-5")), mv([T(13.9, 10)], **ill("TC-MOVE-5", details={"TC-MOVE-5": {"about": "F1"}}, nearest={"path": [T(13 - R - 4e-6, 10)]})),
  mv([T(14.05, 10)], cost=4.05, cites=["TC-MOVE-5"])])
# A07 channel between two enemies
def chan(e): return [A(), M("E1", (13, 10 + Z + e)), M("E2", (13, 10 - Z - e))]
case("A07", "Midway between two enemies, a hair more than an inch from both", "gap 1.000002 to both", chan(2e-6), [act(), mv([T(16, 10)], cost=6, cites=["TC-MOVE-7"])])
case("A08", "Midway between two enemies at exactly an inch", "gap 1.0000005 to both: within", chan(5e-7),
 [act(), mv([T(16, 10)], verdict="ILLEGAL", details={"TC-MOVE-7": {"measured": 1.0000005, "limit": 1}}), mv([T(12.9, 10)], cost=2.9, cites=["TC-MOVE-7"])])
# A09 two round pillars, Bull between
for i, (d, ok) in enumerate(((0, 1), (-1.5e-6, 1), (-3e-6, 0))):
    hh = 1 + r60 + d / 2
    st = mv([T(16, 10)], cost=6, cites=["TC-TER-5", "TC-MOVE-12"]) if ok else mv([T(16, 10)], **ill("TC-TER-5"))
    case(f"A09-{i}", "A Bull between two round pillars", f"room 60 mm {d:+} in", [A(profile="Brazen Bull"), far], [act(), st],
     [circ("deep water", (13, 10 + hh), 1, "P1"), circ("deep water", (13, 10 - hh), 1, "P2")])
# A10 tangent to a round minefield
hx = 14 - sqrt(1.2**2 - (1.2 - .001)**2)
case("A10", "Along the rim of a round minefield", "the centre on the rim is not in it; .001 nearer, coming back, it is in from x = 14.049 on: 6 fails, Injury 2", [A(), far],
 [act(), mv([T(16, 10)], cost=6), end(), act("E"), end("E"), step({"kind": "next_turn"}), act(),
  mv([T(10, 10.001)], dice=[[3, 3], [1, 1]], cites=["TC-TER-3", "TC-INJ-1"], bodies={"A": marks((28 - hx, 10.001), blood=1)}, progress={"over": "danger"}) if 0 else
  mv([T(16, 10.001), T(10.01, 10.001)], dice=[[3, 3], [1, 1]], cites=["TC-TER-3", "TC-INJ-1", "TC-ROLL-5"], bodies={"A": marks((14 + (14 - hx), 10.001), blood=1)}, progress={"over": "danger"})],
 [circ("minefield", (14, 11.2), 1.2, "G")])
# A11 gas entered on a friend
case("A11", "Caught by gas while over a friend", "the roll is at x = 12, on F's base: it goes back to where it touches F", [A(), M("F", (12.3, 10)), far],
 [act(), mv([T(15, 10)], dice=[[2, 4], [3, 4]], cites=["TC-TER-3", "TC-MOVE-5", "TC-INJ-1"], bodies={"A": marks((12.3 - R, 10), blood=1, down=True)})], [box("gas", 12, 14, 5, 15, "G")])
# A12 gas and mud in one, entered twice in a move: one roll
case("A12", "Difficult and Dangerous in one, out of it and in again", "one roll covers the move: 2 in slow twice; 1 + 1*2 + 1 + .5*2 = 5", [A(), far],
 [act(), mv([T(13, 10), T(11.5, 10)], dice=[[3, 4]], cites=["TC-TER-2", "TC-TER-3", "TC-TER-6"], cost=1 + 2 + 1 + 1 + 1, values={"total": 7})], [box("gas", 11, 12, 5, 15, "G", traits=["difficult"])])
# A13 off the table, round an enemy and back
l = hypot(1.6, 1)
case("A13", "Off the table by leave, past an enemy at the edge, and back", "the inch of the enemy holds beyond the edge too: at x = -.7 it is 1.9 from E", [A((.6, 8), may_leave_table=True), M("E", (1.2, 10))],
 [act(), mv([T(-.7, 9), T(-.7, 11), T(.6, 12)], **ill("TC-MOVE-7", details={"TC-MOVE-7": {"measured": 1.9 - R, "about": "E"}})),
  mv([T(-1, 9), T(-1, 11), T(.6, 12)], cost=2*l + 2, cites=["TC-MOVE-6", "TC-MOVE-7"], bodies=at(A=(.6, 12)))])
# A14 Wolf in a corner under_half
sq = [(0, 0), (48, 0), (48, 48), (0, 48)]
xt = bisect(lambda v: area_circle_poly((v, .2), r50, sq) / (pi*r50*r50) - .5, 0, 1)
case("A14", "A Wolf in the table's corner: half of its area decides", f"at y = .2 half is over the table at x = {xt:.6f}", [A((4, .2), profile="War Wolf"), far],
 [act(), mv([T(xt - 1e-4, .2)], **ill("TC-MOVE-6")), mv([T(xt + 1e-4, .2)], cost=4 - xt - 1e-4, cites=["TC-MOVE-6", "TC-MOVE-11"])], edge_overhang="under_half")
# A15 half_area: a tip of mud, never half
tip = [(14, 10.2), (15, 14), (13, 14)]
fr = area_circle_poly((14, 10.6), r, tip) / (pi*r*r)
case("A15", "Past the tip of a minefield: half of the base decides, not the centre", f"at (14, 10.6) the centre is in and {fr:.3f} of the base", [A((10, 10.6)), far],
 [act(), mv([T(16, 10.6)], cost=6)], [poly("minefield", tip, "G")], terrain_in="half_area")
# deeper: y where half is passed on the way through
def frac(xx, y): return area_circle_poly((xx, y), r, tip) / (pi*r*r)
ys = 12.9
xin = bisect(lambda v: frac(v, ys) - .5, 12.5, 14)
case("A16", "The same farther up, with a failed roll: where more than half is in", f"half of the base is in at x = {xin:.6f}", [A((10, ys)), far],
 [act(), mv([T(16, ys)], dice=[[1, 1], [4, 5]], cites=["TC-TER-3", "TC-TER-6"], bodies={"A": {"position": [xin, ys], "gone": "out of action"}} if 0 else None or {"A": {"position": [xin, ys]}}, values={"injury": 9}, progress={"over": "out"})],
 [poly("minefield", tip, "G")], terrain_in="half_area")
# A17 held by one, past a Down one
case("A17", "Held by one and kept off by another that is Down and fights a friend", "E2 counts for the inch: at (10, 11.2) its gap is 1.015748 less .4 of the way", [A(), M("E1", (11.3, 10)), M("E2", (10, 13), down=True), M("F", (10, 14.2)),],
 [act(), mv([T(10.4, 11)], **ill("TC-MOVE-7", "TC-MOVE-8") ) if 0 else mv([T(10, 11.1)], **ill("TC-MOVE-7", details={"TC-MOVE-7": {"measured": 1.9 - R, "about": "E2"}}, nearest={"how": "prefix", "path": [T(10, 13 - Z - 4e-6)]})),
  mv([T(10, 11)], cost=1, cites=["TC-MOVE-7", "TC-MOVE-8", "TC-MOVE-13"])])
# A18 an arc that keeps two: about E1
c1 = (11.4, 10)
th2 = bisect(lambda a: hypot(11.4 - 1.4*cos(a) - 10, 10 + 1.4*sin(a) - 8.6) - Z, 0, 1.2)
case("A18", "Round the one, out of reach of the other", f"about E1 at .415748; E2 is lost after {degrees(th2):.4f} degrees", [A(), M("E1", c1), M("E2", (10, 8.6))],
 [act(), mv([arc(c1, -60)], **ill("TC-MOVE-8", details={"TC-MOVE-8": {"about": "E2", "limit": 1}}, nearest={"how": "prefix"})),
  mv([arc(c1, -degrees(th2))], cost=1.4*th2, cites=["TC-MOVE-8"])])
# A19 arc round an outer corner of a ruin, touching
case("A19", "An arc about the corner of a ruin at exactly the base's radius", "and one about a point beside it that cuts the corner", [A((10, 10)), far],
 [act(), mv([T(12, 10), arc((12, 10 + r), 90), T(12 + r, 12)], **ill("TC-TER-5") ) if 0 else
  mv([T(12, 10), arc((12, 10 + r), 90), T(12 + r, 12)], cost=2 + r*pi/2 + 2 - r, cites=["TC-TER-5", "TC-MOVE-2"])],
 [box("ruin", 8, 12, 10 + r, 14, "W")])
case("A20", "An arc between two legal ends that cuts a ruin's corner", "half round (12, 9.8) with radius 1: nearest to the corner (12.3, 8.5) at .424", [A((11, 9.8)), far],
 [act(), mv([arc((12, 9.8), 180)], **ill("TC-TER-5", details={"TC-TER-5": {"about": "W"}})), mv([arc((12, 9.8), 20)], cost=radians(20), )],
 [box("ruin", 12.3, 20, 7, 8.5, "W")])
# A21 zero-length and turns while held
case("A21", "Turning on the spot and going nowhere while held, then a failed Dash", "a move of zero keeps within 1 of all; the Dash rolls 6: over", [A(), M("E1", (11.984252, 10)), M("E2", (10, 11.984252))],
 [act(), mv([{"by": 270}, {"by": -45.5}], cost=0, cites=["TC-MOVE-3", "TC-MOVE-8", "TC-MOVE-1"], values={"moved": 0, "allowance_left": 6}),
  step({"kind": "dash", "actor": "A"}, dice=[[1, 5]], cites=["TC-DASH-1", "TC-DASH-2", "TC-ROLL-5"], progress={"over": "dash"}, turn={"active": "blue"}),
  step({"kind": "move", "actor": "A", "path": []}, **ill("TC-ACT-1") ) if 0 else act("E1")])
# A22 dash with path at once, blood by both
case("A22", "A Dash of a Wolf: +1, three BLOOD, one BLESSING: net -1", "3 dice, the two lowest: 4 + 3", [A(profile="War Wolf", blood=3, blessing=1), far],
 [act(), step({"kind": "dash", "actor": "A"}, verdict="CHOICE", pending="choice"),
  step(None, answers=[ "blue", 3, 1], verdict=None, pending="roll", bodies={"A": marks(blood=None, blessing=None)}),
  step(None, dice=[[6, 4, 3]], verdict="CHOICE", pending="choice", values={"total": 7}, cites=["TC-ROLL-2", "TC-ROLL-3", "TC-ROLL-4", "TC-KW-3"]),
  step(None, answers=[[T(18, 10)]], cost=8, bodies=at(A=(18, 10)))])
# A23 low obstacle that is difficult, over it on to crates? rubble
case("A23", "Over rubble, a barricade and a trench wall in one Move", "rubble .5 high is slow, the rest is flat: 6 with .8 in slow is 6.8; without the last .8 it is 6", [A(), far],
 [act(), mv([T(16, 10)], **ill("TC-TER-2", details={"TC-TER-2": {"measured": 6.8, "limit": 6, "place": [15.2, 10]}}, nearest={"how": "prefix"})),
  mv([T(13.4, 10), T(13.4, 10, 3), T(13.8, 10, 3), T(13.8, 10, 0), T(15.2, 10)], cost=6, cites=["TC-TER-2", "TC-TER-7"])],
 [box("rubble", 11, 11.8, 5, 15, "U"), box("barricade", 12.5, 12.7, 5, 15, "V"), box("block", 13.4, 13.8, 5, 15, "W", height=3, traits=["trench"])])
case("A24", "The same trench wall 3.000002 high", "more than 3 is climbed", [A(), far],
 [act(), mv([T(15.2, 10)], **ill("TC-TER-7", details={"TC-TER-7": {"about": "W"}})), mv([T(13.4 - r, 10)], cost=3.4 - r)],
 [box("block", 13.4, 13.8, 5, 15, "W", height=3.000002, traits=["trench"])])
# A25 wolf ignoring mud, with half_area
case("A25", "A Wolf through a wood and past its friends, to a hair beyond its allowance", "the wood costs nothing more; 8.0000005 holds, 8.000002 does not", [A(profile="War Wolf"), M("F", (14, 10), profile="Brazen Bull"), far],
 [act(), mv([T(18.000002, 10)], **ill("TC-MOVE-1", details={"TC-MOVE-1": {"measured": 8.000002, "limit": 8}}, nearest={"how": "prefix", "short_by": 6e-6})),
  mv([T(14 + r50 + r60 - 2e-6, 10)], **ill("TC-MOVE-5")), mv([T(18.0000005, 10)], cost=8.0000005, cites=["TC-TER-2", "TC-MOVE-5"])], [box("wood", 11, 17, 5, 15, "W")])
for c in CASES:
    for s in c["steps"]:
        b = s["expect"].get("bodies")
write("batch1.json")
