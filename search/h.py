import json
CASES=[]
def scene(units, chars=(), terrain=(), phase="initiative", active="red", progress=None, options=None, table=(180,120), rnd=1):
    ms=[];us=[]
    for uid,(side,prof,stands,*st) in units.items():
        ids=[]
        for i,(x,y,t) in enumerate(stands,1):
            ids.append(f"{uid}-{i}"); ms.append({"id":ids[-1],"side":side,"profile":prof,"position":[x,y],"facing":t})
        u={"id":uid,"side":side,"members":ids,"profile":prof}
        if st and st[0]: u["state"]=st[0]
        us.append(u)
    for c in chars:
        cid,side,prof,pos,*st=c
        m={"id":cid,"side":side,"profile":prof,"position":list(pos)}
        if st and st[0]: m["state"]=st[0]
        ms.append(m)
    turn={"round":rnd,"phase":phase,"active":active}
    if progress: turn["progress"]=progress
    s={"format":"tapeline-scene/1","system":"warmaster","table":{"width":table[0],"depth":table[1],"unit":"cm"},
       "terrain":[{"id":i,"kind":k,"shape":{"polygon":p} if isinstance(p,list) else p, **(x[0] if x else {})} for i,k,p,*x in terrain],
       "sides":[{"id":"red"},{"id":"blue"}],"models":ms,"units":us,"turn":turn}
    if options: s["options"]=options
    return s
def R(x0,y0,x1,y1): return [[x0,y0],[x1,y0],[x1,y1],[x0,y1]]
def case(cid,title,src,note,sc,steps):
    CASES.append({"format":"tapeline-case/1","id":"WM-33-"+cid,"title":title,"source":src+"; worked out by hand from the seed and the notes","note":note,"scene":sc,"steps":steps})
def A(kind,actor=None,**k):
    d={"kind":kind}
    if actor: d["actor"]=actor
    d.update(k); return d
def S(action=None,dice=None,answers=None,**exp):
    s={}
    if action: s["action"]=action
    if dice is not None: s["dice"]=dice
    if answers is not None: s["answers"]=answers
    if exp: s["expect"]=exp
    return s
L="LEGAL";N="ILLEGAL"
def M(**k): return {u:{"marks":m} for u,m in k.items()}
def P(d): return {i:{"position":list(v[:2]), **({"facing":v[2]} if len(v)>2 else {})} for i,v in d.items()}
def stands(**k): return [{"stand":i.replace("_","-"),"path":p} for i,p in k.items()]
def to(*p): return {"to":list(p)}
def write(f):
    with open(f,"w") as h: h.write("[\n"+",\n".join(json.dumps(c) for c in CASES)+"\n]\n")
