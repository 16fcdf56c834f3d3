from lib import *
def A(pos=(10, 10), **k): return M("A", pos, **k)
def d2(p, q): return hypot(p[0]-q[0], p[1]-q[1])
RT = ["TC-RET-1", "TC-RET-2", "TC-RET-9", "TC-RET-5", "TC-ACT-3", "TC-ACT-4"]
def fight(t, a="A", **k): return step({"kind": "fight", "actor": a, "target": t}, **k)
def forced(a="A", path=None, **k):
    x = {"kind": "forced_retreat", "actor": a}
    if path is not None: x["path"] = path
    return step(x, verdict="FORCED", **k)
far = M("E9", (40, 40))
# C01 no sight, no attack
case("C01", "An enemy behind a ruin's wall cannot attack who retreats from it", "gap .615748 through the wall: it is retreated from, but sees nothing", [A(), M("E", (10, 11.6))],
 [act(), ret(path=[T(10, 9.7)], **ill("TC-RET-5", details={"TC-RET-5": {"measured": 1.9 - R, "limit": 1, "about": "E"}})),
  ret(path=[T(10, 7)], cost=3, cites=["TC-RET-1", "TC-RET-5", "TC-MEL-1"])], [box("ruin", 5, 15, 10.7, 10.8, "W")])
case("C02", "Of two enemies the one with nothing but a rifle has no blow", "E1 has no Melee Weapon; E2 misses with 6", [A(), M("E1", (11.2, 10), profile=P(weapons=["rifle"])), M("E2", (10, 11.2))],
 [act(), ret(path=[T(8, 8)], verdict="CHOICE", pending="choice"), step(None, answers=["E1"], verdict=None, pending="choice") if 0 else
  step(None, answers=["E2"], dice=[[1, 5]], cost=2*sqrt(2), cites=RT + ["TC-MEL-1", "TC-RET-8"])])
case("C03", "Retreat declared, blows taken, and stayed", "to stay is no move: still within 1. No Move after it; the Dash must hold the enemy", [A(), M("E", (11.2, 10))],
 [act(), ret(dice=[[3, 3]], answers=["E"], verdict="CHOICE", pending="choice"), step(None, answers=[[]], values={"moved": 0}, bodies=at(A=(10, 10)), progress={"taken": ["retreat"], "over": None}),
  mv([T(9, 10)], **ill("TC-ACT-6")) if 0 else mv([T(10, 10.1)], **ill("TC-ACT-6")), ret(verdict="ILLEGAL"),
  step({"kind": "dash", "actor": "A"}, dice=[[6, 1]], verdict="CHOICE", pending="choice"), step(None, answers=[[T(9, 10)]], verdict="ILLEGAL", pending="choice", findings=["TC-MOVE-8"]),
  step(None, answers=[[T(10, 10.5)]], cost=.5, cites=["TC-MOVE-8", "TC-DASH-2", "TC-ACT-7"])])
x1 = 11.5 - R - .6
case("C04", "Away from an enemy on crates .8 high: the inch is measured through the air", "h > .6 is enough: x < 9.915748", [A(), M("E", (11.5, 10), z=.8)],
 [act(), ret(path=[T(x1, 10)], **ill("TC-RET-5", details={"TC-RET-5": {"measured": 1, "limit": 1}})), ret(path=[T(x1 - 1e-4, 10)], answers=["pass"], cost=10 - x1 + 1e-4, cites=RT)],
 [box("crates", 11, 13, 9, 11, "K", height=.8)])
# C05 three enemies directly away
E3 = [(11.2, 10), (10, 11.2), (8.7, 10.6)]
ux = sum((10 - e[0])/d2(e, (10, 10)) for e in E3); uy = sum((10 - e[1])/d2(e, (10, 10)) for e in E3); n = hypot(ux, uy); ux, uy = ux/n, uy/n
P_ = lambda s, da=0: (10 + s*(ux*cos(da) - uy*sin(da)), 10 + s*(ux*sin(da) + uy*cos(da)))
mg = lambda s: min(d2(P_(s), e) for e in E3) - R
s0 = bisect(lambda s: 1 - mg(s), .3, 5)
print("C05", ux, uy, s0, mg(s0), min(mg(s/100*s0) for s in range(101)))
case("C05", "directly_away from three at unequal distances", f"the sum of the three directions: ({ux:.6f}, {uy:.6f}); out after {s0:.6f}", [A()] + [M(f"E{i+1}", e) for i, e in enumerate(E3)],
 [act(), ret(path=[T(*P_(s0 + .5, .001))], verdict="ILLEGAL"), ret(path=[T(*P_(s0 - 1e-5))], verdict="ILLEGAL"),
  ret(path=[T(*P_(s0 + 1e-5))], answers=["pass"], cost=s0 + 1e-5, cites=RT)], retreat_direction="directly_away")
# C06 dead end
U = [(6, 8), (14, 8), (14, 9), (8, 9), (8, 11), (14, 11), (14, 12), (6, 12)]
dx = sqrt(Z*Z - (1 - r)**2); ex = 8 + r + dx
case("C06", "In a dead end whose corners are exactly an inch from the enemy at its mouth", f"the corners of the alley are farthest: E at x = {ex:.6f} leaves exactly 1: it stays, the Activation goes on", [A((9, 10)), M("E", (ex, 10))],
 [act(), ret(answers=["pass"], cites=["TC-RET-6", "TC-RET-7", "TC-RET-1"], bodies=at(A=(9, 10)), progress={"taken": ["retreat"], "over": None}), fight("E", dice=[[2, 3]])], [poly("deep water", U, "W")])
ex2 = ex + 1e-4; cr = (8 + r, 11 - r)
case("C07", "The same .0001 farther: only the corners will do", "straight back is not enough; into a corner it is", [A((9, 10)), M("E", (ex2, 10))],
 [act(), ret(path=[T(8 + r, 10)], **ill("TC-RET-5", details={"TC-RET-5": {"measured": ex2 - 8 - r - R, "limit": 1}})), ret(path=[T(*cr)], answers=["pass"], cost=d2((9, 10), cr), cites=RT + ["TC-TER-5"])], [poly("deep water", U, "W")])
case("C08", "The same with a friend in either corner", "ending on a friend is no end: it stays", [A((9.4, 10)), M("E", (ex2, 10)), M("F1", cr), M("F2", (cr[0], 20 - cr[1]))],
 [act(), ret(answers=["pass"], cites=["TC-RET-6"], bodies=at(A=(9.4, 10)))], [poly("deep water", U, "W")])
# C09 forced retreat, TOUGH, next own activation, out
case("C09", "Forced out twice: TOUGH keeps it the first time, not the second", "in the enemy's Activation: Out becomes Down, nothing moves, that Activation goes on; it stands up next, and is put out for good", [A(profile=P(keywords=["TOUGH"])), M("E", (11.2, 10))],
 [act("E"), forced(dice=[[6, 6], [5, 4, 1]], answers=["E"], cites=["TC-RET-3", "TC-INJ-4", "TC-RET-4"], values={"injury": 9}, bodies={"A": marks((10, 10), down=True, tough_used=True, blood=1)}, progress={"actor": "E", "over": None}),
  end("E"), act(cites=["TC-DOWN-3"], progress={"stood_up": True}), ret(dice=[[4, 3], [6, 3]], answers=["E", 0], values={"injury": 9}, cites=["TC-RET-4", "TC-INJ-1"], progress={"over": "out"})],
 active="blue")
case("C10", "Forced out before its Activation, which it still has whole", "6 in forced, then a Move of 6 and a Dash", [A(), M("E", (11.2, 10)), far],
 [act("E"), forced(path=[T(4, 10)], answers=["pass"], cost=6, cites=["TC-RET-3", "TC-RET-9"], bodies={"A": marks((4, 10), activated=None)}), end("E"), act(), mv([T(4, 16)], cost=6), step({"kind": "dash", "actor": "A", "path": [T(4, 10)]}, dice=[[5, 2]], cost=6, progress={"taken": ["move", "dash"]})],
 active="blue")
# C11 dice of an attacker: +2, FEAR, Down, cover
case("C11", "An Assassin that is Down strikes at a Wolf behind a barricade as it retreats", "+2 - 1 (FEAR) - 1 (Down) - 1 (cover) = -1: three dice, the two lowest 3 + 3: a miss", [A(profile="War Wolf"), M("E", (12.4, 10), profile="Sultanate Assassin", down=True)],
 [act(), ret(path=[T(4, 10)], dice=[[6, 3, 3]], answers=["E"], cost=6, cites=RT + ["TC-DOWN-2", "TC-ROLL-2"])], [box("barricade", 11.2, 11.4, 8, 12, "V")])
# C12 pinned
case("C12", "Pinned by a Lion it declares a Retreat all the same", "it stays Down: 2 + 1 dice; Minor Hit. It cannot be moved; the Activation goes on", [A(down=True), M("L", (11.9, 10), side="blue", profile="Lion of Jabir")],
 [act(cites=["TC-KW-3"], bodies={"A": marks(down=True)}), mv([T(10, 10.1)], **ill("TC-DOWN-2")), ret(dice=[[4, 4, 1], [4, 2, 1]], answers=["L"], cites=["TC-RET-7", "TC-INJ-2", "TC-DOWN-2"], values={"injury": 6}, bodies={"A": marks((10, 10), down=True, blood=1)}, progress={"over": None})])
case("C13", "A blow with everything: critical, Down, two BLOOD, armour", "2 + 1 + 1 + 2 = 6 dice; 5 + 4 - 1 = 8: two markers more on who is Down; TOUGH is not asked", [A(), M("T", (11.3, 10), profile="Janissary", down=True, blood=2)],
 [act(), fight("T", dice=[[6, 6], [5, 4, 2, 2, 1, 1]], answers=[2], values={"injury": 8, "total": 12}, cites=["TC-INJ-2", "TC-ROLL-1", "TC-INJ-1"], bodies={"T": marks(down=True, blood=2)})])
case("C14", "Six markers are the most, also where two come at once", "Down and 8 again: 5 + 2 are 6", [A(), M("T", (11.3, 10), down=True, blood=5)],
 [act(), fight("T", dice=[[3, 4], [4, 4, 1]], answers=[False, 0] if 0 else None, verdict="CHOICE", pending="choice")]); CASES.pop()
case("C15", "Armour of -3 and a total of 1: nothing", "2 + 2 - 3 = 1: not even a marker; FEAR takes a die of the attack", [A(), M("T", (12, 10), profile="Brazen Bull")],
 [act(), fight("T", dice=[[4, 3, 6], [2, 2]], values={"injury": 1, "total": 7}, cites=["TC-INJ-1", "TC-MEL-1"], bodies={"T": marks(blood=None, down=None)}), fight("T", **ill("TC-ACT-5"))])
case("C16", "Armour of -3 and a total of 4: a Minor Hit at 2 with the die of a critical", "critical on three with the two lowest 6: 3 dice 4 + 1 - 3 = 2", [A(), M("T", (12, 10), profile="Brazen Bull")],
 [act(), fight("T", dice=[[6, 6, 6], [4, 1, 1]], values={"injury": 2, "total": 12}, bodies={"T": marks(blood=1, down=None)})])
# C17 knocked down at a ledge
top = box("blockhouse", 2, 12, 5, 15, "K")
def ledge(k, h, dice, **ex):
    case(f"C17-{k}", "Struck Down at a ledge: the Success Roll first, then the Fall, then the mark", f"a drop of {h}", [A((10.3, 10), z=h), M("T", (11.5, 10), z=h, **ex.pop("st", {}))],
     [act(), fight("T", dice=dice, **ex)], [{**top, "height": h}])
ledge("three", 3, [[4, 4], [4, 3], [2, 4], [3, 2, 1]], cites=["TC-DOWN-4", "TC-FALL-1", "TC-INJ-1"], bodies={"T": marks((12 + r, 10, 0), down=True, blood=2)})
ledge("less", 2.99, [[4, 4], [4, 3], [2, 4]], cites=["TC-DOWN-4", "TC-FALL-1"], bodies={"T": marks((12 + r, 10, 0), down=True, blood=1)})
ledge("holds", 3, [[4, 4], [4, 3], [3, 4]], cites=["TC-DOWN-4"], bodies={"T": marks((11.5, 10, 3), down=True, blood=1)})
ledge("out", 3, [[4, 4], [4, 3], [1, 1], [6, 3, 1]], cites=["TC-DOWN-4", "TC-FALL-1"], values={"injury": 9})
# C18 re-entry with two
S2 = [M("E1", (11.3, 10)), M("E2", (10, 11.5))]
case("C18", "Out of the one's inch, round by the other's, and in again", "at (8.9, 10.4) it is out of E1's inch and within E2's; (9.6, 9.9) is back in E1's", [A()] + S2,
 [act(), ret(path=[T(8.9, 10.4), T(9.6, 9.9), T(7, 7)], **ill("TC-MOVE-7", details={"TC-MOVE-7": {"measured": d2((9.6, 9.9), (11.3, 10)) - R, "about": "E1"}})),
  ret(path=[T(8.9, 10.4), T(8.9, 9.9), T(7, 7)], answers=["pass"], cost=d2((10, 10), (8.9, 10.4)) + .5 + d2((8.9, 9.9), (7, 7)), cites=RT + ["TC-MOVE-7"])])
case("C19", "A retreat that ends at exactly an inch from an enemy it was not near", "both its clauses say so", [A(), M("E", (11.2, 10)), M("E3", (4, 10))],
 [act(), ret(path=[T(4 + Z, 10)], **ill("TC-MOVE-7", "TC-RET-5")), ret(path=[T(4 + Z + 2e-6, 10)], answers=["pass"], cost=6 - Z - 2e-6, cites=RT + ["TC-MOVE-7"])])
case("C20", "A retreat through mud and over a friend: long enough on the plan, too dear on the ground", "4 long, 3 of it slow: 7; without the last inch 6 and on the friend's base", [A(), M("E", (11.2, 10)), M("F", (7.2, 10))],
 [act(), ret(path=[T(5.5, 10)], **ill("TC-TER-2", details={"TC-TER-2": {"measured": 7, "limit": 6, "about": "U"}})), ret(path=[T(6.9, 10)], **ill("TC-MOVE-5", details={"TC-MOVE-5": {"about": "F"}})),
  ret(path=[T(7.2 - R, 10)], answers=["pass"], cost=(10 - 7.2 + R) + (8.4 - 7.2 + R), cites=RT + ["TC-MOVE-5", "TC-TER-2"])], [box("mud", 5, 8.4, 5, 15, "U")])
CASES[-1]["steps"][1]["expect"]["details"]["TC-TER-2"]["measured"] = 4.5 + 2.9; CASES[-1]["note"] = "4.5 long, 2.9 of it slow: 7.4; the friend may be crossed to where it is touched behind"
# C21 stood up, dash and move halved for a Wolf; hound not
case("C21", "Stood up: a Wolf's Move and Dash are both halved", "4 and 4; 4.000002 is too far both times", [A(profile="War Wolf", down=True), far],
 [act(), mv([T(14.000002, 10)], **ill("TC-MOVE-1")), mv([T(14, 10)], cost=4, cites=["TC-DOWN-3", "TC-MOVE-14"]), step({"kind": "dash", "actor": "A"}, dice=[[3, 4, 1]], verdict="CHOICE", pending="choice"), step(None, answers=[[T(14, 14.000002)]], verdict="ILLEGAL", pending="choice", findings=["TC-MOVE-1"]), step(None, answers=[[T(14, 14)]], cost=4, cites=["TC-DOWN-3", "TC-KW-3", "TC-ACT-2"])])
case("C22", "A fight first, then the Retreat from who was struck Down", "E is Down and strikes with a die less: 6, 4, 2 keep 6: missed", [A(), M("E", (11.2, 10))],
 [act(), fight("E", dice=[[4, 4], [4, 4]], bodies={"E": marks(down=True, blood=1)}), ret(path=[T(10, 4)], dice=[[6, 4, 2]], answers=[0, "E"] if 0 else ["E"], cost=6, cites=RT + ["TC-DOWN-2", "TC-MOVE-13"]) if 0 else
  ret(path=[T(10, 4)], verdict="CHOICE", pending="choice"), step(None, answers=["E", 1], dice=[[6, 5, 2, 2]], cost=6, cites=RT + ["TC-DOWN-2", "TC-ROLL-3", "TC-MOVE-13"], bodies={"E": marks(blood=None)})])
case("C23", "Gas at the feet: activated in it, saved by two BLESSINGs", "2 + 2 = four dice, the two highest 4 + 3", [A(blessing=2), far],
 [act(verdict="CHOICE", pending="choice"), step(None, answers=[2], dice=[[4, 3, 1, 1]], cites=["TC-TER-4", "TC-ROLL-3", "TC-ROLL-2"], values={"total": 7}, bodies={"A": marks(blessing=None)}), mv([T(13, 10)], cost=3)], [box("gas", 9, 11, 9, 11, "G")])
case("C24", "TOUGH in a minefield: out becomes Down, the turn is over and the next begins in it", "Injury 9: Down, a marker; next turn it stands and rolls again: 7", [A((9, 10), profile=P(keywords=["TOUGH"])), far],
 [act(), mv([T(13, 10)], dice=[[1, 2], [5, 4]], cites=["TC-TER-3", "TC-INJ-4"], bodies={"A": marks((11, 10), down=True, tough_used=True, blood=1)}), act("E9"), end("E9"), step({"kind": "next_turn"}), act(verdict=None, pending=None, dice=None)], [box("minefield", 11, 12, 5, 15, "G")])
CASES[-1]["steps"] = CASES[-1]["steps"][:-1] + [act(cites=["TC-DOWN-3"], progress={"stood_up": True}), mv([T(14, 10)], verdict="CHOICE", pending="choice"), step(None, answers=[1], dice=[[6, 6, 1], [3, 3]], bodies={"A": marks(blood=1)}, cites=["TC-TER-3", "TC-ROLL-3"], progress={"over": None})]
CASES[-1]["steps"] = CASES[-1]["steps"][:6] + [mv([T(10.9, 10), T(14, 10)], **ill("TC-MOVE-1")), mv([T(10.9, 10)], cost=.1, cites=["TC-DOWN-3"])]
case("C25", "Dash with a roll of 12, and a charge after it out of a place an inch and a hair away", "critical; gap 1.000002 may charge, 1.0000005 may not", [A((10, 10)), M("T", (16 + Z + 2e-6, 10)), far],
 [act(), step({"kind": "dash", "actor": "A", "path": [T(16, 10)]}, dice=[[6, 6]], cost=6, values={"total": 12}), chg(dice=[[1]], cost=1.000002, values={"gap": 0, "allowance": 7}, cites=["TC-ACT-7", "TC-ACT-8", "TC-CHG-12"])])
case("C26", "Dashed to a hair too near: refused, and no charge from there", "1.0000005 is within 1", [A((10, 10)), M("T", (16 + Z + 5e-7, 10)), far],
 [act(), step({"kind": "dash", "actor": "A"}, dice=[[4, 3]], verdict="CHOICE", pending="choice"), step(None, answers=[[T(16, 10)]], verdict="ILLEGAL", pending="choice", findings=["TC-MOVE-7"]), step(None, answers=[[T(16 - 2e-6, 10)]], cost=6 - 2e-6), chg(dice=[[2]], values={"gap": 0})])
write("batch3.json")
