/**
 * The optional group of an image that loads systems and runs their tests. Both run code of the user, so they are
 * evaluations like any other: a loader answers the code, which a person could type as well, and what it loaded or
 * tested comes with the outcome, as its report.
 */

/** One of them: a system by its name, or a file by its absolute path. */
export type LoadTarget = { systems: readonly string[] } | { file: string };

export interface TestTarget {
  system?: string | undefined;
  file?: string | undefined;
  /** One test or suite by its name. */
  test?: string | undefined;
  framework?: string | undefined;
}

export interface Loader {
  /** Test frameworks by the names that `testCode` takes. */
  readonly frameworks: readonly string[];
  loadCode(target: LoadTarget): string;
  /** Where there are books: `book` is the absolute path of one, without the `.lisp` of its file. */
  bookCode?(book: string): string;
  /** @throws HarborError `not_supported` where there are no frameworks */
  testCode(target: TestTarget): string;
}
