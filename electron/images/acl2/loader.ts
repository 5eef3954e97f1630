/** Loading in ACL2: files form by form, and books, those of the system by the names that :DIR :SYSTEM takes. */
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/lisp-string';
import type { Loader, LoadTarget } from '../loader';
import { harborForm } from './harbor-forms';

/** What is evaluated in a fresh world that is to hold nothing. */
const NOTHING = '(acl2::value :fresh)';

export class Acl2Loader implements Loader {
  readonly frameworks = [];

  loadCode(target: LoadTarget): string {
    if ('file' in target) return harborForm('load', lispString(target.file));
    const books = target.systems.map((book) => `(acl2::include-book ${lispString(book)} :dir :system)`);
    return books.join('\n') || NOTHING;
  }

  bookCode(book: string): string {
    return `(acl2::include-book ${lispString(book)})`;
  }

  testCode(): never {
    throw new HarborError(
      'not_supported',
      'ACL2 has no test frameworks: `load` a file whose theorems and ASSERT-EVENTs are its tests.',
    );
  }
}
