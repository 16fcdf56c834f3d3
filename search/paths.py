"""Brute visibility search among discs and polygons grown by a radius; own work, from G-11 and G-20."""
from math import *
import heapq
def dseg(p, q, c):
    dx, dy = q[0]-p[0], q[1]-p[1]; L = dx*dx+dy*dy
    t = 0 if L == 0 else max(0, min(1, ((c[0]-p[0])*dx+(c[1]-p[1])*dy)/L))
    return hypot(p[0]+t*dx-c[0], p[1]+t*dy-c[1])
def cross(p, q, a, b):
    def o(u, v, w): return (v[0]-u[0])*(w[1]-u[1])-(v[1]-u[1])*(w[0]-u[0])
    return o(p, q, a)*o(p, q, b) < 0 and o(a, b, p)*o(a, b, q) < 0
def inside(p, P):
    c = False
    for i in range(len(P)):
        (x1, y1), (x2, y2) = P[i-1], P[i]
        if (y1 > p[1]) != (y2 > p[1]) and p[0] < (x2-x1)*(p[1]-y1)/(y2-y1)+x1: c = not c
    return c
def segseg(p, q, a, b):
    if cross(p, q, a, b): return 0.
    return min(dseg(p, q, a), dseg(p, q, b), dseg(a, b, p), dseg(a, b, q))
def clear(p, q, discs, polys, rad, e=1e-9):
    for c, R in discs:
        if dseg(p, q, c) < R - e: return False
    for P in polys:
        if inside(p, P) or inside(q, P): return False
        if min(segseg(p, q, P[i-1], P[i]) for i in range(len(P))) < rad - e: return False
    return True
def route(s, g, discs=(), polys=(), rad=0.):
    """Shortest from s to the point g: (length, [legs]); a leg is ('line', p, q) or ('arc', c, R, from, to angle)."""
    discs = list(discs); turn = discs + [(v, rad) for P in polys for v in P]
    pts = [(s, None, 0)]; nodes = [(s, None, 0), (g, None, 0)]
    lines = []
    def tang_pc(p, c, R):
        d = hypot(p[0]-c[0], p[1]-c[1])
        if d < R - 1e-12: return []
        a = atan2(p[1]-c[1], p[0]-c[0]); b = acos(min(1, R/d))
        return [((c[0]+R*cos(a+k*b), c[1]+R*sin(a+k*b)), k) for k in (1, -1)]
    add = lambda n: nodes.append(n) or len(nodes)-1
    edges = {}
    def edge(i, j, w, leg): edges.setdefault(i, []).append((j, w, leg))
    def line(i, j):
        p, q = nodes[i][0], nodes[j][0]
        if clear(p, q, discs, polys, rad): 
            edge(i, j, hypot(p[0]-q[0], p[1]-q[1]), ('line', p, q))
    line(0, 1)
    for k, (c, R) in enumerate(turn):
        for t, sg in tang_pc(s, c, R): # arriving at c; then turning sense: from s with the point at +b, rotation goes away from s
            n = add((t, k, sg)); line(0, n)     # sense sg: angle then increases by sg
        for t, sg in tang_pc(g, c, R):
            n = add((t, k, -sg)); line(n, 1)
    for a in range(len(turn)):
        for b in range(len(turn)):
            if a == b: continue
            (c1, R1), (c2, R2) = turn[a], turn[b]
            d = hypot(c2[0]-c1[0], c2[1]-c1[1]); th = atan2(c2[1]-c1[1], c2[0]-c1[0])
            for s1 in (1, -1):
                for s2 in (1, -1):
                    # leaving c1 turning s1, arriving c2 turning s2
                    if s1 == s2:
                        x = (R1-R2)/d
                        if abs(x) > 1: continue
                        f = th - s1*acos(x); p = (c1[0]+R1*cos(f), c1[1]+R1*sin(f)); q = (c2[0]+R2*cos(f), c2[1]+R2*sin(f))
                    else:
                        x = (R1+R2)/d
                        if x > 1: continue
                        f = th - s1*acos(x); p = (c1[0]+R1*cos(f), c1[1]+R1*sin(f)); q = (c2[0]-R2*cos(f), c2[1]-R2*sin(f))
                    i = add((p, a, s1)); j = add((q, b, s2)); line(i, j)
    by = {}
    for i, n in enumerate(nodes):
        if n[1] is not None: by.setdefault((n[1], n[2]), []).append(i)
    for (k, sg), L in by.items():
        c, R = turn[k]
        for i in L:
            for j in L:
                if i == j: continue
                a = atan2(nodes[i][0][1]-c[1], nodes[i][0][0]-c[0]); b = atan2(nodes[j][0][1]-c[1], nodes[j][0][0]-c[0])
                sw = ((b-a)*sg) % (2*pi)
                if sw > 2*pi-1e-9: sw = 0
                if sw > pi+1e-9: continue
                okk = True
                for m in range(13):
                    u = a+sg*sw*m/12; p = (c[0]+R*cos(u), c[1]+R*sin(u))
                    if not clear(p, p, discs, polys, rad, 1e-7): okk = False; break
                if okk: edge(i, j, R*sw, ('arc', c, R, a, sg*sw))
    best = {0: 0.}; prev = {}; h = [(0., 0)]
    while h:
        d, i = heapq.heappop(h)
        if d > best[i]+1e-15: continue
        if i == 1: break
        for j, w, leg in edges.get(i, []):
            if d+w < best.get(j, 1e9)-1e-13: best[j] = d+w; prev[j] = (i, leg); heapq.heappush(h, (d+w, j))
    if 1 not in best: return None, []
    legs = []; i = 1
    while i: i, leg = prev[i]; legs.append(leg)
    return best[1], [l for l in legs[::-1] if (hypot(l[1][0]-l[2][0], l[1][1]-l[2][1]) if l[0] == 'line' else abs(l[2]*l[4])) > 1e-12]
def length(l): return hypot(l[1][0]-l[2][0], l[1][1]-l[2][1]) if l[0] == 'line' else abs(l[2]*l[4])
def along(legs, s):
    for l in legs:
        n = length(l)
        if s <= n + 1e-12:
            f = s/n
            if l[0] == 'line': return (l[1][0]+f*(l[2][0]-l[1][0]), l[1][1]+f*(l[2][1]-l[1][1]))
            u = l[3]+f*l[4]; return (l[1][0]+l[2]*cos(u), l[1][1]+l[2]*sin(u))
        s -= n
    l = legs[-1]; return along([l], length(l))
def first(legs, f, total, n=20000):
    "first s at which f(point) <= 0"
    prev = 0
    for k in range(n+1):
        s = total*k/n
        if f(along(legs, s)) <= 0:
            lo, hi = (prev, s)
            if k == 0: return 0
            for _ in range(80):
                m = (lo+hi)/2
                if f(along(legs, m)) <= 0: hi = m
                else: lo = m
            return hi
        prev = s
    return None
if __name__ == "__main__":
    r = 125/254
    L, legs = route((10, 10), (20, 10), polys=[[(14.5, 9), (15.5, 9), (15.5, 20), (14.5, 20)]], rad=r)
    print(L-2*r, "expect 9.503106", along(legs, 9), "expect 18.590804, 9.524186")
