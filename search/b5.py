from lib import *
def A(pos=(10, 10), **k): return M("A", pos, **k)
def K(x0, x1, h, id="K", **k): return box("block", x0, x1, 0, 48, id, height=h, **k)
WON = ["TC-CHG-1", "TC-CHG-2", "TC-CHG-5", "TC-CHG-8", "TC-CHG-12", "TC-CHG-14", "TC-CHG-9"]
jj = [K(2, 12, 4, "K1"), K(14, 24, 1, "K2")]
case("E01", "Who will not Jump Down does not jump to a lower side either", "a Jump of 2 to a side 3 lower is a Jump Down too: climbed down instead, 1.507874 + 4, then .015748 + 2.507874 on over what is a step high", [A((10, 10), z=4), M("T", (16, 10), z=1)],
 [act(), chg(forbid=["jump_down"], dice=[[3], [4, 3]], cost=2 - r + 4 + (16 - R - 12 - r), values={"gap": 0}, cites=WON + ["TC-CLM-2"], bodies=at(A=(16 - R, 10, 1)))], jj)
case("E02", "With climbing forbidden as well there is no way", "the Jump is a Jump Down: none is left", [A((10, 10), z=4), M("T", (16, 10), z=1)],
 [act(), chg(forbid=["jump_down", "climb"], **ill("TC-CHG-8")), chg(forbid=["jump_down", "climb"], path=[T(14 + r, 10, 1, "jump")], **ill("TC-CHG-8"))], jj)
lv = [K(2, 12, 4, "K1"), K(14, 24, 4, "K2")]
case("E03", "A jump to a side as high is no Jump Down", "forbidding that changes nothing: 1.507874 + 2 + .523622", [A((10, 10), z=4), M("T", (16, 10), z=4)],
 [act(), chg(forbid=["jump_down"], dice=[[1], [4, 3]], cost=2 - r + 2 + (16 - R - 14 - r), values={"gap": 0}, cites=WON + ["TC-JMP-2"])], lv)
hi = [K(2, 12, 4, "K1"), K(14, 24, 4.5, "K2")]
case("E04", "Nor is one to a higher side", "2 + .5 for the rise", [A((10, 10), z=4), M("T", (16, 10), z=4.5)],
 [act(), chg(forbid=["jump_down"], dice=[[1], [4, 3]], cost=2 - r + 2.5 + (16 - R - 14 - r), values={"gap": 0}, cites=WON + ["TC-JMP-4"])], hi)
rd = [circ("block", (10, 10), 2, "K1", height=4), circ("block", (15, 10), 2, "K2", height=2.5)]
case("E05", "Between round roofs: without a Jump Down both are climbed", "1.507874 + 4, .015748 on the ground, 2.5 up, 1.023622 on: 9.047244", [A((10, 10), z=4), M("T", (15.5, 10), z=2.5)],
 [act(), chg(forbid=["jump_down"], dice=[[4], [4, 3], [5, 2]], cost=2 - r + 4 + (1 - R) + 2.5 + (15.5 - R - 13 - r), values={"gap": 0}, cites=WON + ["TC-CLM-2"])], rd)
case("E06", "Between round roofs by the Jump", "1.507874 + 1 + 1.023622; 1.5 lower: no Fall", [A((10, 10), z=4), M("T", (15.5, 10), z=2.5)],
 [act(), chg(dice=[[1], [4, 3]], cost=2 - r + 1 + (15.5 - R - 13 - r), values={"gap": 0}, cites=WON + ["TC-JMP-2", "TC-JMP-5"]), fight("T") if 0 else step({"kind": "fight", "actor": "A", "target": "T"}, dice=[[1, 1]])], rd)
case("E07", "The same after it was refused to jump: one roof, two ways asked in turn", "judged with and without what it will not do, nothing of the one is left for the other", [A((10, 10), z=4), M("T", (15.5, 10), z=2.5)],
 [act(), chg(forbid=["jump_down", "climb"], **ill("TC-CHG-8")), chg(forbid=["climb"], dice=[[1], [4, 3]], cost=2 - r + 1 + (15.5 - R - 13 - r), values={"gap": 0}, cites=WON)], rd)
write("batch5.json")
