/**
 * Saved states of sessions: listed by the history, kept as files that no image can write. A session can go back to
 * one, a new session can begin from one, and both go on when the session that was saved is long gone.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CheckpointView } from '../../contract/checkpoints';
import { asFailure, HarborError } from '../../contract/errors';
import type { Client, Evaluation } from '../../contract/model';
import { thereAre } from '../../contract/names-there';
import { requirePlainName } from '../../contract/plain-name';
import type { CheckpointRow, CheckpointRows } from '../../history/checkpoint-rows';
import type { Log } from '../../host/log';
import type { GoingBack } from '../../images/checkpoints';
import type { Origin } from '../open-request';
import type { EvaluationRequest } from '../session/evaluation-request';
import type { Session } from '../session/session';
import { freeName } from '../session-names';
import type { Sessions } from '../sessions';
import { continued, lineageFrom, type SavedState } from './lineage';

export interface CheckpointsOptions {
  sessions: Sessions;
  rows: CheckpointRows;
  /** Where the files are. */
  folder: string;
  log: Log;
}

/** How a session went back: the checkpoint that has what it left, and the row of what brought it there, or is to. Both
 * are null where another image has taken over. */
export type Restored = { kept: string; row: Evaluation } | { kept: null; row: null };

/** How a caller evaluates in the session, and waits for that. */
type Evaluate = (request: Omit<EvaluationRequest, 'client'>) => Promise<Evaluation>;

export class Checkpoints {
  readonly #options: CheckpointsOptions;
  /** Names that are being saved under. */
  readonly #saving = new Set<string>();

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }

  /** Drops files that no row tells of, as a harbor leaves them that was killed while it saved, and rows without a file. */
  async tidy(): Promise<void> {
    const { rows, folder, log } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const known = rows.all();
    for (const { id, name, file } of known.filter((row) => !existsSync(row.file))) {
      log.warn(`The file of checkpoint ${name} is gone`, file);
      rows.remove(id);
    }
    const files = new Set(known.map(({ file }) => path.basename(file)));
    for (const file of await readdir(folder)) if (!files.has(file)) await rm(path.join(folder, file));
  }

  /** Those of the client, all for an administrator; newest first. */
  list(client: Client, project?: string): CheckpointView[] {
    return this.#options.rows
      .all()
      .filter((row) => (row.client === client.key || client.scopes.has('admin')) && within(row, project))
      .map((row) => this.#view(row));
  }

  /**
   * Saves the state of the session, which goes on meanwhile.
   * @param asked a name unlike those of the client's other checkpoints in this project; absent: one is made up
   * @throws HarborError `bad_arguments` when the name is taken or looks like another, and as `Session.save` does
   */
  async save(session: Session, client: Client, asked?: string): Promise<CheckpointView> {
    if (asked !== undefined) requirePlainName(asked);
    const name = asked ?? this.#freeName(session);
    const key = JSON.stringify([session.identity.client, session.identity.project, name]);
    if (this.#saving.has(key) || this.#named(session).some((row) => row.name === name))
      throw new HarborError(
        'bad_arguments',
        `There is a checkpoint ${name} already: drop it, or choose another name.`,
      );
    this.#saving.add(key);
    try {
      const id = await this.#save(session, client, name);
      this.#options.sessions.events.emit('checkpoints');
      return this.find({ id }, client);
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
    const asked = 'id' in which ? which.id : which.name;
    const own = this.list(client, 'id' in which ? undefined : which.project);
    const names = own.map((view) => ('id' in which ? String(view.id) : view.name));
    throw new HarborError(
      'unknown_checkpoint',
      `There is no checkpoint ${asked} of yours here. ${thereAre(String(asked), names)} \`checkpoint\` with action list tells what they are.`,
    );
  }

  /**
   * The session goes back to the state. Where another image takes over, what runs in it is interrupted and what it had
   * is lost; where its image goes back by itself, what it has now is kept in a checkpoint first.
   * @throws HarborError `bad_arguments` for the state of another project or engine, and as `Session.startAgain` does, or
   * `busy` while something runs in an image that goes back by itself
   */
  async restore(
    session: Session,
    checkpoint: CheckpointView,
    client: Client,
    evaluate: Evaluate = (request) => session.evaluate({ client: client.key, ...request }).settled,
  ): Promise<Restored> {
    const { engine, project } = session.identity;
    if (checkpoint.engine !== engine || checkpoint.project !== project)
      throw new HarborError(
        'bad_arguments',
        `Checkpoint ${checkpoint.name} is of ${checkpoint.engine} in ${checkpoint.project}: open a session from it instead.`,
      );
    const state = this.#state(checkpoint);
    const lost = session.state === 'lost' || session.state === 'starting';
    const goingBack = lost ? undefined : session.ability('checkpoints').goingBack;
    if (goingBack) {
      const kept = await this.#keep(session, client, goingBack);
      const code = goingBack.code(state.name);
      return { kept, row: await evaluate({ kind: 'eval', code, restores: state.file }) };
    }
    const lineage = lineageFrom(state, session.id, session.newestRow);
    await session.startAgain(client.key, `it was restored from checkpoint ${state.name}`, lineage);
    return { kept: null, row: null };
  }

  /** What a new session begins with that is opened from the checkpoint. */
  origin(checkpoint: CheckpointView): Origin {
    const state = this.#state(checkpoint);
    return { lineage: (session) => lineageFrom(state, session, 0), package: checkpoint.package };
  }

  /** What a new session begins with that evaluates again what `session` has defined; no file is needed. */
  replayed(session: Session): Origin {
    const [lineage, until] = [session.lineages.newest, session.newestRow];
    return { lineage: (id) => continued(lineage, until, id), package: session.package };
  }

  /** @throws HarborError `busy` while a session needs it */
  async drop({ id, name, usedBy }: CheckpointView): Promise<void> {
    if (usedBy.length > 0)
      throw new HarborError(
        'busy',
        `Checkpoint ${name} is what ${usedBy.join(', ')} began from: close that first.`,
      );
    const { rows, sessions } = this.#options;
    const row = rows.all().find((each) => each.id === id);
    if (!row) return;
    rows.remove(id);
    sessions.forgetCheckpoint(row.file);
    await rm(row.file, { force: true });
    sessions.events.emit('checkpoints');
  }

  async #save(session: Session, { key }: Client, name: string): Promise<number> {
    const { rows, folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${randomUUID()}.core`);
    const [savedAt, savedAfter, packageName] = [Date.now(), session.newestRow, session.package];
    const { bytes, missing } = await session.save(key, name, file);
    const { id, engine, client, project } = session.identity;
    try {
      return rows.add({
        ...{ name, session: id, engine, client, project, package: packageName },
        ...{ file, bytes, missing, savedAt, savedAfter },
      });
    } catch (error) {
      session.forget(file);
      await rm(file, { force: true });
      throw new HarborError('checkpoint_failed', `The checkpoint was not kept: ${asFailure(error).message}`);
    }
  }

  /** A checkpoint in which all is that the session has now, saved unless there is one. */
  async #keep(session: Session, client: Client, { heldBy }: GoingBack): Promise<string> {
    const rows = this.#named(session).filter(({ engine }) => engine === session.identity.engine);
    const file = await heldBy(rows.map((row) => row.file));
    const row = rows.find((each) => each.file === file);
    return row ? row.name : (await this.save(session, client)).name;
  }

  #view({ file, ...row }: CheckpointRow): CheckpointView {
    return { ...row, usedBy: this.#options.sessions.needing(file) };
  }

  #state({ id }: CheckpointView): SavedState {
    const row = this.#options.rows.all().find((each) => each.id === id);
    if (!row) throw new HarborError('unknown_checkpoint', 'This checkpoint was dropped meanwhile.');
    return { name: row.name, file: row.file, missing: row.missing };
  }

  /** Those among which a name of the session's checkpoints must be free. */
  #named({ identity: { client, project } }: Session): CheckpointRow[] {
    return this.#options.rows.all().filter((row) => row.client === client && row.project === project);
  }

  /** `api-1`, `api-2`: after the session's name. */
  #freeName(session: Session): string {
    const taken = this.#named(session).map(({ name }) => name);
    return freeName(taken, (number) => `${session.identity.name}-${number}`);
  }
}

function within(row: CheckpointRow, project: string | undefined): boolean {
  return project === undefined || row.project === project;
}
