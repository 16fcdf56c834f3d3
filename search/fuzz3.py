"""Moves, Dashes and Retreats on level ground with everything about, by sampling."""
import random, sys
from lib import *
from paths import dseg, inside
PR = P
seed, N = int(sys.argv[1]), int(sys.argv[2]); rng = random.Random(seed)
d2 = lambda p, q: hypot(p[0]-q[0], p[1]-q[1])
PRO = [("Azeb", 25, 6), ("Janissary", 32, 6), ("Brazen Bull", 60, 6), ("Lion of Jabir", 50, 8), ("Thrall", 25, 5)]
made = 0; tries = 0
def quad(c, w, h, f): return [(c[0]+x*cos(f)-y*sin(f), c[1]+x*sin(f)+y*cos(f)) for x, y in ((-w/2, -h/2), (w/2, -h/2), (w/2, h/2), (-w/2, h/2))]
def lens(c, R_, p, b):
    d = d2(c, p)
    if d >= R_+b: return 0
    if d <= abs(R_-b): return pi*min(R_, b)**2
    a1 = acos((d*d+R_*R_-b*b)/(2*d*R_)); a2 = acos((d*d+b*b-R_*R_)/(2*d*b))
    return R_*R_*(a1-sin(2*a1)/2)+b*b*(a2-sin(2*a2)/2)
while made < N:
    tries += 1
    nm, mm, Mv = rng.choice(PRO); b = br(mm); half = rng.random() < .5
    a = (rng.choice([rng.uniform(.5 + b, 3), 24]), rng.choice([rng.uniform(.5 + b, 3), 24]))
    kind = rng.choice(["move", "move", "retreat"])
    legs = []; p = a; tot = 0; poly_ = []
    for _ in range(rng.randint(1, 4)):
        if rng.random() < .65:
            l, f = rng.uniform(.3, 2.5), rng.uniform(0, 2*pi); q = (p[0]+l*cos(f), p[1]+l*sin(f)); legs.append(T(*q)); poly_.append(("l", p, q, l)); p = q
        else:
            R_, f, by = rng.uniform(.4, 2), rng.uniform(0, 2*pi), rng.uniform(-200, 200)
            c = (p[0]+R_*cos(f), p[1]+R_*sin(f)); s0 = atan2(p[1]-c[1], p[0]-c[0]); legs.append(arc(c, by)); poly_.append(("a", c, R_, s0, radians(by), R_*abs(radians(by)))); p = (c[0]+R_*cos(s0+radians(by)), c[1]+R_*sin(s0+radians(by)))
    tot = sum(x[-1] for x in poly_)
    if tot > Mv + 1: continue
    def at_(s):
        for x in poly_:
            if s <= x[-1] + 1e-12:
                f = s/x[-1]
                if x[0] == "l": return (x[1][0]+f*(x[2][0]-x[1][0]), x[1][1]+f*(x[2][1]-x[1][1]))
                u = x[3]+f*x[4]; return (x[1][0]+x[2]*cos(u), x[1][1]+x[2]*sin(u))
            s -= x[-1]
        return p
    n = 3000; pts = [at_(tot*k/n) for k in range(n+1)]
    near_path = lambda: (lambda z: (z[0]+rng.uniform(-2.5, 2.5), z[1]+rng.uniform(-2.5, 2.5)))(rng.choice(pts))
    bodies = [(a, b)]; fr, en = [], []
    for k in range(rng.randint(0, 5) if kind == "move" else rng.randint(1, 5)):
        fn, fm, _ = rng.choice(PRO); fb = br(fm); q = near_path() if rng.random() < .7 else (a[0]+rng.uniform(-2.5, 2.5), a[1]+rng.uniform(-2.5, 2.5))
        if min(q) < fb or any(d2(q, o) < fb+ob+.01 for o, ob in bodies): continue
        bodies.append((q, fb)); (en if rng.random() < .5 else fr).append((q, fb, fn))
    S = [e for e in en if d2(e[0], a)-b-e[1] <= 1]
    if any(abs(d2(e[0], a)-b-e[1]-1) < 1e-3 for e in en): continue
    if kind == "retreat" and not S: continue
    quads = []; circs = []
    for _ in range(rng.randint(0, 2)):
        kd = rng.choice(["mud", "deep water"])
        if rng.random() < .5:
            qd = quad(near_path(), rng.uniform(.3, 3), rng.uniform(.3, 3), rng.uniform(0, pi)); quads.append((kd, qd))
        else: circs.append((kd, near_path(), rng.uniform(.3, 1.5)))
    pdist = lambda q, P: 0 if inside(q, P) else min(dseg(P[i-1], P[i], q) for i in range(len(P)))
    imp = [(lambda q, P=P: pdist(q, P)) for kd, P in quads if kd == "deep water"] + [(lambda q, c=c, R_=R_: max(0, d2(q, c)-R_)) for kd, c, R_ in circs if kd == "deep water"]
    if any(f(q) < qb + .02 for f in imp for q, qb in bodies): continue
    muds = []
    for kd, P in quads:
        if kd == "mud": muds.append((lambda q, P=P: area_circle_poly(q, b, P)/(pi*b*b) > .5) if half else (lambda q, P=P: inside(q, P)))
    for kd, c, R_ in circs:
        if kd == "mud": muds.append((lambda q, c=c, R_=R_: lens(c, R_, q, b)/(pi*b*b) > .5) if half else (lambda q, c=c, R_=R_: d2(q, c) < R_))
    want = set(); soft = False
    def lim(v, L_, cl, tol=1e-3):
        global soft
        if abs(v-L_) < tol: soft = True
        if v < L_: want.add(cl)
    fl = [any(m(q) for m in muds) for q in pts]
    slow = 0
    for k in range(n):
        if fl[k] == fl[k+1]: slow += tot/n if fl[k] else 0
        else:
            lo, hi = tot*k/n, tot*(k+1)/n; A0 = lo
            for _ in range(50):
                m_ = (lo+hi)/2
                if any(m(at_(m_)) for m in muds) == fl[k]: lo = m_
                else: hi = m_
            slow += (lo-A0) if fl[k] else (tot*(k+1)/n-lo)
    if min(min(min(q[0]-b, q[1]-b) for q in pts), 99) < 1e-3 and abs(min(min(q[0]-b, q[1]-b) for q in pts)) < 1e-3: continue
    if min(min(q[0]-b, q[1]-b) for q in pts) < 0: want.add("TC-MOVE-6")
    for f in imp:
        v = min(f(q) for q in pts); lim(v, b, "TC-TER-5")
    for e in fr: lim(d2(p, e[0])-b-e[1], 0, "TC-MOVE-5")
    lost = False
    for e in en:
        gs = [d2(q, e[0])-b-e[1] for q in pts]
        lim(min(gs), 0, "TC-MOVE-10")
        if e in S and kind == "move":
            if abs(max(gs)-1) < 1e-3: soft = True
            if max(gs) > 1: want.add("TC-MOVE-8")
        elif e in S:
            out = False; back = None
            for g in gs:
                if g > 1+2e-3: out = True
                if out and g < 1+2e-3: back = min(back, g) if back is not None else g
            if any(abs(g-1) < 2e-4 and 0 for g in gs): soft = True
            # local extremes near 1
            for k in range(1, n):
                if abs(gs[k]-1) < 2e-3 and (gs[k]-gs[k-1])*(gs[k+1]-gs[k]) <= 0: soft = True
            if back is not None and back <= 1: want.add("TC-MOVE-7")
            lim(gs[-1], 1, "TC-RET-5")
        else:
            lim(min(gs), 1, "TC-MOVE-7")
            if kind == "retreat": lim(gs[-1], 1, "TC-RET-5")
    if abs(tot-Mv) < 1e-3 or abs(tot+slow-Mv) < 1e-3: continue
    if tot > Mv: want.add("TC-RET-9" if kind == "retreat" else "TC-MOVE-1")
    elif tot+slow > Mv: want.add("TC-TER-2")
    if soft: continue
    if len(want) == 0 and rng.random() < 0: continue
    ms = [M("A", a, profile=PR(nm, keywords=[], movement=Mv))] + [M(f"F{i}", e[0], side="red", profile=PR(e[2], keywords=[])) for i, e in enumerate(fr)] + [M(f"E{i}", e[0], side="blue", profile=PR(e[2], keywords=[])) for i, e in enumerate(en)] + [M("E9", (40, 40))]
    terr = [poly(kd, P, f"Q{i}") for i, (kd, P) in enumerate(quads)] + [circ(kd, c, R_, f"C{i}") for i, (kd, c, R_) in enumerate(circs)]
    ex = {}
    if want: st = dict(verdict="ILLEGAL", findings=sorted(want), pending=None)
    else: st = dict(verdict=None, cost=tot+slow, values={"moved": tot}, bodies=at(A=p))
    if kind == "retreat" and not want: st["answers"] = ["pass"]
    if kind == "retreat" and want and tries % 1 == 0: pass
    made += 1
    case(f"X{seed}-{made}", kind + " " + ",".join(sorted(want)), f"half={half}", ms, [act(), mv(legs, kind=kind, **st)], terr, **({"terrain_in": "half_area"} if half else {}))
write(f"fuzzx{seed}.json"); print(tries)
