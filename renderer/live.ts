/**
 * What is happening now: sessions, evaluations that run or ran since the page was loaded, the harbor's status.
 * Main is the source of truth; this is a cache that a snapshot fills and events keep current. No React here.
 */
import type { ApprovalState } from '../electron/contract/approvals';
import type { Payload } from '../electron/contract/contract';
import type { HarborStatus } from '../electron/contract/harbor-status';
import type { MemoryView } from '../electron/contract/memory';
import type { HistoryRow, SessionId, SessionView, Stream } from '../electron/contract/model';
import type { NeedsView } from '../electron/contract/needs';

/** A run of output of one stream, in the order in which it came. */
export interface OutputPiece {
  stream: Stream;
  text: string;
}

export interface LiveState {
  status: HarborStatus | null;
  /** Why the page could not be loaded, in words for a person; null while all is well. */
  problem: string | null;
  /** What waits for a person's word, and whether all clients are paused. */
  approvals: ApprovalState;
  /** What waits for a person, and what agents do. */
  needs: NeedsView;
  /** The machine's memory at the last look; null before the first. */
  memory: MemoryView | null;
  /** What is being done to open a session, '' before main has said it; null while none is opened. */
  opening: string | null;
  /** Ended sessions stay, so that a view that shows one can say so. */
  sessions: ReadonlyMap<SessionId, SessionView>;
  /** The memory of each session's image at the last readings that differed, oldest first, in bytes. */
  memories: ReadonlyMap<SessionId, readonly number[]>;
  evaluations: ReadonlyMap<number, HistoryRow>;
  /** What each of these has printed, which changes much more often than its row. */
  outputs: ReadonlyMap<number, readonly OutputPiece[]>;
  /** Counts how often old evaluations were let go. Each time, pages of the history are stale. */
  trims: number;
}

export const NOTHING_LIVE: LiveState = {
  status: null,
  problem: null,
  approvals: { paused: false, questions: [] },
  needs: { needs: [], calls: [] },
  memory: null,
  opening: null,
  sessions: new Map(),
  memories: new Map(),
  evaluations: new Map(),
  outputs: new Map(),
  trims: 0,
};

/** How many closed evaluations are kept, and how many characters of the end of each one's output, which people watch. */
export const KEPT_EVALUATIONS = 400;
export const KEPT_OUTPUT = 200_000;

/** How many readings of a session's memory are kept. */
const KEPT_READINGS = 40;

/** Characters of output of which nothing is dropped on the way, however slow the page: one batch of main holds more. */
const NEVER_DROPPED = 60_000;

/** Characters of output shown where there is room for one line only: more than fit, and few enough to draw at once. */
export const LINE = 400;

/** Replaces all sessions: those that ended before are forgotten. */
export function withSessions(state: LiveState, sessions: readonly SessionView[]): LiveState {
  return { ...state, sessions: new Map(sessions.map((session) => [session.id, session])) };
}

export function withSession(state: LiveState, session: SessionView): LiveState {
  return { ...withMemory(state, session), sessions: new Map(state.sessions).set(session.id, session) };
}

function withMemory(state: LiveState, { id, memoryBytes, state: doing }: SessionView): LiveState {
  const before = state.memories.get(id) ?? [];
  if (doing !== 'ended' && (memoryBytes === null || memoryBytes === before.at(-1))) return state;
  const memories = new Map(state.memories);
  if (doing === 'ended' || memoryBytes === null) memories.delete(id);
  else memories.set(id, [...before, memoryBytes].slice(-KEPT_READINGS));
  return { ...state, memories };
}

export function withEnded(state: LiveState, id: SessionId): LiveState {
  const session = state.sessions.get(id);
  return session ? withSession(state, { ...session, state: 'ended', runningEvaluation: null }) : state;
}

/** An evaluation was opened or closed: its row as it is now, which has no more than the beginning of what was printed. */
export function withRow(state: LiveState, row: HistoryRow): LiveState {
  const evaluations = new Map(state.evaluations).set(row.id, row);
  if (state.outputs.has(row.id) || row.outcome !== 'running') return trimmed({ ...state, evaluations });
  const outputs = new Map(state.outputs).set(row.id, asPieces(row.output));
  return trimmed({ ...state, evaluations, outputs });
}

/** An evaluation that began before the page, as it was then, with the end of what it has printed by now. */
export function withPrinted(state: LiveState, row: HistoryRow, output: readonly OutputPiece[]): LiveState {
  const outputs = new Map(state.outputs).set(row.id, output);
  // What came meanwhile is newer.
  return withRow({ ...state, outputs }, state.evaluations.get(row.id) ?? row);
}

export function withOutput(
  state: LiveState,
  { evaluation, stream, text }: Payload<'evaluation:output'>,
): LiveState {
  const known = state.outputs.get(evaluation);
  if (!known) return state;
  const output = appended(known, { stream, text });
  return { ...state, outputs: new Map(state.outputs).set(evaluation, output) };
}

/** Whether this is certainly all that was printed since the evaluation began. */
export function isWhole(output: readonly OutputPiece[] | undefined): boolean {
  return output !== undefined && output.reduce((sum, { text }) => sum + text.length, 0) < NEVER_DROPPED;
}

/**
 * The last line of all streams together that is not blank, cut to LINE characters; '' when there is none.
 */
export function lastLine(output: readonly OutputPiece[]): string {
  let end = '';
  for (const { text } of output.toReversed()) {
    end = (text + end).trimEnd();
    if (end.includes('\n')) break;
  }
  const start = end.lastIndexOf('\n') + 1;
  return end.slice(start, start + LINE);
}

function asPieces(text: string): readonly OutputPiece[] {
  return text === '' ? [] : [{ stream: 'stdout', text }];
}

function appended(pieces: readonly OutputPiece[], piece: OutputPiece): readonly OutputPiece[] {
  const last = pieces.at(-1);
  const joined =
    last?.stream === piece.stream
      ? [...pieces.slice(0, -1), { stream: piece.stream, text: last.text + piece.text }]
      : [...pieces, piece];
  let surplus = joined.reduce((sum, { text }) => sum + text.length, 0) - KEPT_OUTPUT;
  while (surplus > 0 && joined[0]) {
    const [{ stream, text }] = joined as [OutputPiece];
    if (text.length <= surplus) joined.shift();
    else joined[0] = { stream, text: text.slice(surplus) };
    surplus -= text.length;
  }
  return joined;
}

/** Lets the oldest closed evaluations go, a tenth at a time so that it is rarely done. */
function trimmed(state: LiveState): LiveState {
  if (state.evaluations.size <= KEPT_EVALUATIONS) return state;
  const closed = [...state.evaluations.values()].filter(({ outcome }) => outcome !== 'running');
  closed.sort((a, b) => a.id - b.id);
  const evaluations = new Map(state.evaluations);
  const outputs = new Map(state.outputs);
  for (const { id } of closed.slice(0, KEPT_EVALUATIONS / 10)) {
    evaluations.delete(id);
    outputs.delete(id);
  }
  return { ...state, evaluations, outputs, trims: state.trims + 1 };
}
