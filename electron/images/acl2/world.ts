/**
 * The logical world of an ACL2 image: queries about its commands, the code that changes it, and the code that
 * loads and tests.
 */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import { CheckedFunction, CheckedTheorem, FINAL_CHECK, TrustIssue } from '../../contract/proof';
import { Dependencies, NameMark, WorldCommand, type WorldCommands, WorldEvent } from '../../contract/world';
import type { Code, OneForm } from '../../source/code';
import type { Loader, LoadTarget, TestTarget } from '../optional-groups';
import type { CommandsRequest, Statements, World } from '../world';
import type { Acl2Queries } from './conversation';
import { TriedClaim } from './records';
import { harborForm } from './wire';

export class Acl2World implements World {
  readonly #queries: Acl2Queries;

  constructor(queries: Acl2Queries) {
    this.#queries = queries;
  }

  commands({ from, limit, source }: CommandsRequest): Promise<WorldCommands> {
    return this.#queries.query('commands', '', { from, limit, source }, COMMANDS);
  }

  async written(texts: readonly string[]): Promise<ReadonlyMap<number, string>> {
    const lengths = texts.map((text) => Buffer.byteLength(text));
    const found = await this.#queries.query('written', texts.join(''), { lengths }, WRITTEN);
    return new Map(found.map(({ number, index }) => [number, texts[index] ?? '']));
  }

  dependencies(name: string, depth: number): Promise<Dependencies[]> {
    return this.#queries.query('dependencies', name, { depth }, z.array(Dependencies));
  }

  statements(name: string | null): Promise<Statements> {
    return this.#queries.query('statements', name ?? '', {}, STATEMENTS);
  }

  /**
   * Returns the theorem `name`, or all theorems, with the functions they mention and the books of the world.
   */
  judgement(name: string | null): Promise<Judgement> {
    return this.#queries.query('theorems', name ?? '', {}, JUDGEMENT);
  }

  /** Tries claims on small values: the theorems of a project's book, the theorem `name`, or all for null. */
  triedClaims(of: { book: string } | { name: string | null }): Promise<TriedClaim[]> {
    return 'book' in of
      ? this.#queries.query('claims', of.book, { book: true }, TRIED_CLAIMS)
      : this.#queries.query('claims', of.name ?? '', { book: false }, TRIED_CLAIMS);
  }

  files(): Promise<NamedFiles> {
    return this.#queries.query('files', '', {}, NamedFiles);
  }

  undoCode(command: number): string {
    return harborForm('undo', String(command));
  }

  undoOneCode(command: number): string {
    return harborForm('undo-one', String(command));
  }

  certifyCode(book: string): string {
    return harborForm('certify', lispString(book));
  }

  observeCode(form: Code, rules: readonly OneForm[]): string {
    return harborForm('observe', `(${rules.join(' ')})\n${form}\n`);
  }

  checkCode(text: string): string {
    return harborForm('check-syntax', lispString(text));
  }

  buildCode(term: OneForm, instructions: Code): string {
    return harborForm('verify', `${term}\n${instructions}\n`);
  }
}

/**
 * Full names of all files that ACL2's functions may have read, some of which may not exist, and of all books that
 * INCLUDE-BOOK has been given.
 */
const NamedFiles = z.object({ files: z.array(z.string()), books: z.array(z.string()) });
export type NamedFiles = z.infer<typeof NamedFiles>;

const TRIED_CLAIMS = z.array(TriedClaim);

const STATEMENTS = z.object({
  statements: z.array(z.object({ name: z.string(), term: z.string() })),
  count: z.number().int(),
  issues: z.array(TrustIssue),
});

/** `books` are the full names of all included books, also those included locally. */
const JUDGEMENT = z
  .object({
    theorems: z.array(CheckedTheorem),
    theorem_count: z.number().int(),
    functions: z.array(CheckedFunction),
    function_count: z.number().int(),
    books: z.array(z.string()),
    issues: z.array(TrustIssue),
    acl2: z.string(),
    lisp: z.string(),
  })
  .transform(({ theorem_count: theoremCount, function_count: functionCount, ...same }) => ({
    ...same,
    theoremCount,
    functionCount,
  }));
type Judgement = z.infer<typeof JUDGEMENT>;

const mark = NameMark.omit({ guardsVerified: true })
  .extend({ guards_verified: z.boolean() })
  .transform(({ guards_verified: guardsVerified, ...same }) => ({ ...same, guardsVerified }));

const event = WorldEvent.extend({ marks: z.array(mark) });

const command = WorldCommand.omit({ eventCount: true })
  .extend({ events: z.array(event), event_count: z.number().int() })
  .transform(({ event_count: eventCount, ...same }) => ({ ...same, eventCount }));

const WRITTEN = z.array(z.object({ number: z.int(), index: z.int() }));

/** The answer to the query `commands`. */
const COMMANDS = z.object({ commands: z.array(command), total: z.number().int() });

/** The test framework of ACL2, by ACL2's own name. */
export const CERTIFY_BOOK = 'certify-book';

/** The code for a fresh world without anything loaded. */
const NOTHING = '(acl2::value :fresh)';

/**
 * Load and test code: files form by form, and books. System books are named as `:dir :system` names them.
 */
export class Acl2Loader implements Loader {
  readonly frameworks = [CERTIFY_BOOK, FINAL_CHECK];

  /** Submits the forms of a file up to the event that introduces `name`. What the world has is not proved again. */
  untilCode(file: string, name: string): string {
    return harborForm('load-until', eventIn(file, name));
  }

  loadCode(target: LoadTarget): string {
    if ('file' in target) return harborForm('load', lispString(target.file));
    const books = target.systems.map(
      (book) => `(acl2::include-book ${lispString(bookOf(book))} :dir :system)`,
    );
    return books.join('\n') || NOTHING;
  }

  bookCode(book: string): string {
    return `(acl2::include-book ${lispString(book)})`;
  }

  /**
   * A book is ACL2's unit of testing: it certifies if all its theorems and ASSERT-EVENTs hold. Without a
   * file, all books of the project are certified. One theorem of a file is proved in the session.
   */
  testCode({ system, file, test }: TestTarget): string {
    if (system !== undefined || (test !== undefined && file === undefined))
      throw new HarborError(
        'not_supported',
        'In ACL2, tests are run by certifying whole books, or by proving one theorem of a file. Pass the file as path, or nothing for all books of the project.',
      );
    const book = this.testedBooks({ file, test });
    return book === undefined
      ? harborForm('prove', eventIn(file ?? '', test ?? ''))
      : harborForm('certify', lispString(book));
  }

  testedBooks({ file, test }: TestTarget): string | undefined {
    if (test !== undefined) return undefined;
    return file === undefined ? '.' : bookOf(file);
  }
}

/** Returns the arguments of the forms that load a file up to an event. */
function eventIn(file: string, name: string): string {
  return `${lispString(`${bookOf(file)}.lisp`)} ${lispString(name)}`;
}

/** Returns the name of a book as ACL2's commands take it: its file without the extension. */
export function bookOf(file: string): string {
  return file.replace(/\.lisp$/, '');
}
