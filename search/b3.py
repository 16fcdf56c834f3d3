exec(open('b2.py').read().split('# 26\n')[0])
far=("blue","Infantry",[(60,115,270)])
# 52
W=("blue","Infantry",[(76,43,270)])
for i,v in enumerate([("blue","Infantry",[(60,52,270)]),("blue","Cavalry",[(60,53,270)])]):
    sc=scene({"U":("red","Cavalry",[(60,40,90)]),"V":v,"W":W},terrain=[("l","lake",R(20,45,62,47)),("w","wood",R(62,44,120,48))])
    case("52"+"ab"[i],"Beyond a lake with a wood at its end: "+("infantry comes through the wood" if i==0 else "cavalry does not"),"WM-INIT-12, -5","Infantry: 6 + sqrt 10 = 9.16 round the lake; cavalry must go round both. V at 9, W at 13.",sc,
     [S(mv("U",(1,[to(55,40)]),kind="evade",target="W"),verdict=[N,L][i],findings=[["WM-INIT-5"],[]][i],**({"cites":["WM-INIT-12"],"values":{"distance":5}} if i else {}))])
    rot(CASES[-1],-15)
# 53
u=(-17/sqrt(290),-1/sqrt(290))
for i,xb in enumerate([72,75]):
    sc=scene({"U":("red","Cavalry",[(60,40,90)]),"V":("blue","Cavalry",[(60,60,270)]),"W":("blue","Infantry",[(80,44,270)])},terrain=[("r","river",R(0,48,180,50)),("b","bridge",R(xb,46,xb+4,52))])
    case("53"+"ab"[i],"Over a bridge in "+("28.13" if i==0 else "33.36"),"WM-INIT-12, -5","sqrt(d^2+36)+2+sqrt(d^2+64), d = bridge - 61. V at 16, W at sqrt 290 = 17.0294.",sc,
     [S(mv("U",(1,[to(60+5*u[0],40+5*u[1])]),kind="evade",target="W"),verdict=[N,L][i],findings=[["WM-INIT-5"],[]][i])])
# 54
sc=scene({"U":("red","Infantry",[(58,45,90)]),"F":("red","Infantry",[(63,58,90)]),"E":("blue","Infantry",[(60,60,270)])})
case("54","A friend holds one cm of the enemy's front: beside him, as near the middle as there is room","WM-CHG-3, WM-STAND-7","F from x 61: U at x 59, 3 of its front in contact; sqrt(1+169).",sc,
 [S(mv("U",(1,[to(60,58)]),kind="initiative_charge",target="E"),verdict=N,findings=["WM-STAND-7"] if False else None) if False else S(mv("U",(1,[to(58.5,58)]),kind="initiative_charge",target="E"),verdict=N,findings=["WM-CHG-3"]),
  S(mv("U",(1,[to(59,58)]),kind="initiative_charge",target="E"),verdict=L,values={"distance":sqrt(170)})])
rot(CASES[-1],35)
# 55
sc=scene({"H1":("red","Harpies",[(30,40,90)]),"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,110,270)])},[("H","red","Empire Hero",(30,30)),("G","red","General on Griffon",(60,20)),("J","red","Empire Hero",(60,30))],[("w","wood",R(100,15,120,40))],phase="characters")
case("55","Joining: not Harpies, not from 0.1 away; a Griffon over all, not into a wood","WM-CHAR-10, -4, WM-FLY-4","U's rear 39: J touches at y 37.75.",sc,
 [S(A("move_character","H",path=[to(30,37.75)],join="H1"),verdict=N,findings=["WM-CHAR-10"]),
  S(A("move_character","J",path=[to(60,37.65)],join="U"),verdict=N,findings=["WM-CHAR-10"]),
  S(A("move_character","J",path=[to(60,37.75)],join="U"),verdict=L,cost=7.75,bodies=M(J={"joined":"U","moved":True})),
  S(A("move_character","G",path=[to(110,20)]),verdict=N),
  S(A("move_character","G",path=[to(60,106.75)]),verdict=L,cost=86.75,bodies=P({"G":(60,106.75)}))])
# 56
for i,(y0,v) in enumerate([(40,L),(40.001,N)]):
    sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,55,270)])},terrain=[("h","hill",R(50,y0,70,48))])
    case("56"+"ab"[i],"The middle of a stand "+("on the very border of" if i==0 else "just off")+" a hill between","WM-VIS-3, WM-INIT-1","Front edge on the hill either way.",sc,[S(mv("U",(1,[to(60,35)]),kind="evade",target="E"),verdict=v,findings=[] if v==L else ["WM-INIT-1"])])
# 57 corner sums
def turnp(p,c,deg):
    a=radians(deg); X,Y=p[0]-c[0],p[1]-c[1]; return (c[0]+X*cos(a)-Y*sin(a),c[1]+X*sin(a)+Y*cos(a))
FL,FR=(58,41),(62,41)
fr1=turnp(FR,FL,30); c1=turnp((60,40),FL,30); c2=turnp(c1,fr1,-30)
for i,k in enumerate([2*sin(radians(15)),pi/6]):
    tot=(2+sqrt(20))*k
    sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":far},[("H","red","Empire Hero",(60,30))],phase="orders",options={"dist_metric":"arc"} if i else None)
    case("57"+"ab"[i],"Pivoting forward on one front corner, then on the other"+(" (arc)" if i else ""),"WM-STAND-6","Each rear corner: 2 and sqrt 20 from the two pivots: (2 + sqrt 20) x "+("pi/6" if i else "2 sin 15")+", not twice sqrt 20. Then a slide for the rest of 20.",sc,
     [S(o("H","U"),[[1,1]]),
      S(mv("U",(1,[turn(FL,30),turn(fr1,-30),to(c2[0],c2[1]+20.001-tot)])),verdict=N,findings=["WM-STAND-6"],details={"WM-STAND-6":{"measured":20.001,"limit":20}}),
      S(mv("U",(1,[turn(FL,30),turn(fr1,-30)])),verdict=L,values={"distance":tot},bodies=P({"U-1":(*c2,90)}))])
# 58 free leg
def arc(dx,dy,deg,hw,hd):
    best=0
    for sx in (-1,1):
        for sy in (-1,1):
            n=20000;tot=0
            for j in range(n):
                t=(j+.5)/n; a=radians(90+deg*t); f=(cos(a),sin(a)); r=(sin(a),-cos(a))
                ox=sx*hw*r[0]+sy*hd*f[0]; oy=sx*hw*r[1]+sy*hd*f[1]; w=radians(deg)
                tot+=hypot(dx-w*oy,dy+w*ox)/n
            best=max(best,tot)
    return best
def chord(dx,dy,deg,hw,hd):
    best=0
    for sx in (-1,1):
        for sy in (-1,1):
            p=(sx*hw,sy*hd); q=turnp(p,(0,0),deg); best=max(best,hypot(q[0]-p[0]+dx,q[1]-p[1]+dy))
    return best
for i,(fn,opt) in enumerate([(chord,None),(arc,{"dist_metric":"arc"})]):
    d=fn(3,9,120,2,3)
    sc=scene({"U":("red","Trebuchet",[(60,40,90)]),"E":far},[("H","red","Empire Hero",(60,30))],phase="orders",options=opt)
    sc["models"][0]["profile"]={"like":"Trebuchet","full":20,"half":10};sc["units"][0]["profile"]={"like":"Trebuchet","full":20,"half":10}
    case("58"+"ab"[i],"A base of 4 x 6 goes (3,9) while it turns by 120"+(" (arc)" if i else ""),"WM-STAND-6","Independent sum over its corners.",sc,
     [S(o("H","U"),[[1,1]]),S(mv("U",(1,[{"how":"free","to":[63,49],"by":120}])),verdict=L,values={"distance":d,"allowance":20},bodies=P({"U-1":(63,49,210)}))])
# 59
sc=scene({"V":("red","Infantry",[(60,60,90)]),"F":("red","Skeletons",[(60,52,90)]),"E":("blue","Infantry",[(60,70,270)])},[("H","red","Empire Hero",(80,46.5))])
case("59","Skeletons burst through are not confused and feel no enemy near","WM-EVADE-13, WM-CONF-1, WM-CMD-3","E 69-53 = 16 from F; H 80-1.25-62 = 16.75, 51-46.5: under 20: 8.",sc,
 [S(mv("V",(1,[to(60,46)]),kind="evade",target="E",burst=["F"]),verdict=L,bodies=M(F={"confused":None})),S(o("H","F"),[[4,4]],values={"needed":8,"rolled":8})])
# 60
sc=scene({"T":("red","Steam Tank",[(60,60,90)]),"S":("red","Skeletons",[(100,60,90)]),"E":("blue","Infantry",[(60,75,270)]),"F":("blue","Infantry",[(100,75,270)])},terrain=[("r","river",R(80,50,120,53))],phase="other",active="blue")
case("60","A Steam Tank stays; Skeletons at a river, with a 6 among the dice, are not confused","WM-DB-1, WM-CONF-2, WM-TER-10","Skeletons: rear 59 to 53: 6 of 7.",sc,
 [S(A("drive_back","T",hits=4,shooter="E-1"),bodies={**P({"T-1":(60,60,90)}),**M(T={"confused":None})}),
  S(A("drive_back","S",hits=2,shooter="F-1"),[[6,1]],verdict="FORCED",values={"moved":6},bodies={**P({"S-1":(100,54,90)}),**M(S={"confused":None})})])
# 61
sc=scene({"A":("red","Giant Eagles",[(60,40,90)]),"B":("red","Infantry",[(63,41,90)]),"E":far},[("H","red","Empire Hero",(85.26,41)),("J","red","Empire Hero",(38.75,40)),("K","blue","Empire Hero",(60,50))],phase="orders")
case("61","Flyers in a brigade: each must be within 20 of who orders, the others need not","WM-CMD-6, -3, -8","H 65 to 85.26-1.25: 19.01 off B but 23.01 off A. J: A 19 off (59-38.75-1.25), B 61-40 = 21: -1. Enemy characters are no enemy unit near.",sc,
 [S(o("H","A","B"),verdict=N,findings=["WM-CMD-6"]),S(o("J","A","B"),[[3,4]],values={"needed":7,"rolled":7})])
# 62
sc=scene({"U":("red","Infantry",I((60,40),(64,40))),"E":("blue","Infantry",[(62,44,270)])},[("H","red","Empire Hero",(62,20))],phase="other")
case("62","A fall back not used is gone with the phase; confusion from it lasts through the enemy's turn","WM-FB-1, WM-CONF-1","12 to go; up 1.1 leaves 0.9.",sc,
 [S(A("fall_back","U"),[[4,4,4]],bodies=M(U={"may_move":"fall_back","allowance":12})),
  S(A("block","U",to=[62,41.1]),verdict=L,bodies=M(U={"confused":True,"allowance":None,"may_move":None})),
  S(A("fall_back","U"),[[1,1,1]],bodies=M(U={"may_move":"fall_back","allowance":3})),
  S(END,turn={"active":"blue"},bodies=M(U={"may_move":None,"allowance":None,"confused":True})),
  *[S(END)]*5,S(END,turn={"active":"red"},bodies=M(U={"confused":True})),*[S(END)]*3,S(END,turn={"phase":"end"}),S(END,bodies=M(U={"confused":None}))])
# 63
sc=scene({"A":("red","Infantry",[(60,40,90)]),"B":("red","Infantry",[(64,40,90)]),"E":far},[("H","red","Empire Hero",(62,30))],phase="orders")
case("63","A brigade moved apart, together again, then one of it ordered on alone","WM-CMD-8, -4, -3","",sc,
 [S(o("H","A","B"),[[1,1]],progress={"group":["A","B"]}),S(A("block","A",to=[60,50]),verdict=L),
  S(END,verdict=N,findings=["WM-CMD-8"]),S(o("H","A"),verdict=N,findings=["WM-CMD-8"]),
  S(A("block","B",to=[64,48.5]),verdict=L,cites=["WM-CMD-8"]),
  S(o("H","A","B"),[[3,4]],values={"needed":7},bodies=M(A={"orders":2},B={"orders":2})),
  S(o("H","A"),[[1,1]],values={"needed":6},bodies=M(A={"orders":3})),
  S(o("H","B"),verdict=N,findings=["WM-CMD-4"])])
# 64
sc=scene({"A":("red","Giant Eagles",[(60,40,90),(62,40,90)]),"F":("red","Infantry",[(61,46,90)]),"E":("blue","Infantry",[(61,56,270)])},[("H","red","Empire Hero",(61,30))],phase="orders")
case("64","Flyers whose order failed: 10 over friends, no charge; H is done","WM-PACE-11, WM-FLY-4, WM-CMD-5","F hides E. E 55-42 = 13: 7; 8 fails. Up 10: y 48-52 past F 45-47.",sc,
 [S(o("H","A"),[[4,4]],values={"needed":7},bodies=M(A={"may_move":"half"})),S(A("charge","A",target="E"),verdict=N,findings=["WM-CHG-1","WM-PACE-11"]),
  S(A("block","A",to=[61,50]),verdict=L,values={"distance":10,"allowance":10},cites=["WM-FLY-4"]),S(o("H","F"),verdict=N,findings=["WM-CMD-5"])])
# 65
sc=scene({"A":("red","Infantry",[(60,40,90)]),"B":("red","Infantry",[(80,40,90)]),"E":far},[("H","red","Empire Hero",(70,30))],phase="orders")
case("65","An order not used is lost with the next one or the next step","WM-CMD-4, WM-MOVE-1","",sc,
 [S(o("H","A"),[[1,1]]),S(o("H","A"),[[1,1]],values={"needed":7},bodies=M(A={"orders":2,"may_move":"order"})),S(o("H","B"),[[1,1]],bodies=M(A={"may_move":None})),
  S(A("block","A",to=[60,45]),verdict=N,findings=["WM-MOVE-1"]),S(END,turn={"phase":"characters"},bodies=M(B={"may_move":None}),progress={"group":None,"commander":None}),S(A("block","B",to=[80,45]),verdict=N,findings=["WM-MOVE-1"])])
# 66
sc=scene({"U":("red","Infantry",I((60,60),(64,60))),"E":("blue","Infantry",[(62,75,270)])},[("H","red","Empire Hero",(60,57.75),{"joined":"U"}),("J","red","Empire Wizard",(64,62.25),{"joined":"U"}),("K","red","Empire Hero",(67,50))],phase="other",active="blue")
case("66","Two joined, before and behind, both go along; a third that is not joined does not","WM-CHAR-3, WM-DB-1","3 down.",sc,
 [S(A("drive_back","U",hits=1,shooter="E-1"),[[3]],verdict="FORCED",bodies=P({"H":(60,54.75),"J":(64,59.25),"K":(67,50),"U-2":(64,57,90)}))])
rot(CASES[-1],123)
# 67
for i,y in enumerate([44,44.01]):
    sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,y,270)])},terrain=[("w","village",R(50,30,70,60))])
    case("67"+"ab"[i],"Within a village at %.2f"%(y-2-40),"WM-VIS-8","2 cm inside, not more.",sc,[S(mv("U",(1,[to(60,30)]),kind="evade",target="E"),verdict=[L,N][i],findings=[[],["WM-INIT-1"]][i])])
# 68
sc=scene({"U":("red","Galloper Guns",[(60,40,90),(62,40,90)]),"E":("blue","Infantry",[(61,55,270)]),"F":("blue","Infantry",[(61,9,90)])},[("K","blue","Empire Hero",(61,24))])
case("68","Galloper guns evade 20, but for an enemy 5 off; a Hero near is none","WM-EVADE-10, WM-PACE-5","Rear 38 - D >= 10 + 5: D <= 23. Full 20: y 16-20 rear 18. F top 10.",sc,
 [S(mv("U",(1,[to(60,19.9)]),(2,[to(62,19.9)]),kind="evade",target="E"),verdict=N,findings=["WM-STAND-6"]),
  S(mv("U",(1,[to(60,20)]),(2,[to(62,20)]),kind="evade",target="E"),verdict=L,values={"distance":20,"allowance":20},cites=["WM-CHAR-10"],bodies=M(K={"slain":None}))])
# 69
sc=scene({"U":("red","Infantry",[(60,40,90)]),"V":("red","Infantry",[(90,40,90)]),"E":("blue","Infantry",[(60,55,270)]),"F":("blue","Infantry",[(90,60,270)])},[("H","red","Empire Hero",(75,20))])
case("69","A charge on initiative: what its marks bar this turn and no longer the next, while it fights","WM-INIT-4, -14, WM-MOVE-1","",sc,
 [S(mv("U",(1,[to(60,53)]),kind="initiative_charge",target="E"),verdict=L,bodies=M(U={"charged":True,"initiative":True})),
  S(o("H","U"),verdict=N,findings=["WM-CMD-8","WM-INIT-4","WM-MOVE-1"]),
  *[S(END)]*11,S(END,turn={"active":"red","phase":"initiative"},bodies=M(U={"charged":None,"initiative":None})),
  S(o("H","U"),verdict=N,findings=["WM-MOVE-1"]),
  S(mv("V",(1,[to(90,58)]),kind="initiative_charge",target="F"),verdict=L,values={"distance":18})])
# 70
sc=scene({"U":("red","Cavalry",[(60,40,90)]),"E":("blue","Infantry",[(60,65,270)]),"D":("blue","Infantry",[(64.5,55,270)])},[("H","red","Empire Hero",(60,30))],phase="orders")
case("70","An ordered charge past a nearer enemy: the gap between those two is no matter unless it is narrow","WM-GAP-2, -3, WM-CHG-1","E 64-42 = 22; D x 62.5: 1.5 beside the way (x 61). D-E: 64-56 = 8 apart. D 12 off: 7.",sc,
 [S(o("H","U"),[[3,4]],values={"needed":7}),S(mv("U",(1,[to(60,62)]),kind="charge",target="E"),verdict=L,values={"distance":22,"allowance":30})])
write("batch3.json"); print(len(CASES))
