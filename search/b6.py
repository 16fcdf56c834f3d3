from lib import *
from paths import route, along
def A(pos=(10, 10), **k): return M("A", pos, **k)
def d2(p, q): return hypot(p[0]-q[0], p[1]-q[1])
far = M("E9", (40, 40))
def K(x0, x1, h, id="K", **k): return box("block", x0, x1, 5, 15, id, height=h, **k)
WON = ["TC-CHG-1", "TC-CHG-2", "TC-CHG-5", "TC-CHG-8", "TC-CHG-12", "TC-CHG-14"]
def wall(**o): return {"id": "W", "wall": [[14, 4], [14, 13]], "height": 8, "openings": [{"id": "d", "kind": "door", "from": 5.4, "to": 6.6, "head": 3, **o}]}
case("H01", "Straight through a door", "1.2 wide for a base of .984", [A(), M("T", (18, 10))], [act(), chg(dice=[[2]], cost=8 - R, values={"gap": 0}, cites=WON + ["TC-MOVE-12"])], [wall()])
L, g = route((10, 10), (18, 10), polys=[[(13.9, 4), (14.1, 4), (14.1, 13), (13.9, 13)]], rad=r60); L -= r60 + r
print(L)
case("H02", "A Bull sees through the door and goes round the end of the wall", f"2.36 wide: round by y = 13: {L:.6f}", [A(profile="Brazen Bull"), M("T", (18, 10))],
 [act(), chg(dice=[[6]], cost=L, values={"gap": 0}, cites=WON, bodies=at(A=along(g, L)))], [wall()])
case("H03", "The door is shut: not seen, and attested the way leads round", "Azeb", [A(), M("T", (18, 10))], [act(), chg(**ill("TC-CHG-2"))], [wall(shut=True)])
L2, g2 = route((10, 10), (18, 10), polys=[[(13.9, 4), (14.1, 4), (14.1, 13), (13.9, 13)]], rad=r); L2 -= R
case("H04", "Attested through a shut door the way leads round", f"{L2:.6f}", [A(), M("T", (18, 10))], [act(), chg(dice=[[6]], cost=min(12, L2), values={"gap": max(0, L2 - 12)} if L2 <= 12 else {}, cites=["TC-CHG-2", "TC-CHG-8"], bodies=at(A=along(g2, min(12, L2))))], [wall(shut=True)], los_mode="attested")
case("H05", "Up on a block whose top is slow", "1.507874 + 1.2 + 2 an inch", [A(), far], [act(), mv([T(12 + r, 10, 1.2, "climb"), T(13 + r, 10)], dice=[[4, 3]], cost=2 - r + 1.2 + 2, cites=["TC-TER-2", "TC-CLM-2"])], [K(12, 20, 1.2, traits=["difficult"])])
case("H06", "Up on a block whose top is Dangerous", "the Climb's roll, then the top's: 5: Injury 2, it stands there", [A(), far], [act(), mv([T(12 + r, 10, 1.2, "climb"), T(13 + r, 10)], dice=[[4, 3], [4, 1], [1, 1]], cites=["TC-TER-3", "TC-CLM-2"], bodies={"A": marks((12 + r, 10, 1.2), blood=1)}, progress={"over": "danger"})], [K(12, 20, 1.2, traits=["dangerous"])])
case("H07", "A run-up on a roof that is slow, a jump on to one that is not", "1.307874 twice, 3 for the gap, .384252 on: 6", [A((10.2, 10), z=4), far],
 [act(), mv([T(15 + r, 10, 4, "jump"), T(15.4 + r, 10)], **ill("TC-TER-2", details={"TC-TER-2": {"measured": 2*(1.8 - r) + 3.4, "limit": 6}})), mv([T(15 + r, 10, 4, "jump"), T(15 + 3 - 2*(1.8 - r) + r, 10)], dice=[[6, 1]], cost=6, cites=["TC-JMP-1", "TC-TER-2", "TC-JMP-3"])], [K(2, 12, 4, "K1", traits=["difficult"]), K(15, 24, 4, "K2")])
case("H08", "An evader jumps off a roof, the charger after it", "D3 of 3: 2 in; down to (13.5, 10) is 1.9. The charger drops 2 and is at contact after 7.515748", [A((5, 10), z=2), M("T", (11.6, 10), z=2, profile=P(keywords=["SKIRMISHER"]))],
 [act(), chg(dice=[[3], [2]], answers=[True, [T(12 + r, 10, 0, "drop"), T(13.5, 10)]], values={"gap": 0, "cost": 8.5 - R}, cites=WON + ["TC-KW-2", "TC-JMP-5", "TC-CHG-15"], bodies=at(T=(13.5, 10, 0), A=(13.5 - R, 10, 0)))], [K(2, 12, 2)])
case("H09", "An evader over a ledge of 3 falls hurt: Down, and is charged where it lies", "the Fall: 3 dice, 5 + 3: Down at (12.492126, 10); the charger's dive of 3 lands beside it", [A((5, 10), z=3), M("T", (11.6, 10), z=3, profile=P(keywords=["SKIRMISHER"]))],
 [act(), chg(dice=[[3], [5, 3, 1]], answers=[True, [T(12 + r, 10, 0, "drop"), T(13.5, 10)]], verdict=None, pending="roll", cites=["TC-KW-2", "TC-FALL-1"], bodies={"T": marks((12 + r, 10, 0), down=True, blood=1)})], [K(2, 12, 3)])
# retreat through a door exactly as wide as the base
for k, w, ok in (("fits", 2*r, 1), ("tight", 2*r - 4e-6, 0)):
    y0 = 6 - w/2
    st = ret(path=[T(16, 10)], answers=["pass"], cost=6, cites=["TC-RET-5", "TC-MOVE-12"]) if ok else ret(path=[T(16, 10)], verdict="ILLEGAL")
    case(f"H10-{k}", "Out of a fight through a door of just the base's width", f"{w:.6f} wide", [A(), M("E", (8.9, 10.4))], [act(), st], [{"id": "W", "wall": [[14, 4], [14, 16]], "height": 8, "openings": [{"id": "d", "kind": "door", "from": y0, "to": y0 + w, "head": 3}]}])
# upto across heights
case("H11", "upto: stopped on the roof on the way, down by Dash", "climb 2, stopped at (13.5, 10, 2); a Dash drops it on", [A(), M("T", (19, 10))],
 [act(), chg(stop=[13.5, 10], dice=[[5], [4, 4]], cost=2 - r + 2 + 1.5 - r, cites=["TC-CHG-7", "TC-CLM-2", "TC-CHG-13"], bodies=at(A=(13.5, 10, 2))), step({"kind": "dash", "actor": "A", "path": [T(16 + r, 10, 0, "drop")]}, dice=[[3, 4]], cost=2.5 + r, bodies=at(A=(16 + r, 10, 0)))],
 [box("block", 12, 16, 0, 48, "K", height=2)], charge_extent="upto")
# allow, with one held on crates
case("H12", "Out of a fight on to the one on crates, holding the one on the ground", "allow: T .8 up is within 1 through the air, up the step to contact; E2 is .8 below then: hypot(.49, .8)", [A(), M("T", (11.55, 10), z=.8), M("E2", (10, 11.4))],
 [act(), chg(dice=[[1]], values={"gap": 0}, verdict=None, cites=["TC-MOVE-8", "TC-CHG-12"], bodies=at(A=(11.55 - R, 10, .8)))], [box("crates", 10.5, 13, 8, 12, "K", height=.8)], charge_from_within_1="allow")
g_ = hypot(d2((11.55 - R, 10), (10, 11.4)) - R, .8); print("H12", g_)
write("batch6.json")
