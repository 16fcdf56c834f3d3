from h import *
from math import *
import copy
END=A("end_step")
def I(*ps,t=90): return [(x,y,t) for x,y in ps]
o=lambda h,*u:A("order",h,units=list(u))
def base(sc,w,d,*ids):
    for m in sc["models"]:
        if m["id"] in ids: m["base"]={"rectangle":[w,d]}
    return sc
def turn(c,by): return {"centre":list(c),"by":by}
def mv(u,*ps,kind="move",**k): return A(kind,u,stands=[{"stand":f"{u}-{i}","path":list(p)} for i,p in ps],**k)
def rot(c,deg,o=(70,50)):
    c=copy.deepcopy(c);a=radians(deg)
    def r(p): x,y=p[0]-o[0],p[1]-o[1]; return [o[0]+x*cos(a)-y*sin(a),o[1]+x*sin(a)+y*cos(a)]
    def walk(d):
        if isinstance(d,dict):
            for k,v in d.items():
                if k in("position","to","centre","place") and isinstance(v,list): d[k]=r(v)
                elif k=="facing": d[k]=(v+deg)%360
                elif k=="polygon": d[k]=[r(p) for p in v]
                elif k=="direction": d[k]=(v+deg)%360
                else: walk(v)
        elif isinstance(d,list):
            for v in d: walk(v)
    walk(c["scene"]["models"]);walk(c["scene"]["terrain"]);walk(c["steps"])
    c["id"]+="r"; c["note"]+=f" [Figures before a turn of all by {deg} degrees about {o[0]},{o[1]}.]"
    CASES.append(c)
# 26
for i,(x,v,f) in enumerate([(58.05,L,[]),(58,N,["WM-GAP-2","WM-STAND-13"])]):
    sc=base(scene({"U":("red","Giant",[(53.025 if i==0 else 53,50,90)]),"E":("blue","Infantry",[(48,60,270)]),"F":("blue","Infantry",[(x,60,270)])},[("H","red","Empire Hero",(53,40))],phase="orders"),6,6,"U-1")
    case("26"+"ab"[i],f"A square of 6 cm through {x-2-50:.2f} between two enemies","WM-GAP-2, WM-STAND-6, -13","Front 6: wider than 6 is asked. Near enemy -1.",sc,
      [S(o("H","U"),[[3,4]],values={"needed":7}),S(mv("U",(1,[to(sc["models"][0]["position"][0],69.9)])),verdict=v,findings=f,**({"values":{"distance":19.9}} if v==L else {}))])
# 27
for i,(opt,d90) in enumerate([(None,6.0),("arc",sqrt(18)*pi/2)]):
    sc=base(scene({"U":("red","Giant",[(53,50,90)]),"E":("blue","Infantry",[(48,110,270)])},[("H","red","Empire Hero",(53,40))],phase="orders",options={"dist_metric":"arc"} if opt else None),6,6,"U-1")
    case("27"+"ab"[i],"A square of 6 cm turns by 90 and goes on"+(" (arc)" if opt else ""),"WM-STAND-6","Half diagonal sqrt 18: "+("chord 6" if not opt else "arc sqrt 18 x pi/2 = 6.6643")+", then a slide to the full 20 and 0.01 more.",sc,
      [S(o("H","U"),[[3,4]],values={"needed":8}),
       S(mv("U",(1,[turn((53,50),90),to(53,50+20-d90+.01)])),verdict=N,findings=["WM-STAND-6"],details={"WM-STAND-6":{"measured":20.01,"limit":20}}),
       S(mv("U",(1,[turn((53,50),90),to(53,50+20-d90)])),verdict=L,values={"distance":20},bodies=P({"U-1":(53,70-d90,180)}))])
# 28
sc=scene({"U":("red","Infantry",I((60,40),(64,40))),"E":("blue","Infantry",[(60,55,270)])},[("H","red","Empire Hero",(60,37.75),{"joined":"U"})],phase="other",active="blue")
case("28","Joined: along when driven back, left behind by an order, free as the step of characters ends","WM-CHAR-2, -3, WM-CMD-3","4 down. E then 17 off: 7. U goes off 20; H stays and is with nobody after his step.",sc,
 [S(A("drive_back","U",hits=1,shooter="E-1"),[[4]],verdict="FORCED",cites=["WM-CHAR-3"],bodies=P({"U-1":(60,36,90),"H":(60,33.75)})),
  S(END,turn={"active":"red"}),S(END),S(END),S(o("H","U"),[[3,4]],values={"needed":7,"rolled":7}),
  S(A("block","U",to=[82,36]),verdict=L,values={"distance":20},bodies={**P({"H":(60,33.75)}),**M(H={"joined":"U"})}),
  S(END,turn={"phase":"characters"}),S(END,turn={"phase":"end"},bodies=M(H={"joined":None}))])
# 29
sc=scene({"V":("red","Infantry",[(60,60,90)]),"F":("red","Infantry",[(60,52,90)]),"G":("red","Infantry",[(64,52,90)]),"E":("blue","Infantry",[(60,70,270)])},[("H","red","Empire Hero",(60,46.5))])
case("29","Bursting through friends onto one's Hero: who may still act, and when it ends","WM-EVADE-12, -13, WM-CHAR-10, WM-INIT-4, -14, WM-CONF-1","D = 14: y 45-47; H out by 1.75 to y 48.25. F confused until the end of the Command phase; G is not touched (x 62).",sc,
 [S(mv("V",(1,[to(60,46)]),kind="evade",target="E"),verdict=N,findings=["WM-STAND-7"]) if False else
  S(mv("V",(1,[to(60,46)]),kind="evade",target="E",burst=["F"]),verdict=L,cites=["WM-EVADE-13","WM-CHAR-10"],values={"distance":14},bodies={**P({"H":(60,48.25)}),**M(F={"confused":True},G={"confused":None},V={"confused":None,"initiative":True})}),
  S(A("evade","F",target="E"),verdict=N,findings=["WM-INIT-14"]),
  S(END),S(END),S(o("H","F","G"),verdict=N,findings=["WM-CONF-1"]),S(o("H","V"),verdict=N,findings=["WM-INIT-4"]),
  S(o("H","G"),[[3,4]],values={"needed":7},bodies=M(G={"may_move":"order"})),
  S(END),S(END),S(END,turn={"phase":"other"},bodies=M(F={"confused":None})),
  *[S(END)]*6,S(END,turn={"active":"red"} ,bodies=M(V={"initiative":None},G={"orders":None,"may_move":None})) if False else S(END)])
# 30
sc=scene({"U":("red","Infantry",I((60,45),(64,45))),"E":("blue","Infantry",[(60,60,270)]),"Y":("blue","Infantry",[(67.9,60,270)])},phase="initiative")
case("30","A charge at one enemy whose second stand catches 0.1 of a bystander","WM-GAP-3, WM-CHG-4","E is 13 off; Y sqrt(0 + 169) over x 65.9: 13 too, both legal. U-2 front x 62-66 meets Y by 0.1 and E at a corner.",sc,
 [S(mv("U",(1,[to(60,58)]),(2,[to(64,58)]),kind="initiative_charge",target="E"),verdict=L,cites=["WM-INIT-8"],values={"distance":13},bodies=M(U={"charged":True,"initiative":True}))])
rot(CASES[-1],53)
# 31
sc=scene({"U":("red","Infantry",[(75,60,180)]),"E":("blue","Infantry",[(60,60,270)])})
case("31","From the flank: the side edge, centre to centre, not the front","WM-CHG-2, -3","Wholly in the zone of the edge x = 62.",sc,
 [S(mv("U",(1,[to(60,58)]),kind="initiative_charge",target="E"),verdict=N),
  S(mv("U",(1,[to(63,61)]),kind="initiative_charge",target="E"),verdict=N,findings=["WM-CHG-3"]),
  S(mv("U",(1,[to(63,60)]),kind="initiative_charge",target="E"),verdict=L,cites=["WM-CHG-2","WM-CHG-3"],values={"distance":12})])
rot(CASES[-1],17)
# 32
sc=scene({"U":("red","Gyrocopter",[(60,60,90)]),"E":("blue","Infantry",[(60,48,90)]),"F":("blue","Infantry",[(60,78,270)])})
case("32","A Gyrocopter sees one behind: no charge, no evade, and no other enemy","WM-FLY-1, WM-VIS-6, WM-INIT-5, -9","E 58-49 = 9 behind, F 77-62 = 15 ahead.",sc,
 [S(A("evade","U",target="E"),verdict=N,findings=["WM-FLY-1"]),S(A("initiative_charge","U",target="E"),verdict=N,findings=["WM-VIS-6"]),
  S(A("initiative_charge","U",target="F"),verdict=N,findings=["WM-INIT-5"])])
# 33
sc=scene({"U":("red","Trebuchet",[(60,40,90)]),"E":("blue","Infantry",[(60,58,270)])})
case("33","A Trebuchet evades and turns about: 4 x 6 takes 7.2111 of its 10","WM-EVADE-7, -8, WM-STAND-6, -14, WM-INIT-10","sqrt(16+36) = 7.2111: 2.78 before it, not 2.8.",sc,
 [S(A("initiative_charge","U",target="E"),verdict=N,findings=["WM-INIT-10"]),
  S(mv("U",(1,[to(60,37.2),turn((60,37.2),180)]),kind="evade",target="E"),verdict=N,findings=["WM-STAND-6"],details={"WM-STAND-6":{"measured":2.8+sqrt(52),"limit":10}}),
  S(mv("U",(1,[to(60,37.22),turn((60,37.22),180)]),kind="evade",target="E"),verdict=L,values={"distance":2.78+sqrt(52)},cites=["WM-EVADE-7"],bodies=P({"U-1":(60,37.22,270)}))])
# 34
sc=scene({"U":("red","Flagellants",[(60,40,90)]),"V":("red","Peasants",[(40,40,90)]),"W":("red","Skeletons",[(20,40,90)]),"E":("blue","Infantry",[(60,55,270)]),"F":("blue","Infantry",[(40,55,270)]),"D":("blue","Infantry",[(20,55,270)])},[("H","red","Empire Hero",(40,30))])
case("34","Three policies on one table: who must, who may not, who never","WM-INIT-2","All enemies 13 off.",sc,
 [S(END,verdict=N,findings=["WM-INIT-2"]),S(o("H","V"),verdict=N,findings=["WM-INIT-2"]),
  S(A("initiative_charge","V",target="F"),verdict=N,findings=["WM-INIT-2"]),S(A("evade","W",target="D"),verdict=N,findings=["WM-INIT-2"]),
  S(mv("V",(1,[to(40,34)]),kind="evade",target="F"),verdict=L),
  S(A("evade","U",target="E"),verdict=N),
  S(mv("U",(1,[to(60,53)]),kind="initiative_charge",target="E"),verdict=L,values={"distance":13}),
  S(END,verdict=L),S(END),S(o("H","W"),[[4,4]],values={"needed":8,"rolled":8})])
# 35
for i,(g,v,f) in enumerate([(4,L,[]),(3.9,N,["WM-CHAR-6"])]):
    sc=scene({"U":("red","Infantry",[(20,20,90)]),"E":("blue","Infantry",[(60,110,270)])},[("H","red","Empire Hero",(60,40))],[("a","lake",R(40,50,58,54)),("b","lake",R(58+g,50,80,54))],phase="characters")
    sc["models"][-1]["base"]={"round":2}
    sc["models"][-1]["position"]=[58+g/2,40]
    sc["models"][-1]["base"]={"round_mm":40}
    case("35"+"ab"[i],f"A character on a 40 mm base between two lakes {g} apart","WM-CHAR-6","Disc of 4 cm.",sc,[S(A("move_character","H",path=[to(58+g/2,70)]),verdict=v,findings=f,**({"cost":30} if v==L else {}))])
# 36
sc=scene({"U":("red","Infantry",[(60,60,90)]),"F":("red","Infantry",[(60,50,90)]),"G":("red","Infantry",[(64,56,90)]),"E":("blue","Infantry",[(60,75,270)])},phase="other",active="blue")
case("36","Driven back past one friend, onto another","WM-CONF-2, WM-DB-1","5+4 = 9; G beside the way (x 62) does not count; F's top 51: halts at 52, after 7, confused.",sc,
 [S(A("drive_back","U",hits=2,shooter="E-1"),[[5,4]],verdict="FORCED",values={"distance":9,"moved":7},cites=["WM-CONF-2"],bodies={**P({"U-1":(60,53,90)}),**M(U={"confused":True},F={"confused":None},G={"confused":None})})])
rot(CASES[-1],29)
# 37
for i,d in enumerate([5,6]):
    sc=scene({"U":("red","Cavalry",[(60,60,90)]),"E":("blue","Infantry",[(60,75,270)])},[("H","red","Empire Hero",(60,64),{"joined":"U"})],[("r","river",R(40,50,80,53))],phase="other",active="blue")
    sc["models"][-1]["position"]=[62.25,60]
    case("37"+"ab"[i],f"Driven back to a river, a {d} on the edge; the Hero goes along","WM-TER-9, -10, WM-CHAR-3","Rear 58 to 53: 5 of 9.",sc,
     [S(A("drive_back","U",hits=2,shooter="E-1"),[[5,4],[d]],verdict="FORCED",values={"distance":9,"moved":5},cites=["WM-TER-10","WM-CHAR-3"],bodies={**P({"U-1":(60,55,90),"H":(62.25,55)}),**M(U={"confused":True if d==6 else None})})])
# 38
x=62+sqrt(77)
u=(-16/sqrt(260),-2/sqrt(260))
for i,(X,v,f) in enumerate([(x,N,["WM-INIT-5"]),(x+.01,L,[])]):
    sc=scene({"U":("red","Infantry",[(60,40,90)]),"V":("blue","Infantry",[(60,48,270)]),"W":("blue","Infantry",[(80,44,270)])},terrain=[("l","lake",R(30,43,X,45))])
    case("38"+"ab"[i],"Round a lake in "+("exactly 20" if i==0 else "a little over 20"),"WM-INIT-12, -5","Round its end 2 sqrt((x-62)^2+4) + 2: 20 at x = 62 + sqrt 77. W at sqrt 260 = 16.1245 is not divided.",sc,
     [S(mv("U",(1,[to(60+5*u[0],40+5*u[1])]),kind="evade",target="W"),verdict=v,findings=f)])
    rot(CASES[-1],71)
# 39
for i,fr in enumerate([False,True]):
    un={"U":("red","Wolf Riders",[(60,60,90)]),"E":("blue","Infantry",[(45,60,0)])}
    if fr: un["F"]=("red","Cavalry",[(58,60,90)])
    case("39"+"ab"[i],"All-round sight from the one side edge that "+("a friend covers" if fr else "is free"),"WM-VIS-5, WM-INIT-9","E level with the stand, 59-46 = 13 to its left.",scene(un),
     [S(A("initiative_charge","U",target="E"),verdict=N,findings=["WM-CHG-1","WM-INIT-1"] if fr else ["WM-VIS-6"]),
      S(mv("U",(1,[to(70,60)]),kind="evade",target="E"),verdict=N if fr else L,findings=["WM-INIT-1"] if fr else [],**({} if fr else {"values":{"distance":10}}))])
    rot(CASES[-1],200)
# 40
T={"U":("red","Cavalry",[(60,40,90)]),"P":("blue","Infantry",[(50,48,270)],{"fortified":True}),"R":("blue","Infantry",[(60,56,270)])}
for i,stay in enumerate([True,False]):
    sc=scene(T,[("K","blue","Empire Hero",(50,60))],phase="orders",active="blue")
    case("40"+"ab"[i],"Fortified by the scene, ordered, and "+("stays" if stay else "moves 1 cm")+"; then its enemy's turn","WM-PACE-6, WM-INIT-11, -5","U is 30 cm fast; P at sqrt(49+25), 1 cm on sqrt(49+36); R at 13. U near: 7.",sc,
     [S(o("K","P"),[[1,1]]),
      S(mv("P",(1,[to(50,58.1)])),verdict=N,findings=["WM-PACE-6","WM-STAND-6"],details={"WM-STAND-6":{"measured":10.1,"limit":10}}),
      S(mv("P",(1,[] if stay else [to(50,49)])),verdict=L,values={"allowance":10},bodies=M(P={"fortified":True if stay else None})),
      *[S(END)]*3,S(END,turn={"active":"red","phase":"initiative"},bodies=M(P={"fortified":True if stay else None})),
      S(mv("U",(1,[to(60,53)]),kind="initiative_charge",target="R"),verdict=L if stay else N,findings=[] if stay else ["WM-INIT-5"])])
# 41
sc=scene({"A":("red","Infantry",[(20,20,90)],{"orders":2,"ordered_by":"H"}),"B":("red","Infantry",[(30,20,90)],{"may_move":"half","failed":True,"orders":0}),"C":("red","Infantry",[(40,20,90)],{"no_move":True}),"D":("red","Infantry",[(50,20,90)],{"charged":True}),"E":("blue","Infantry",[(30,35,270)])},[("H","red","Empire Hero",(20,10)),("J","red","Empire Hero",(60,10),{"done":True}),("G","red","Empire General",(70,10))],phase="orders",progress={"commander":"H","group":["A"]})
case("41","What play leaves, set by a scene: each mark binds as if it had been played","WM-CMD-3, -4, -5, -8, WM-OFF-7, WM-PACE-11","A: E at sqrt(36+169) = 14.3: orders -2, near -1: 5.",sc,
 [S(A("charge","B",target="E"),verdict=N,findings=["WM-PACE-11"]),S(A("block","B",to=[30,10]),verdict=L,values={"allowance":10,"distance":10}),
  S(o("J","A"),verdict=N,findings=["WM-CMD-4"]),S(o("H","C"),verdict=N,findings=["WM-OFF-7"]),S(o("H","D"),verdict=N,findings=["WM-CMD-8"]),
  S(o("H","A"),[[2,3]],values={"needed":5,"rolled":5},bodies=M(A={"orders":3})),S(A("block","A",to=[20,25])),
  S(o("H","A"),verdict=N,findings=["WM-CMD-4"]),
  S(o("G","A"),verdict=N,findings=["WM-CMD-4"])])
# 42
sc=scene({"A":("red","Infantry",[(60,40,90)]),"B":("red","Infantry",[(64,40,90)]),"E":("blue","Infantry",[(60,110,270)])},[("H","red","Empire Hero",(60,30))],phase="orders")
case("42","One of a pair has gone on alone: no brigade with the other any more","WM-CMD-8, -4","A ends where it began; still B was not ordered with it.",sc,
 [S(o("H","A"),[[1,1]]),S(A("block","A",to=[60,40]),values={"distance":0}),S(o("H","A","B"),verdict=N,findings=["WM-CMD-8"]),
  S(o("H","A"),[[3,4]],values={"needed":7})])
# 43
for mount,kind,v in [("chariot","stream",N),("chariot","hill",L),("cavalry","stream",L),("monster","wood",N),("infantry","wood",L),("monster","low obstacle",L),("chariot","low obstacle",N)]:
    sc=scene({"U":("red","Infantry",[(20,20,90)]),"E":("blue","Infantry",[(60,110,270)])},[("H","red",{"like":"Empire Hero","mount":mount},(60,40))],[("t",kind,R(40,50,80,54))],phase="characters")
    case("43"+mount[:2]+kind[:2],f"A Hero whose mount is {mount} over a {kind}","WM-CHAR-6, WM-TER-14","Only monstrous mounts and chariots change the class of the rider.",sc,[S(A("move_character","H",path=[to(60,100)]),verdict=v,findings=[] if v==L else ["WM-CHAR-6"],**({"cost":60} if v==L else {}))])
# 44
sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,55,270)])},[("K","blue","Empire Hero",(60,36))])
case("44","An evade over an enemy Hero, who runs to his friends","WM-CHAR-10, WM-EVADE-10","Characters are no unit to keep 5 from. K to E's front y 54: (60,52.75), 16.75 off.",sc,
 [S(mv("U",(1,[to(60,30)]),kind="evade",target="E"),verdict=L,cites=["WM-CHAR-10"],values={"distance":10},bodies={**P({"K":(60,52.75)}),**M(K={"slain":None})})])
# 45
for i,by in enumerate([60,-60]):
    sc=scene({"U":("red","Infantry",I((60,40),(63,40),(66,40))),"E":("blue","Infantry",[(60,110,270)])},[("H","red","Empire Hero",(60,30))],phase="orders")
    base(sc,3,3,"U-1","U-2","U-3")
    c=(58.5,41.5) if by>0 else (67.5,41.5)
    def r(p):
        a=radians(by); X,Y=p[0]-c[0],p[1]-c[1]; return (c[0]+X*cos(a)-Y*sin(a),c[1]+X*sin(a)+Y*cos(a))
    case("45"+"ab"[i],f"Three squares of 3 cm wheel by {by}, then turn about","WM-STAND-6, -14, WM-FORM-4","sqrt(81+9) x 2 sin 30 = 9.4868. Second: the diagonal 4.2426.",sc,
     [S(o("H","U"),[[1,1]]),S(A("wheel","U",by=by,about="left" if by>0 else "right"),verdict=L,values={"distance":sqrt(90),"formation":"line","new_formation":"line"},bodies=P({f"U-{j}":(*r((57+3*j,40)),90+by) for j in (1,2,3)})),
      S(o("H","U"),[[1,1]]),S(A("about_face","U"),verdict=L,values={"distance":3*sqrt(2)},bodies=P({"U-2":(*r((63,40)),(270+by)%360)}))])
# 46
sc=scene({"U":("red","Infantry",[(60,40,90)]),"W":("red","Cannon",[(80,40,90)]),"E":("blue","Infantry",[(60,42,270)]),"F":("blue","Infantry",[(80,43,270)])},[("H","red","Empire Hero",(60,37.75),{"joined":"U"})],phase="other",active="blue")
case("46","Engaged guns that must retreat are destroyed; infantry and its Hero go; no order for who still fights","WM-RET-1, WM-CHAR-3","",sc,
 [S(A("retreat","W",points=1,direction=270),verdict="FORCED",cites=["WM-RET-1"],bodies={"W-1":{"gone":True}}),
  S(A("retreat","U",points=2,direction=270),verdict="FORCED",values={"distance":2},bodies=P({"U-1":(60,38,90),"H":(60,35.75)}))])
# 47
sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,42,270)])},[("H","red","Empire Hero",(60,30))],phase="orders")
case("47","In combat: no order, no initiative","WM-MOVE-1, WM-INIT-14","E touches U along y = 41.",sc,[S(o("H","U"),verdict=N,findings=["WM-MOVE-1"])])
# 48
sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,70,270)])},[("H","red","Empire Hero",(62,38.75-2.0+1),{"joined":"U"})],phase="other",active="blue")
sc["models"][-1]["position"]=[60,37.75]
case("48","Driven 21, beyond its full pace: destroyed, the Hero with it","WM-DB-1","6+6+5+4 = 21.",sc,[S(A("drive_back","U",hits=4,shooter="E-1"),[[6,6,5,4]],verdict="FORCED",cites=["WM-DB-1"],bodies={"U-1":{"gone":True},"H":{"gone":True}})])
# 49
sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,52,270)])},[("H","red","Empire Hero",(60,30))],phase="initiative",options={"init_close":"first_success"})
case("49","Where only an order given ends initiative: after a failed one an evade, no charge, no half move besides","WM-INIT-3, WM-PACE-11","E 10 off: 7; 8 fails.",sc,
 [S(o("H","U"),[[4,4]],values={"needed":7},bodies=M(U={"may_move":"half"})),
  S(A("initiative_charge","U",target="E"),verdict=N,findings=["WM-PACE-11"]),
  S(mv("U",(1,[to(60,37)]),kind="evade",target="E"),verdict=L,values={"distance":3,"allowance":20},bodies=M(U={"initiative":True,"may_move":None})),
  S(A("block","U",to=[60,36]),verdict=N,findings=["WM-MOVE-1"])])
# 50
sc=scene({"A":("red","Giant Eagles",[(100,60,90)]),"B":("red","Infantry",[(60,30,90)]),"E":("blue","Infantry",[(60,45,270)])},[("H","red","Empire Hero",(67.75,60))])
case("50","A flight home begun from the step of initiative ends it; two short flights are refused","WM-FLY-2, WM-INIT-3","30 off; 1 x 10, then 20.0 off and ordered there: 8.",sc,
 [S(A("home_back","A",character="H",most=5),[[1]],values={"moved":5},bodies=P({"A-1":(95,60,90)}),progress={"home":["A"]}),
  S(A("home_back","A",character="H"),verdict=N,findings=["WM-FLY-2"]),
  S(A("initiative_charge","B",target="E"),verdict=N,findings=["WM-INIT-3"]),
  S(o("H","A"),verdict=N,findings=["WM-CMD-6"]),
  S(o("H","B"),[[1,1]])])
# 51 evade of a bent column, dense marsh penalty etc.
sc=scene({"U":("red","Chariots",[(60,40,90)]),"E":("blue","Infantry",[(60,53,270)])},terrain=[("s","stream",R(40,30,80,33))])
case("51","Chariots evade to a stream and no farther","WM-EVADE-9, WM-TER-3","Rear 38 to 33: 5. E 10 off.",sc,
 [S(mv("U",(1,[to(60,30)]),kind="evade",target="E"),verdict=N,nearest={"how":"prefix"}),
  S(mv("U",(1,[to(60,35)]),kind="evade",target="E"),verdict=L,values={"distance":5})])
rot(CASES[-1],111)
write("batch2.json"); print(len(CASES))
