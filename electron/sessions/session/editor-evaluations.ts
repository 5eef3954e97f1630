/**
 * The evaluations of editors. Those that an editor makes in the image by its own protocol, outside the queue of
 * the session, are recorded here. Other clients are notified of all with their next evaluation.
 */

import { isEditor } from '../../contract/known-clients';
import { mention, ours } from '../../contract/mention';
import type {
  Condition,
  Evaluation,
  EvaluationKind,
  FormResult,
  Outcome,
  Stream,
} from '../../contract/model';
import { type Note, note } from '../../contract/note';
import type { Journal, RecordedSession } from './session-journal';

/** An evaluation in the image that an editor has requested there. */
export interface ForeignRequest {
  client: string;
  kind: EvaluationKind;
  code: string;
  package: string;
}

/** How it ended. */
export interface ForeignOutcome {
  outcome: Extract<Outcome, 'ok' | 'error' | 'interrupted'>;
  forms: FormResult[];
  condition: Condition | null;
  notes?: Note[];
}

/** A row that is open until `close`. */
export interface ForeignEvaluation {
  readonly id: number;
  output(stream: Stream, text: string): void;
  close(outcome: ForeignOutcome): void;
}

export class EditorEvaluations {
  readonly #session: RecordedSession;
  readonly #journal: Journal;
  /** The rows of each editor since another client evaluated. */
  readonly #unnoticed = new Map<string, { first: number; count: number }>();

  constructor(session: RecordedSession, journal: Journal) {
    this.#session = session;
    this.#journal = journal;
  }

  /** Opens the row of an evaluation that begins now. */
  record(request: ForeignRequest): ForeignEvaluation {
    const row = this.#journal.open(this.#session, { ...request, grant: null });
    this.opened(row);
    const begun = performance.now();
    return {
      id: row.id,
      output: (stream, text) => this.#journal.output(row, stream, text, 0),
      close: ({ notes = [], ...closed }) => {
        const durationMs = performance.now() - begun;
        const ended = { package: request.package, warnings: [], notes, endedAt: Date.now(), durationMs };
        this.#journal.close(row, { ...closed, ...ended });
      },
    };
  }

  /** Counts a row of an editor. */
  opened({ id, client }: Evaluation): void {
    const { first, count } = this.#unnoticed.get(client) ?? { first: id, count: 0 };
    this.#unnoticed.set(client, { first, count: count + 1 });
  }

  /** Returns what editors did since another client evaluated; nothing for an editor. */
  takeNotes(client: string): Note[] {
    if (isEditor(client)) return [];
    const notes = [...this.#unnoticed].map(([editor, { first, count }]) =>
      note(
        'editor_evaluated',
        `A person evaluated in this session with ${editor}: ${count === 1 ? `evaluation ${first}` : `${count} evaluations, the first is ${first}`}. Definitions and values may have changed.`,
        mention`${ours('history')} shows them.`,
      ),
    );
    this.#unnoticed.clear();
    return notes;
  }
}
