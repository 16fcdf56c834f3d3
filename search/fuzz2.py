"""Charges on level ground with pools, mud, friends and other enemies, by the visibility search of paths.py."""
import random, sys
from lib import *
from paths import route, along, length, dseg, inside, segseg
seed, N = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
PRO = [("Azeb", 25, 6), ("Janissary", 32, 6), ("Brazen Bull", 60, 6), ("Lion of Jabir", 50, 8), ("Thrall", 25, 5)]
d2 = lambda p, q: hypot(p[0]-q[0], p[1]-q[1])
made = tries = 0
def slowlen(legs, upto, muds, n=4000):
    # cost along: integrate
    tot = 0; prev = 0
    for k in range(n):
        p = along(legs, (k+.5)*upto/n)
        tot += upto/n*(2 if any(inside(p, m) for m in muds) else 1)
    return tot
def crossings(legs, L, muds, n=3000):
    "exact break points by bisection; returns list of (s, slow) intervals"
    f = lambda s: any(inside(along(legs, s), m) for m in muds)
    br_ = [0.]; pv = f(1e-9); st = [pv]
    for k in range(1, n+1):
        s = L*k/n - 1e-9; v = f(s)
        if v != pv:
            lo, hi = L*(k-1)/n, s
            for _ in range(60):
                m = (lo+hi)/2
                if f(m) == pv: lo = m
                else: hi = m
            br_.append(hi); st.append(v); pv = v
    br_.append(L)
    return [(br_[i], br_[i+1], st[i]) for i in range(len(st))]
def cost(iv, s): return sum((min(b, s)-a)*(2 if w else 1) for a, b, w in iv if s > a)
def inv(iv, A):
    for a, b, w in iv:
        c = (b-a)*(2 if w else 1)
        if A <= c: return a + A/(2 if w else 1)
        A -= c
    return None
while made < N and tries < 20000:
    tries += 1
    nm, mm, Mv = rng.choice(PRO); tn, tm, _ = rng.choice(PRO); b, tb = br(mm), br(tm); rho = b + tb
    a = (20., 24.); ang = rng.uniform(0, 2*pi); D = rng.uniform(rho + 2, rho + 10)
    t = (20 + D*cos(ang), 24 + D*sin(ang))
    u = (cos(ang), sin(ang)); nrm = (-u[1], u[0])
    P_ = lambda s, w: (20 + s*u[0] + w*nrm[0], 24 + s*u[1] + w*nrm[1])
    polys, discs = [], []
    for _ in range(rng.randint(0, 2)):
        c = P_(rng.uniform(1.5, max(1.6, D - rho - 2)), rng.uniform(-1.5, 1.5))
        if rng.random() < .5: discs.append((c, rng.uniform(.3, 1.2)))
        else:
            w, h, f = rng.uniform(.3, 2), rng.uniform(.3, 2), rng.uniform(0, pi)
            polys.append([(c[0]+x*cos(f)-y*sin(f), c[1]+x*sin(f)+y*cos(f)) for x, y in ((-w/2, -h/2), (w/2, -h/2), (w/2, h/2), (-w/2, h/2))])
    if any(d2(a, c) < R_ + b + .05 or d2(t, c) < R_ + rho + b + .1 for c, R_ in discs): continue
    pd = lambda p, P: 0 if inside(p, P) else min(dseg(P[i-1], P[i], p) for i in range(len(P)))
    if any(pd(a, P) < b + .05 or pd(t, P) < rho + b + .1 for P in polys): continue
    muds = []
    for _ in range(rng.randint(0, 1)):
        c = P_(rng.uniform(0, D), rng.uniform(-1, 1)); w, h, f = rng.uniform(.5, 3), rng.uniform(.5, 3), rng.uniform(0, pi)
        muds.append([(c[0]+x*cos(f)-y*sin(f), c[1]+x*sin(f)+y*cos(f)) for x, y in ((-w/2, -h/2), (w/2, -h/2), (w/2, h/2), (-w/2, h/2))])
    bodies = [(a, b), (t, tb)]; fr, en = [], []
    for k in range(rng.randint(0, 5)):
        fn, fm, _ = rng.choice(PRO); fb = br(fm)
        if rng.random() < .7: p = P_(rng.uniform(.5, D + 1), rng.uniform(-2.5, 2.5))
        else: 
            th = ang + pi + rng.uniform(-1.4, 1.4); p = (t[0] + (tb + fb + rng.uniform(.01, .8))*cos(th), t[1] + (tb + fb + rng.uniform(.01, .8))*sin(th))
        enemy = rng.random() < .35
        if any(d2(p, q) < fb + qb + .01 for q, qb in bodies): continue
        if enemy and d2(p, a) < b + fb + 1.02: continue
        if any(d2(p, c) < R_ + fb + .01 for c, R_ in discs) or any(pd(p, P) < fb + .01 for P in polys): continue
        bodies.append((p, fb)); (en if enemy else fr).append((p, fb, fn))
    alld = [(c, R_ + b) for c, R_ in discs]
    Lc, legs = route(a, t, alld, polys, b)
    if Lc is None: continue
    if length(legs[-1]) < rho + .02: continue
    # near ties: other routes
    if discs or polys:
        pass
    Lr = Lc - rho
    N_ = 1500
    pts = [(Lr*k/N_, along(legs, Lr*k/N_)) for k in range(N_+1)]
    sT = max(0., next(s for s, p in pts if d2(p, t) - rho <= 1))
    def firsts(e, lim):
        prev = 0
        for s, p in pts:
            if d2(p, e[0]) - b - e[1] <= lim:
                if s == 0: return 0.
                lo, hi = prev, s
                for _ in range(60):
                    m = (lo+hi)/2
                    if d2(along(legs, m), e[0]) - b - e[1] <= lim: hi = m
                    else: lo = m
                return hi
            prev = s
        return None
    lo, hi = 0, sT
    sT = firsts((t, tb), 1)
    near = False; inter = False
    for e in en:
        se = firsts(e, 1); mn = min(d2(p, e[0]) - b - e[1] for s, p in pts if s <= sT)
        if abs(mn - 1) < 1e-3: near = True
        if se is not None and abs(se - sT) < 1e-3: near = True
        if se is not None and se < sT: inter = True
    if near: continue
    # ties: mirror obstacle routes; block the found way slightly? skip when a route with a different homotopy is close
    die = rng.randint(1, 6); A = min(12, Mv + die)
    ms = [M("A", a, profile=P(nm, keywords=[], weapons=["blade"])), M("T", t, profile=P(tn, keywords=[], weapons=["blade"], height=2.5))]
    for i, e in enumerate(fr): ms.append(M(f"F{i}", e[0], side="red", profile=P(e[2], keywords=[])))
    for i, e in enumerate(en): ms.append(M(f"E{i}", e[0], side="blue", profile=P(e[2], keywords=[])))
    terr = [circ("deep water", c, R_, f"W{i}") for i, (c, R_) in enumerate(discs)] + [poly("deep water", P, f"V{i}") for i, P in enumerate(polys)] + [poly("mud", P, f"U{i}") for i, P in enumerate(muds)]
    note = f"{nm} at {tn}, {len(fr)} friends, {len(en)} enemies, {len(discs) + len(polys)} pools, {len(muds)} mud, die {die}"
    if inter:
        st = chg(verdict="ILLEGAL")
        st["expect"]["details"] = {"TC-CHG-3": {}}
    else:
        iv = crossings(legs, Lr, muds)
        tot = cost(iv, Lr)
        s_end = Lr if tot <= A else inv(iv, A)
        stop_e = None
        for e in en:
            sb = firsts(e, 0)
            if sb is not None and sb < s_end + 1e-3: stop_e = min(sb, stop_e or 99)
        if stop_e is not None and abs(stop_e - s_end) < 1e-3: continue
        if stop_e is not None: s_end = stop_e
        p = along(legs, s_end)
        def over(q, who, eps=0): return any(d2(q, w[0]) < b + w[1] - eps for w in who)
        if any(abs(d2(p, w[0]) - b - w[1]) < 1e-4 for w in fr): continue
        if any(abs(d2(p, w[0]) - b - w[1]) < 1e-4 for w in en) and stop_e is None: continue
        detour = None
        if over(p, fr):
            # free contact places: bounds of the friends' and enemies' discs on the contact circle
            cands = []
            for w in fr + en:
                dd = d2(t, w[0]); k = b + w[1]
                if abs(rho - k) < dd < rho + k:
                    th0 = atan2(w[0][1]-t[1], w[0][0]-t[0]); al = acos((dd*dd + rho*rho - k*k)/(2*dd*rho))
                    for sg in (1, -1): cands.append(th0 + sg*al)
            opts = []
            amb = False
            for th in cands:
                q = (t[0]+rho*cos(th), t[1]+rho*sin(th))
                if over(q, fr + en, 1e-7): continue
                if any(d2(q, c) < R_ + b - 1e-9 for c, R_ in discs) or any(pd(q, P) < b - 1e-9 for P in polys): continue
                Lq, lq = route(a, q, alld + [(t, rho - 1e-9)], polys, b)
                if Lq is None: continue
                # not along the target's base itself
                if any(l[0] == "arc" and d2(l[1], t) < 1e-6 for l in lq): amb = True; continue
                opts.append((Lq, lq, q))
            opts.sort(key=lambda o: o[0])
            if amb and (not opts): continue
            if len(opts) > 1 and opts[1][0] - opts[0][0] < 5e-3: continue
            if opts:
                Lq, lq, q = opts[0]
                ptq = [along(lq, Lq*k/1500) for k in range(1501)]
                if any(min(d2(x, e[0]) - b - e[1] for x in ptq) < 1.01 for e in en): continue
                ivq = crossings(lq, Lq, muds); cq = cost(ivq, Lq)
                if abs(cq - A) < 1e-3: continue
                if cq <= A: detour = (q, cq)
        if detour: fin, used = detour
        else:
            s = s_end; n = 6000
            if over(p, fr):
                k = n
                while k > 0 and over(along(legs, s_end*k/n), fr): k -= 1
                lo, hi = s_end*k/n, s_end*(k+1)/n
                for _ in range(60):
                    m = (lo+hi)/2
                    if over(along(legs, m), fr): hi = m
                    else: lo = m
                s = lo
            fin = along(legs, s); used = cost(iv, s)
        # slide offered?
        gap = d2(fin, t) - rho
        if abs(gap - 1) < 1e-4: continue
        st = chg(dice=[[die]], verdict=None, pending=None, values={"gap": max(0, gap), "cost": used}, bodies=at(A=fin))
        if gap < 1e-6 and A - used > 1e-6 and any(d2(fin, e[0]) < rho + tb + 30 for e in en): del st["expect"]["pending"]; 
        if "pending" not in st["expect"]: st["answers"] = [None]
        if st.get("answers"):
            # leave a slide unanswered: only the place of contact is looked at
            continue
    made += 1
    case(f"Y{seed}-{made}", "charge", note, ms, [act(), st], terr)
write(f"fuzzy{seed}.json")
print(tries)
