/**
 * The optional groups of a prover: its logical world, which is a stack of commands, its libraries, and the
 * lock on raw Lisp.
 */
import type { Findings } from '../contract/knowledge';
import type { TrustIssue } from '../contract/proof';
import type { Dependencies, WorldCommands } from '../contract/world';
import type { Code, OneForm } from '../source/code';

export interface CommandsRequest {
  /** Number of the first command; the oldest if undefined. */
  from?: number;
  limit: number;
  /** Whether `text` is formatted for a source file: complete and in package ACL2. */
  source?: boolean;
}

/**
 * Changes of the world are made by code that is evaluated normally and recorded in the history. Command
 * numbers are those of `commands`.
 */
export interface World {
  /**
   * Evaluates nothing.
   * @throws HarborError `busy` while an evaluation runs, `query_failed`, `image_lost`
   */
  commands(request: CommandsRequest): Promise<WorldCommands>;
  /**
   * Finds the commands that `texts` represent, each a form with comments, as read in package ACL2. Returns the last
   * text of each command, by its number.
   * @throws HarborError as `commands`
   */
  written(texts: readonly string[]): Promise<ReadonlyMap<number, string>>;
  /**
   * Returns the names that `name` depends on, up to `depth` steps away, nearest first. Dependencies of
   * built-in names are omitted.
   * @throws HarborError as `commands`, `unknown_symbol`
   */
  dependencies(name: string, depth: number): Promise<readonly Dependencies[]>;
  /**
   * Returns the theorem `name` with the functions that it mentions, or for null all theorems and functions
   * except ACL2's own and those of system books.
   * @throws HarborError as `commands`, `unknown_symbol`, `bad_arguments` if it is not a theorem
   */
  statements(name: string | null): Promise<Statements>;
  /**
   * Returns the world to the state just after `command`, or to its start for 0. Fails if there is no such
   * command.
   */
  undoCode(command: number): string;
  /**
   * Removes `command` and resubmits the later ones with their proofs. The report's `lost` lists those no
   * longer admitted. An interrupt restores the world.
   */
  undoOneCode(command: number): string;
  /**
   * Returns code that certifies a book, given by its absolute name without `.lisp`, in a separate process,
   * after the project books that it includes; or all books of a folder. The events of `<book>.acl2`, or else
   * of `cert.acl2` in its folder, precede each. Unchanged books are not certified again. The report contains
   * the results.
   */
  certifyCode(book: string): string;
  /**
   * Evaluates `form` and reports each attempt to apply one of `rules` (runes or names) as `observation`;
   * without rules, the cost of all rules. The outcome is that of `form`; with rules, its output is not shown.
   */
  observeCode(form: Code, rules: readonly OneForm[]): string;
  /**
   * Reads and translates the forms of `text` without evaluating them. Its values are the number of forms read
   * and the number translated: after an event that introduces names only by evaluation, forms are only read.
   */
  checkCode(text: string): string;
  /**
   * Runs proof-builder instructions on a term to be proved, up to the first that fails. The report's
   * `builder` shows the remaining goals. The world does not change.
   */
  buildCode(term: OneForm, instructions: Code): string;
}

/**
 * The contents of a world for comparison: the translated formula, definition or constraint of each name,
 * theorems first. `count` includes those beyond the limit.
 */
export interface Statements {
  statements: readonly { name: string; term: string }[];
  count: number;
  /** The trust issues of the world. */
  issues: readonly TrustIssue[];
}

/** A request for a final check. Paths are relative to the project. */
export interface FinalCheckRequest {
  /** Name of a theorem, read in package ACL2; null for everything in the book. */
  claim: string | null;
  /** The book's file without `.lisp`. */
  book: string;
  /** Sources that exist in no file, by path. */
  texts?: ReadonlyMap<string, string>;
  /** The session's statements, which the rebuilt world must match. */
  session?: Statements;
  trustTags: readonly string[];
  /** Notes on the sources for the report. */
  notes: readonly string[];
}

export interface RawLispLock {
  readonly allowed: boolean;
  /** Trust tags that certified system books may use in this image. */
  readonly trustTags: readonly string[];
  /** Trust issues of all results since the lock was opened or a trust tag was used; empty before. */
  readonly permanentIssues: readonly TrustIssue[];
  /**
   * Opens the lock from the next evaluation on, for the life of the image. It cannot be closed: raw Lisp may
   * have changed anything, so later results cannot be trusted.
   */
  allow(): void;
  /**
   * Allows certified system books to use trust tags of these names, from the next evaluation on.
   * @throws HarborError `bad_arguments` for a name that no book uses; then none is allowed
   */
  allowTrustTags(names: readonly string[]): Promise<void>;
}

/**
 * The optional group of a prover with libraries: their theorems and documentation. Queries evaluate
 * nothing. Each may fail with a HarborError: `busy`, `bad_arguments`, `query_failed`, `image_lost`.
 */
export interface Library {
  /** A real path; undefined if there are no libraries. */
  readonly folder?: string | undefined;
  /**
   * Returns theorems with a part that matches `pattern`: those of the world first, then those of books not
   * included, with the form that includes the book. In a pattern `?` matches anything, and any other variable
   * the same term each time.
   */
  lemmas(pattern: OneForm, limit: number): Promise<Findings>;
  /** Returns documentation topics with all of `words` in their name or text, best match first. */
  topics(words: readonly string[], limit: number): Promise<Findings>;
}
