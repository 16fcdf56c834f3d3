"""Charges along a row of blocks that reach across the table: shortest by hand-made tables of nodes."""
import random, sys
from lib import *
import lib
rng = random.Random(int(sys.argv[1])); N = int(sys.argv[2])
PRO = [("Azeb", 25, 6), ("Janissary", 32, 6), ("Brazen Bull", 60, 6), ("Lion of Jabir", 50, 8)]
made = 0
while made < N:
    name, mm, Mv = rng.choice(PRO); b = br(mm)
    n = rng.randint(2, 5); edges = []; x = 10 + rng.uniform(b + .3, 3)
    for i in range(n):
        edges.append(x); x += rng.uniform(2*b + .1, 2*b + .1 + rng.choice([.5, 1.5, 2.5]))
    hs = [rng.choice([0, 0, .7, 1, 1.3, 1.8, 2.4, 2.9, 3.5, 4.2]) for _ in range(n + 1)]
    if any(hs[i] == hs[i+1] for i in range(n)): continue
    t = edges[-1] + b + rng.uniform(.05, 1.5) + b + r
    a = 10.
    rho = b + r
    g = hypot(t - a - rho, hs[-1] - hs[0])
    if g > 12 or g <= 1.2: continue
    forbid = [f for f in ("climb", "jump", "jump_down") if rng.random() < .2]
    # DAG of nodes
    L = [e - b for e in edges]; Rr = [e + b for e in edges]
    best = [(0., [])] + [None]*(n)  # at R of edge i-1 (0: start)
    cand = []
    INF = None
    second = {}
    def relax(j, c, hz):
        cand.append((j, c, hz))
    at_ = {0: [(0., [])]}
    for i in range(n + 1):          # on segment i, standing at its left landing (or start)
        opts = sorted(at_.get(i, []), key=lambda o: o[0])[:6]
        at_[i] = opts
        if i == n: break
        x0 = a if i == 0 else Rr[i-1]
        for c, hz in opts:
            w = L[i] - x0
            d = hs[i+1] - hs[i]
            def put(j, cc, h): at_.setdefault(j, []).append((cc, hz + h))
            if abs(d) <= 1 + 1e-9: put(i+1, c + w + 2*b, [("walk", i, c + w, 2*b)])
            elif d > 0:
                if "climb" not in forbid: put(i+1, c + w + d, [("climb", i, c + w, d)])
            else:
                if "climb" not in forbid: put(i+1, c + w - d, [("climb", i, c + w, -d)])
                if "jump_down" not in forbid: put(i+1, c + w + 2*b, [("drop", i, c + w, 2*b, -d)])
            if d < -1 and "jump" not in forbid:
                for j in range(i+1, n):
                    wd = edges[j] - edges[i]
                    if wd > Mv/2 + 1e-9: break
                    if hs[j+1] > hs[j] and all(hs[k] < min(hs[i], hs[j+1]) for k in range(i+1, j+1)):
                        lower = hs[i] - hs[j+1]
                        if lower > 1 and "jump_down" in forbid: continue
                        put(j+1, c + w + wd + max(0, -lower), [("jump", i, c + w, wd + max(0, -lower), lower, j)])
    if not at_.get(n): ok = False
    else:
        ok = True
        opts = at_[n]
        if len(opts) > 1 and opts[1][0] - opts[0][0] < 2e-3: continue
        c, hz = opts[0]
        total = c + (t - rho - Rr[-1])
    die = rng.randint(1, 6); allow = min(12, Mv + die)
    prof = P(name, armour=-3, weapons=["blade"], keywords=[])
    ms = [M("A", (a, 24), profile=prof, z=hs[0]), M("T", (t, 24), z=hs[-1])]
    terr = [box("block", ([2] + edges)[i], (edges + [46])[i], 0, 48, f"K{i}", height=hs[i]) for i in range(n + 1) if hs[i] > 0]
    note = f"{name}; edges {[round(e, 3) for e in edges]}, heights {hs}; forbid {forbid}"
    kw = dict(forbid=forbid) if forbid else {}
    if not ok:
        st = chg(**kw, **ill("TC-CHG-8")); title = "no way"
    else:
        dice = [[die]]; end_at = None; used = None; bad = False; fin = None
        pos = lambda s, x0: None
        xr, sr, zr = a, 0., hs[0]   # last landing
        for h in hz + [("goal", n, total, 0)]:
            i = h[1]; s = h[2]       # spend at L[i] (or goal)
            if allow < s - 1e-9:
                fin = (xr + allow - sr, zr, allow); break
            if h[0] == "goal": fin = (t - rho, hs[-1], total); break
            fits = allow >= s + h[3] - 1e-9
            if not fits:
                if h[0] in ("walk", "drop"): bad = True; break
                fin = (L[i], hs[i], s); break
            j = h[5] + 1 if h[0] == "jump" else i + 1
            if h[0] in ("climb", "jump"):
                dice.append([3, 4] + ([1] if name == "Lion of Jabir" else []))
                if name == "Lion of Jabir": dice[-1] = [3, 4, 1]
            dr = h[4] if h[0] in ("drop", "jump") else 0
            land = edges[j-1] + b
            if dr >= 3 - 1e-6:
                if hypot(max(0, t - land - rho), hs[j] - hs[-1]) <= 1 + 1e-6: dice.append([3, 4] + ([1] if name == "Lion of Jabir" else []))
                else: dice.append([1]*(2 + int(dr//3)))
            xr, sr, zr = land, s + h[3], hs[j]
        if bad or fin is None: continue
        gap = hypot(max(0, t - fin[0] - rho), fin[1] - hs[-1])
        if abs(gap - 1) < 1e-4: continue
        # a place close to an edge is another matter
        if fin[2] == allow and any(abs(fin[0] - e) < b + .01 for e in edges): continue
        title = " ".join(h[0] for h in hz)
        st = chg(**kw, dice=dice, verdict=None, cost=fin[2], values={"gap": gap}, bodies=at(A=(fin[0], 24, fin[1])))
    made += 1
    case(f"Z{sys.argv[1]}-{made}", title, note, ms, [act(), st], terr, los_mode="attested")
write(f"fuzz{sys.argv[1]}.json")
