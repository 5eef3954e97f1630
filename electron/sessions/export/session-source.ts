/**
 * What a session has defined, as a source file. The image says which of its definitions only an evaluation holds and
 * where each was made; the history has the text.
 */
import { HarborError } from '../../contract/errors';
import type { Finding, Findings, FindRequest } from '../../contract/knowledge';
import { thereAre } from '../../contract/names-there';
import type { Evaluations } from '../../history/evaluations';
import { code, SymbolName } from '../../source/code';
import { type Dialect, dialectOf, extensionOf } from '../../source/dialect';
import { sameName } from '../../source/locate';
import type { Session } from '../session/session';
import { sessionBook } from './book';
import { clojureDefinitions } from './clojure-definitions';
import { definitionsFile, type FileForm, formsWithPackages, type NeededPackage } from './definitions-file';
import { exportedForms } from './exported-forms';
import { type RecordedForm, recordedForms } from './recorded-forms';

/** More than anybody evaluates by hand. */
const ALL = 100_000;

/** The package that sessions begin in, as rows of the history and as images name it. */
const FIRST_PACKAGES = ['CL-USER', 'COMMON-LISP-USER'] as const;

export interface SessionSource {
  /** The whole file. */
  text: string;
  /** How many definitions it holds. */
  definitions: number;
  /** Of the file's name; absent: `lisp`. */
  extension?: string;
  /** Of a book: the file `.acl2` beside it, where it needs one. */
  portcullis?: string;
}

export const nothingUnsaved = (): Findings => ({ results: [], total: 0 });

/** Which of them are asked for; all unless told. */
export type UnsavedRequest = Pick<FindRequest, 'limit'> &
  Partial<Pick<FindRequest, 'query' | 'only' | 'package'>>;

/** Definitions that were evaluated and are in no file: what a session would lose by ending.
 * @throws HarborError `not_supported`, `image_lost`, `took_too_long` */
export async function unsavedDefinitions(session: Session, request: UnsavedRequest): Promise<Findings> {
  const knowledge = session.ability('knowledge');
  // The image tells those too that were written to files since: to leave them out and count the rest takes all.
  const limit = session.saved.isEmpty ? request.limit : ALL;
  const found = await knowledge.find({ query: '', ...request, kind: 'unsaved', limit });
  const results = found.results.filter((each) => !session.saved.has(each));
  const total = found.total - (found.results.length - results.length);
  return { ...found, results: results.slice(0, request.limit), total };
}

/** Of a logical world it is a book.
 * @throws HarborError `not_supported` by engines that do not know their definitions, `image_lost`, `took_too_long`,
 * `busy` by those that cannot tell while they evaluate */
export async function sessionSource(session: Session, evaluations: Evaluations): Promise<SessionSource> {
  if (session.offers('world')) return bookSource(session);
  if (dialectOf(session.identity.engine) === 'clojure') return clojureSource(session, evaluations);
  const { results: definitions } = await unsavedDefinitions(session, { limit: ALL });
  const { forms, missing } = exportedForms(definitions, formsOfSessions(session, definitions, evaluations));
  const made = definitions.flatMap(({ kind, text }) => (kind === 'package' ? [text] : []));
  const packages = await neededPackages(session, forms, [...FIRST_PACKAGES, ...made]);
  const left = missing.map(({ kind, text }) => `${text} (${kind})`);
  return {
    definitions: definitions.length - missing.length,
    text: definitionsFile({ about: about(session, left), systems: session.systems, packages, forms }),
  };
}

async function bookSource(session: Session): Promise<SessionSource> {
  const { text, portcullis, count } = await sessionBook(session);
  return { text, definitions: count, ...(portcullis === null ? {} : { portcullis }) };
}

async function clojureSource(session: Session, evaluations: Evaluations): Promise<SessionSource> {
  const { results } = await unsavedDefinitions(session, { limit: ALL });
  const { text, count, missing } = clojureDefinitions(results, evaluations.formsOf(session.id));
  const head = about(session, missing).map((line) => `;; ABOUTME: ${line}`);
  const loading = session.systems.map(
    (name) => code`(require '${SymbolName.read(name, 'clojure', 'system')})`,
  );
  return {
    definitions: count,
    text: `${[head.join('\n'), ...loading, text].join('\n\n').trimEnd()}\n`,
    extension: extensionOf(session.identity.engine),
  };
}

/** Definitions as they go into a file of the project. */
export interface ChosenDefinitions {
  /** Those that the forms make. */
  definitions: Finding[];
  /** In the order in which a fresh image takes them, each with the package or namespace that it is read in. */
  forms: FileForm[];
  /** The text of a new file. */
  text: string;
  /** What a book needs beside it. */
  portcullis?: string;
  /** Names of definitions whose form the history does not have, because it failed after it had made them. */
  missing: string[];
  /** Names of definitions that belong to another file, as its name says. */
  elsewhere: string[];
}

/** What no file holds, or of that what is called one of `names`; of Clojure, where the path of the file is that of a
 * namespace, what that namespace has.
 * @throws HarborError `bad_arguments` for a name that is none of them; as `sessionSource` */
export async function chosenDefinitions(
  session: Session,
  evaluations: Evaluations,
  names: readonly string[] | null,
  path: string,
): Promise<ChosenDefinitions> {
  const dialect = dialectOf(session.identity.engine);
  const { results } = await unsavedDefinitions(session, { limit: ALL });
  const definitions = names === null ? results : named(results, names, dialect);
  if (session.offers('world')) {
    if (names !== null)
      throw new HarborError('bad_arguments', 'A world is written whole, as a book: definitions: true.');
    const { text, portcullis } = await bookSource(session);
    const book = { definitions, forms: [], text, missing: [], elsewhere: [] };
    return { ...book, ...(portcullis === undefined ? {} : { portcullis }) };
  }
  if (dialect === 'clojure') {
    const ofFile = names === null ? definitions.filter(({ text }) => isNamespacePath(path, text)) : [];
    const own = ofFile.length > 0 ? ofFile : definitions;
    const isAll = names === null && ofFile.length === 0;
    const { text, forms, missing } = clojureDefinitions(own, evaluations.formsOf(session.id), isAll);
    const elsewhere = definitions.filter((each) => !own.includes(each)).map((each) => each.text);
    return { definitions: without(own, missing), forms, text: `${text}\n`, missing, elsewhere };
  }
  const recorded = formsOfSessions(session, definitions, evaluations);
  const { forms, missing } = exportedForms(definitions, recorded, names === null);
  return {
    definitions: definitions.filter((each) => !missing.includes(each)),
    forms,
    text: `${formsWithPackages(forms, null).join('\n\n')}\n`,
    missing: missing.map(({ text }) => text),
    elsewhere: [],
  };
}

/** Whether `path` is where Clojure looks for the namespace of a var, named in full. */
function isNamespacePath(path: string, name: string): boolean {
  const file = name.replace(/\/.*/s, '').replaceAll('-', '_').replaceAll('.', '/');
  return `/${path.replaceAll('\\', '/')}`.replace(/\.\w+$/, '').endsWith(`/${file}`);
}

function without(definitions: readonly Finding[], missing: readonly string[]): Finding[] {
  return definitions.filter(({ text }) => !missing.includes(text));
}

/** @throws HarborError `bad_arguments` */
function named(definitions: readonly Finding[], names: readonly string[], dialect: Dialect): Finding[] {
  const isNamed = ({ text }: Finding, name: string) =>
    sameName(text, name, dialect) || sameName(/^[^\s()]*/.exec(text)?.[0] ?? '', name, dialect);
  const unknown = names.filter((name) => !definitions.some((each) => isNamed(each, name)));
  if (unknown.length === 0) return definitions.filter((each) => names.some((name) => isNamed(each, name)));
  const there = definitions.map(({ text }) => text);
  throw new HarborError(
    'bad_arguments',
    `No evaluation has defined ${unknown.join(', ')} that no file holds. ${there.length === 0 ? 'There is nothing of that kind.' : thereAre(unknown[0] ?? '', there)}`,
  );
}

/** All forms of this session, and of those in which an image that was restored had made definitions before. */
function formsOfSessions(
  session: Session,
  definitions: readonly Finding[],
  evaluations: Evaluations,
): RecordedForm[] {
  const known = new Set(evaluations.formsOf(session.id).map(({ id }) => id));
  const elsewhere = [...new Set(definitions.flatMap(({ source }) => source?.evaluation ?? []))].filter(
    (id) => !known.has(id),
  );
  const sessions = new Set([session.id, ...elsewhere.flatMap((id) => evaluations.find(id)?.session ?? [])]);
  return [...sessions]
    .flatMap((id) => recordedForms(evaluations.formsOf(id), FIRST_PACKAGES[0]))
    .sort((one, other) => one.evaluation - other.evaluation || one.start - other.start);
}

/** Packages that forms are read in and that none of them makes: where each comes from, as the image knows it. */
function neededPackages(
  session: Session,
  forms: readonly RecordedForm[],
  made: readonly string[],
): Promise<NeededPackage[]> {
  const needed = [...new Set(forms.map((form) => form.package))].filter((name) => !made.includes(name));
  return Promise.all(needed.map((name) => packageNeeded(session, name)));
}

async function packageNeeded(session: Session, name: string): Promise<NeededPackage> {
  const { results } = await session
    .ability('knowledge')
    .find({ kind: 'definitions', query: name, limit: 50 });
  const { definitions } = await session.ability('knowledge').describe({ symbol: name });
  const file = results.find(({ kind }) => kind === 'package')?.source?.file;
  const uses = definitions.find(({ kind }) => kind === 'package')?.uses ?? [];
  return { name, uses, ...(file === undefined ? {} : { file }) };
}

function about({ identity }: Session, missing: readonly string[]): string[] {
  return [
    `Definitions of the session ${JSON.stringify(identity.name)}, in the order in which they were evaluated.`,
    'Variables begin with the values written here, whatever they held in the session.',
    ...(missing.length === 0
      ? []
      : [`Left out, because the forms that made them failed or were redacted: ${missing.join(', ')}.`]),
  ];
}
