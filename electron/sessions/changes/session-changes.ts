/**
 * The changes that a session has made since a moment. The history has the evaluated forms, the image reports
 * the definitions they made, the files show earlier definitions, and the records of file tools list changed
 * files.
 */

import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangesSince, ChangesView, DefinitionInFile, FileChange } from '../../contract/changes';
import { HarborError } from '../../contract/errors';
import type { Finding, Findings } from '../../contract/knowledge';
import type { Client } from '../../contract/model';
import type { DefinitionInImage, SourceVersions } from '../../contract/source-files';
import type { EvaluatedForms } from '../../history/evaluations';
import type { History } from '../../history/history';
import type { WrittenFile } from '../../history/replaced-files';
import { definedForms } from '../../source/defined-forms';
import { type Dialect, dialectOf } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { read } from '../../source/reader';
import { textOf } from '../../source/text';
import { type UnsavedRequest, unsavedDefinitions } from '../export/session-source';
import type { Session } from '../session/session';
import type { EvaluationRequest } from '../session/session-journal';
import {
  type CurrentDefinition,
  createdForms,
  currentDefinitions,
  fileLoads,
  isRemover,
  systemLoads,
} from './created-forms';
import {
  addDefinitions,
  changeOf,
  type DefinitionsByKey,
  definitionsIn,
  diffOf,
  type EvaluatedHistory,
  isSaved,
  projectDefinitions,
  type Redefinition,
  redefined,
  removalCandidates,
  undoCode,
} from './definition-changes';

import { confirmedRemovals, definitionsInWorld, reportedDefinitions } from './image-reports';
import { KnownForms } from './known-forms';

export interface SessionChangesOptions {
  history: History;
  files: GuardedFiles;
}

/** A moment: after this row of the session (0: its beginning), and as a time. */
interface Moment {
  after: number;
  at: number;
}

/** The data of a view. */
interface Found {
  moment: Moment;
  dialect: Dialect;
  definitions: Redefinition[];
  present: ReadonlyMap<string, CurrentDefinition>;
  /** Names that were looked up in files. */
  names: ReadonlySet<string>;
  inFiles: { before: DefinitionsByKey; now: DefinitionsByKey };
  files: FileChange[];
  rows: readonly EvaluatedForms[];
  fromEvaluations: boolean;
}

/** Maximum milliseconds of a recheck, because callers end a session or the app afterwards. */
const LONGEST_RECHECK_MS = 1_500;

export class SessionChanges {
  readonly #history: History;
  readonly #files: GuardedFiles;

  constructor({ history, files }: SessionChangesOptions) {
    this.#history = history;
    this.#files = files;
  }

  /**
   * @throws HarborError `busy` if the engine cannot report definitions while it evaluates; `image_lost`,
   *   `took_too_long`, `unknown_checkpoint`
   */
  async view(session: Session, since: ChangesSince): Promise<ChangesView> {
    const { moment, definitions, files, rows, fromEvaluations, inFiles, dialect } = await this.#found(
      session,
      since,
    );
    const isNewer = await this.#newerFiles(session, definitions, inFiles.now);
    const reported = definitions.map((each) => {
      const findings = each.now?.findings ?? [];
      const isWhole = session.offers('world') || findings.length === 0;
      const file = inFiles.now.get(each.key);
      const isSaved = !file && findings.every((finding) => session.saved.has(finding));
      return changeOf(each, file, {
        saved: findings.length === 0 ? null : isSaved,
        writeAs: isWhole ? null : findings.map(({ text }) => text),
        isNewer: isNewer(each),
        revertible: this.#undoing(session, each, dialect) !== null,
      });
    });
    const newer = rows.filter(({ id }) => id > moment.after);
    return {
      since: moment.at,
      definitions: reported.sort((one, other) => other.evaluation - one.evaluation),
      files,
      loads: fileLoads(newer, dialect, session.identity.project),
      systems: systemLoads(newer),
      fromEvaluations: fromEvaluations,
    };
  }

  /** Returns a function that reports whether somebody else changed the definition in its file. */
  async #newerFiles(
    session: Session,
    definitions: readonly Redefinition[],
    inFiles: DefinitionsByKey,
  ): Promise<(of: Redefinition) => boolean> {
    const differing = definitions.flatMap(({ key, now }) => {
      const file = inFiles.get(key);
      return now && file && !isSaved(now, file) ? [{ key, file, own: now.form.code }] : [];
    });
    const paths = [...new Set(differing.map(({ file }) => file.path))];
    const known = new Map(
      await Promise.all(
        paths.map(async (at) => [at, await KnownForms.of(session, at, this.#history)] as const),
      ),
    );
    const newer = differing.filter(({ file, own }) => known.get(file.path)?.has(file.code, own) === false);
    const keys = new Set(newer.map(({ key }) => key));
    return ({ key }) => keys.has(key);
  }

  /**
   * Evaluates the definition of that key as its file has it.
   * @throws HarborError as `view`; `bad_arguments` if no file has it
   */
  async loadFromFile(
    session: Session,
    { key, since }: { key: string; since: ChangesSince },
    client: Client,
  ): Promise<{ evaluation: number; problem: string | null }> {
    const { inFiles } = await this.#found(session, since);
    const file = inFiles.now.get(key);
    if (!file) throw new HarborError('bad_arguments', 'No file of the project has this definition any more.');
    const { code, package: here } = file;
    return settled(session, { client: client.key, grant: null, kind: 'eval', code, package: here });
  }

  /**
   * Returns the current definitions of a file that the session loaded.
   * @throws HarborError as reading a file does
   */
  async inFile({ identity: { project, engine } }: Session, path: string): Promise<DefinitionInFile[]> {
    const { bytes } = await this.#files.read(project, path);
    return definitionsIn(bytes, dialectOf(engine));
  }

  /**
   * Returns the definitions that evaluations made in the image, and the text of a file that it loaded.
   * @param file the real path
   * @throws HarborError as `view`
   */
  async inImage(session: Session, file: string): Promise<NonNullable<SourceVersions['image']>> {
    const dialect = dialectOf(session.identity.engine);
    const reported = await reportedDefinitions(session);
    const { story } = this.#story(session, reported, { after: 0, at: 0 }, dialect);
    const present = currentDefinitions([...story.before, ...story.since], reported?.results ?? null, dialect);
    const knowledge = session.offers('knowledge') ? session.ability('knowledge') : null;
    const definitions = [...present].map(([key, { form }]) => {
      const { code, evaluation, at } = form;
      return { key, code, evaluation, at };
    });
    if (session.offers('world'))
      return {
        loaded: null,
        definitions: await definitionsInWorld(session),
        complete: true,
        isPrinted: true,
      };
    const loaded = (await knowledge?.loadedText?.(file)) ?? null;
    const complete = reported !== null && knowledge?.loadedText !== undefined;
    if (loaded !== null || complete) return { loaded, definitions, complete, isPrinted: false };
    return { ...(await this.#loadedByEvaluation(session, file, definitions)), complete, isPrinted: false };
  }

  /**
   * Returns the text that an image without a record of its loads has of a file, if nobody has written the file since,
   * and the definitions that were evaluated after that.
   */
  async #loadedByEvaluation(
    { id, identity: { engine, project } }: Session,
    file: string,
    definitions: readonly DefinitionInImage[],
  ): Promise<Pick<NonNullable<SourceVersions['image']>, 'loaded' | 'definitions'>> {
    const dialect = dialectOf(engine);
    const loads = fileLoads(this.#history.evaluations.formsOf(id), dialect, project);
    const load = loads.find((each) => each.path === file);
    const { mtimeMs } = load ? await stat(file) : { mtimeMs: 0 };
    const text = load && mtimeMs <= load.at ? textIn((await this.#files.read(project, file)).bytes) : null;
    if (!load || text === null) return { loaded: null, definitions: [...definitions] };
    const keys = new Set(definedForms(read(text, dialect)).map(({ key }) => key));
    const newer = definitions.filter(({ key, evaluation }) => !keys.has(key) || evaluation > load.evaluation);
    return { loaded: text, definitions: newer };
  }

  /**
   * Checks which definitions of the session its files contain as they are.
   * @param others whether the others are then unsaved; the text of a file does not always show what it defines
   * @throws HarborError as `view`
   */
  async recheckSaved(session: Session, others: 'unsaved' | 'unchanged' = 'unsaved'): Promise<void> {
    const { present, inFiles, names } = await this.#found(session, { is: 'beginning' });
    for (const [key, now] of present) {
      const file = inFiles.now.get(key);
      const isNamed = ({ text }: Finding) => text.toLowerCase().includes(now.form.name.toLowerCase());
      if (file && isSaved(now, file)) session.saved.add(now.findings.filter(isNamed));
      else if (others === 'unsaved' && names.has(now.form.name)) session.saved.remove(now.findings);
    }
  }

  /**
   * Returns definitions that no file contains: they are lost when the session ends. A definition that was
   * evaluated is in a file as soon as that has the same text, whoever wrote it. Files that take too long to
   * read count as they did before.
   * @throws HarborError `not_supported`, `image_lost`, `took_too_long`
   */
  async unsaved(session: Session, request: UnsavedRequest): Promise<Findings> {
    const rechecked = this.recheckSaved(session, 'unchanged').catch(() => undefined);
    await Promise.race([rechecked, delay(LONGEST_RECHECK_MS, undefined, { ref: false })]);
    return unsavedDefinitions(session, request);
  }

  /**
   * Restores the definition of that key as it was at the moment, by an evaluation.
   * @throws HarborError as `view`; `bad_arguments` if it has not changed or cannot be undone
   */
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
        `${found?.by.title ?? 'This'} has not changed, or cannot be restored.`,
      );
    const { package: here } = found.before ?? found.by;
    return settled(session, { client: client.key, grant: null, kind: 'eval', code, package: here });
  }

  #undoing(session: Session, found: Redefinition, dialect: Dialect): string | null {
    if (!session.offers('world') || found.now === null) return undoCode(found, dialect);
    const command = found.now.findings.find((finding) => finding.command !== undefined)?.command;
    return command === undefined ? null : session.ability('world').undoOneCode(command);
  }

  async #found(session: Session, since: ChangesSince): Promise<Found> {
    const { engine } = session.identity;
    const dialect = dialectOf(engine);
    const moment = this.#moment(session, since);
    const reported = await reportedDefinitions(session);
    const { own, story } = this.#story(session, reported, moment, dialect);
    const present = currentDefinitions([...story.before, ...story.since], reported?.results ?? null, dialect);
    const written = this.#writtenSince(session, moment);
    const names = namesOf(story, present);
    const inFiles = await this.#inFiles(session, names, written, dialect);
    const removed = await confirmedRemovals(
      session,
      removalCandidates(story, present, inFiles),
      reported !== null,
    );
    return {
      ...{ moment, dialect, present, names, inFiles, fromEvaluations: reported === null },
      definitions: [...redefined(story, present, inFiles), ...removed],
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
    throw new HarborError('unknown_checkpoint', 'This session has no such checkpoint any more.');
  }

  /** Returns the evaluations that led to the current state, including its own rows. */
  #story(session: Session, reported: Findings | null, { after }: Moment, dialect: Dialect) {
    const own = this.#history.evaluations.formsOf(session.id);
    const made = createdForms([...this.#earlier(session, reported, own), ...own], dialect);
    const since = new Set(own.filter(({ id }) => id > after).map(({ id }) => id));
    const story: EvaluatedHistory = {
      before: made.filter(({ evaluation }) => !since.has(evaluation)),
      since: made.filter(({ evaluation }) => since.has(evaluation)),
    };
    return { own, story };
  }

  /**
   * Returns rows of other sessions that the state comes from: sessions that this one continues, whose
   * checkpoint it began from, or whose evaluations the image reports.
   */
  #earlier(
    { id, lineages }: Session,
    reported: Findings | null,
    own: readonly EvaluatedForms[],
  ): EvaluatedForms[] {
    const { checkpoint, stretches } = lineages.newest;
    const { evaluations, checkpoints } = this.#history;
    const saved = checkpoint && checkpoints.all().find(({ file }) => file === checkpoint.file);
    const known = new Set(own.map((row) => row.id));
    const named = (reported?.results ?? []).flatMap(({ source }) => source?.evaluation ?? []);
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
    const selection = { session: id, client, project, from: at };
    return Map.groupBy(this.#history.replacedFiles.writtenFor(selection), ({ path }) => path);
  }

  /** Returns definitions of these names in the project's files, now and before the files were written. */
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
      if (bytes) addDefinitions(before, { path, bytes, hash: '' }, { dialect, names });
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

  /** Returns null if the content has not changed. */
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
      earlierContent: before === null ? null : first.id,
      hash: now?.hash ?? null,
      diff: was === null || is === null ? null : diffOf(path, was, is),
    };
  }
}

async function settled(
  session: Session,
  request: EvaluationRequest,
): Promise<{ evaluation: number; problem: string | null }> {
  const { id, outcome, condition } = await session.evaluate(request).settled;
  const problem = condition?.message ?? `Evaluation ${id} was ${outcome}.`;
  return { evaluation: id, problem: outcome === 'ok' ? null : problem };
}

/** Returns '' for a missing file and null for a binary one. */
function textIn(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? '' : (textOf(bytes)?.text ?? null);
}

/** Returns the names to look up in files. */
function namesOf(
  { since }: EvaluatedHistory,
  present: ReadonlyMap<string, CurrentDefinition>,
): ReadonlySet<string> {
  const newer = new Set(since);
  const made = [...present.values()].filter(({ form }) => newer.has(form)).map(({ form }) => form.name);
  return new Set([...made, ...since.filter((form) => isRemover(form)).map(({ name }) => name)]);
}
