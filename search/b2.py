from lib import *
from paths import route, along, first
far = M("E", (40, 40))
def A(pos=(10, 10), **k): return M("A", pos, **k)
def d2(p, q): return hypot(p[0]-q[0], p[1]-q[1])
CH = ["TC-CHG-1", "TC-CHG-2", "TC-CHG-5", "TC-CHG-6", "TC-CHG-8"]
WON = CH + ["TC-CHG-12", "TC-CHG-14"]; LOST = CH + ["TC-CHG-13"]
# B01-03 round pool
pool = circ("deep water", (15, 10.4), 1.5, "W")
L, g = route((10, 10), (20, 10), [((15, 10.4), 1.5 + r)]); L -= R
e = along(g, L); s1 = along(g, 9); sa = along(g, 5)
case("B01", "Round a pool, to contact", f"tangent, arc, tangent: {L:.6f} to contact", [A(), M("T", (20, 10))],
 [act(), chg(dice=[[4]], cost=L, cites=WON + ["TC-CHG-10", "TC-TER-5"], values={"gap": 0, "moved": L, "allowance": 10, "charge_bonus": 4, "allowance_left": 10 - L}, bodies=at(A=e))], [pool])
case("B02", "Round a pool, ended beyond it", "the same with 9 in", [A(), M("T", (20, 10))],
 [act(), chg(dice=[[3]], cost=9, cites=WON if d2(s1, (20, 10)) <= Z else LOST, values={"gap": d2(s1, (20, 10)) - R}, bodies=at(A=s1))], [pool])
case("B03", "Round a pool, ended on the arc beside it", "Movement 4 and a 1", [A(profile=P(movement=4)), M("T", (20, 10))],
 [act(), chg(dice=[[1]], cost=5, cites=LOST + ["TC-TER-5"], values={"gap": d2(sa, (20, 10)) - R}, bodies=at(A=sa)),
  step({"kind": "fight", "actor": "A", "target": "T"}, **ill("TC-MEL-1")), step({"kind": "dash", "actor": "A", "path": [T(sa[0], sa[1] - 1)]}, dice=[[5, 2]], cost=1)], [pool])
# B04 between two pools, S-shaped
ds = [((13, 9), 1.3 + r), ((16, 11), 1.3 + r)]
L, g = route((10, 10.3), (20, 9.7), ds); L -= R
case("B04", "A bent way between two pools", f"inner tangents: {L:.6f}", [A((10, 10.3), profile=P(charge_dice=2)), M("T", (20, 9.7))],
 [act(), chg(dice=[[2, 5]], cost=L, cites=WON + ["TC-KW-3", "TC-TER-5"], values={"charge_bonus": 5, "allowance": 11, "gap": 0}, bodies=at(A=along(g, L)))],
 [circ("deep water", (13, 9), 1.3, "W1"), circ("deep water", (16, 11), 1.3, "W2")])
print("B04", L, g)
# B05 interposer that only the arc meets
L, g = route((10, 10), (20, 10), [((15, 10.4), 1.5 + r)])
low = min((along(g, s/1000*L) for s in range(1001)), key=lambda p: p[1])
e2 = (low[0], low[1] - Z)
case("B05", "An enemy an inch below the lowest place of the way round a pool", "touched at exactly 1 it interposes, .00001 lower it does not", [A(), M("T", (20, 10)), M("E2", (15, 10.4 - 1.5 - r - Z))],
 [act(), chg(**ill("TC-CHG-3", details={"TC-CHG-3": {"about": "E2"}}, nearest={"kind": "charge", "target": "E2"}))], [pool])
case("B06", "The same .00001 lower", "more than 1 all the way", [A(), M("T", (20, 10)), M("E2", (15, 10.4 - 1.5 - r - Z - 1e-5))],
 [act(), chg(dice=[[5]], cost=L - R, cites=WON + ["TC-CHG-3"])], [pool])
# B07 straight target is barred by none, but the way round is barred on the short side; other side longer
# B08 along a trap, within 1 through it first, then stopped by another enemy beyond its end
trap = [(2, 10.6), (16, 10.6), (16, 10.8), (2, 10.8)]
Tp = (13.5, 11.8)
L, g = route((10, 10), Tp, polys=[trap], rad=r)
for k, Ep in (("short", (15.3, 12.3)), ("won", (14.7, 12.2))):
    sT = first(g, lambda p: d2(p, Tp) - Z, L); sE = first(g, lambda p: d2(p, Ep) - Z, L)
    sb = first(g, lambda p: d2(p, Ep) - R, L); pb = along(g, sb)
    case(f"B08-{k}", "Within an inch through a trap first, then stopped by another enemy beyond its end", f"s_T {sT:.4f} < s_e {sE:.4f}: no interposer; contact with E2 after {sb:.6f}, {d2(pb, Tp) - R:.6f} short of T",
     [A(), M("T", Tp), M("E2", Ep)],
     [act(), chg(dice=[[6]], verdict=None, cost=sb, cites=(WON if d2(pb, Tp) <= Z else LOST) + ["TC-MOVE-7", "TC-MOVE-10"], values={"gap": d2(pb, Tp) - R}, bodies=at(A=pb))],
     [poly("tank trap", trap, "W")])
# B09 both unreachable: long trap, T within reach through it
wall = box("tank trap", 14, 14.2, 0, 48, "W"); Tp = (15, 11)
L0 = d2((10, 10), Tp) - Z; p0 = (10 + L0*5/sqrt(26), 10 + L0/sqrt(26))
case("B09", "A target behind a trap across the whole table, charged to within 1 through it", "contact cannot be had: the way is to within 1, straight", [A(), M("T", Tp)],
 [act(), chg(dice=[[1]], cost=L0, cites=WON, values={"gap": 1}, bodies=at(A=p0))], [wall])
dy = sqrt(Z*Z - (1 + r)**2); p1 = (14 - r, 11 - dy)
case("B10", "The same from below: the nearest place that is within 1 is at the trap", "to where the trap lets the base come within 1: 3.726786", [A((13, 6)), M("T", Tp)],
 [act(), chg(dice=[[1]], cost=d2((13, 6), p1), cites=WON, values={"gap": 1}, bodies=at(A=p1))], [wall])
case("B11", "The same with an enemy beside that way", "E2 is within 1 before T is: it interposes, itself it may be charged", [A((13, 6)), M("T", Tp), M("E2", (12, 8.8))],
 [act(), chg(**ill("TC-CHG-3", details={"TC-CHG-3": {"about": "E2"}}, nearest={"target": "E2"})), chg("E2", dice=[[1]], cost=d2((13, 6), (12, 8.8)) - R, values={"gap": 0, "target": "E2"}, cites=WON)], [wall])
# B12 skirmisher that is Down may not evade
case("B12", "A SKIRMISHER that is Down does not evade", "it cannot be moved: the bonus is rolled at once", [A(), M("T", (16, 10), profile=P(keywords=["SKIRMISHER"]), down=True)],
 [act(), chg(dice=[[1]], cost=6 - R, cites=WON, values={"gap": 0, "charge_bonus": 1})])
# B13 evades out of the 12 inches
case("B13", "Evading beyond 12 inches does not end the charge", "gap 11 + 3; 12 in go to 2 in of it", [A(), M("T", (10 + R + 11, 10), profile=P(keywords=["SKIRMISHER"]))],
 [act(), chg(dice=[[5], [6]], answers=[True, [T(10 + R + 14, 10)]], cites=LOST + ["TC-CHG-15", "TC-KW-2", "TC-ROLL-6"], values={"gap": 2, "moved": 12, "cost": 12, "allowance": 12, "allowance_left": 0}, bodies=at(A=(22, 10)))])
# B14 evade: ends within 1 refused, too far refused, then legal; then a second enemy interposes that is hidden?
case("B14", "Where an evader may go", "D3 of 4: 2 in; to within 1 of the charger's friend and 2.1 in are refused", [A(), M("F", (19, 12)), M("T", (18, 10), profile=P(keywords=["SKIRMISHER"]))],
 [act(), chg(verdict="CHOICE", pending="choice"), step(None, answers=[True], dice=[[4]], verdict="CHOICE", pending="choice"),
  step(None, answers=[[T(18, 10.7)]], verdict="ILLEGAL", pending="choice"), step(None, answers=[[T(18, 7.9)]], verdict="ILLEGAL", pending="choice"),
  step(None, answers=[[T(18, 8)]], dice=[[2]], cites=["TC-KW-2", "TC-CHG-12"], values={"gap": 0, "cost": d2((10, 10), (18, 8)) - R})])
# B15 friends in a row at the failed end
F1, F2 = (18.3, 10.2), (16.9, 9.5)
b1 = 18.3 - sqrt(R*R - .04); a2 = 16.9 + sqrt(R*R - .25); b2 = 16.9 - sqrt(R*R - .25)
print("B15", b1, a2, b2)
case("B15", "Two friends overlap the end of a failed charge: back past both", f"off F1 below x = {b1:.4f}, which is still on F2 (to {a2:.4f}): back to {b2:.6f}", [A(), M("F1", F1), M("F2", F2), M("T", (21.5, 10))],
 [act(), chg(dice=[[2]], cites=LOST + ["TC-MOVE-5"], bodies=at(A=(b2, 10)), values={"gap": 21.5 - b2 - R})])
F2b = (16.2, 9.5); a2b = 16.2 + sqrt(R*R - .25)
case("B16", "Two friends on the way: between them is room", f"back to {b1:.6f}, beyond F2", [A(), M("F1", F1), M("F2", F2b), M("T", (21.5, 10))],
 [act(), chg(dice=[[2]], cites=LOST + ["TC-MOVE-5"], bodies=at(A=(b1, 10)), values={"gap": 21.5 - b1 - R})]) if b1 > a2b else print("B16 no")
# B17 slide limits
def sl(al): return [arc((20, 10), -al)]
al0 = degrees(asin((R*R + 2.6**2 - Z*Z)/(5.2*R)))
def pos(al): return (20 - R*cos(radians(al)), 10 + R*sin(radians(al)))
case("B17", "A slide of exactly one radian: least, most and beyond", f"rem = .984252 = the radius of the slide; E2 is within 1 from {al0:.5f} degrees on", [A(), M("T", (20, 10)), M("E2", (20, 12.6))],
 [act(), chg(dice=[[4]], verdict="CHOICE", pending="choice"),
  step(None, answers=[sl(al0 - .001)], verdict="ILLEGAL", pending="choice", findings=["TC-CHG-11"]),
  step(None, answers=[sl(57.2965)], verdict="ILLEGAL", pending="choice", findings=["TC-CHG-10"]),
  step(None, answers=[[arc((20, 10), 57)]], verdict="ILLEGAL", pending="choice", findings=["TC-CHG-11"]),
  step(None, answers=[sl(degrees(1))], cost=10, values={"slid": R, "gap": 0, "moved": 10 - R, "cost": 10 - R, "allowance_left": 0}, cites=WON + ["TC-CHG-10", "TC-CHG-11"], bodies=at(A=pos(degrees(1))))])
# B18 slide with large bases; a friend at the end
rr = r50 + r60
case("B18", "A Wolf slides about a Bull into a friend's base, on to the enemy, and to it clear of both", "radius 2.165354; the allowance left is 3", [M("A", (10, 10), profile="War Wolf"), M("F", (20 + 2.9*cos(radians(120)), 10 + 2.9*sin(radians(120)))), M("T", (10 + rr + 9, 10), side="blue", profile="Brazen Bull"), M("E2", (21, 14.2))],
 []) ; CASES.pop()
Tx = 10 + rr + 9
E2 = (Tx, 11.8)
def pw(al): return (Tx - rr*cos(radians(al)), 10 + rr*sin(radians(al)))
lo = bisect(lambda al: d2(pw(al), E2) - r50 - r - 1, 0, 89); hi = degrees(3/rr)
ov = bisect(lambda al: d2(pw(al), E2) - r50 - r, 0, 90)
print("B18", lo, hi, ov, rr)
case("B18", "A Wolf slides about a Bull: to within 1 of E2, not on to its base, not too far", f"within 1 from {lo:.4f}, on its base from {ov:.4f}, 3 in are {hi:.4f} degrees", [M("A", (10, 10), profile="War Wolf"), M("T", (Tx, 10), profile="Brazen Bull"), M("E2", E2)],
 [act(), chg(dice=[[4]], verdict="CHOICE", pending="choice"),
  step(None, answers=[[arc((Tx, 10), -lo + .001)]], verdict="ILLEGAL", pending="choice", findings=["TC-CHG-11"]),
  step(None, answers=[[arc((Tx, 10), -ov - .01)]], verdict="ILLEGAL", pending="choice", findings=["TC-MOVE-10"]) if hi > ov + .02 else
  step(None, answers=[[arc((Tx, 10), -hi - .001)]], verdict="ILLEGAL", pending="choice", findings=["TC-CHG-10"]),
  step(None, answers=[[arc((Tx, 10), -lo - .001)]], values={"slid": rr*radians(lo + .001), "allowance_left": 3 - rr*radians(lo + .001)}, cites=WON + ["TC-CHG-11"], bodies=at(A=pw(lo + .001)))])
# B19 seen over a wall by a taller one
def seen(x0, k):
    case(f"B19-{k}", "A Bull's upper rim over a wall of 1.9, seen by eyes of 1.5", "the line to its near rim is at 1.9 after .8 of 8.818898 = 7.055118", [A(), M("T", (20, 10), profile="Brazen Bull")],
     [act(), chg(dice=[[6]], verdict="LEGAL", cites=["TC-CHG-2"]) if k == "seen" else chg(**ill("TC-CHG-2", details={"TC-CHG-2": {"about": "T"}}))],
     [box("tank trap", x0, x0 + .2, 8.8, 11.1, "W", height=1.9, traits=["opaque"])])
seen(17.0552, "seen"); seen(17.0550, "hidden")
# B20 models in the way
for hh, ok in ((1.4, 0), (1.6, 1)):
    case(f"B20-{ok}", "Over a friend of 1.5 one may see what is higher", "models_block_los: F close before A hides all of T up to its own height", [A(), M("F", (11.2, 10)), M("T", (19, 10), profile=P(height=hh))],
     [act(), chg(dice=[[5]], cost=9 - R, cites=WON) if ok else chg(**ill("TC-CHG-2"))], models_block_los="yes")
# B21 round minefield forbidden
L, g = route((10, 10), (20, 10), [((15, 10.3), 1.2)]); L -= R; e9 = along(g, 9)
mine = circ("minefield", (15, 10.3), 1.2, "G")
hx = 15 - sqrt(1.2**2 - .09)
case("B21", "Round a round minefield, or through it", f"the centre goes about its rim: {L:.6f}; with 9 in it ends {d2(e9, (20, 10)) - R:.6f} off. Through it: the roll at x = {hx:.6f}", [A(), M("T", (20, 10))],
 [act(), chg(forbid=["dangerous"], dice=[[3]], cost=9, cites=WON + ["TC-CHG-9"], values={"gap": d2(e9, (20, 10)) - R}, bodies=at(A=e9))], [mine])
case("B22", "Through the round minefield on a 7, straight on", "9.015748 with a 4", [A(), M("T", (20, 10))],
 [act(), chg(dice=[[4], [1, 6]], cost=10 - R, cites=WON + ["TC-TER-3", "TC-TER-6"], values={"gap": 0})], [mine])
case("B23", "Two minefields in the way, one roll for both, caught in the first on a critical miss", "2: fails; Injury 12: out", [A(), M("T", (20, 10))],
 [act(), chg(dice=[[4], [1, 1], [6, 6]], cites=["TC-TER-3", "TC-INJ-1"], values={"injury": 12}, progress={"over": "out"}, turn={"active": "blue"})], [mine, box("gas", 17, 18, 9, 11, "G2")])
# B24 caught within 1 of the target: won, and over
case("B24", "Caught in gas within an inch of the target", "entry at x = 18.5: gap .515748; Minor Hit: the charge is won, the Activation over", [A(), M("T", (20, 10))],
 [act(), chg(dice=[[6], [2, 4], [1, 2]], cites=WON + ["TC-TER-3", "TC-ROLL-5"], values={"gap": 1.5 - R}, bodies={"A": marks((18.5, 10), blood=1)}, progress={"over": "danger"}),
  step({"kind": "fight", "actor": "A", "target": "T"}, **ill("TC-ACT-1")) if 0 else act("T"), step({"kind": "move", "actor": "T", "path": [T(20, 12)]}, **ill("TC-MOVE-8", details={"TC-MOVE-8": {"about": "A"}}))], [box("gas", 18.5, 19, 5, 15, "G")])
# B26 wood along the arc: cost differs from length
L, g = route((10, 10), (20, 10), [((15, 10.4), 1.5 + r)]); L -= R
N = 200000; tot = 0
# mud below y = 8.9 : the part of the way whose y < 8.9
import bisect as _b
# lowest part is an arc about (15, 10.4) of radius 1.992126
rho = 1.5 + r; half = acos((10.4 - 8.5)/rho); slow = 2*half*rho
arcs = [l for l in g if l[0] == "arc"][0]; print("B26 arc from", degrees(arcs[3]), "by", degrees(arcs[4]), "half", degrees(half))
case("B26", "Mud below the pool: the way is by length, the price by ground", f"{slow:.6f} of the arc is slow", [A(profile=P(movement=7)), M("T", (20, 10))],
 [act(), chg(dice=[[5]], cost=L + slow, values={"moved": L, "gap": 0}, cites=WON + ["TC-TER-2"])], [pool, poly("mud", [(13, 7), (17, 7), (17, 8.5), (13, 8.5)], "U")]) if degrees(half) < abs(degrees(arcs[4]))/2 else print("B26 not in arc")
# B27 ties
case("B27", "Round a square pool by either side, as asked; and by neither", "equal on both sides of y = 10: the path names one; one that begins elsewhere is refused", [A(), M("T", (20, 10))], [act()]); CASES.pop()
sq = [(14, 9), (16, 9), (16, 11), (14, 11)]
L, g = route((10, 10), (20, 10), polys=[sq], rad=r); L -= R; e = along(g, L)
def legs_path(g, stop=None):
    return [T(*l[2]) if l[0] == "line" else arc(l[1], degrees(l[4])) for l in g]
def flip(g):
    return [("line", (l[1][0], 20 - l[1][1]), (l[2][0], 20 - l[2][1])) if l[0] == "line" else ("arc", (l[1][0], 20 - l[1][1]), l[2], -l[3], -l[4]) for l in g]
for k, gg in (("one", g), ("other", flip(g))):
    e = along(gg, L); first_leg = [T(*gg[0][2])]
    case(f"B27-{k}", "Round a square pool on the side that is asked for", "equal on both sides of y = 10; a way that begins between them is not one of the shortest", [A(), M("T", (20, 10))],
     [act(), chg(path=[T(11, 10)], **ill("TC-CHG-8")), chg(path=first_leg, dice=[[6]], cost=L, values={"gap": 0}, bodies=at(A=e), cites=WON)], [poly("deep water", sq, "W")])
# B28 charge within 1 with three, one of them lost
case("B28", "Charging out of a fight keeps all: two held, the third would be lost", "allow: at contact E3 is 1.02 off", [A(), M("T", (11.7, 10)), M("E2", (10, 11.3)), M("E3", (8.7, 9.2))],
 [act(), chg(verdict=None, dice=[[3]])], charge_from_within_1="allow"); CASES.pop()
# B29 directly: Difficult at the end, friend there
case("B29", "Spent in mud on a friend's base: back out of the mud", "6 + 2 = 8: 5 to the mud and 1.5 in it, x = 16.5, on F; back to where it touches F at 15.015748", [A(), M("F", (16, 10)), M("T", (21, 10))],
 [act(), chg(dice=[[2]], cost=5.015748031496063 + .015748031496063, cites=LOST + ["TC-TER-2", "TC-MOVE-5"], bodies=at(A=(16 - R, 10)), values={"moved": 6 - R})], [box("mud", 15, 17, 5, 15, "U")])
# B30 die unneeded: HEAVY machine gun carried, STRONG
case("B30", "HEAVY and STRONG: the die is rolled, shot and charge still exclude each other", "NEGATE HEAVY; the machine gun has no ASSAULT", [A(profile=P(keywords=["STRONG"], weapons=["machine gun", "blade"])), M("T", (20, 10)), far],
 [act(), mv([T(10, 11)], cost=1), step({"kind": "shoot", "actor": "A", "weapon": "machine gun"}), end(), act("T"), end("T"), act("E") if 0 else step({"kind": "activate", "actor": "E"}), end("E"), step({"kind": "next_turn"}), act(),
  step({"kind": "shoot", "actor": "A", "weapon": "machine gun"}), chg(**ill("TC-ACT-9")), step({"kind": "dash", "actor": "A", "path": [T(10, 10)]}, dice=[[3, 4]], cost=1)])
case("B31", "HEAVY without STRONG: the same shot bars every way to move, and is barred by one", "TC-KW-1 both ways; the blade is not barred", [A(profile=P(weapons=["machine gun", "blade"])), M("T", (20, 10)), far],
 [act(), step({"kind": "shoot", "actor": "A", "weapon": "machine gun"}), mv([T(10, 11)], **ill("TC-KW-1")), step({"kind": "dash", "actor": "A"}, **ill("TC-KW-1")), chg(**ill("TC-ACT-9", "TC-KW-1")), end(), act("T"), end("T"), act("E"), end("E"), step({"kind": "next_turn"}), act(),
  chg(dice=None, cost=6, values={"allowance": 6, "gap": 4 - R, "charge_bonus": None}, cites=LOST + ["TC-KW-1"]) if 0 else chg(cost=6, values={"allowance": 6, "gap": 4 - R}, cites=["TC-KW-1", "TC-CHG-13"]),
  step({"kind": "shoot", "actor": "A", "weapon": "machine gun"}, verdict="ILLEGAL")])
# avoid: through between two zones
def av(k, e, ok):
    hy = Z + e
    ms = [A(), M("T", (20, 10)), M("E1", (14, 10 + hy)), M("E2", (14, 10 - hy))]
    if ok: st = chg(dice=[[4]], cost=10 - R, cites=WON + ["TC-CHG-3"])
    else: st = chg(verdict=None)
    case(f"B32-{k}", "avoid: straight between two zones", f"a lane of {2*e:+} in", ms, [act(), st], interpose_route="avoid")
av("open", 2e-6, 1)
# avoid round one of two overlapping zones
E1, E2 = (14, 10.5), (15.5, 9.6)
L, g = route((10, 10), (20.5, 10), [(E1, Z), (E2, Z)]); L -= R; e = along(g, L)
print("B33", L, e, d2(e, E1) - R, d2(e, E2) - R)
case("B33", "avoid: round two zones that overlap, on the shorter side", f"{L:.6f} to contact", [A(), M("T", (20.5, 10)), M("E1", E1), M("E2", E2)],
 [act(), chg(dice=[[6]], cost=L if L <= 12 else 12, cites=["TC-CHG-3", "TC-CHG-8"], values={"gap": 0} if L <= 12 else {}, bodies=at(A=e) if L <= 12 else at(A=along(g, 12)))], interpose_route="avoid")
# avoid: pool on the one side, zone on the other: between
L, g = route((10, 10), (20, 10), [((15, 8), 1.4 + r), ((15, 11.9 + .3), Z)]); L -= R
print("B34", L)
# stop upto on arc
L, g = route((10, 10), (20, 10), [((15, 10.4), 1.5 + r)]); p = along(g, 5.5); q = (p[0], p[1] - .01)
case("B35", "upto: stopped on the arc round a pool, and beside it", "a place of the way is legal, one .01 off it is not on the way", [A(), M("T", (20, 10))],
 [act(), chg(stop=list(q), verdict="ILLEGAL"), chg(stop=list(p), dice=[[6]], cost=5.5, cites=LOST + ["TC-CHG-7"], bodies=at(A=p))], [pool], charge_extent="upto")
for c in CASES:
    c["scene"]["models"] or print("EMPTY", c["id"])
CASES[:] = [c for c in CASES if len(c["steps"]) > 1]
write("batch2.json")
