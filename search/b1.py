from h import *
from math import sqrt
END=A("end_step")
def I(*ps,t=90): return [(x,y,t) for x,y in ps]
# 01
sc=scene({"F":("red","Infantry",I((60,60),(64,60))),"B":("blue","Infantry",[(62,72,270)]),"C":("blue","Infantry",[(120,100,270)],{"confused":True})},
 [("H","red","Empire Hero",(62,40))],phase="other",active="blue")
case("01","Confusion from the enemy's shooting lasts through one's own Command phase, the enemy's own to the end of his next","WM-CONF-1, -2, WM-DB-1, WM-INIT-14","6+1 = 7 straight down, 6 confuses. F and C stay confused as red's turn begins; F is cleared as red's Command phase ends, C only as blue's ends.",sc,
 [S(A("drive_back","F",hits=2,shooter="B-1"),[[6,1]],verdict="FORCED",cites=["WM-DB-1","WM-CONF-2"],values={"distance":7,"moved":7,"dice":2},bodies={**M(F={"confused":True}),**P({"F-1":(60,53,90),"F-2":(64,53,90)})}),
  S(END,turn={"active":"red","phase":"initiative"},bodies=M(F={"confused":True},C={"confused":True})),
  S(A("evade","F",target="B"),verdict=N,findings=["WM-INIT-14"]),
  S(END),S(END,turn={"phase":"orders"}),S(A("order","H",units=["F"]),verdict=N,findings=["WM-CONF-1"]),
  S(END),S(END),S(END,turn={"phase":"other","active":"red"},bodies=M(F={"confused":None},C={"confused":True})),
  S(END,turn={"active":"blue","phase":"initiative"},bodies=M(C={"confused":True})),S(END),S(END),S(END),S(END),S(END,turn={"phase":"other","active":"blue"},bodies=M(C={"confused":None}))])
# 02
sc=scene({"U":("red","Infantry",I((60,20),(64,20),(68,20))),"E":("blue","Infantry",[(64,81,270)])},[("H","red","Empire Hero",(64,10))],[("m","marsh",R(58,47,62,58.5))],phase="orders")
case("02","Three orders in a row, each harder; the third just possible, no fourth","WM-CMD-3, -4, WM-TER-5","1st: 19-11.25 = 7.75 off: 8. 2nd: 39-11.25 = 27.75: -1, order -1: 6. 3rd: 46.75 -2, orders -2, enemy 80-60 = 20.0 -1, marsh -1: 2.",sc,
 [S(A("order","H",units=["U"]),[[5,3]],values={"needed":8,"rolled":8},bodies=M(U={"orders":1,"may_move":"order"})),
  S(A("block","U",to=[64,40]),verdict=L,values={"distance":20}),
  S(A("order","H",units=["U"]),[[5,1]],values={"needed":6,"rolled":6},bodies=M(U={"orders":2})),
  S(A("block","U",to=[64,59]),verdict=L,values={"distance":19}),
  S(A("order","H",units=["U"]),[[1,1]],values={"needed":2,"rolled":2},cites=["WM-TER-5","WM-CMD-3"],bodies=M(U={"orders":3})),
  S(A("block","U",to=[64,79]),verdict=N,findings=["WM-STAND-13"]),
  S(A("block","U",to=[64,40]),verdict=L,values={"distance":19}),
  S(A("order","H",units=["U"]),verdict=N,findings=["WM-CMD-4"])])
# 03
sc=scene({"U":("red","Infantry",I((60,40),(64,40),(68,40))),"E":("blue","Infantry",[(64,110,270)])},[("H","red","Empire Hero",(64,30))],[("e","earthwork",R(50,35,58.5,45))],phase="orders")
case("03","Half a centimetre of earthwork under one stand halves the first move only; a third order that fails gives none","WM-PACE-6, -8, WM-CMD-5","10 from the earthwork, 20 from open ground. Third: 69-31.25 = 37.75: -1, orders -2: 5; 6 fails.",sc,
 [S(A("order","H",units=["U"]),[[4,4]],values={"needed":8}),
  S(A("block","U",to=[64,50.1]),verdict=N,findings=["WM-PACE-6","WM-STAND-6"],details={"WM-STAND-6":{"measured":10.1,"limit":10}},nearest={"to":[64,50],"how":"prefix","short_by":0.1}),
  S(A("block","U",to=[64,50]),verdict=L,cites=["WM-PACE-6"],values={"distance":10,"allowance":10}),
  S(A("order","H",units=["U"]),[[4,3]],values={"needed":7}),
  S(A("block","U",to=[64,70]),verdict=L,cites=["WM-PACE-8"],values={"distance":20,"allowance":20}),
  S(A("order","H",units=["U"]),[[4,2]],values={"needed":5,"rolled":6},cites=["WM-CMD-5"],bodies=M(U={"may_move":None,"failed":True})),
  S(A("block","U",to=[64,70.5]),verdict=N,findings=["WM-MOVE-1"])])
# 04
sc=scene({"U":("red","Infantry",I((60,40),(64,40.5))),"E":("blue","Infantry",[(64,58,270)])},[("H","red","Empire Hero",(64,30)),("J","red","Empire Hero",(50,30))],[("e","earthwork",R(50,35,59,45))],phase="orders")
case("04","Irregular, in an earthwork and its order failed: half once, no charge, no order from another","WM-PACE-6, -9, -11, WM-CMD-4, -5","E is 57-41.5 = 15.5 off: -1: 7; 8 fails. Half is 10, not less.",sc,
 [S(A("order","H",units=["U"]),[[6,2]],values={"needed":7,"rolled":8},bodies=M(U={"may_move":"half","failed":True})),
  S(A("charge","U",target="E"),verdict=N,findings=["WM-PACE-11"]),
  S(A("block","U",to=[62,30.15]),verdict=N,details={"WM-STAND-6":{"measured":10.1,"limit":10}}),
  S(A("block","U",to=[62,30.25]),verdict=L,values={"distance":10,"allowance":10},cites=["WM-PACE-11"]),
  S(A("order","J",units=["U"]),verdict=N,findings=["WM-CMD-4","WM-CMD-5"])])
# 05,06
T={"U":("red","Cavalry",[(60,40,90)]),"P":("blue","Infantry",[(50,48,270)]),"Q":("blue","Cavalry",[(72,50,270)]),"R":("blue","Infantry",[(60,56,270)]),"S":("blue","Infantry",[(48,54,270)])}
G=[("e","earthwork",R(48,47,52,49)),("r","river",R(65,0,66,100))]
n="P fortified at sqrt(49+25) = 8.6023, Q beyond the river at sqrt(100+36) = 11.6619, R at 13, S at sqrt(81+121) = 14.2127. Legal: P, Q, R."
case("05","A fortified and a divided enemy both left out: the third may be charged, never the fourth","WM-INIT-11, -12, -5",n,scene(T,terrain=G),
 [S(A("initiative_charge","U",target="S"),verdict=N,findings=["WM-INIT-5"]),S(A("evade","U",target="S"),verdict=N,findings=["WM-INIT-5"]),
  S(A("initiative_charge","U",target="R",stands=[{"stand":"U-1","path":[to(60,53)]}]),verdict=L,cites=["WM-INIT-11","WM-INIT-12","WM-PACE-5"],values={"distance":13},bodies={**P({"U-1":(60,53,90)}),**M(U={"initiative":True,"charged":True})})])
k=5/sqrt(136)
case("06","The fortified enemy left out alone: an evade from the one across the river","WM-INIT-11, WM-EVADE-3",n+" Away from Q along (-10,-6)/11.6619, 5 cm.",scene(T,terrain=G),
 [S(A("evade","U",target="Q",stands=[{"stand":"U-1","path":[to(60-10*k,40-6*k)]}]),verdict=L,cites=["WM-INIT-11","WM-EVADE-3"],values={"distance":5},bodies=M(U={"initiative":True,"charged":None}))])
# 07
sc=scene({"U":("red","Infantry",I((58,40),(62,40))),"E":("blue","Infantry",[(60,52,270)]),"W":("blue","Infantry",[(80,50,270)])},terrain=[("l","lake",R(55,45,60,47))])
case("07","A lake before one of two equally near stands divides nothing","WM-INIT-12, -5, WM-EVADE-4","E is 10 off both stands; before U-2 the way is free and 10 <= 20. W at sqrt(196+64) = 16.1245 is not to be evaded.",sc,
 [S(A("evade","U",target="W"),verdict=N,findings=["WM-INIT-5"]),
  S(A("evade","U",target="E",stands=[{"stand":"U-2","path":[to(62,30)]},{"stand":"U-1","path":[to(58,30)]}]),verdict=L,values={"distance":10},cites=["WM-EVADE-4"])])
# 08
sc=scene({"U":("red","Pikemen",[(60,40,90)]),"E":("blue","Infantry",[(56,46,270),(64,46,270),(60,48,270)])})
case("08","Between two stands of one enemy unit: away from either, not from both","WM-EVADE-1, -3, -4, -6","Nearest corners (59,42)-(58,45) and (61,42)-(62,45): sqrt 10 each. Away by 2 sqrt 10 from E-2: (58,34).",sc,
 [S(A("evade","U",target="E",stands=[{"stand":"U-1","path":[to(60,34)]}]),verdict=N,findings=["WM-EVADE-1"]),
  S(A("evade","U",target="E",stands=[{"stand":"U-1","path":[to(58,34)]}]),verdict=L,cites=["WM-EVADE-4"],values={"distance":2*sqrt(10)})])
# 09
sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,100,270)])},[("H","red","Empire Hero",(60,55.5)),("K","blue","Empire Hero",(60,50))],phase="orders")
case("09","Over an enemy Hero, slain far from friends, and onto one's own, who gives way and goes on ordering","WM-CHAR-10, WM-STAND-11, WM-CMD-3","13.25 off: 8. K is 99-50 off its friends. H in y 54-56 at 55.5: out at y 57.25. Second order: 7.",sc,
 [S(A("order","H",units=["U"]),[[4,4]],values={"needed":8}),
  S(A("block","U",to=[60,55]),verdict=L,cites=["WM-CHAR-10","WM-STAND-11"],bodies={**P({"H":(60,57.25)}),**M(K={"slain":True})}),
  S(A("order","H",units=["U"]),[[4,3]],values={"needed":7,"rolled":7})])
# 10
sc=scene({"U":("red","Infantry",[(46,53,0)]),"E":("blue","Infantry",[(60,70,270)])},[("H","red","Empire Hero",(30,30))],[("r","river",R(40,0,44,120)),("b","bridge",R(40,50,44,56))],phase="characters")
case("10","A Hero over a bridge and through friends, not over the river, not through enemies, not twice","WM-CHAR-4, -6, -8","sqrt(64+529)+14 = 38.3516.",sc,
 [S(A("move_character","H",path=[to(60,30)]),verdict=N,findings=["WM-CHAR-6"]),
  S(A("move_character","H",path=[to(38,53),to(52,53),to(60,59),to(60,70)]),verdict=N,findings=["WM-CHAR-8"]),
  S(A("move_character","H",path=[to(38,53),to(52,53)]),verdict=L,cost=sqrt(593)+14,bodies={**P({"H":(52,53)}),**M(H={"moved":True,"joined":None})}),
  S(A("move_character","H",path=[to(53,53)]),verdict=N,findings=["WM-CHAR-4"])])
# 11
sc=scene({"U":("blue","Infantry",[(60,40,270),(64,40,270),(68,40,270)]),"R":("red","Infantry",[(64,38,90)])},terrain=[("l","lake",R(66,42,70,50))],phase="other")
case("11","A retreat: the end stand before a lake is destroyed, its neighbour slides along the bank","WM-TER-11, WM-RET-1, WM-FORM-6","3 cm up; U-3 would be stopped after 1.",sc,
 [S(A("retreat","U",points=3,direction=90),verdict="FORCED",cites=["WM-TER-11","WM-RET-1","WM-PACE-10"],values={"distance":3},bodies={**P({"U-1":(60,43,270),"U-2":(64,43,270)}),**M(U={"lost":1})})])
# 12
sc=scene({"U":("red","Chariots",[(60,40,90)]),"E":("blue","Infantry",[(60,62,270)]),"F":("blue","Infantry",[(75,58,270)])},phase="other")
case("12","Chariots advance 20 like everybody, on the closest alone","WM-ADV-1","F at sqrt(144+225) = 19.2094; E at 19.",sc,
 [S(A("advance","U",target="F"),verdict=N,findings=["WM-ADV-1"]),
  S(A("advance","U",target="E",stands=[{"stand":"U-1","path":[to(60,59)]}]),verdict=L,values={"distance":19,"allowance":20},cites=["WM-ADV-1"],bodies=P({"U-1":(60,59,90)}))])
# 13
sc=scene({"U":("red","Infantry",I((60,40),(64,40.5))),"E":("blue","Infantry",[(64,45,270)])},phase="other")
case("13","An irregular unit falls back its whole dice, and is confused 0.9 from an enemy","WM-FB-1, WM-PACE-10","2+3+4 = 9; up 1.6 leaves 44-43.1 = 0.9.",sc,
 [S(A("fall_back","U"),[[2,3,4]],bodies=M(U={"may_move":"fall_back","allowance":9})),
  S(A("block","U",to=[62,31.15]),verdict=N,details={"WM-STAND-6":{"measured":9.1,"limit":9}},nearest={"to":[62,31.25]}),
  S(A("block","U",to=[62,41.85]),verdict=L,cites=["WM-FB-1","WM-PACE-10"],values={"allowance":9,"distance":1.6},bodies=M(U={"confused":True,"may_move":None}))])
# 14
sc=scene({"U":("red","Infantry",I((60,40),(64,40))),"V":("red","Cannon",[(100,40,90)]),"W":("red","Cannon",[(120,40,90)]),"E":("blue","Infantry",[(60,55,270)]),"F":("blue","Infantry",[(100,55,270)]),"G":("blue","Infantry",[(120,55,270)])},terrain=[("e","earthwork",R(50,35,58.5,45))],phase="other",active="blue")
case("14","Fortified by half a stand: two hits dropped; guns driven back 10 stand, 11 are destroyed","WM-DB-1, WM-CONF-2","3 hits: one die, 5. 6+4 = 10 = full pace: stays, confused; 6+5 = 11 > 10.",sc,
 [S(A("drive_back","U",hits=3,shooter="E-1"),[[5]],verdict="FORCED",values={"dice":1,"distance":5,"moved":5},bodies={**P({"U-1":(60,35,90)}),**M(U={"confused":None})}),
  S(A("drive_back","V",hits=2,shooter="F-1"),[[6,4]],verdict="FORCED",values={"moved":10},bodies={**P({"V-1":(100,30,90)}),**M(V={"confused":True})}),
  S(A("drive_back","W",hits=2,shooter="G-1"),[[6,5]],verdict="FORCED",cites=["WM-DB-1"],bodies={"W-1":{"gone":True}})])
# 15
sc=scene({"A":("red","Giant Eagles",[(60,40,90),(62,41,90)]),"E":("blue","Infantry",[(61,60,270)]),"B":("red","Giant Eagles",[(100,40,90)])},[("G","red","General on Griffon",(60,20)),("H","red","Empire Hero",(100,16.74))],[("w","wood",R(90,70,110,80)),("s","scrub",R(90,84,110,94))],phase="orders")
case("15","Flyers: even a General within 20, a staggered charge 10, landing in scrub and not in woods","WM-CMD-6, WM-FLY-3, -4, -5","H is 38-16.74-1.25 = 20.01 off B. G is 16.75 off A; E at 59-43 = 16: -1: 8.",sc,
 [S(A("order","H",units=["B"]),verdict=N,findings=["WM-CMD-6"]),
  S(A("order","G",units=["A"]),[[4,4]],values={"needed":8}),
  S(A("charge","A",target="E"),verdict=N,findings=["WM-FLY-5"]),
  S(A("block","A",to=[100,75]),verdict=N,findings=["WM-FLY-4","WM-PACE-9","WM-STAND-6"]),
  S(A("block","A",to=[61,30.5]),verdict=L,values={"distance":10,"allowance":10},cites=["WM-PACE-9"]),
  S(A("order","G",units=["B"]),verdict=N,findings=["WM-CMD-6"])])
# 16
sc=scene({"A":("red","Infantry",[(60,40,90)],{"confused":True}),"B":("red","Infantry",[(64,40,90)],{"initiative":True}),"C":("red","Steam Tank",[(67,41,90)]),"D":("red","Peasants",[(70,40,90)]),"E":("blue","Infantry",[(70,100,270)])},[("H","red","Empire Hero",(64,30))],phase="orders")
case("16","Everything that keeps units out of a brigade at once","WM-CONF-1, WM-INIT-4, WM-CMD-8","A is confused, B acted on initiative, C takes no brigade orders; A and D do not touch without those between.",sc,
 [S(A("order","H",units=["A","B","C","D"]),verdict=N,findings=["WM-CMD-8","WM-CONF-1","WM-INIT-4"]),
  S(A("order","H",units=["A","B"]),verdict=N,findings=["WM-CONF-1","WM-INIT-4"]),
  S(A("order","H",units=["C","D"]),verdict=N,findings=["WM-CMD-8"]),
  S(A("order","H",units=["D"]),[[4,3]],values={"needed":7,"rolled":7})])
# 17
for i,(kind,opt,v) in enumerate([("hill",None,L),("hill",{"gap_feature":"any"},N),("lake",None,N),("steep hill",None,L),("river",{"river":"infantry_cross"},L),("marsh",{"gap_feature":"any"},N)]):
    sc=scene({"U":("red","Infantry",[(53.5,50,0)]),"E":("blue","Infantry",[(50,60,270)])},[("H","red","Empire Hero",(53.5,40))],[("f",kind,R(55,55,70,70))],phase="orders",options=opt)
    case("17"+"abcdef"[i],f"3 cm between an enemy and a {kind}"+(f" with {opt}" if opt else ""),"WM-GAP-2","3 <= 4: narrow where the feature bounds it. E 59-52 = 7 off: -1: 7.",sc,
     [S(A("order","H",units=["U"]),[[3,4]],values={"needed":7}),S(A("move","U",stands=[{"stand":"U-1","path":[to(53.5,62)]}]),verdict=v,findings=[] if v==L else ["WM-GAP-2"],**({"values":{"distance":12}} if v==L else {"details":{"WM-GAP-2":{"measured":3,"limit":4}}}))])
# 19
sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,110,270)])},[("H","red","Empire Hero",(60,30)),("J","red","Empire Hero",(50,40))],phase="orders")
case("19","A blunder of 1 lowers Command in later turns too; what the turn before left on the unit is gone","WM-CMD-7, -3, -4","H 7.75 off: 8 then 7. J 50 to 58: 6.75 off.",sc,
 [S(A("order","H",units=["U"]),[[6,6],[1]],values={"needed":8,"rolled":12,"blunder":1},bodies=M(H={"command":-1},U={"may_move":None})),
  S(A("order","J",units=["U"]),verdict=N,findings=["WM-CMD-4","WM-CMD-5"])]+[S(END)]*4+[S(END)]*5+[S(END,turn={"active":"red","phase":"initiative","round":2},bodies=M(U={"orders":None,"failed":None,"ordered_by":None},H={"command":-1,"done":None}))]+[S(END)]*2+
 [S(A("order","H",units=["U"]),[[4,3]],values={"needed":7,"rolled":7},bodies=M(U={"orders":1}))])
# 20
sc=scene({"U":("red","Infantry",[(60,40,90)]),"V":("red","Infantry",[(70,40,90)]),"E":("blue","Infantry",[(60,110,270)])},[("G","red","Empire General",(60,30)),("J","red","Empire Hero",(70,30))],phase="orders")
case("20","A General's failure ends all orders of the turn, not the half move nor the next turn's orders","WM-CMD-5, WM-PACE-11","",sc,
 [S(A("order","G",units=["U"]),[[4,6]],values={"needed":9,"rolled":10},progress={"general_failed":True}),
  S(A("order","J",units=["V"]),verdict=N,findings=["WM-CMD-5"]),
  S(A("block","U",to=[60,50]),verdict=L,values={"allowance":10})]+[S(END)]*9+[S(END,turn={"active":"red"},progress={"general_failed":None}),S(END),S(END),S(A("order","J",units=["V"]),[[4,4]],values={"needed":8})])
# 21
sc=scene({"A":("red","Infantry",[(60,40,90)]),"B":("red","Infantry",[(70,40,90)]),"E":("blue","Infantry",[(60,110,270)])},[("H","red","Empire Hero",(65,30)),("J","red","Empire Hero",(65,35))],phase="orders")
o=lambda h,u:A("order",h,units=[u])
case("21","A unit left is not resumed, nor a character who has done","WM-CMD-4","",sc,
 [S(o("H","A"),[[1,1]]),S(A("block","A",to=[60,41])),S(o("H","B"),[[1,1]]),S(o("H","A"),verdict=N,findings=["WM-CMD-4"]),S(o("J","B"),verdict=N,findings=["WM-CMD-4"]),S(o("J","A"),verdict=N,findings=["WM-CMD-4"])])
# 22
sc=scene({"A":("red","Giant Eagles",[(100,60,90)],{"confused":True}),"B":("red","Infantry",[(60,30,90)]),"E":("blue","Infantry",[(60,45,270)])},[("H","red","Empire Hero",(67.75,60))],phase="home")
case("22","A confused flyer flies home, and ends initiative for all; orders are still barred to it","WM-FLY-2, WM-CONF-1, WM-INIT-3","30 off; 2 x 10 straight toward H.",sc,
 [S(A("home_back","A",character="H"),[[2]],verdict=L,cites=["WM-FLY-2"],values={"moved":20},bodies={**P({"A-1":(80,60,90)}),**M(A={"confused":True})},progress={"home":["A"]}),
  S(A("home_back","A",character="H"),verdict=N),
  S(END,turn={"phase":"orders"}),S(o("H","A"),verdict=N,findings=["WM-CONF-1"]),S(A("evade","B",target="E"),verdict=N,findings=["WM-INIT-3"])])
# 23
sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,90,270)]),"F":("blue","Infantry",[(86,50,270)])},[("H","red","Empire Hero",(60,30)),("K","blue","Empire Hero",(60,50))],phase="orders")
case("23","An enemy Hero rubbed by a passing unit flees to friends 24 off","WM-CHAR-10","F x 84-88, y 49-51: K to (82.75,50): 22.75 <= 30.",sc,
 [S(A("order","H",units=["U"]),[[1,1]]),S(A("block","U",to=[60,55]),verdict=L,cites=["WM-CHAR-10"],bodies={**P({"K":(82.75,50)}),**M(K={"slain":None})})])
# 24
for i,(y,v,f) in enumerate([(53,L,[]),(53.01,N,["WM-INIT-1"])]):
    sc=scene({"U":("red","Infantry",[(60,40,90)]),"E":("blue","Infantry",[(60,y,270)])},terrain=[("w","wood",R(50,50,70,60))])
    case("24"+"ab"[i],"In a wood "+("2.0" if i==0 else "2.01")+" from its edge","WM-VIS-8, WM-INIT-1","Front at y %s, edge at 50."%(y-1),sc,[S(A("evade","U",target="E",stands=[{"stand":"U-1","path":[to(60,39)]}]),verdict=v,findings=f)])
# 25
sc=scene({"U":("red","Chariots",[(60,40,90),(60,36,90)]),"E":("blue","Infantry",[(20,110,270)])},[("H","red","Empire Hero",(55,38))],[("w","wood",R(50,43,70,50)),("r","road",R(58,43,62,50))],phase="orders")
case("25","Chariots in column on a road through a wood; the line stays out","WM-TER-14, -3","Up 14, all 30 allowed.",sc,
 [S(A("order","H",units=["U"]),[[1,1]]),
  S(A("move","U",stands=[{"stand":"U-1","path":[to(60,54)]},{"stand":"U-2","path":[to(60,50)]}]),verdict=L,cites=["WM-TER-14"],values={"distance":14,"allowance":30,"new_formation":"column"})])
write("batch1.json"); print(len(CASES))
