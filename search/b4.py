exec(open('b2.py').read().split('# 26\n')[0])
far=("blue","Infantry",[(60,115,270)])
inf=lambda *p: ("red","Infantry",[(x,y,90) for x,y in p])
# 71
sc=scene({"U":inf((60,40)),"V":inf((80,40)),"E":far},[("H","red",{"like":"Empire Hero","command":12},(60,30)),("J","red","Empire Hero",(80,30))],phase="orders")
case("71","A Hero of Command 12 who rolls 12 blunders all the same; a 4 ends his orders, not those of others","WM-CMD-7, -5","A 12 is a blunder whatever is needed.",sc,
 [S(o("H","U"),[[6,6],[4]],values={"needed":12,"rolled":12,"blunder":4},bodies=M(U={"may_move":None},H={"command":None})),
  S(o("H","V"),verdict=N,findings=["WM-CMD-5"]),S(A("block","U",to=[60,45]),verdict=N,findings=["WM-MOVE-1"]),
  S(o("J","V"),[[4,4]],values={"needed":8},bodies=M(H={"done":True}))])
# 72
sc=scene({"U":inf((60,40)),"V":inf((80,40)),"E":far},[("G","red","Empire General",(60,30)),("J","red","Empire Hero",(80,30))],phase="orders")
case("72","A General's 12 on a first order: no half move, and no more orders","WM-CMD-7, -5","",sc,
 [S(o("G","U"),[[6,6]],values={"needed":9,"rolled":12,"blunder":None},bodies=M(U={"may_move":None}),progress={"general_failed":True}),
  S(A("block","U",to=[60,45]),verdict=N,findings=["WM-MOVE-1"]),S(o("J","V"),verdict=N,findings=["WM-CMD-5"])])
# 73
sc=scene({"U":inf((60,40)),"V":inf((64,40)),"E":far},[("H","red","Empire Hero",(60,30),{"command":-1})],phase="orders")
case("73","A second blunder of 1 by the same Hero, at a brigade: once lower again","WM-CMD-7, -3","",sc,
 [S(o("H","U","V"),[[6,6],[1]],values={"needed":7},bodies=M(H={"command":-2},U={"may_move":None},V={"may_move":None})),
  *[S(END)]*12,S(o("H","V"),[[3,3]],values={"needed":6,"rolled":6},turn={"phase":"orders","active":"red"})])
# 74
sc=scene({"A":inf((60,40)),"B":inf((64,40)),"E":far},[("H","red","Empire Hero",(62,30))],[("e","earthwork",R(50,35,60,45))],phase="orders")
case("74","A brigade of which one stands fortified goes no farther than that one","WM-PACE-6, WM-CMD-8","A from the earthwork: 10.",sc,
 [S(o("H","A","B"),[[1,1]]),S(A("brigade",units=["A","B"],to=[62,52]),verdict=N,findings=["WM-PACE-6","WM-STAND-6"],details={"WM-STAND-6":{"measured":12,"limit":10,"about":"A-1"}},nearest={"to":[62,50],"short_by":2}),
  S(A("brigade",units=["A","B"],to=[62,50]),verdict=L),S(o("H","A","B"),[[1,1]],values={"needed":7}),
  S(A("brigade",units=["A","B"],to=[62,70]),verdict=L,bodies=P({"A-1":(60,70),"B-1":(64,70)}))])
# 75
k=3/sqrt(41)
sc=scene({"U":inf((60,60)),"E":("blue","Infantry",[(110,100,270)])},[("K","blue","Empire Wizard",(62+4,61+5))],phase="other",active="blue")
case("75","Magic drives back straight from the caster's base","WM-DB-1","Corner (62,61) from (66,66): along (-4,-5)/sqrt 41.",sc,
 [S(A("drive_back","U",hits=1,shooter="K",magic=True),[[3]],verdict="FORCED",bodies=P({"U-1":(60-4*k,60-5*k)}))])
# 76
sc=scene({"U":inf((56,60),(64,60),(60,58)),"S":("blue","Cavalry",[(60,72,270)])},phase="other",active="blue")
case("76","Two stands equally near who shot: the owner of the driven chooses the line","WM-DB-1, WM-EVADE-4","(58,61)-(59,70) and (62,61)-(61,70): sqrt 82 both.",sc,
 [S(A("drive_back","U",hits=1,shooter="S-1"),[[4]],pending="choice")])
# 77
sc=scene({"A":("red","Giant Eagles",[(60,40,90),(62,41,90)]),"E":("blue","Infantry",[(61,60,270)])},phase="other")
case("77","Staggered flyers advance up to 20","WM-ADV-1, WM-PACE-10","A-2 to x 61: sqrt(1+256); A-1 beside it: sqrt(1+289).",sc,
 [S(A("advance","A",target="E",stands=[{"stand":"A-2","path":[to(61,57)]},{"stand":"A-1","path":[to(59,57)]}]),verdict=L,values={"distance":sqrt(290),"allowance":20})])
# 78
sc=scene({"A":inf((60,40)),"B":inf((64,40)),"E":far},[("Z","red","Empire Wizard",(41.75,40)),("Y","red","Empire Wizard",(40.75,40)),("X","red","Empire Wizard",(40.74,40)),("H","red","Empire Hero",(129.25,40.0)),],phase="orders")
case("78","Wizards and Heroes at the ends of their reach","WM-CMD-6, -3, -8","Y: 62-42 = 20.0 to B: 0; X 20.01. H: 128-66 = 62 is too far for B.",sc,
 [S(o("X","A","B"),verdict=N,findings=["WM-CMD-6"]),S(o("H","B"),verdict=N,findings=["WM-CMD-6"]),
  S(o("Y","A","B"),[[4,4]],values={"needed":7})])
# 79
for i,(d,n) in enumerate([(60.0,7),(60.01,6),(80.0,6),(80.01,5),(100.0,5)]):
    sc=scene({"U":inf((20,40)),"E":far},[("G","red","Empire General",(22+1.25+d,40))],phase="orders")
    case("79"+"abcde"[i],f"A General {d} off","WM-CMD-3, -6","9 less a point for each 20 begun after the first.",sc,[S(o("G","U"),[[1,1]],values={"needed":n})])
# 80
sc=scene({"U":inf((60,40),(64,40)),"E":("blue","Infantry",[(60,42,270)]),"F":("red","Infantry",[(64,37,90)])},phase="other")
case("80","A retreat into a friend behind: that stand is lost, the other goes","WM-RET-1","3 down; U-2 stops after 1.",sc,
 [S(A("retreat","U",points=3,direction=270),verdict="FORCED",cites=["WM-RET-1"],bodies={**P({"U-1":(60,37)}),"U-2":{"gone":True},**M(U={"lost":1})})])
# 81
sc=scene({"U":inf((60,40)),"E":("blue","Infantry",[(60,42,270)])},[("H","red","Empire Hero",(60,37.75),{"joined":"U"})],phase="other")
case("81","Falling back: behind the enemy's line, a joined Hero along","WM-FB-1, WM-CHAR-3","5 cm: straight back 5 leaves 5; 5.1 is too far; sideways past the line is not behind it.",sc,
 [S(A("fall_back","U"),[[1,2,2]],bodies=M(U={"allowance":5})),
  S(mv("U",(1,[to(60,34.9)])),verdict=N,findings=["WM-STAND-6"],nearest={"short_by":0.1}),
  S(mv("U",(1,[to(60,35)])),verdict=L,values={"distance":5},bodies={**P({"H":(60,32.75)}),**M(U={"confused":None})})])
# 82
sc=scene({"U":inf((60,40)),"V":inf((64,40)),"E":("blue","Infantry",[(60,55,270)]),"F":("blue","Infantry",[(66,62,270)])},[("H","red","Empire Hero",(62,30))],phase="orders")
case("82","Of a brigade one charges, one stays; the next order is for who stayed alone","WM-CMD-8, -3, WM-CHG-1","E 13: 7. Then V: -1 -1: 6, F 61-41 = 20.0 besides E near.",sc,
 [S(o("H","U","V"),[[3,4]],values={"needed":7}),S(mv("U",(1,[to(60,53)]),kind="charge",target="E"),verdict=L,bodies=M(U={"charged":True,"initiative":None})),
  S(A("block","V",to=[64,39]),verdict=L),S(o("H","U","V"),verdict=N,findings=["WM-CMD-8","WM-MOVE-1"]),
  S(o("H","V"),[[3,3]],values={"needed":6,"rolled":6},bodies=M(V={"orders":2}))])
# 83
sc=scene({"U":inf((60,40)),"V":inf((30,40)),"E":("blue","Infantry",[(60,55,270)])},[("H","red","Empire Hero",(30,30)),("J","red","Empire Hero",(80,30))])
case("83","A General-less army: a failed first order closes initiative for all but leaves other Heroes their orders","WM-INIT-3, WM-CMD-5","",sc,
 [S(o("H","V"),[[5,5]],values={"needed":8},turn={"phase":"orders"},progress={"closed":True,"commander":"H"},bodies=M(V={"may_move":"half"})),
  S(A("evade","U",target="E"),verdict=N,findings=["WM-INIT-3"]),S(o("H","U"),verdict=N,findings=["WM-CMD-5"]),
  S(o("J","U"),[[3,4]],values={"needed":7},bodies=M(H={"done":True}),progress={"commander":"J","group":["U"]}),
  S(mv("U",(1,[to(60,53)]),kind="charge",target="E"),verdict=L,values={"distance":13})])
write("batch4.json"); print(len(CASES))
