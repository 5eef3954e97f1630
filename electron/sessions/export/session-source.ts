/**
 * Exports the unsaved definitions of a session as source. The image reports which definitions only an
 * evaluation made; the history has their text.
 */
import { HarborError, listSimilarNames } from '../../contract/errors';
import type { Finding, Findings, FindRequest } from '../../contract/knowledge';

import type { Evaluations } from '../../history/evaluations';
import { code, SymbolName } from '../../source/code';
import { type Dialect, dialectOf, extensionOf } from '../../source/dialect';
import { sameName } from '../../source/locate';
import type { Session } from '../session/session';
import { sessionBook } from './book';
import { clojureDefinitions } from './clojure-definitions';
import {
  definitionsFile,
  exportedForms,
  type FileForm,
  formsWithPackages,
  type NeededPackage,
  type RecordedForm,
  recordedForms,
} from './recorded-forms';

/** More definitions than any session has. */
const ALL = 100_000;

/** The initial package of sessions, in the spelling of the history and of images. */
const FIRST_PACKAGES = ['CL-USER', 'COMMON-LISP-USER'] as const;

export interface SessionSource {
  /** The text of the file. */
  text: string;
  /** The number of definitions in it. */
  definitions: number;
  /** The extension of the file; absent: `lisp`. */
  extension?: string;
  /** The text of the `.acl2` file of a book, if it needs one. */
  portcullis?: string;
}

export const nothingUnsaved = (): Findings => ({ results: [], total: 0 });

/** Selects definitions; by default all. */
export type UnsavedRequest = Pick<FindRequest, 'limit'> &
  Partial<Pick<FindRequest, 'query' | 'only' | 'package'>>;

/**
 * Returns definitions that no file contains: they are lost when the session ends.
 * @throws HarborError `not_supported`, `image_lost`, `took_too_long`
 */
export async function unsavedDefinitions(session: Session, request: UnsavedRequest): Promise<Findings> {
  const knowledge = session.ability('knowledge');
  // The image also reports definitions that were saved since, so all are needed to filter and count them.
  const limit = session.saved.isEmpty ? request.limit : ALL;
  const found = await knowledge.find({ query: '', ...request, kind: 'unsaved', limit });
  const results = found.results.filter((each) => !session.saved.has(each));
  const total = found.total - (found.results.length - results.length);
  return { ...found, results: results.slice(0, request.limit), total };
}

/**
 * Returns the source of a session. For a logical world it is a book.
 * @throws HarborError `not_supported` if the engine does not report definitions, `image_lost`,
 *   `took_too_long`, `busy` if the engine cannot report them while it evaluates
 */
export async function sessionSource(session: Session, evaluations: Evaluations): Promise<SessionSource> {
  if (session.offers('world')) return bookSource(session, evaluations);
  if (dialectOf(session.identity.engine) === 'clojure') return clojureSource(session, evaluations);
  const { results: definitions } = await unsavedDefinitions(session, { limit: ALL });
  const { forms, missing } = exportedForms(definitions, formsOfSessions(session, definitions, evaluations));
  const made = definitions.flatMap(({ kind, text }) => (kind === 'package' ? [text] : []));
  const packages = await neededPackages(session, forms, [...FIRST_PACKAGES, ...made]);
  const omitted = missing.map(({ kind, text }) => `${text} (${kind})`);
  return {
    definitions: definitions.length - missing.length,
    text: definitionsFile({ about: about(session, omitted), systems: session.systems, packages, forms }),
  };
}

async function bookSource(
  session: Session,
  evaluations: Evaluations,
): Promise<SessionSource & { omitted: readonly string[] }> {
  const evaluated = evaluations.formsOf(session.id).flatMap(({ forms }) => forms.map(({ code }) => code));
  const { text, portcullis, count, omitted } = await sessionBook(session, { evaluated });
  return { text, definitions: count, omitted, ...(portcullis === null ? {} : { portcullis }) };
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

/** Definitions for a file of the project. */
export interface ChosenDefinitions {
  /** The definitions that the forms make. */
  definitions: Finding[];
  /** The forms in an order that a fresh image can load, each with its package or namespace. */
  forms: FileForm[];
  /** The text of a new file. */
  text: string;
  /** The text of the additional file of a book. */
  portcullis?: string;
  /** Names of definitions that a file cannot contain, as in `exportedForms`. */
  missing: string[];
  /** Names of definitions that belong to another file, by their namespace. */
  elsewhere: string[];
  /** Commands that a book cannot contain. */
  omitted?: readonly string[];
}

/**
 * Returns the unsaved definitions, or those called `names`. For Clojure, if the path of the file is that of a
 * namespace, only definitions of that namespace.
 * @throws HarborError `bad_arguments` for an unknown name; as `sessionSource`
 */
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
      throw new HarborError(
        'bad_arguments',
        'A world can only be written as a whole, as a book: definitions: true.',
      );
    const { text, portcullis, omitted } = await bookSource(session, evaluations);
    const book = { definitions, forms: [], text, missing: [], elsewhere: [], omitted };
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

/** Reports whether Clojure looks for the namespace of a var, given by its full name, at `path`. */
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
  const is = unknown.length === 1 ? 'is not an unsaved definition' : 'are not unsaved definitions';
  const there = definitions.map(({ text }) => text);
  throw new HarborError(
    'bad_arguments',
    `${unknown.join(', ')} ${is} of this session. ${listSimilarNames(unknown[0] ?? '', there)}`,
  );
}

/** Returns all forms of this session, and of sessions whose definitions its restored image has. */
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

/**
 * Returns the packages that forms are read in and that no form defines, with their origin as the image
 * reports it.
 */
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
    `Definitions of session ${JSON.stringify(identity.name)}, in evaluation order.`,
    'Variables have the values written here, not their values in the session.',
    ...(missing.length === 0
      ? []
      : [
          `Omitted, because their forms failed, were redacted or need a readtable without a name: ${missing.join(', ')}.`,
        ]),
  ];
}
