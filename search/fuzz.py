import random,sys,math,numpy as np,json
sys.path.insert(0,'search')
from h import scene,A
import tapeline as tl
def rect(x,y,t,w,d):
    a=math.radians(t);f=np.array([math.cos(a),math.sin(a)]);r=np.array([f[1],-f[0]]);c=np.array([x,y])
    return np.array([c+f*d/2-r*w/2,c+f*d/2+r*w/2,c-f*d/2+r*w/2,c-f*d/2-r*w/2]),f
def segdist(p,a,b):
    ab=b-a;t=np.clip(np.dot(p-a,ab)/np.dot(ab,ab),0,1);return np.linalg.norm(p-a-t*ab)
def dist(P,Q):
    return min(min(segdist(p,Q[i],Q[(i+1)%len(Q)]) for p in P for i in range(len(Q))),min(segdist(q,P[i],P[(i+1)%len(P)]) for q in Q for i in range(len(P))))
def inside_len(q,z,poly):
    # parameter interval of segments q->z (arrays n,2) in convex poly (clockwise or ccw)
    c=poly.mean(0);lo=np.zeros(len(q));hi=np.ones(len(q));d=z-q
    for i in range(len(poly)):
        a,b=poly[i],poly[(i+1)%len(poly)];n=np.array([b[1]-a[1],a[0]-b[0]])
        if n@(c-a)>0:n=-n
        s0=(q-a)@n; s1=d@n   # need s0+t*s1<=0
        with np.errstate(divide='ignore',invalid='ignore'):
            t=-s0/s1
        pos=s1>1e-12;neg=s1<-1e-12;zero=~(pos|neg)
        hi=np.where(pos,np.minimum(hi,t),hi);lo=np.where(neg,np.maximum(lo,t),lo)
        hi=np.where(zero&(s0>0),-1,hi)
    return lo,hi
def run(seed):
    rnd=random.Random(seed)
    W={"I":(4,2),"C":(2,4)}
    units={};geo={}
    placed=[]
    polys=[]
    terr=[]
    for k in range(rnd.choice([0,1,2])):
        kind=rnd.choice(["hill","wood","village","stream","building"])
        x,y=rnd.uniform(50,70),rnd.uniform(46,58);w,d=rnd.uniform(2,12),rnd.uniform(1,6)
        P,_=rect(x,y,rnd.uniform(0,360),w,d)
        if any(dist(P,Q[1])<.01 for Q in terr): continue
        terr.append((kind,P))
    for uid in ["U"]+[f"E{i}" for i in range(5)]+["F","G"]:
        for _ in range(60):
            inf=rnd.random()<.6
            n=1 if uid!="U" else rnd.choice([1,2])
            w,d=(4,2) if inf else (2,4)
            x,y=(60,40) if uid=="U" else (rnd.uniform(42,78),rnd.uniform(34,62))
            t=90+rnd.uniform(-20,20) if uid=="U" else rnd.uniform(0,360)
            a=math.radians(t);r=np.array([math.sin(a),-math.cos(a)])
            st=[(x+r[0]*w*i,y+r[1]*w*i,t) for i in range(n)]
            rs=[rect(*s,w,d)[0] for s in st]
            def over(P,Q):
                lo=dist(P,Q)<.3
                if lo: return True
                q=np.array([P.mean(0)]);z=np.array([P.mean(0)+1e-9]);l,h=inside_len(q,z,Q)
                q2=np.array([Q.mean(0)]);l2,h2=inside_len(q2,q2+1e-9,P)
                return h[0]>=l[0] or h2[0]>=l2[0]
            if any(over(P,Q) for P in rs for Q in placed): continue
            if any(k in("building",) and over(P,Q) for P in rs for k,Q in terr): continue
            if not inf and any(k!="stream" and over(P,Q) for P in rs for k,Q in terr): continue
            break
        else: continue
        placed+=rs
        side="red" if uid in("U","F","G") else "blue"
        units[uid]=(side,"Infantry" if inf else "Cavalry",st); geo[uid]=(w,d,st)
    terrain=[(f"t{i}",k,[list(map(float,p)) for p in P]) for i,(k,P) in enumerate(terr)]
    return scene(units,terrain=terrain),units,geo,terr
def visible(geo,terr,u,v,N=60):
    w,d,st=geo[u]; vw,vd,vs=geo[v]
    best=False
    for s in st:
        P,f=rect(*s,w,d)
        ts=np.linspace(.002,.998,N);q=P[0]+ts[:,None]*(P[1]-P[0])
        for s2 in vs:
            Q,_=rect(*s2,vw,vd)
            z=np.concatenate([Q[i]+np.linspace(.002,.998,N)[:,None]*(Q[(i+1)%4]-Q[i]) for i in range(4)])
            qq=np.repeat(q,len(z),0);zz=np.tile(z,(len(q),1))
            ok=((zz-qq)@f>1e-4)
            for n,(bw,bd,bs) in geo.items():
                for b in bs:
                    if (n==u and b==s) or (n==v and b==s2): continue
                    B,_=rect(*b,bw+.002,bd+.002)
                    lo,hi=inside_len(qq,zz,B); ok&=~(hi>=lo)
            L=np.linalg.norm(zz-qq,axis=1)
            for k,B in terr:
                if k=="stream": continue
                lo,hi=inside_len(qq,zz,B); hit=hi>lo+1e-9
                if k in("hill","building"):
                    def on(p):
                        c=np.array([p[:2]]);l,h=inside_len(c,c+1e-9,B);return h[0]>=l[0]
                    if k=="hill" and (on(s) or on(s2)): continue
                    ok&=~hit
                else:
                    ln=(hi-lo)*L; endin=(lo<=1e-9)|(hi>=1-1e-9)
                    ok&=~(hit&((ln>2-1e-3)|~endin))
            if ok.any(): return True
    return False
bad=0
import time;T=time.time()
for seed in range(int(sys.argv[1]),int(sys.argv[2])):
    if time.time()-T>100: print("stopped at",seed);break
    sc,units,geo,terr=run(seed)
    try: b=tl.load(sc)
    except Exception as e: continue
    es=[u for u in units if units[u][0]=="blue"]
    D={e:min(dist(rect(*s,*geo["U"][:2])[0],rect(*z,*geo[e][:2])[0]) for s in geo["U"][2] for z in geo[e][2]) for e in es}
    vis={e:visible(geo,terr,"U",e) for e in es}
    cand=[e for e in es if vis[e] and D[e]<=20]
    best=min(cand,key=D.get) if cand else None
    for e in es:
        v=b.judge({"kind":"evade","actor":"U","target":e,"stands":[{"stand":"U-1","path":[]}]})
        cl={f.clause for f in v.findings}
        legal=not({"WM-INIT-1","WM-INIT-5"}&cl)
        if legal!=(e==best):
            bad+=1;print(seed,e,"engine",legal,"mine",e==best,{k:(round(D[k],3),vis[k]) for k in es},[f.text for f in v.findings if f.clause in("WM-INIT-1","WM-INIT-5")][:1],[k for k,_ in terr])
print("bad",bad,time.time()-T)
