/**
 * What a session did to the world since some moment. The history has every form that was evaluated, the image says which of
 * its definitions they made, the files of the project what was there before, and the tools' writes which files changed.
 */
import type { ChangesSince, ChangesView, DefinitionInFile, FileChange } from '../../contract/changes';
import { HarborError } from '../../contract/errors';
import type { Findings } from '../../contract/knowledge';
import type { Client } from '../../contract/model';
import type { EvaluatedForms } from '../../history/evaluation-statements';
import type { History } from '../../history/history';
import type { WrittenFile } from '../../history/replaced-files';
import { type Dialect, dialectOf } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { textOf } from '../../source/text-file';
import type { Session } from '../session/session';
import {
  changeOf,
  diffOf,
  perhapsRemoved,
  type Redefinition,
  redefined,
  type Story,
} from './definition-changes';
import { fileLoads, systemLoads } from './loads';
import { isRemover, madeForms, type Present, presentForms } from './made-forms';
import {
  addDefinitions,
  type DefinitionsByKey,
  definitionsIn,
  projectDefinitions,
} from './project-definitions';
import { definitionsHeld, stillGone } from './told-by-image';
import { undoingCode } from './undoing-code';

export interface SessionChangesOptions {
  history: History;
  files: GuardedFiles;
}

/** The moment: after this row of the session, 0 being its beginning; `at` as a time. */
interface Moment {
  after: number;
  at: number;
}

/** Everything that a view is made of. */
interface Found {
  moment: Moment;
  dialect: Dialect;
  definitions: Redefinition[];
  inFiles: { before: DefinitionsByKey; now: DefinitionsByKey };
  files: FileChange[];
  rows: readonly EvaluatedForms[];
  asTold: boolean;
}

export class SessionChanges {
  readonly #history: History;
  readonly #files: GuardedFiles;

  constructor({ history, files }: SessionChangesOptions) {
    this.#history = history;
    this.#files = files;
  }

  /** @throws HarborError `busy` by engines that cannot tell while they evaluate; `image_lost`, `took_too_long`,
   * `unknown_checkpoint` */
  async view(session: Session, since: ChangesSince): Promise<ChangesView> {
    const { moment, definitions, files, rows, asTold, inFiles, dialect } = await this.#found(session, since);
    const told = definitions.map((each) => {
      const findings = each.now?.findings ?? [];
      const isWhole = session.offers('world') || findings.length === 0;
      const file = inFiles.now.get(each.key);
      const isSaved = !file && findings.every((finding) => session.saved.has(finding));
      return changeOf(each, file, {
        saved: findings.length === 0 ? null : isSaved,
        writeAs: isWhole ? null : findings.map(({ text }) => text),
        revertible: this.#undoing(session, each, dialect) !== null,
      });
    });
    const newer = rows.filter(({ id }) => id > moment.after);
    return {
      since: moment.at,
      definitions: told.sort((one, other) => other.evaluation - one.evaluation),
      files,
      loads: fileLoads(newer, dialect, session.identity.project),
      systems: systemLoads(newer),
      asTold,
    };
  }

  /** What a file that the session loaded defines, as it is now.
   * @throws HarborError as reading a file does */
  async inFile({ identity: { project, engine } }: Session, path: string): Promise<DefinitionInFile[]> {
    const { bytes } = await this.#files.read(project, path);
    return definitionsIn(bytes, dialectOf(engine));
  }

  /** Has the session forget that files hold what they do not hold any more, because somebody put them back.
   * @throws HarborError as `view` */
  async recheckSaved(session: Session): Promise<void> {
    const { definitions, inFiles } = await this.#found(session, { is: 'beginning' });
    for (const { key, now } of definitions) {
      const isHeld = now && inFiles.now.get(key)?.code.trim() === now.form.code.trim();
      if (now && !isHeld) session.saved.remove(now.findings);
    }
  }

  /** Evaluates what makes the definition of that key what it was at the moment.
   * @throws HarborError as `view`; `bad_arguments` for what has not changed, or cannot be undone */
  async revert(
    session: Session,
    { key, since }: { key: string; since: ChangesSince },
    client: Client,
  ): Promise<{ evaluation: number; problem: string | null }> {
    const { definitions, dialect } = await this.#found(session, since);
    const found = definitions.find((each) => each.key === key);
    const code = found && this.#undoing(session, found, dialect);
    if (!found || !code)
      throw new HarborError(
        'bad_arguments',
        `${found?.by.title ?? 'This'} has not changed, or cannot be put back.`,
      );
    const { package: here } = found.before ?? found.by;
    const request = { client: client.key, kind: 'eval' as const, code, package: here };
    const { id, outcome, condition } = await session.evaluate(request).settled;
    const problem = condition?.message ?? `Evaluation ${id} was ${outcome}.`;
    return { evaluation: id, problem: outcome === 'ok' ? null : problem };
  }

  #undoing(session: Session, found: Redefinition, dialect: Dialect): string | null {
    if (!session.offers('world') || found.now === null) return undoingCode(found, dialect);
    const command = found.now.findings.find((finding) => finding.command !== undefined)?.command;
    return command === undefined ? null : session.ability('world').undoOneCode(command);
  }

  async #found(session: Session, since: ChangesSince): Promise<Found> {
    const { engine } = session.identity;
    const dialect = dialectOf(engine);
    const moment = this.#moment(session, since);
    const told = await definitionsHeld(session);
    const { own, story } = this.#story(session, told, moment, dialect);
    const present = presentForms([...story.before, ...story.since], told?.results ?? null, dialect);
    const written = this.#writtenSince(session, moment);
    const inFiles = await this.#inFiles(session, namesOf(story, present), written, dialect);
    const gone = await stillGone(session, perhapsRemoved(story, present, inFiles), told !== null);
    return {
      ...{ moment, dialect, inFiles, asTold: told === null },
      definitions: [...redefined(story, present, inFiles), ...gone],
      files: await this.#fileChanges(session, written),
      rows: own,
    };
  }

  #moment({ id, identity }: Session, since: ChangesSince): Moment {
    if (since.is === 'beginning') return { after: 0, at: identity.openedAt };
    if (since.is === 'time') {
      const before = this.#history.evaluations.formsOf(id).findLast(({ startedAt }) => startedAt < since.at);
      return { after: before?.id ?? 0, at: Math.max(since.at, identity.openedAt) };
    }
    const saved = this.#history.checkpoints.all().find((row) => row.id === since.id);
    if (saved?.session === id) return { after: saved.savedAfter, at: saved.savedAt };
    throw new HarborError('unknown_checkpoint', 'There is no such checkpoint of this session any more.');
  }

  /** What was evaluated for the state that the session has now, its own rows among it. */
  #story(session: Session, told: Findings | null, { after }: Moment, dialect: Dialect) {
    const own = this.#history.evaluations.formsOf(session.id);
    const made = madeForms([...this.#earlier(session, told, own), ...own], dialect);
    const since = new Set(own.filter(({ id }) => id > after).map(({ id }) => id));
    const story: Story = {
      before: made.filter(({ evaluation }) => !since.has(evaluation)),
      since: made.filter(({ evaluation }) => since.has(evaluation)),
    };
    return { own, story };
  }

  /** Rows of other sessions that the state comes from: of those that this one continues, or whose checkpoint it began from, or
   * whose evaluations the image names. */
  #earlier(
    { id, lineages }: Session,
    told: Findings | null,
    own: readonly EvaluatedForms[],
  ): EvaluatedForms[] {
    const { checkpoint, stretches } = lineages.newest;
    const { evaluations, checkpoints } = this.#history;
    const saved = checkpoint && checkpoints.all().find(({ file }) => file === checkpoint.file);
    const known = new Set(own.map((row) => row.id));
    const named = (told?.results ?? []).flatMap(({ source }) => source?.evaluation ?? []);
    const elsewhere = [...new Set(named)].filter((evaluation) => !known.has(evaluation));
    const until = new Map<string, number>();
    for (const evaluation of elsewhere) {
      const session = evaluations.find(evaluation)?.session;
      if (session) until.set(session, Math.max(evaluation, until.get(session) ?? 0));
    }
    if (saved) until.set(saved.session, saved.savedAfter);
    for (const stretch of stretches) if (stretch.until !== null) until.set(stretch.session, stretch.until);
    return [...until].flatMap(([session, last]) =>
      session === id ? [] : evaluations.formsOf(session).filter((row) => row.id <= last),
    );
  }

  #writtenSince({ id, identity: { client, project } }: Session, { at }: Moment): Map<string, WrittenFile[]> {
    const asked = { session: id, client, project, from: at };
    return Map.groupBy(this.#history.replacedFiles.writtenFor(asked), ({ path }) => path);
  }

  /** Definitions of these names in the project's files, as they are and as they were before they were written. */
  async #inFiles(
    { identity: { project } }: Session,
    names: ReadonlySet<string>,
    written: ReadonlyMap<string, readonly WrittenFile[]>,
    dialect: Dialect,
  ) {
    if (names.size === 0) return { before: new Map(), now: new Map() };
    const signal = new AbortController().signal;
    const now = await projectDefinitions(this.#files, { project, dialect, names, signal });
    const before: DefinitionsByKey = new Map([...now].filter(([, { path }]) => !written.has(path)));
    for (const [path, [first]] of written) {
      const bytes = first && !first.created ? this.#history.replacedFiles.find(first.id)?.bytes : undefined;
      if (bytes) addDefinitions(before, path, bytes, { dialect, names });
    }
    return { before, now };
  }

  async #fileChanges(
    { identity: { project } }: Session,
    written: ReadonlyMap<string, readonly WrittenFile[]>,
  ): Promise<FileChange[]> {
    const changes = await Promise.all(
      [...written].map(([path, writes]) => this.#fileChange(project, path, writes)),
    );
    return changes.flatMap((change) => change ?? []).sort((one, other) => other.at - one.at);
  }

  /** null where it holds what it held. */
  async #fileChange(
    project: string,
    path: string,
    writes: readonly WrittenFile[],
  ): Promise<FileChange | null> {
    const [first, last] = [writes[0], writes.at(-1)];
    if (!first || !last) return null;
    const before = first.created ? null : this.#history.replacedFiles.find(first.id);
    const now = await this.#files.read(project, path).catch(() => null);
    const [was, is] = [textIn(before?.bytes), textIn(now?.bytes)];
    if (was === is && (now !== null || first.created)) return null;
    return {
      ...{ path, client: last.client, at: last.replacedAt, writes: writes.length },
      kept: before === null ? null : first.id,
      hash: now?.hash ?? null,
      diff: was === null || is === null ? null : diffOf(path, was, is),
    };
  }
}

/** '' for what is not there; null for what is no text. */
function textIn(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? '' : (textOf(bytes)?.text ?? null);
}

/** Names that files are looked through for. */
function namesOf({ since }: Story, present: ReadonlyMap<string, Present>): ReadonlySet<string> {
  const newer = new Set(since);
  const made = [...present.values()].filter(({ form }) => newer.has(form)).map(({ form }) => form.name);
  return new Set([...made, ...since.filter((form) => isRemover(form)).map(({ name }) => name)]);
}
