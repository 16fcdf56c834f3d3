// A program that plays any system: it plays a legal action that the referee draws for it.
//
//     tapeline bot SCENE --play red="node simple.mjs"
import { createInterface } from "node:readline";

const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");

function answer(question) {
  if (question.form === "path" || question.default !== null) return question.default ?? [];
  return question.options.length ? question.options[0].value : question.low;
}

say({ say: "hello", protocol: "tapeline-bot/1", name: "simple.mjs" });
let turn = 0;
for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text);
  if (line.say === "bye") break;
  if (line.say === "turn") {
    turn = line.turn;
    const { open } = line.position;
    if (open) say({ say: "answer", turn, value: answer(open) });
    else say({ say: "ask", questions: [{ what: "sample", seed: turn }] });
  } else if (line.say === "reply") {
    say({ say: "play", turn, action: line.answers[0].answer });
  }
}
process.exit(0);
