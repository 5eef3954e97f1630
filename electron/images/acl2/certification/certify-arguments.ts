/**
 * The arguments with which a book is certified. A project says them in a comment, `; cert-flags: ? t :ttags :all`, of the
 * file that is loaded before the book. What only says how it is compiled is passed over: nothing is.
 */
import { lispString } from '../../../contract/knowledge';
import { OneForm } from '../../../source/code';
import { elementsOf } from '../../../source/forms';

/** Those that are taken as they stand; ACL2 itself looks at what they say. */
const TAKEN = [':ttags', ':skip-proofs-okp', ':defaxioms-okp'] as const;

/** Trust tags that nobody has allowed stay locked, whatever is said here. */
const USUAL = { ':ttags': ':all' };

/** @param flags as the comment has them, or null */
export function certifyForm(book: string, flags: string | null): string {
  const given = Object.entries({ ...USUAL, ...givenIn(flags ?? '') });
  const options = given.map(([name, value]) => ` ${name} ${value}`).join('');
  return `(acl2::certify-book ${lispString(book)} acl2::? acl2::nil${options})`;
}

function givenIn(flags: string): Record<string, string> {
  const words = elementsOf(`(${flags})`, 'common-lisp') ?? [];
  return Object.fromEntries(
    TAKEN.flatMap((name) => {
      const at = words.findIndex((word) => word.toLowerCase() === name);
      const value = at < 0 ? undefined : words[at + 1];
      return value === undefined ? [] : [[name, String(OneForm.read(value, 'common-lisp', 'cert-flags'))]];
    }),
  );
}
