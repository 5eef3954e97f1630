/** Loading in ACL2: files form by form, and books, those of the system by the names that :DIR :SYSTEM takes. */
import { HarborError } from '../../contract/errors';
import { FINAL_CHECK } from '../../contract/final-check';
import { lispString } from '../../contract/knowledge';
import type { Loader, LoadTarget, TestTarget } from '../optional-groups';
import { harborForm } from './requests';

/** As ACL2 calls what judges a book. */
export const CERTIFY_BOOK = 'certify-book';

/** What is evaluated in a fresh world that is to hold nothing. */
const NOTHING = '(acl2::value :fresh)';

export class Acl2Loader implements Loader {
  readonly frameworks = [CERTIFY_BOOK, FINAL_CHECK];

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

  /** A book is what ACL2 has for a suite of tests: it certifies when all its theorems and ASSERT-EVENTs hold. Without a
   * file: all books of the project. */
  testCode({ system, file, test }: TestTarget): string {
    if (system !== undefined || test !== undefined)
      throw new HarborError(
        'not_supported',
        'In ACL2 a book is tested by certifying the whole of it: name its file as path, or nothing for all books of the project.',
      );
    return harborForm('certify', lispString(file === undefined ? '.' : bookOf(file)));
  }
}

/** A book by the name that ACL2's commands take: its file without the extension. */
export function bookOf(file: string): string {
  return file.replace(/\.lisp$/, '');
}
