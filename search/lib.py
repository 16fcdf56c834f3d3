"""Own small helpers: the case format and closed forms from the notes. Nothing of the engine."""
import json, math
from math import sqrt, pi, sin, cos, asin, acos, atan2, hypot, radians, degrees
IN = 5 / 127
def br(mm): return mm / 2 * IN
r = br(25); r32 = br(32); r40 = br(40); r50 = br(50); r60 = br(60)
R = 2 * r; Z = 2 * r + 1
CASES = []
def M(id, pos, side=None, profile="Azeb", z=None, **state):
    m = {"id": id, "side": side or ("blue" if id[0] in "ETGHS" else "red"), "profile": profile, "position": list(pos)}
    if z is not None: m["z"] = z
    if "base" in state: m["base"] = {"round_mm": state.pop("base")}
    if state: m["state"] = state
    return m
def P(like="Azeb", **kw): return {"like": like, **kw}
def box(kind, x0, x1, y0, y1, id, **kw):
    return {"id": id, "kind": kind, "shape": {"polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}, **kw}
def circ(kind, c, rad, id, **kw): return {"id": id, "kind": kind, "shape": {"circle": {"centre": list(c), "radius": rad}}, **kw}
def poly(kind, pts, id, **kw): return {"id": id, "kind": kind, "shape": {"polygon": [list(p) for p in pts]}, **kw}
def case(id, title, note, models, steps, terrain=(), active="red", initiative="red", turn=None, **options):
    scene = {"format": "tapeline-scene/1", "system": "trench-crusade", "table": {"width": 48, "depth": 48, "unit": "in"},
             "terrain": list(terrain), "sides": [{"id": "red"}, {"id": "blue"}], "models": models,
             "turn": {"round": 1, "active": active, "initiative": initiative, **(turn or {})}}
    c = {"format": "tapeline-case/1", "id": "TC-31-" + id, "title": title, "note": note, "scene": scene}
    if options: c["options"] = options
    c["steps"] = steps
    CASES.append(c)
def step(action, verdict="LEGAL", pending=None, dice=None, answers=None, findings=None, **ex):
    s = {}
    if action: s["action"] = action
    if dice is not None: s["dice"] = dice
    if answers is not None: s["answers"] = answers
    e = {"pending": pending}
    if verdict: e["verdict"] = verdict
    if findings is not None: e["findings"] = list(findings)
    e.update(ex)
    s["expect"] = e
    return s
def act(a="A", **k): return step({"kind": "activate", "actor": a}, **k)
def end(a="A", **k): return step({"kind": "end_activation", "actor": a}, **k)
def T(x, y, z=None, how=None):
    l = {"to": [x, y]}
    if z is not None: l["z"] = z
    if how: l["how"] = how
    return l
def arc(c, by): return {"centre": list(c), "by": by}
def mv(path, a="A", kind="move", **k): return step({"kind": kind, "actor": a, "path": path}, **k)
def chg(t="T", a="A", **k):
    act_ = {"kind": "charge", "actor": a, "target": t}
    for n in ("forbid", "path", "stop", "visible"):
        if n in k: act_[n] = k.pop(n)
    return step(act_, **k)
def ret(a="A", path=None, **k):
    x = {"kind": "retreat", "actor": a}
    if path is not None: x["path"] = path
    return step(x, **k)
def ill(*f, **k): return dict(verdict="ILLEGAL", findings=list(f), **k)
def at(**bodies):
    out = {}
    for n, v in bodies.items():
        if isinstance(v, dict): out[n] = v
        else: out[n] = {"position": list(v[:2]), **({"z": v[2]} if len(v) > 2 else {})}
    return out
def marks(pos=None, **m):
    d = {"marks": m}
    if pos: d["position"] = list(pos[:2]); 
    if pos and len(pos) > 2: d["z"] = pos[2]
    return d
def write(name):
    with open(name, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(c) for c in CASES) + "\n]\n")
    print(name, len(CASES), "cases", sum(len(c["steps"]) for c in CASES), "steps")
# closed forms
def segcirc(px, py, R_, x0, y0):
    "area helper: circle of radius R_ at the origin with the triangle (0, p, q)"
def area_circle_poly(c, R_, pts):
    def tri(p, q):
        (x1, y1), (x2, y2) = p, q
        def seg(a, b): return .5 * (a[0]*b[1] - a[1]*b[0])
        def sect(a, b):
            t = atan2(a[0]*b[1] - a[1]*b[0], a[0]*b[0] + a[1]*b[1]); return .5 * R_*R_ * t
        dx, dy = x2-x1, y2-y1; A = dx*dx+dy*dy
        if A == 0: return 0.
        B = x1*dx + y1*dy; C = x1*x1+y1*y1-R_*R_
        D = B*B - A*C
        if D <= 0: return sect(p, q)
        t1 = (-B - sqrt(D))/A; t2 = (-B + sqrt(D))/A
        t1c, t2c = max(0, t1), min(1, t2)
        if t1c >= t2c: return sect(p, q)
        a = (x1+t1c*dx, y1+t1c*dy); b = (x1+t2c*dx, y1+t2c*dy)
        return (sect(p, a) if t1c > 0 else 0) + seg(a, b) + (sect(b, q) if t2c < 1 else 0)
    s = [(x-c[0], y-c[1]) for x, y in pts]
    return abs(sum(tri(s[i], s[(i+1) % len(s)]) for i in range(len(s))))
def bisect(f, a, b):
    fa = f(a)
    for _ in range(200):
        m = (a+b)/2
        if (f(m) > 0) == (fa > 0): a = m
        else: b = m
    return (a+b)/2
def round_disc(p, q, c, rad):
    "shortest length from p to q round a disc"
    dp, dq = hypot(p[0]-c[0], p[1]-c[1]), hypot(q[0]-c[0], q[1]-c[1])
    ang = abs((atan2(p[1]-c[1], p[0]-c[0]) - atan2(q[1]-c[1], q[0]-c[0]) + pi) % (2*pi) - pi)
    a = ang - acos(rad/dp) - acos(rad/dq)
    tp, tq = sqrt(dp*dp-rad*rad), sqrt(dq*dq-rad*rad)
    return tp, rad*a, tq
