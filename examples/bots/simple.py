"""A program that plays any system: it asks what it may do and prefers what it names first.

Python's standard library is all it needs: tapeline bot SCENE --play red="python simple.py"
"""

import json
import random
import sys

LIKES = ("charge", "fight", "shoot", "dash", "move", "advance")


def say(**line):
    print(json.dumps(line), flush=True)


def ask(*questions):
    say(say="ask", questions=questions)
    return [one.get("answer") for one in json.loads(sys.stdin.readline())["answers"]]


def choose(dice):
    (offers,) = ask({"what": "offers", "number": 60, "seed": dice.randrange(1000)})
    liked = [one for kind in LIKES for one in offers if one["kind"] == kind]
    return dice.choice(liked[:8] or offers)


def answer(question):
    if question["default"] is not None or question["form"] == "path":
        return question["default"] or []
    return question["options"][0]["value"] if question["options"] else question["low"]


dice = random.Random(1)
say(say="hello", protocol="tapeline-bot/1", name="simple")
for text in sys.stdin:
    line = json.loads(text)
    if line["say"] == "bye":
        break
    if line["say"] == "turn" and line["position"]["open"]:
        say(say="answer", turn=line["turn"], value=answer(line["position"]["open"]))
    elif line["say"] == "turn":
        say(say="play", turn=line["turn"], action=choose(dice))
