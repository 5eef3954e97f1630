/**
 * The optional groups of a prover: its logical world, which is a stack of commands, each admitted on top of those below,
 * and the lock on the raw Lisp that it runs on.
 */

import type { TrustIssue } from '../contract/proof';
import type { Dependencies, WorldCommands } from '../contract/world';
import type { Code, OneForm } from '../source/code';

export interface CommandsRequest {
  /** Number of the first command wanted; absent: the oldest. */
  from?: number;
  limit: number;
  /** Whether `text` is as in a source file: whole, in package ACL2. */
  source?: boolean;
}

/**
 * What changes the world is code, which is evaluated like any other and has its row in the history. Commands have the
 * numbers that `commands` tells.
 */
export interface World {
  /** Evaluates and changes nothing. @throws HarborError `busy` while an evaluation runs, `query_failed`, `image_lost` */
  commands(request: CommandsRequest): Promise<WorldCommands>;
  /** What `name` rests on, and what that does, up to `depth` steps away, the nearest first; of ACL2's own nothing more.
   * @throws HarborError as `commands`, `unknown_symbol` */
  dependencies(name: string, depth: number): Promise<readonly Dependencies[]>;
  /** The theorem of that name and the functions that it is about, or, for null, all theorems and functions that are neither
   * ACL2's nor its system's books'.
   * @throws HarborError as `commands`, `unknown_symbol`, `bad_arguments` for what is no theorem */
  statements(name: string | null): Promise<Statements>;
  /** Brings the world back to just after `command`, or to its beginning for 0; fails where there is none such. */
  undoCode(command: number): string;
  /**
   * Takes `command` out of the world and submits those after it again, with their proofs. Which of them are not
   * admitted any more comes with the outcome, as the report's `lost`. One that is interrupted changes nothing.
   */
  undoOneCode(command: number): string;
  /**
   * Certifies a book, the file of this absolute name without `.lisp`, in a process of its own that holds nothing else, and
   * before it those of the project that it includes; or all books in the folder of that name. The events of
   * `<book>.acl2`, else of `cert.acl2` beside it, come before each. What has not changed since is not certified again. The
   * outcome's report says how it went.
   */
  certifyCode(book: string): string;
  /**
   * Evaluates `form` and tells, as the report's `observation`, each attempt to apply one of `rules`, which are runes or
   * names; without any, what all rules have cost. It ends as `form` does, and what it prints is not shown with rules.
   */
  observeCode(form: Code, rules: readonly OneForm[]): string;
  /**
   * Reads the forms of `text` and translates them, and evaluates none. Its values are how many were read, and how many of
   * those were translated: after an event whose names only evaluation shows, the others are only read.
   */
  checkCode(text: string): string;
  /** Runs instructions of the proof-builder, up to the first that fails, on a term that is then to be proved. The report's
   * `builder` says what is left; the world stays. */
  buildCode(term: OneForm, instructions: Code): string;
}

/** What a world says, to be compared with another one: the translated formula, definition or constraint under each name, theorems
 * first. `count`: with those that there are too many of. */
export interface Statements {
  statements: readonly { name: string; term: string }[];
  count: number;
  /** What it rests on. */
  issues: readonly TrustIssue[];
}

/** What a final check is about. Paths are relative to the project. */
export interface FinalCheckRequest {
  /** A theorem's name, read in package ACL2; null: all that the book says. */
  claim: string | null;
  /** The file of the book without `.lisp`. */
  book: string;
  /** Sources that no file holds, by their paths. */
  texts?: ReadonlyMap<string, string>;
  /** What the session says of the claim, or of all: what is rebuilt must say the same. */
  session?: Statements;
  trustTags: readonly string[];
  /** What the report is to say of the sources. */
  notes: readonly string[];
}

export interface RawLispLock {
  readonly allowed: boolean;
  /** Trust tags that certified books of the system may use in this image. */
  readonly trustTags: readonly string[];
  /** What every result rests on since it was opened, or a trust tag was used; empty before. */
  readonly standing: readonly TrustIssue[];
  /** Opens it, from the next evaluation on and for as long as the image lives. Raw Lisp could have changed anything, so no
   * later result can be believed, and nothing closes the lock again. */
  allow(): void;
  /** Lets certified books of the system use trust tags of these names, from the next evaluation on.
   * @throws HarborError `bad_arguments` for a name that none of them has; then none is allowed */
  allowTrustTags(names: readonly string[]): Promise<void>;
}
