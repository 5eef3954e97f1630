/**
 * The live store: sessions, evaluations since the page was loaded, and the status of the harbor. It is a
 * cache of main's state, filled by a snapshot and updated by events. Does not depend on React.
 */

import type { ApprovalState, NeedsView } from '../electron/contract/approvals';
import type { Payload } from '../electron/contract/contract';
import type { HarborStatus } from '../electron/contract/harbor-status';
import type { HistoryRow, MemoryView, SessionId, SessionView, Stream } from '../electron/contract/model';

/** Consecutive output of one stream. */
export interface OutputPiece {
  stream: Stream;
  text: string;
}

export interface LiveState {
  status: HarborStatus | null;
  /** Error message if the page could not be loaded; null otherwise. */
  problem: string | null;
  /** Pending approvals, and whether all clients are paused. */
  approvals: ApprovalState;
  /** Things that need the user's attention, and calls of agents in progress. */
  needs: NeedsView;
  /** The last reading of the machine's memory; null before the first. */
  memory: MemoryView | null;
  /** Progress of opening a session, '' until main reports any; null while none is being opened. */
  opening: string | null;
  /** Includes ended sessions, so that a view can still show them. */
  sessions: ReadonlyMap<SessionId, SessionView>;
  /** The last distinct readings of each session's memory in bytes, oldest first. */
  memories: ReadonlyMap<SessionId, readonly number[]>;
  evaluations: ReadonlyMap<number, HistoryRow>;
  /** The output of each evaluation. Separate because it changes more often than the row. */
  outputs: ReadonlyMap<number, readonly OutputPiece[]>;
  /** Number of times that old evaluations were dropped. Cached history pages are stale after each. */
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

/**
 * Maximum number of evaluations in the store before closed ones are dropped, and maximum number of characters
 * of output of each (its end).
 */
export const MAX_CLOSED_EVALUATIONS = 400;
export const MAX_OUTPUT = 200_000;

/** Maximum number of memory readings per session. */
const MAX_READINGS = 40;

/** Output up to this many characters is complete: main drops nothing within its first batch. */
const NEVER_DROPPED = 60_000;

/** Maximum number of characters in a one-line preview of output. */
export const LINE_LENGTH = 400;

/** Replaces all sessions. Sessions that ended earlier are removed. */
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
  else memories.set(id, [...before, memoryBytes].slice(-MAX_READINGS));
  return { ...state, memories };
}

export function withEnded(state: LiveState, id: SessionId): LiveState {
  const session = state.sessions.get(id);
  return session ? withSession(state, { ...session, state: 'ended', runningEvaluation: null }) : state;
}

/** Stores the row of an opened or closed evaluation. A row contains only the beginning of the output. */
export function withRow(state: LiveState, row: HistoryRow): LiveState {
  const evaluations = new Map(state.evaluations).set(row.id, row);
  if (state.outputs.has(row.id) || isClosed(row)) return trimmed({ ...state, evaluations });
  const outputs = new Map(state.outputs).set(row.id, asPieces(row.output));
  return trimmed({ ...state, evaluations, outputs });
}

/** Stores an evaluation that started before the page was loaded, with the end of its output. */
export function withPrinted(state: LiveState, row: HistoryRow, output: readonly OutputPiece[]): LiveState {
  const outputs = new Map(state.outputs).set(row.id, output);
  // A row that arrived by an event is newer.
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

/** Reports whether `output` certainly contains everything since the evaluation started. */
export function isWhole(output: readonly OutputPiece[] | undefined): boolean {
  return output !== undefined && output.reduce((sum, { text }) => sum + text.length, 0) < NEVER_DROPPED;
}

/** Returns the last non-blank line of all streams, at most LINE_LENGTH characters; '' if there is none. */
export function lastLine(output: readonly OutputPiece[]): string {
  let end = '';
  for (const { text } of output.toReversed()) {
    end = (text + end).trimEnd();
    if (end.includes('\n')) break;
  }
  const start = end.lastIndexOf('\n') + 1;
  return end.slice(start, start + LINE_LENGTH);
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
  let surplus = joined.reduce((sum, { text }) => sum + text.length, 0) - MAX_OUTPUT;
  while (surplus > 0 && joined[0]) {
    const [{ stream, text }] = joined as [OutputPiece];
    if (text.length <= surplus) joined.shift();
    else joined[0] = { stream, text: text.slice(surplus) };
    surplus -= text.length;
  }
  return joined;
}

/** Reports whether the evaluation has ended. One that is suspended in the debugger has not. */
function isClosed({ outcome }: HistoryRow): boolean {
  return outcome !== 'running' && outcome !== 'debugger';
}

/** Drops a tenth of the maximum at a time, oldest closed evaluations first. */
function trimmed(state: LiveState): LiveState {
  if (state.evaluations.size <= MAX_CLOSED_EVALUATIONS) return state;
  const closed = [...state.evaluations.values()].filter(isClosed);
  if (closed.length === 0) return state;
  closed.sort((a, b) => a.id - b.id);
  const evaluations = new Map(state.evaluations);
  const outputs = new Map(state.outputs);
  for (const { id } of closed.slice(0, MAX_CLOSED_EVALUATIONS / 10)) {
    evaluations.delete(id);
    outputs.delete(id);
  }
  return { ...state, evaluations, outputs, trims: state.trims + 1 };
}

// Output without the condition that is shown separately. ACL2 and nREPL print the condition too.

/** The error format of `clojure.main`: the location, then a line with the start of the message. */
const CLOJURE_ERROR =
  /(?:^|\n)(?:(?:Execution|Syntax|Unexpected) error|Error (?:printing|reading)) .*\n([\s\S]*)$/;

/** @param message of the shown condition; null for none */
export function ownOutput(pieces: readonly OutputPiece[], message: string | null): readonly OutputPiece[] {
  if (!message?.trim()) return pieces;
  const place = pieces.findLastIndex(({ text }) => withoutMessage(text, message) !== text);
  return pieces
    .map((piece, index) =>
      index === place ? { ...piece, text: withoutMessage(piece.text, message) } : piece,
    )
    .filter(({ text }) => text.trim() !== '');
}

function withoutMessage(text: string, message: string): string {
  const error = CLOJURE_ERROR.exec(text);
  if (error?.[1] && message.includes(error[1].trim())) return text.slice(0, error.index);
  const start = text.lastIndexOf(message);
  if (start < 0) return text;
  return [text.slice(0, start).trimEnd(), text.slice(start + message.length).trim()]
    .filter(Boolean)
    .join('\n');
}
