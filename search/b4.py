from lib import *
def A(pos=(10, 10), **k): return M("A", pos, **k)
def d2(p, q): return hypot(p[0]-q[0], p[1]-q[1])
far = M("E9", (40, 40))
def fight(t, a="A", **k): return step({"kind": "fight", "actor": a, "target": t}, **k)
def K(x0, x1, h, id="K", y0=5, y1=15, **k): return box("block", x0, x1, y0, y1, id, height=h, **k)
WON = ["TC-CHG-1", "TC-CHG-2", "TC-CHG-5", "TC-CHG-8", "TC-CHG-12", "TC-CHG-14"]
stairs = {"id": "S", "stairs": {"foot": [12, 10, 0], "head": [14, 10, 1.5], "width": 2}}
rise = K(14, 20, 1.5)
up = [T(12, 10), T(14, 10, 1.5)]
case("D01", "Up stairs of 2.5 true length: to exactly 6", "2 + 2.5 + 1.5; a hair more is too far", [A(), far],
 [act(), mv(up + [T(15.500002, 10)], **ill("TC-MOVE-1", details={"TC-MOVE-1": {"measured": 6.000002, "limit": 6}})), mv(up + [T(15.5, 10)], cost=6, cites=["TC-TER-7", "TC-MOVE-4"], bodies=at(A=(15.5, 10, 1.5)))], [stairs, rise])
case("D02", "A charge up the stairs, with 7 and with what a stood-up Azeb has", "2 + 2.5 + 2.5 - R = 6.015748", [A(), M("T", (16.5, 10), z=1.5)],
 [act(), chg(dice=[[1]], cost=7 - R, values={"gap": 0, "moved": 7 - R}, cites=WON + ["TC-TER-7"], bodies=at(A=(16.5 - R, 10, 1.5)))], [stairs, rise])
# 3.5: ends on stairs: 2 + 1.5 of 2.5 -> 60 percent: x 13.2 z .9
case("D03", "A failed charge ends on the stairs, and a Dash takes it on", "3.5 in: 1.5 of the 2.5 up; gap to T more than 1", [A(down=True), M("T", (16.5, 10), z=1.5)],
 [act(), chg(dice=[[1]], cost=3.5, values={"gap": hypot(3.3 - R, .6), "allowance": 3.5}, cites=["TC-CHG-13", "TC-DOWN-3", "TC-TER-7"], bodies=at(A=(13.2, 10, .9))), step({"kind": "dash", "actor": "A"}, dice=[[4, 3]], verdict="CHOICE", pending="choice"),
  step(None, answers=[[T(14, 10, 1.5), T(14.4, 10)]], cost=1.4, bodies=at(A=(14.4, 10, 1.5)))], [stairs, rise])
case("D04", "No end on a friend who stands on the stairs, but over it", "on one slope bases lie as on the plan", [A(), M("F", (13, 10), z=.75), far],
 [act(), mv([T(12, 10), T(12.4, 10, .3)], **ill("TC-MOVE-5", details={"TC-MOVE-5": {"about": "F"}})), mv([T(11.9, 10)], cost=1.9) if 0 else mv(up + [T(14.2, 10)], cost=4.7, cites=["TC-MOVE-5", "TC-TER-7"])], [stairs, rise])
# D05 arc on a ramp
ramp = {"id": "S", "ramp": {"foot": [12, 10, 0], "head": [18, 10, 3], "width": 8}}
def simpson(f, a, b, n=20000):
    h = (b-a)/n; return h/3*(f(a)+f(b)+4*sum(f(a+(2*i+1)*h) for i in range(n//2))+2*sum(f(a+2*i*h) for i in range(1, n//2)))
al = simpson(lambda t: sqrt(1 + .25*sin(t)**2), pi, 1.5*pi)
case("D05", "An arc on a ramp costs its true length", f"radius 1, a quarter turn, slope 1:2: {al:.9f}", [A((14, 10), z=1), far],
 [act(), mv([arc((15, 10), 90)], cost=al, bodies=at(A=(15, 9, 1.5)), cites=["TC-TER-7"])], [ramp, K(18, 24, 3)])
al2 = simpson(lambda t: sqrt(1 + .25*sin(t)**2), pi, pi + radians(300)) 
case("D06", "A longer arc on the ramp, stood up: too far by its slope alone", "2.9 in on the plan", [A((14, 10), z=1, down=True), far],
 [act(), mv([arc((15, 10), degrees(2.9))], **ill("TC-MOVE-1", details={"TC-MOVE-1": {"measured": simpson(lambda t: sqrt(1 + .25*sin(t)**2), pi, pi + 2.9), "limit": 3}}))], [ramp, K(18, 24, 3)])
# jumps
gap = [K(2, 13, 4, "K1"), K(15.5, 24, 5, "K2")]
case("D07", "A jump of 2.5 up by 1: half the Movement counts the width alone", "run-up 1 + 2.5 + 1 = 4.5; then 1.5 on: 6", [A((13 - r - 1, 10), z=4), far],
 [act(), mv([T(15.5 + r, 10, 5, "jump"), T(17 + r, 10)], dice=[[3, 4]], cost=6, cites=["TC-JMP-1", "TC-JMP-2", "TC-JMP-3", "TC-JMP-4"], bodies=at(A=(17 + r, 10, 5)))], gap)
case("D08", "The same jump to within an inch of an enemy", "the landing is .9 off E: only a charge may", [A((13 - r - 1, 10), z=4), M("E", (15.5 + r + R + .9, 10), z=5)],
 [act(), mv([T(15.5 + r, 10, 5, "jump")], **ill("TC-MOVE-7", details={"TC-MOVE-7": {"measured": .9, "about": "E"}})), chg("E", dice=[[1], [6, 2]], cost=4.5 + .9, cites=["TC-JMP-2", "TC-JMP-4", "TC-CHG-12"], values={"gap": 0})], gap)
case("D09", "The same gap stood up with a Charge Bonus of 6: half of the Movement without it", "(6 + 6) / 2 = 6 to go, but 1.5 to jump: T is charged by another way or not at all", [A((13 - r - 1, 10), z=4, down=True), M("E", (15.5 + r + R + .9, 10), z=5)],
 [act(), mv([T(15.5 + r, 10, 5, "jump")], verdict="ILLEGAL"), chg("E", forbid=["climb"], **ill("TC-CHG-8"))], gap)
# falls onto a floor in the gap
bed = [K(2, 12, 4, "K1"), K(15, 24, 4, "K2"), K(12, 15, 1, "K3")]
case("D10", "A jump missed over a bed 3 lower: it Falls on to that, from the far side", "3 wide is half of 6; a Fall of 3: three dice, 2 + 2", [A((10, 10), z=4), far],
 [act(), mv([T(15 + r, 10, 4, "jump")], dice=[[1, 2], [2, 2, 1]], answers=["far"], cites=["TC-JMP-2", "TC-FALL-1"], values={"injury": 4}, bodies={"A": marks((15 - r, 10, 1), blood=1, down=None)}, turn={"active": "blue"})], bed)
bed2 = [K(2, 12, 4, "K1"), K(15, 24, 4, "K2"), K(12, 15, 1.01, "K3")]
case("D11", "The same with the bed .01 higher: no Injury Roll", "2.99 is no Fall of 3", [A((10, 10), z=4), far],
 [act(), mv([T(15 + r, 10, 4, "jump")], dice=[[1, 2]], answers=["near"], cites=["TC-JMP-2", "TC-FALL-1"], bodies={"A": marks((12 + r, 10, 1.01), blood=None)})], bed2)
# D12 drop of 2.9999995 and 2.99999
for k, h, dd in (("in", 2.9999995, [[2, 1, 1]]), ("out", 2.99999, None)):
    case(f"D12-{k}", "A drop of 3 but for a hair", f"{h}: " + ("counts as 3" if dd else "less than 3: no roll"), [A((11, 10), z=h), far],
     [act(), mv([T(12 + r, 10, 0, "drop"), T(14, 10)], cost=3, **({"dice": dd} if dd else {}), cites=["TC-JMP-5"] + (["TC-FALL-1"] if dd else []), bodies={"A": marks((14, 10, 0), blood=1 if dd else None)})], [K(2, 12, h)])
# climbs
case("D13", "Climbed to within an inch of an enemy at the top", "placed at (12.492126, 10, 3): E is .892126 off", [A(), M("E", (12 + 2*r + r + .4 + r - .0, 10), z=3)],
 [act(), mv([T(12 + r, 10, 3, "climb")], **ill("TC-MOVE-7", details={"TC-MOVE-7": {"about": "E", "measured": .4 + r*0 + (2*r + r + .4 + r) - r - R - .4 if 0 else (12 + 4*r + .4) - (12 + r) - R}})), ], [K(12, 20, 3)])
case("D14", "Out of an enemy's reach by climbing: 2 up is more than an inch through the air", "roll of 7: the Retreat ends above E, gap hypot(h, 2)", [A((11.2, 10)), M("E", (11.2, 11.4))],
 [act(), ret(path=[T(12 + r, 10, 2, "climb")], answers=["pass"], dice=[[4, 3]], cost=12 - r - 11.2 + 2, cites=["TC-RET-5", "TC-CLM-1", "TC-CLM-2", "TC-RET-9"], bodies=at(A=(12 + r, 10, 2)))], [K(12, 20, 2)])
case("D15", "The same with 6: it stays at the wall, within an inch, and its Activation is over", "at (11.507874, 10): gap to E .4494", [A((11.2, 10)), M("E", (11.2, 11.4))],
 [act(), ret(path=[T(12 + r, 10, 2, "climb")], answers=["pass"], dice=[[3, 3]], cites=["TC-CLM-2", "TC-ROLL-5"], bodies=at(A=(12 - r, 10, 0)), turn={"active": "blue"}), act("E"), mv([T(11.2, 13)], a="E", **ill("TC-MOVE-8"))], [K(12, 20, 2)])
case("D16", "Held on the ground, climbing is leaving: refused without a Retreat", "1.2 up: more than an inch off", [A((11.2, 10)), M("E", (11.2, 11.4))],
 [act(), mv([T(12 + r, 10, 1.2, "climb")], **ill("TC-MOVE-8", details={"TC-MOVE-8": {"about": "E"}}))], [K(12, 20, 1.2)])
case("D17", "A retreat down from a roof of exactly 3, the enemy left on it", "a Fall on the way: 3 dice, 4 + 4: Down where it landed", [A((11.2, 10), z=3), M("E", (10, 10), z=3)],
 [act(), ret(path=[T(12 + r, 10, 0, "drop"), T(14, 10)], answers=["pass"], dice=[[4, 4, 2]], cites=["TC-FALL-1", "TC-JMP-5", "TC-DOWN-1"], values={"injury": 8}, bodies={"A": marks((12 + r, 10, 0), down=True, blood=1)}, progress={"over": "down"})], [K(2, 12, 3)])
# dives
def dive(k, e, dice, note, **ex):
    case(f"D18-{k}", "A landing exactly an inch from the target, and a hair farther", note, [A((10, 10), z=3), M("T", (12 + r + Z + e, 10))],
     [act(), chg(dice=dice, values={"gap": 0}, cost=2 + Z + r + e - R, **ex), fight("T", dice=[[1, 1, 5]], values={"total": 6}) if k == "dive" else fight("T", dice=[[1, 1]], answers=[0], values={"total": 2})], [K(2, 12, 3)])
dive("dive", 0, [[1], [5, 2]], "within 1: a diving charge, +1 DICE on the next blow: 5 + 1 of three dice", cites=WON + ["TC-FALL-2", "TC-JMP-5"])
dive("fall", 1e-5, [[1], [2, 1, 1]], "not within 1: an ordinary Fall, and no die more", cites=WON + ["TC-FALL-1", "TC-JMP-5"])
for k, e in (("t", 5e-7),):
    dive("dive" if 0 else "hair", e, [[1], [5, 2]], "5e-7 beyond is within 1 still", cites=WON + ["TC-FALL-2"]); CASES[-1]["steps"][-1] = fight("T", dice=[[1, 1, 5]], values={"total": 6})
# jump to lower: dive
jj = [K(2, 12, 4, "K1"), K(14, 24, 1, "K2")]
case("D19", "A jump of 2 on to a roof 3 lower beside the target", "run-up 1.507874 + 2 + .523622; the Jump's roll, then the dive's", [A((10, 10), z=4), M("T", (16, 10), z=1)],
 [act(), chg(dice=[[1], [4, 3], [5, 5]], cost=12 - r - 10 + 2 + (16 - R - 14 - r), values={"gap": 0, "total": 10}, cites=WON + ["TC-JMP-2", "TC-JMP-4", "TC-JMP-5", "TC-FALL-2"], progress={"dived": True})], jj)
case("D20", "The same with the Jump forbidden: down and on over what is a step high", "along the ground 5.015748: the drop of 4 is an ordinary Fall, K2 a step", [A((10, 10), z=4), M("T", (16, 10), z=1)],
 [act(), chg(forbid=["jump"], dice=[[1], [1, 2, 1]], cost=6 - R, values={"gap": 0}, cites=WON + ["TC-FALL-1", "TC-TER-7"], bodies={"A": marks((16 - R, 10, 1), blood=1)})], jj)
# forbids
one = [K(2, 12, 2)]
case("D21", "Jump Down, climb down, or neither", "down 5.015748 by the drop; climbed 1.507874 + 2 + 2.523622; forbidding both leaves none", [A((10, 10), z=2), M("T", (16, 10))],
 [act(), chg(forbid=["jump_down", "climb"], **ill("TC-CHG-8")), chg(forbid=["jump_down"], dice=[[1], [3, 4]], cost=2 - r + 2 + 4 - R - r, values={"gap": 0}, cites=WON + ["TC-CHG-9", "TC-CLM-2"])], one)
case("D22", "The same by the drop: no roll below 3", "5.015748", [A((10, 10), z=2), M("T", (16, 10))], [act(), chg(dice=[[1]], cost=6 - R, cites=WON + ["TC-JMP-5"], values={"gap": 0})], one)
case("D23", "Climbing down fails: left at the ledge, the charge lost", "4: it stays where its rim is at the ledge", [A((10, 10), z=2), M("T", (16, 10))],
 [act(), chg(forbid=["jump_down"], dice=[[6], [2, 2]], cites=["TC-CLM-2", "TC-CHG-13", "TC-ROLL-5"], bodies=at(A=(12 - r, 10, 2)), turn={"active": "blue"})], one)
# overhang corner
sqk = [(2, 2), (12, 2), (12, 12), (2, 12)]
xt = bisect(lambda v: area_circle_poly((v, 11.75), r32, sqk)/(pi*r32*r32) - .5, 10, 12)
case("D24", "A Janissary over a roof's corner: half of its area decides", f"at y = 11.75 it is x = {xt:.6f}", [A((9, 11), profile="Janissary"), far],
 [act(), mv([T(xt + 1e-4, 11.75)], **ill("TC-MOVE-11")), mv([T(xt - 1e-4, 11.75)], cost=d2((9, 11), (xt - 1e-4, 11.75)), cites=["TC-MOVE-11"])], [box("block", 2, 12, 2, 12, "K", height=2)])
CASES[-1]["scene"]["models"][0]["z"] = 2
# flights
W = dict(profile="Winged Thrall")
case("D25", "Over a Bull 2 high at exactly an inch above it, and a hair more", "3 is within 1, 3.000002 is not", [A((6, 10), **W, z=0), M("E", (10, 10), profile="Brazen Bull")], [act()]); CASES.pop()
c0 = lambda h: [T(7, 10, h, "fly"), T(13, 10, h, "fly"), T(14, 10, 0, "fly")]
case("D25", "Over a Bull 2 high at exactly an inch above it, and a hair more", "3 is within 1, 3.000002 is not; Movement 13 for the way", [A((6, 10), profile=P("Winged Thrall", movement=14)), M("E", (10, 10), profile="Brazen Bull")],
 [act(), mv(c0(3), **ill("TC-MOVE-7", details={"TC-MOVE-7": {"measured": 1, "about": "E"}})), mv(c0(3.000002), cost=2*hypot(1, 3.000002) + 6, cites=["TC-FLY-1", "TC-MOVE-7"])])
case("D26", "A Dash that ends in the air", "FLYING ends on the battlefield or on terrain; on a roof of just that height it may", [A((6, 10), **W), far],
 [act(), step({"kind": "dash", "actor": "A"}, dice=[[4, 4]], verdict="CHOICE", pending="choice"), step(None, answers=[[T(9, 10, 2, "fly")]], verdict="ILLEGAL", pending="choice", findings=["TC-FLY-1"]),
  step(None, answers=[[T(9, 12, 2, "fly")]], verdict="ILLEGAL", pending="choice", findings=["TC-FLY-1"]), step(None, answers=[[T(7, 10, 2, "fly"), T(9, 12, 2, "fly")]], cost=sqrt(5) + sqrt(8), bodies=at(A=(9, 12, 2)), cites=["TC-FLY-1", "TC-DASH-2"])], [box("block", 8, 10, 11, 13, "K", height=2)])
case("D27", "A flyer over a friend, a pool and gas, and down on none of them", "4 up and down at 45 degrees; ending on the friend, in the pool: refused", [A((6, 10), profile=P("Winged Thrall", movement=9)), M("F", (9, 10)), far],
 [act(), mv([T(9.5, 10, 0, "fly")], **ill("TC-MOVE-5")), mv([T(11, 10, 0, "fly")], verdict="ILLEGAL"), mv([T(14, 10, 0, "fly")], cost=8, cites=["TC-FLY-1", "TC-MOVE-5"])], [box("deep water", 10, 12, 5, 15, "W"), box("gas", 12, 13, 5, 15, "G")])
case("D28", "A flyer leaves a fight straight up on to a roof beside the enemy", "2.2 above E is more than an inch from its base and .7 from the top of its body of 1.5", [A((11.4, 10), **W), M("E", (11.4, 11.3))],
 [act(), ret(path=[T(11.4, 10, 2.2, "fly"), T(12.6, 10, 2.2, "fly")], answers=["pass"], cost=2.2 + 1.2, cites=["TC-RET-5", "TC-FLY-1"])], [box("block", 12, 20, 5, 15, "K", height=2.2)])
g28 = hypot(hypot(.6 + r, 1.3) - R, .7)
CASES[-1]["steps"].insert(1, ret(path=[T(11.4, 10, 2.2, "fly"), T(12 + r, 10, 2.2, "fly")], **ill("TC-RET-5", details={"TC-RET-5": {"measured": g28, "limit": 1, "about": "E"}})))
case("D29", "A Herald charges up on to a roof over its edge", "taut over the edge: the front of its base is at the edge at 3: hypot(3.212599, 3) + 3.507874", [A((10, 10), profile="Herald of Beelzebub"), M("T", (18, 10), z=3)],
 [act(), chg(dice=[[1]], cost=hypot(4 - r40, 3) + (18 - r40 - r) - (14 - r40), values={"gap": 0, "allowance": 11}, cites=WON + ["TC-FLY-1"], bodies=at(A=(18 - r40 - r, 10, 3)))], [K(14, 22, 3)])
hx = 13 - R - sqrt(1 - .75**2)
case("D30", "A target on stairs is charged to within an inch through the air", f"before the foot of the stairs: h = .661438, x = {hx:.6f}", [A((8, 10)), M("T", (13, 10), z=.75)],
 [act(), chg(dice=[[1]], cost=hx - 8, values={"gap": 1}, cites=WON, bodies=at(A=(hx, 10, 0)))], [stairs, rise])
case("D31", "A wall that cannot be climbed, and its neighbour that can", "unclimbable: refused; the lower block beside it is 1.2", [A(), far],
 [act(), mv([T(12 + r, 10, 1.2, "climb")], verdict="ILLEGAL"), mv([T(10, 12 + r, 1.2, "climb")], dice=[[3, 4]], cost=2 - r + 1.2, cites=["TC-CLM-1", "TC-CLM-2"])], [K(12, 20, 1.2, traits=["unclimbable"]), K(4, 12, 1.2, "K2", 12, 20)])
case("D32", "A Lion climbs with three dice", "walk 1.015748, climb 3, 1 on: 5.015748 of 8; 1, 6, 1 keep 7", [A(profile="Lion of Jabir"), far],
 [act(), mv([T(12 + r50, 10, 3, "climb"), T(13 + r50, 10)], dice=[[1, 6, 1]], cost=6 - r50 - 1 + .0 if 0 else 2 - r50 + 3 + 1, cites=["TC-CLM-2", "TC-KW-3", "TC-ROLL-2"], bodies=at(A=(13 + r50, 10, 3)))], [K(12, 20, 3)])
case("D33", "A Bull at the very lip jumps 3 and goes 3 on", "no run-up; 2r of its base is free", [A((12 - r60, 10), profile="Brazen Bull", z=4), far],
 [act(), mv([T(15 + r60, 10, 4, "jump"), T(18.000002 + r60, 10)], **ill("TC-MOVE-1")), mv([T(15 + r60, 10, 4, "jump"), T(18 + r60, 10)], dice=[[6, 1]], cost=6, cites=["TC-JMP-1", "TC-JMP-3"])], [K(2, 12, 4, "K1"), K(15, 24, 4, "K2")])
# interposer below the ledge, at 3D
h0 = sqrt(1 - .9**2)
case("D34", "An enemy at the foot of the block beside the way along its top", "2 below: never within an inch; where the charge comes down it is: it interposes after the drop, and is itself hidden by the ledge: (12, 2) from 3.5 up leads over its 1.5", [A((6, 10), z=.9 + 1.1), M("T", (17, 10)), M("E2", (13, 11.9))],
 [act(), chg(**ill("TC-CHG-3", "TC-CHG-4", details={"TC-CHG-3": {"about": "E2"}}, nearest=None))], [K(2, 12, 2)])
case("D35", "The same enemy beside the block, farther back: 2 below the way is no inch", "the way is above it until the drop, and more than an inch off after it", [A((6, 10), z=2), M("T", (17, 10)), M("E2", (10.5, 15.6))],
 [act(), chg(dice=[[6]], cost=11 - R, values={"gap": 0}, cites=WON + ["TC-JMP-5"])], [K(2, 12, 2)])
write("batch4.json")
