from h import *
sc=scene({"U":("red","Infantry",[(60,40,90),(64,40,90)]),"E":("blue","Infantry",[(60,100,270)])},[("H","red","Empire Hero",(50,30))])
case("p","p","p","",sc,[S(A("end_step")) for _ in range(8)])
sc=scene({"U":("red","Infantry",[(60,40,90),(64,40,90)],{"confused":True}),"E":("blue","Infantry",[(60,55,270)])},[("H","red","Empire Hero",(50,30))],phase="other")
case("q","p","p","",sc,[S(A("drive_back","E",hits=2,shooter="U-1"),dice=[[6,5]]),S(A("end_step"))])
write("search/probe.json")
