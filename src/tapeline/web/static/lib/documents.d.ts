// The documents that travel between server and page, written by: make docs
// Their source, with more words: src/tapeline/web/documents/*.py

/**
 * Where a cost of at most `limit` leads. rings: outer counter-clockwise, holes clockwise.
 */
export interface Band {
  limit: number;
  label: string;
  rings: [number, number][][];
  eps: number;
}

/**
 * Where a body can get to in one move of a kind, for its centre; on one storey.
 * bands: one for each surface of the storey that it comes to. findings: why the move may not be
 * made now. notes: what a border leaves out.
 */
export interface Reach {
  body: string;
  kind: string;
  label: string;
  storey: number;
  allowance: number;
  bands: Band[];
  rings: Ring[];
  findings: Finding[];
  notes: string[];
}

/**
 * A cheapest way to a place. path: for the action. None if there is no way of the allowance.
 */
export interface Route {
  path: Record<string, any>[];
  trace: Trace;
  cost: number;
  length: number;
}

/**
 * A result and how likely it is. at_least: of a count, how likely it or more is.
 */
export interface Outcome {
  text: string;
  chance: number;
  at_least: number | null;
}

/**
 * Exact odds of an action; total of the chances is 1.
 */
export interface Odds {
  outcomes: Outcome[];
  notes: string[];
}

/**
 * What the tape says: between two places or the bases there, table units.
 * centres: between the points. bases: between the nearest points of the bases, if bodies stand at
 * both or either end. start, end: the points the tape lies on. rise: difference of heights.
 */
export interface Measure {
  centres: number;
  bases: number | null;
  start: [number, number];
  end: [number, number];
  rise: number;
  words: string;
}

/**
 * Whether one body sees another, and what is in the way. lines: rays to be drawn.
 * sees: None where the rules leave it to the players or know no sight. blocks: ids.
 */
export interface Sight {
  sees: boolean | null;
  words: string;
  clause: string;
  lines: [[number, number], [number, number]][];
  blocks: string[];
}

/**
 * What one figure sees on the plan. ring: the region on its left; blocks: ids of what closes it;
 * words: what it shows and what not. ring is empty where none is drawn.
 */
export interface View {
  body: string;
  ring: [number, number][];
  blocks: string[];
  words: string;
}

/**
 * What one figure or unit could do. chance: 0 to 1, of the likeliest way. least: whether it may be
 * more. way: where each leg of it ends. untold: why nobody may know.
 */
export interface Strike {
  by: string;
  chance: number;
  least: boolean;
  words: string;
  way: [number, number][];
  untold: string;
}

/**
 * What threatens a figure or unit at a place. chance: that any of them strikes, each as if it were
 * alone. strikes: the likeliest first.
 */
export interface Danger {
  id: string;
  x: number;
  y: number;
  chance: number;
  safe: boolean;
  words: string;
  strikes: Strike[];
}

/**
 * Where the likeliest strike has at least a chance; 0 is any. rings: inside on their left.
 */
export interface ThreatBand {
  chance: number;
  words: string;
  rings: [number, number][][];
}

/**
 * Whom a side, or one of its figures or units, could strike when it acts next.
 * here: where those stand who could be struck. there: for the one asked about, at the place asked
 * about. bands: for the one asked about, if they were asked for. terms: what is taken for granted.
 */
export interface Threat {
  by: string;
  here: Danger[];
  there: Danger | null;
  bands: ThreatBand[];
  terms: string[];
}

/**
 * An action that a side may well do now. reasons: in words, what counts most first. chances: what
 * its dice come to, the likeliest first. verdict: of the referee, with its way.
 */
export interface Hint {
  action: Record<string, any>;
  words: string;
  reasons: string[];
  chances: Outcome[];
  verdict: Verdict;
}

/**
 * The best few actions of a side, the best first. by_eye: places of enemies were guessed, as nobody
 * may measure now.
 */
export interface Hints {
  side: string;
  hints: Hint[];
  by_eye: boolean;
}

/**
 * Where a hand holds a body: table units, degrees.
 */
export interface Stood {
  body: string;
  x: number;
  y: number;
  facing: number;
}

/**
 * A stand drawn near to others of its unit. near: how far it may be shifted to meet one.
 */
export interface Push {
  stand: Stood;
  others: Stood[];
  near: number;
}

/**
 * Where it comes to lie. against: the stand that it lies flush with, None if it stays.
 */
export interface Laid {
  x: number;
  y: number;
  against: string | null;
}

/**
 * A closed outline on the plan: corners, or a circle; holes are cut out of corners. Two corners are
 * a line.
 * part: what of the piece it is: "ground", "zone", "floor", "hole", "hatch", "wall", "door",
 * "window", "gap", "step" (a line across stairs or a ladder), "edge" (the line of a face). bottom,
 * top: heights of a part of a wall, None for those of the entry: parts above one another have the
 * same corners. id, shut, says: of an opening.
 */
export interface Shape {
  part: string;
  corners: [number, number][];
  holes: [number, number][][];
  circle: [number, number, number] | null;
  bottom: number | null;
  top: number | null;
  id: string;
  shut: boolean;
  says: string;
}

/**
 * An entry of terrain. pattern: the name of its texture, form: what is drawn on it; label: what
 * stands on it.
 * storeys: the plans that show it in full. foot, head: x, y, height of the ends of a ramp or
 * ladder; arrows point from foot to head.
 */
export interface Ground {
  id: string;
  type: "piece" | "floor" | "wall" | "ramp" | "ladder" | "face";
  kind: string;
  name: string;
  label: string;
  shapes: Shape[];
  bottom: number;
  top: number;
  traits: string[];
  pattern: string;
  storeys: number[];
  says: string;
  foot: [number, number, number] | null;
  head: [number, number, number] | null;
  form: string;
}

/**
 * One plan: heights from bottom up to, but not at, top (None: no end).
 */
export interface Storey {
  index: number;
  bottom: number;
  top: number | null;
  caption: string;
}

/**
 * A side. look: which of the page's colours and rims is its: 0 red, 1 blue, 2 orange, 3 purple, 4
 * green, 5 yellow, 6 white, 7 black; a side called after a colour has that one.
 */
export interface Party {
  id: string;
  name: string;
  look: number;
  bodies: number;
  gone: number;
}

/**
 * A state of a body: a letter on the board, words beside it.
 */
export interface Badge {
  letter: string;
  words: string;
}

/**
 * A body. radius, or width and depth with the front towards `facing`; table units, degrees.
 * models, files: of a regiment on one base, how many stand on it and how many abreast. role: the
 * sign of its troop type, "" if its profile has none. aims: ids of those it has declared to go for,
 * while it has not yet gone.
 */
export interface Figure {
  id: string;
  name: string;
  side: string;
  unit: string | null;
  x: number;
  y: number;
  z: number;
  facing: number;
  radius: number | null;
  width: number | null;
  depth: number | null;
  storey: number;
  badges: Badge[];
  profile: string;
  stats: Record<string, any>;
  says: string;
  models: number | null;
  files: number | null;
  role: string;
  aims: string[];
}

/**
 * A unit of bodies that are ordered together. words: its formation and state.
 */
export interface Group {
  id: string;
  name: string;
  side: string;
  members: string[];
  profile: string;
  words: string;
  badges: Badge[];
  stats: Record<string, any>;
}

/**
 * A part of the plan that no rule heeds, drawn under the terrain: hatched, with a dashed edge.
 * side: whose models are set up in it, whose colour it has; None: nobody's. shape: corners or a
 * circle. label: what stands on it. says: the zone in one line, for who does not see the board.
 */
export interface Zone {
  id: string;
  name: string;
  side: string | null;
  shape: Shape;
  label: string;
  says: string;
}

/**
 * Everything to be seen at one moment. acting: sides that may act or must answer now.
 * terrain: None where the page has it already: it never changes during a match. zones: always.
 * ground: the look of the table: paper, flagstones, clay or meadow. active: ids of the bodies or
 * units that act now; waiting: of those that still may before the step ends, and idle: what they
 * have not done then, as "have not moved". tape: whether lengths may be measured now. tray: ids of
 * those among the gone that have yet to be set up; None once the game has begun; hidden: whether
 * the sides hide from one another what they set up. over: whether the game that the scene states
 * has been played. next: of the sides that may act, those whose turn it is. score: how the game
 * stands, in one line, "" without one; goals: what is played for, a sentence each.
 */
export interface Board {
  system: string;
  title: string;
  name: string;
  unit: "in" | "cm";
  width: number;
  depth: number;
  round: number;
  phase: string;
  status: string[];
  acting: string[];
  parties: Party[];
  storeys: Storey[];
  terrain: Ground[] | null;
  figures: Figure[];
  groups: Group[];
  gone: Figure[];
  hash: string;
  tray: string[] | null;
  hidden: boolean;
  zones: Zone[];
  ground: string;
  over: boolean;
  next: string[];
  score: string;
  goals: string[];
  active: string[];
  waiting: string[];
  idle: string;
  tape: boolean;
}

/**
 * How this server is run. closed: whether beginning a match takes a password or an invitation.
 * keep_days: after how many days without play a match is deleted; 0: not by itself. copy_days: the
 * same of copies to try things on. programs: names of those that may be chosen as the opponent.
 */
export interface Server {
  title: string;
  closed: boolean;
  keep_days: number;
  copy_days: number;
  programs: string[];
}

/**
 * What a puzzle asks for. level: 1 easy to 3 hard.
 */
export interface Task {
  words: string;
  level: number;
}

/**
 * A scene that comes with the server. counts: bodies by side name. game: whether it says what is
 * played for, so that the table itself can play it. puzzle: its task, if it is one. lesson: how
 * many steps it has, if it is one.
 */
export interface Example {
  name: string;
  system: string;
  title: string;
  says: string;
  width: number;
  depth: number;
  unit: "in" | "cm";
  counts: Record<string, number>;
  game: boolean;
  puzzle: Task | null;
  lesson: number | null;
}

/**
 * A contested reading that is a switch: values with their meaning, the default first.
 */
export interface Reading {
  name: string;
  question: string;
  values: Record<string, string>;
  clauses: string[];
}

/**
 * A type of body. base_mm: (diameter,) or (width, depth), None if it has none.
 * form: how it goes on the table: alone, as a regiment of ranked models, or as a unit of stands;
 * count, least, most: of models or stands; files: models in a rank.
 */
export interface Profile {
  name: string;
  base_mm: number[] | null;
  stats: Record<string, any>;
  form: "model" | "regiment" | "stands";
  count: number;
  least: number;
  most: number;
  files: number;
}

/**
 * A kind of terrain.
 */
export interface Terrain {
  name: string;
  traits: string[];
  height: number;
  pattern: string;
}

/**
 * A rule system, as the editor and the start page need it.
 * marks: states that a body may begin in, by name, each "flag", "whole", "number", "text" or
 * "list". mm: millimetres in the unit of its tables. ground: the look of its tables.
 */
export interface System {
  name: string;
  title: string;
  unit: "in" | "cm";
  storeys: boolean;
  units: boolean;
  phases: string[];
  traits: string[];
  readings: Reading[];
  profiles: Profile[];
  terrain: Terrain[];
  actions: string[];
  clauses: number;
  marks: Record<string, string>;
  mm: number;
  ground: string;
}

/**
 * `count` bodies or units of a profile. size: models or stands in each, None: as usual.
 */
export interface RosterLine {
  profile: string;
  name: string;
  count: number;
  size: number | null;
}

/**
 * What a side brings, as `tapeline roster` writes it.
 */
export interface Roster {
  format: "tapeline-roster/1";
  system: string;
  name: string;
  lines: RosterLine[];
}

/**
 * A roster as text: a pasted list, CSV or JSON. name: what it is to be called.
 */
export interface Listed {
  text: string;
  name?: string;
}

/**
 * A clause: its sentence, where it comes from, what became of it.
 */
export interface Clause {
  id: string;
  says: string;
  source: string;
  state: string;
  reason: string;
}

/**
 * A change of the document that would end a fault: the value to be put at the path.
 */
export interface Fix {
  label: string;
  path: string;
  value: unknown;
}

/**
 * What is wrong with a document, and where. about: the id of the entry, if it is in one.
 */
export interface Fault {
  path: string;
  message: string;
  about: string | null;
  fixes: Fix[];
}

/**
 * A board to try: `body` may go as far as `reach`. example: the scene, to be played in full.
 */
export interface Demo {
  example: string;
  body: string;
  board: Board;
  reach: Reach;
}

/**
 * A roster that was read, or every fault of its text; the path of a fault names its line.
 */
export interface ListRead {
  roster: Roster | null;
  faults: Fault[];
}

/**
 * A scene looked at: faults if any, else its board. notes: what is odd but allowed.
 */
export interface Checked {
  faults: Fault[];
  notes: string[];
  board: Board | null;
}

/**
 * Input that cannot be used: every fault, and where it is.
 */
export interface Faults {
  detail: Fault[];
}

/**
 * Why something is not done. findings: the clauses behind it, where it is the rules.
 */
export interface Refusal {
  detail: string;
  findings: Finding[];
}

/**
 * Something to be said to all who are at the table: plain text, shown as such.
 */
export interface Say {
  text: string;
}

/**
 * What somebody has said. n: its number in the match, from 1. by: a side, "both" for who plays all
 * of them, "watch" for an onlooker. at: seconds since 1970.
 */
export interface Remark {
  n: number;
  by: string;
  text: string;
  at: number;
}

/**
 * Point at a place of the table: all who look see it for a moment.
 */
export interface Point {
  x: number;
  y: number;
  z?: number;
}

/**
 * An arrow or a ring that somebody has drawn on the board. to: where an arrow ends. look: which of
 * three colours, each with a line of its own.
 */
export interface Mark {
  x: number;
  y: number;
  z: number;
  to: [number, number] | null;
  look: number;
}

/**
 * Show the others what one has drawn, in place of what they were shown before.
 */
export interface Draw {
  marks: Mark[];
}

/**
 * What somebody has drawn. by: as of `Remark`.
 */
export interface Drawn {
  marks: Mark[];
  by: string;
}

/**
 * A place that somebody points at. by: as of `Remark`.
 */
export interface Pointed {
  x: number;
  y: number;
  z: number;
  by: string;
}

/**
 * First message: the secret of the link, and the version the page has (0 if none).
 * side: with a link of all sides, the one that is at the device; as the header Tapeline-Side.
 */
export interface Hello {
  type: "hello";
  token: string;
  version?: number;
  side?: string;
}

/**
 * Judge without doing. Of several waiting ones only the newest is answered.
 * action: an action, or None to try an answer (`path`) to the open question. seq: given back.
 * nearest: whether a refusal comes with the nearest legal move, which may take long to find.
 */
export interface Try {
  type: "try";
  seq: number;
  version: number;
  action?: Record<string, any> | null;
  path?: Record<string, any>[] | null;
  nearest?: boolean;
}

/**
 * Take a share in the dice of a match by links, while this page is there. commitment: what comes
 * before the first key of a chain (docs/decisions/0012-dice-fixed-beforehand.md).
 */
export interface Commit {
  type: "commit";
  commitment: string;
}

/**
 * The key of the next entry, once the log says that a roll waits for it.
 */
export interface Reveal {
  type: "reveal";
  commitment: string;
  number: number;
  key: string;
}

/**
 * Are you there?
 */
export interface Ping {
  type: "ping";
}

/**
 * Yes.
 */
export interface Pong {
  type: "pong";
}

/**
 * The match as it stands: after hello, and whenever it changed.
 */
export interface Now {
  type: "now";
  match: Match;
}

/**
 * Who is connected: ids of sides, "watch" once for each onlooker; and who has a share in the dice.
 */
export interface Present {
  type: "present";
  present: string[];
  commitments: Commitment[];
}

/**
 * What was said since the page was told last; after hello the newest.
 */
export interface Talk {
  type: "talk";
  remarks: Remark[];
}

/**
 * Somebody points at a place. Only the newest is told; it is kept nowhere.
 */
export interface LookHere {
  type: "look";
  pointed: Pointed;
}

/**
 * Somebody shows what he has drawn on the board, in place of what he showed before. It is kept
 * nowhere.
 */
export interface Sketch {
  type: "sketch";
  drawn: Drawn;
}

/**
 * The verdict on a try. stale: it was for another version and was not judged.
 */
export interface Tried {
  type: "tried";
  seq: number;
  version: number;
  stale: boolean;
  verdict: Verdict | null;
  fault: string;
}

/**
 * A message that cannot be used, or a connection that is closed, and why.
 */
export interface Refused {
  type: "refused";
  why: string;
}

/**
 * A clock for two by links: minutes a side, seconds that a side gets each time it has acted.
 * enforce: whether the match ends when a side has none left; else that is only told.
 */
export interface ClockSetting {
  minutes: number;
  increment: number;
  enforce: boolean;
}

/**
 * Seconds that each side has left, as this is sent, and the sides whose time runs.
 */
export interface ClockNow {
  left: Record<string, number>;
  running: string[];
  enforce: boolean;
}

/**
 * Begin a match from one of: an example's name, a scene, a log's text.
 * mode: "hotseat" one link moves all sides; "links" a link a side. dice: "server" rolls, "typed"
 * lets people roll real ones (either may still be answered by the other way).
 */
export interface NewMatch {
  example?: string | null;
  scene?: Record<string, any> | null;
  log?: string | null;
  mode?: "hotseat" | "links";
  dice?: "server" | "typed";
  clock?: ClockSetting | null;
}

/**
 * A secret link. role: "side", "both" (hot seat) or "watch". path: of the page, with the secret in
 * its fragment, which browsers do not send.
 */
export interface Link {
  role: "side" | "both" | "watch";
  side: string | null;
  name: string;
  path: string;
  token: string;
}

/**
 * A new match: its links are told this once. commitment: as of `Match`.
 */
export interface Created {
  id: string;
  links: Link[];
  commitment: string;
}

/**
 * Who asks: the role of the link, and the sides it moves.
 */
export interface You {
  role: "side" | "both" | "watch";
  sides: string[];
}

/**
 * One event of a log line, in words; marks that several get or lose alike are one. event: its kind.
 * clause opens the rule. about: the first whom it is about.
 * faces, sides, purpose: of dice that were thrown. counts: which of them count: those that show the
 * target or more, or those that are kept. total: how many count, or their sum, if the rules read
 * that. word: the result in a word or two, needs: what had to be thrown, as "7 or more", both ""
 * where the rules read a number; good: whether it is what the roll was for, None for neither. word
 * and good also tell what an action came to, dice or not.
 */
export interface Happening {
  event: string;
  text: string;
  clause: string;
  about: string | null;
  faces: number[];
  sides: number;
  purpose: string;
  counts: boolean[];
  target: number | null;
  total: number | null;
  word: string;
  needs: string;
  good: boolean | null;
}

/**
 * An entry of the log in words. n: its number, from 1.
 * counts: whether it still counts after undos. traces: ways gone in it. dice: whether dice were
 * thrown or a side chose in it. commitments: of the sides for whose keys the roll left open waits.
 * key: of the server, from which its dice come, "" without any; reveals: keys of the sides, by
 * side, that these dice come from too. word: what is told that a shot or blow did, in a word or
 * two, "" of anything else; good: whether it did anything.
 */
export interface LogLine {
  n: number;
  what: "action" | "answer" | "override" | "undo" | "result";
  by: string;
  title: string;
  happenings: Happening[];
  traces: Trace[];
  clauses: string[];
  dice: boolean;
  counts: boolean;
  reason: string;
  action: Record<string, any> | null;
  commitments: Record<string, string>;
  key: string;
  reveals: Record<string, string>;
  word: string;
  good: boolean | null;
}

/**
 * What the page of a side has committed to, while it is there.
 */
export interface Commitment {
  side: string;
  commitment: string;
}

/**
 * Something one side asks another to agree to: an undo, an override, what it attests, a draw, to
 * play the same again, or to allow hints.
 * seconds: of what is attested, for how long others may object before the side may go on without
 * them; None of what waits until they agree.
 */
export interface Proposal {
  id: string;
  what: "undo" | "override" | "attest" | "draw" | "rematch" | "hints";
  by: string;
  text: string;
  entries: number | null;
  waits_for: string[];
  seconds: number | null;
}

/**
 * What an undo would take back. free: no dice, no choice of another side in between.
 * activation: how many entries back the present activation began, None if unknown.
 */
export interface UndoOffer {
  entries: number;
  free: boolean;
  says: string;
  activation: number | null;
}

/**
 * One condition of a puzzle. words: what is wanted; met: whether it is; why: what is amiss.
 */
export interface PuzzlePart {
  words: string;
  met: boolean;
  why: string;
}

/**
 * The puzzle of a match, and how far it has come. goals: what must be at last; always: what must be
 * all the time. most: moves that there may be, None for any number. die: what every die shows.
 * lost: why it cannot be solved without taking something back, "" if it can. steps: of the
 * solution, 0 without one.
 */
export interface Puzzle {
  task: string;
  level: number;
  hint: string;
  die: number;
  goals: PuzzlePart[];
  always: PuzzlePart[];
  moves: number;
  most: number | null;
  solved: boolean;
  lost: string;
  steps: number;
}

/**
 * A step of the solution of a puzzle, or of what does a step of a lesson: an action, and the
 * choices on its way.
 */
export interface PuzzleStep {
  action: Record<string, any>;
  answers: unknown[];
}

/**
 * A step of a lesson. point: ids of what the page points at.
 */
export interface LessonStep {
  words: string;
  point: string[];
}

/**
 * The lesson of a match. done: how many of its steps are over. end: what is said then.
 */
export interface Lesson {
  steps: LessonStep[];
  done: number;
  end: string;
}

/**
 * All that a page needs to show a match now.
 * log: its lines after number `log_from`, which the page has already. controls: those that are
 * about no body (what a body may do is asked for when it is selected). commitment: to the dice that
 * the server rolls, fixed before the first entry; None of a match from before there was one. The
 * log that is exported holds the key to check all dice thrown so far. commitments: of the sides
 * that have a share in the dice; dice without them are those of the server alone.
 * over: how the match has ended, in words; None while it goes on. rematch: the id of the match that
 * was begun after it, which the same links open.
 * hints: whether they may be asked for: with one page for all, and in a match by links once all
 * sides have agreed. no_copies: why no copy is made of this match, "" if it may be.
 */
export interface Match {
  id: string;
  version: number;
  you: You;
  mode: "hotseat" | "links";
  dice: "server" | "typed";
  board: Board;
  question: Question | null;
  log_from: number;
  log: LogLine[];
  controls: Control[];
  proposals: Proposal[];
  undo: UndoOffer | null;
  copy_of: string | null;
  present: string[];
  commitment: string | null;
  commitments: Commitment[];
  puzzle: Puzzle | null;
  lesson: Lesson | null;
  over: string | null;
  rematch: string | null;
  clock: ClockNow | null;
  hints: boolean;
  no_copies: string;
}

/**
 * End the match, or propose something in its place.
 * how: "resign": a side gives up, at once; "draw": proposed to the others; "rematch": to begin the
 * same again, proposed likewise. side: which one, where a link moves several.
 */
export interface Ending {
  version: number;
  how: "resign" | "draw" | "rematch";
  side?: string | null;
}

/**
 * Do an action. faces: dice typed in, a list for each roll in order; else the server rolls where
 * dice are "server", and asks where they are "typed". onward: sides for whom it is then led on
 * through steps in which nobody can do anything, each an entry of its own.
 */
export interface Act {
  version: number;
  action: Record<string, any>;
  faces?: number[][];
  onward?: string[];
}

/**
 * Answer the open question: faces of typed dice, `roll` to let the server roll, or a value.
 */
export interface Answered {
  version: number;
  faces?: number[] | null;
  roll?: boolean;
  value?: unknown;
}

/**
 * Have the computer opponent do the next thing for a side: an action, an answer or a roll.
 * program: the name of a program that the server knows, which plays in its stead.
 */
export interface Think {
  version: number;
  side: string;
  level?: "novice" | "steady" | "sharp";
  program?: string | null;
}

/**
 * Allow hints in a match by links, proposed to the others; or be without them, at once.
 */
export interface AllowHints {
  version: number;
  on: boolean;
}

/**
 * Take back so many entries; done at once if it is free, else proposed to the other side.
 */
export interface Undo {
  version: number;
  entries?: number;
}

/**
 * Change the table by agreement: events as in a log. Proposed to the other side.
 */
export interface Override {
  version: number;
  events: Record<string, any>[];
  reason: string;
}

/**
 * Agree to a proposal, or not; with a proposal of one's own to attest, go on once the others had
 * their time to object, or take it back.
 */
export interface Reply {
  version: number;
  accept: boolean;
}

/**
 * What came of an act or answer. written: whether the log grew (an illegal act writes nothing, nor
 * does what is proposed). verdict: what the referee says. match: as it stands now.
 */
export interface Done {
  written: boolean;
  verdict: Verdict | null;
  proposal: Proposal | null;
  match: Match;
}

/**
 * An action to be judged, or whose odds are asked; it is not done.
 */
export interface Trial {
  action: Record<string, any>;
}

/**
 * A copy to try things on, as the match was after entry `at`.
 */
export interface Copy {
  at: number;
}

/**
 * An entry judged a second time: whether the referee rules as before, else what differs.
 */
export interface Again {
  same: boolean;
  message: string;
}

/**
 * A clause broken. place: where it bites; about: the id of a body or piece.
 */
export interface Finding {
  clause: string;
  text: string;
  measured: number | null;
  limit: number | null;
  place: [number, number] | null;
  about: string | null;
  travelled: number | null;
}

/**
 * What a part of a move cost.
 */
export interface LedgerLine {
  what: string;
  distance: number;
  factor: number;
  cost: number;
  clause: string;
}

/**
 * What one of several units pays in one action, out of an allowance of its own.
 */
export interface Share {
  payer: string;
  name: string;
  cost: number;
  allowance: number | null;
}

/**
 * A leg of a way, drawn: its line as points (arcs flattened within 0.01), its length.
 * how: its manner. z: height at its end. facing: at its end, degrees. ground: points of the line.
 * cost: what the rules take for it, None where they do not say leg by leg.
 */
export interface Stretch {
  line: [number, number][];
  length: number;
  how: string;
  z: number;
  facing: number;
  cost: number | null;
}

/**
 * The way of one body: from where, by which stretches, to where it stands then.
 */
export interface Trace {
  body: string;
  start: [number, number, number];
  stretches: Stretch[];
  end: [number, number, number];
  facing: number;
}

/**
 * The nearest legal move. action: ready to be done (for a refused answer: {"path": legs}).
 * how: "prefix", "end", "turn" or "distance". traces: its ways. short_by: how far it ends from
 * where the player wanted. text: in words.
 */
export interface Nearest {
  action: Record<string, any>;
  how: string;
  text: string;
  short_by: number;
  traces: Trace[];
}

/**
 * One thing that may be chosen.
 */
export interface Option {
  value: unknown;
  text: string;
}

/**
 * As `tapeline.engine.controls.Manner`.
 */
export interface Manner {
  how: string;
  label: string;
}

/**
 * What must be rolled or chosen before the game goes on.
 * by: the side that answers. form: "roll", "one", "number" or "path". count and sides: dice of a
 * roll. body: for a path, whose; manners: in which its legs may be gone; allowance: how far, if it
 * is known. default: what a player who does not care gets. clause opens the rule. needs: what dice
 * must show, as "7 or more", "" where that is not told by a number.
 */
export interface Question {
  by: string;
  form: "roll" | "one" | "number" | "path";
  purpose: string;
  clause: string;
  count: number;
  sides: number;
  options: Option[];
  low: number;
  high: number;
  whole: boolean;
  default: unknown;
  body: string | null;
  manners: Manner[];
  about: string | null;
  allowance: number | null;
  notes: string[];
  needs: string;
}

/**
 * The verdict on an action that was tried or done.
 * kind: LEGAL, STOPPED, ILLEGAL, CHOICE or FORCED. wanted: the ways that were asked for; moved:
 * those really gone. allowance: what the body may spend on it in all, where that is known. odds:
 * whether the odds of its dice and choices may be asked for. shares: where several units pay, each
 * out of its own allowance, what each of them pays; cost and allowance are then those of the one
 * that has the least left.
 */
export interface Verdict {
  kind: "LEGAL" | "STOPPED" | "ILLEGAL" | "CHOICE" | "FORCED";
  legal: boolean;
  odds: boolean;
  findings: Finding[];
  wanted: Trace[];
  moved: Trace[];
  ledger: LedgerLine[];
  cost: number;
  allowance: number | null;
  shares: Share[];
  nearest: Nearest | null;
  question: Question | null;
  values: Record<string, any>;
  cites: string[];
}

/**
 * As `tapeline.engine.controls.Extra`. chance: which of the options leaves it to chance.
 */
export interface Extra {
  name: string;
  label: string;
  form: "flag" | "one" | "some" | "number";
  options: Option[];
  default: unknown;
  chance: string | null;
}

/**
 * As `tapeline.engine.controls.Ring`.
 */
export interface Ring {
  about: string;
  distance: number;
  label: string;
  clause: string;
}

/**
 * A step in which nobody can do anything. sides: of whom one leads on from it; to: where to, in
 * words.
 */
export interface Onward {
  sides: string[];
  to: string;
}

/**
 * As `tapeline.engine.controls.Control`. onward: the steps that are passed with it.
 */
export interface Control {
  action: Record<string, any>;
  label: string;
  gesture: "press" | "path" | "pick" | "pick_many" | "place" | "pose" | "turn" | "distance" | "stands";
  slot: string;
  turn_slot: string;
  height_slot: string;
  turns: "facing" | "by";
  optional: boolean;
  candidates: string[];
  low: number | null;
  high: number | null;
  extras: Extra[];
  manners: Manner[];
  rings: Ring[];
  reach: string;
  spent: number | null;
  allowance: number | null;
  why_not: Finding[];
  group: "act" | "step" | "attest";
  closes: boolean;
  onward: Onward[];
  says: string;
  clause: string;
}

export type ToServer = Hello | Try | Ping;

export type FromServer = Now | Present | Talk | LookHere | Tried | Refused | Pong;
