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
    if "jump_down" in forbid: continue
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
    seg = lambda x_: next(k for k in range(n+1) if k == n or x_ < edges[k])
    def stand(fb):
        for _ in range(30):
            x_ = rng.uniform(a - 1, t + 2); k = seg(x_)
            if all(abs(x_ - e) > fb + .02 for e in edges): return x_, 24 + rng.choice([-1, 1])*rng.uniform(.0, 2.6), hs[k], k
        return None
    others = []
    for k in range(rng.randint(1, 3)):
        fn, fm, _ = rng.choice(PRO); q = stand(br(fm))
        if q: others.append((q, br(fm), fn, rng.random() < .6))
    base_ = [((a, 24, hs[0]), b), ((t, 24, hs[-1]), r)]
    okk = True
    for q, fb, fn, en in others:
        for o, ob in base_:
            if abs(o[2]-q[2]) < 1e-6 and hypot(o[0]-q[0], o[1]-q[1]) < fb + ob + .01: okk = False
        base_.append((q, fb))
    def gap3(p, z, q, fb): return hypot(max(0, hypot(p-q[0], 24-q[1]) - b - fb), z-q[2])
    if any(en and gap3(a, hs[0], q, fb) <= 1.02 for q, fb, fn, en in others): continue
    if not okk or not ok: continue
    # the way in space, both readings of the free shift
    def line_(var):
        out = [(0., a, hs[0])]
        for h in hz:
            i = h[1]; s = h[2]; j = h[5]+1 if h[0] == "jump" else i+1; x2 = edges[j-1]+b
            out.append((s, L[i], hs[i]))
            if h[0] == "walk": out.append((s+2*b, x2, max(hs[i], hs[j]))) if 0 else out.extend([(s+b, edges[i], hs[i]), (s+b, edges[i], hs[j]), (s+2*b, x2, hs[j])])
            elif h[0] == "climb":
                up = hs[j] > hs[i]
                if (var == 0) == up: out.extend([(s+h[3], L[i], hs[j]), (s+h[3], x2, hs[j])])
                else: out.extend([(s, x2, hs[i]), (s+h[3], x2, hs[j])])
            elif h[0] == "drop": out.extend([(s+h[3], x2, hs[i]), (s+h[3], x2, hs[j])])
            else: out.extend([(s+h[3], x2, max(hs[i], hs[j])), (s+h[3], x2, hs[j])])
        out.append((total, t-rho, hs[-1])); return out
    def scan(q, fb, var):
        pl = line_(var); res = []
        for (s0, x0, z0), (s1, x1, z1) in zip(pl, pl[1:]):
            for k in range(201):
                f = k/200; x_ = x0+f*(x1-x0); z_ = z0+f*(z1-z0)
                res.append((s0+f*(s1-s0), gap3(x_, z_, q, fb)))
        return res
    verdict = "free"; soft = False
    decs = []
    for var in (0, 1):
        tt = scan((t, 24, hs[-1]), r, var); sT = next(s for s, g_ in tt if g_ <= 1)
        inter = []
        for q, fb, fn, en in others:
            if not en: continue
            sc = scan(q, fb, var); se = next((s for s, g_ in sc if g_ <= 1), None)
            mn = min(g_ for s, g_ in sc if s <= sT + .05)
            if abs(mn - 1) < .02 or (se is not None and abs(se - sT) < .05): soft = True
            if min(g_ for s, g_ in sc) <= .01: soft = True
            inter.append(se is not None and se < sT)
        decs.append(inter)
    if soft or decs[0] != decs[1]: continue
    inter = any(decs[0])
    die = rng.randint(1, 6); allow = min(12, Mv + die)
    prof = P(name, armour=-3, weapons=["blade"], keywords=[])
    ms = [M("A", (a, 24), profile=prof, z=hs[0]), M("T", (t, 24), z=hs[-1])]
    for k, (q, fb, fn, en) in enumerate(others): ms.append(M(f"{'E' if en else 'F'}{k}", q[:2], side="blue" if en else "red", profile=P(fn, keywords=[]), z=q[2]))
    terr = [box("block", ([2] + edges)[i], (edges + [46])[i], 0, 48, f"K{i}", height=hs[i]) for i in range(n + 1) if hs[i] > 0]
    note = f"{name}; edges {[round(e, 3) for e in edges]}, heights {hs}; forbid {forbid}"
    kw = dict(forbid=forbid) if forbid else {}
    if inter:
        st = chg(**kw, verdict="ILLEGAL", details={"TC-CHG-3": {}}); title = "interposed"
    else:
        dice = [[die]]; bad = False; fin = None
        xr, sr, zr = a, 0., hs[0]
        for h in hz + [("goal", n, total, 0)]:
            i = h[1]; s = h[2]
            if allow < s - 1e-9: fin = (xr + allow - sr, zr, allow, xr, sr); break
            if h[0] == "goal": fin = (t - rho, hs[-1], total, xr, sr); break
            if not allow >= s + h[3] - 1e-9:
                if h[0] in ("walk", "drop"): bad = True; break
                fin = (L[i], hs[i], s, xr, sr); break
            j = h[5] + 1 if h[0] == "jump" else i + 1
            lion = [1] if name == "Lion of Jabir" else []
            if h[0] in ("climb", "jump"): dice.append([3, 4] + lion)
            dr = h[4] if h[0] in ("drop", "jump") else 0
            land = edges[j-1] + b
            if dr >= 3 - 1e-6:
                dice.append([3, 4] + lion if hypot(max(0, t - land - rho), hs[j] - hs[-1]) <= 1 + 1e-6 else [1]*(2 + int(dr//3)))
            xr, sr, zr = land, s + h[3], hs[j]
        if bad or fin is None: continue
        fx, fz, fs, x0, s0 = fin
        hit = [(q, fb) for q, fb, fn, en in others if not en and abs(q[2]-fz) < 1e-6 and hypot(fx-q[0], 24-q[1]) < b + fb]
        if hit:
            if fx > t - rho - 1e-6: continue
            bx = fx
            for _ in range(5):
                for q, fb in hit + [(q, fb) for q, fb, fn, en in others if not en and abs(q[2]-fz) < 1e-6]:
                    if hypot(bx-q[0], 24-q[1]) < b + fb - 1e-9: bx = q[0] - sqrt((b+fb)**2 - (24-q[1])**2)
            if bx < x0 + .01: continue
            fs -= fx - bx; fx = bx
        gap = hypot(max(0, t - fx - rho), fz - hs[-1])
        if abs(gap - 1) < 1e-4: continue
        if fs < total - 1e-6 and any(abs(fx - e) < b - 1e-6 for e in edges): continue
        title = " ".join(h[0] for h in hz) + (" back" if hit else "")
        st = chg(**kw, dice=dice, verdict=None, values={"gap": gap, "cost": fs}, bodies=at(A=(fx, 24, fz)))
        if gap < 1e-6 and allow > total + 1e-6 and any(en for q, fb, fn, en in others): del st["expect"]["pending"]; continue
    made += 1
    case(f"W{sys.argv[1]}-{made}", title, note, ms, [act(), st], terr, los_mode="attested")
write(f"fuzzw{sys.argv[1]}.json")
