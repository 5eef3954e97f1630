/**
 * Checkpoints: saved states of sessions. The history lists them; their files are out of reach of images. A
 * session can be restored from one and a new session can begin from one, also after the saved session was
 * closed.
 */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Requester } from '../../contract/approvals';
import type { CheckpointView } from '../../contract/changes';
import { asFailure, type ErrorCode, HarborError, listSimilarNames } from '../../contract/errors';
import { requirePlainName } from '../../contract/known-clients';
import { mention, ours } from '../../contract/mention';
import type { Client, Evaluation } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import type { CheckpointRow, CheckpointRows } from '../../history/session-rows';
import type { Log } from '../../host/log';
import type { InPlaceRestore } from '../../images/optional-groups';
import type { Origin } from '../open-request';
import type { Session } from '../session/session';
import type { EvaluationRequest } from '../session/session-journal';
import { freeName } from '../session-names';
import type { Sessions } from '../sessions';
import { continued, lineageFrom, type SavedState } from './lineage';

export interface CheckpointsOptions {
  sessions: Sessions;
  rows: CheckpointRows;
  /** The folder of the files. */
  folder: string;
  log: Log;
}

/**
 * The result of a restore.
 * `savedAs`: the checkpoint with the state before it; null if there was no state, or the caller discarded it.
 * `row`: the evaluation that restored a world in place; null if the image was replaced.
 */
export interface Restored {
  savedAs: CheckpointView | null;
  row: Evaluation | null;
}

export interface RestoreOptions {
  /** Evaluates the restore of a world in place. */
  evaluate?: Evaluate;
  /** Whether the present state may be lost. Otherwise it is saved first. */
  discard?: boolean;
}

/** The present state cannot be saved, so nothing was restored. Discarding it helps. */
export class PresentNotSaved extends HarborError {}

const CANNOT_BE_SAVED: ReadonlySet<ErrorCode> = new Set(['busy', 'threads_running', 'checkpoint_failed']);

/** Evaluates in the session and waits for the row. */
type Evaluate = (request: Omit<EvaluationRequest, 'client' | 'grant'>) => Promise<Evaluation>;

/** A session that began from a checkpoint meanwhile keeps it. */
function unlessInUse(error: unknown): void {
  if (!(error instanceof HarborError)) throw error;
}

/** The state of a session for its copies. */
interface Present {
  origin: Origin;
  /** Notes on state that the copies lack. */
  notes: readonly Note[];
  drop(): Promise<void>;
}

export class Checkpoints {
  readonly #options: CheckpointsOptions;
  /** Keys of checkpoints that are being saved. */
  readonly #saving = new Set<string>();

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }

  /** Deletes files without a row, which a crash during a save leaves, and rows without a file. */
  async tidy(): Promise<void> {
    const { rows, folder, log } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const known = rows.all();
    for (const { id, name, file } of known.filter((row) => !existsSync(row.file))) {
      log.warn(`The file of checkpoint ${name} is missing`, file);
      rows.remove(id);
    }
    const files = new Set(known.map(({ file }) => path.basename(file)));
    for (const file of await readdir(folder)) if (!files.has(file)) await rm(path.join(folder, file));
  }

  /** Returns the client's checkpoints, or all for an administrator, newest first. */
  list(client: Client, project?: string): CheckpointView[] {
    return this.#options.rows
      .all()
      .filter((row) => (row.client === client.key || client.scopes.has('admin')) && within(row, project))
      .map((row) => this.#view(row));
  }

  /**
   * Saves the state of the session while it continues.
   * @param requested a name that is unique among the client's checkpoints of this project; absent: a generated
   *   name
   * @throws HarborError `bad_arguments` if the name is taken or resembles another; and as `Session.save` does
   */
  async save(session: Session, requester: Requester, requested?: string): Promise<CheckpointView> {
    if (requested !== undefined) requirePlainName(requested);
    const name = requested ?? this.#freeName(session);
    const key = JSON.stringify([session.identity.client, session.identity.project, name]);
    if (this.#saving.has(key) || this.#named(session).some((row) => row.name === name))
      throw new HarborError(
        'bad_arguments',
        `A checkpoint named ${name} already exists. Drop it or choose another name.`,
      );
    this.#saving.add(key);
    try {
      const id = await this.#save(session, requester, name);
      this.#options.sessions.events.emit('checkpoints');
      return this.find({ id }, requester.client);
    } finally {
      this.#saving.delete(key);
    }
  }

  /** @throws HarborError `unknown_checkpoint` */
  find(which: { id: number } | { name: string; project: string }, client: Client): CheckpointView {
    const found = this.list(client).find((view) =>
      'id' in which ? view.id === which.id : view.name === which.name && view.project === which.project,
    );
    if (found) return found;
    const requested = 'id' in which ? which.id : which.name;
    const own = this.list(client, 'id' in which ? undefined : which.project);
    const names = own.map((view) => ('id' in which ? String(view.id) : view.name));
    throw new HarborError(
      'unknown_checkpoint',
      `You have no checkpoint ${requested} here. ${listSimilarNames(String(requested), names)}`,
      { mentions: [mention`${ours('checkpoint', 'action')} with action list describes them.`] },
    );
  }

  /**
   * Saves the present state, unless it is discarded or already saved, and restores the session. With
   * `discard`, running evaluations are interrupted if that needs a new image.
   * @throws PresentNotSaved as `save`; HarborError `bad_arguments` for a checkpoint of another project or
   *   engine; as `Session.startAgain`
   */
  async restore(
    session: Session,
    checkpoint: CheckpointView,
    { client, grant }: Requester,
    {
      evaluate = (request) => session.evaluate({ client: client.key, grant, ...request }).settled,
      discard = false,
    }: RestoreOptions = {},
  ): Promise<Restored> {
    const { engine, project } = session.identity;
    if (checkpoint.engine !== engine || checkpoint.project !== project)
      throw new HarborError(
        'bad_arguments',
        `Checkpoint ${checkpoint.name} belongs to ${checkpoint.engine} in ${checkpoint.project}. Open a session from it instead.`,
      );
    const state = this.#state(checkpoint);
    const lost = session.state === 'lost' || session.state === 'starting';
    const goingBack = lost ? undefined : session.ability('checkpoints').inPlaceRestore;
    const savedAs = lost || discard ? null : await this.#keep(session, { client, grant }, goingBack);
    if (goingBack) {
      const code = goingBack.code(state.name);
      return { savedAs, row: await evaluate({ kind: 'eval', code, restores: state.file }) };
    }
    const lineage = lineageFrom(state, session.id, session.newestRow);
    await session.startAgain(
      { client: client.key, grant },
      `it was restored from checkpoint ${state.name}`,
      lineage,
    );
    return { savedAs, row: null };
  }

  /** Returns the initial state for a session that is opened from the checkpoint. */
  origin(checkpoint: CheckpointView): Origin {
    const state = this.#state(checkpoint);
    return { lineage: (session) => lineageFrom(state, session, 0), package: checkpoint.package };
  }

  /**
   * Returns the initial state for a session that repeats the definitions of `session` up to row `until`. It
   * needs no file.
   */
  replayed(session: Session, until = session.newestRow): Origin {
    const lineage = session.lineages.newest;
    return { lineage: (id) => continued(lineage, until, id), package: session.package };
  }

  /**
   * Returns the present state for copies of a session that has evaluated nothing since row `until`. Saves it
   * unless the lineage has it; `drop` deletes it after the copies have ended. A state that cannot be saved is
   * replayed, which a note reports.
   * @throws HarborError as `Session.save`
   */
  async present(session: Session, requester: Requester, until: number): Promise<Present> {
    const replayed = { origin: this.replayed(session, until), notes: [], drop: async () => undefined };
    if (session.lineages.isCurrent(until) || !session.offers('checkpoints')) return replayed;
    try {
      const saved = await this.save(session, requester);
      const origin = this.origin(saved);
      const drop = () => this.drop(this.find(saved, requester.client)).catch(unlessInUse);
      return { origin, notes: saved.missing.map((text) => note('no_copy', text)), drop };
    } catch (error) {
      if (!(error instanceof HarborError) || !CANNOT_BE_SAVED.has(error.code)) throw error;
      const text = `Copies have the definitions of this session, not its other state: ${error.text}`;
      return { ...replayed, notes: [note('no_copy', text)] };
    }
  }

  /** @throws HarborError `busy` while a session needs it */
  async drop({ id, name, usedBy }: CheckpointView): Promise<void> {
    if (usedBy.length > 0)
      throw new HarborError(
        'busy',
        `Checkpoint ${name} is in use by ${usedBy.join(', ')}. Close these sessions first.`,
      );
    const { rows, sessions } = this.#options;
    const row = rows.all().find((each) => each.id === id);
    if (!row) return;
    rows.remove(id);
    sessions.forgetCheckpoint(row.file);
    await rm(row.file, { force: true });
    sessions.events.emit('checkpoints');
  }

  async #save(session: Session, { client: { key }, grant }: Requester, name: string): Promise<number> {
    const { rows, folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${randomUUID()}.core`);
    const [savedAt, savedAfter, packageName] = [Date.now(), session.newestRow, session.package];
    const { bytes, missing } = await session.save({ client: key, grant }, name, file);
    const { id, engine, client, project } = session.identity;
    try {
      return rows.add({
        ...{ name, session: id, engine, client, project, package: packageName },
        ...{ file, bytes, missing, savedAt, savedAfter },
      });
    } catch (error) {
      session.forget(file);
      await rm(file, { force: true });
      throw new HarborError('checkpoint_failed', `The checkpoint was not saved: ${asFailure(error).message}`);
    }
  }

  /** Returns a checkpoint with the present state; saves one if there is none. */
  async #keep(
    session: Session,
    requester: Requester,
    inPlace: InPlaceRestore | undefined,
  ): Promise<CheckpointView> {
    const rows = this.#named(session).filter(({ engine }) => engine === session.identity.engine);
    const file = inPlace
      ? await inPlace.findCurrent(rows.map((row) => row.file))
      : session.lineages.unchangedSince(session.newestRow);
    const row = rows.find((each) => each.file === file);
    if (row) return this.#view(row);
    return this.save(session, requester).catch((error: unknown) => {
      if (!(error instanceof HarborError) || !CANNOT_BE_SAVED.has(error.code)) throw error;
      const text = `Nothing is restored, because the present state cannot be saved first: ${error.text}`;
      throw new PresentNotSaved(error.code, text, error);
    });
  }

  #view({ file, ...row }: CheckpointRow): CheckpointView {
    return { ...row, usedBy: this.#options.sessions.needing(file) };
  }

  #state({ id }: CheckpointView): SavedState {
    const row = this.#options.rows.all().find((each) => each.id === id);
    if (!row) throw new HarborError('unknown_checkpoint', 'This checkpoint was dropped meanwhile.');
    return { name: row.name, file: row.file, missing: row.missing };
  }

  /** Returns the checkpoints among which a name must be unique. */
  #named({ identity: { client, project } }: Session): CheckpointRow[] {
    return this.#options.rows.all().filter((row) => row.client === client && row.project === project);
  }

  /** Returns the session's name with a free number: `api-1`, `api-2`. */
  #freeName(session: Session): string {
    const taken = this.#named(session).map(({ name }) => name);
    return freeName(taken, (number) => `${session.identity.name}-${number}`);
  }
}

function within(row: CheckpointRow, project: string | undefined): boolean {
  return project === undefined || row.project === project;
}
