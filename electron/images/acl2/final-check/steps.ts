/** What is submitted in a final check: to certify a book with nothing optional, and to include it. Pure. */
import { lispString } from '../../../contract/knowledge';

/** @param book without `.lisp` */
export function certifying(book: string, trustTags: readonly string[]): string {
  return `(acl2::certify-book ${lispString(book)} acl2::? acl2::nil ${nothingOptional(trustTags)})`;
}

/** As `certifying`. */
export function including(book: string, trustTags: readonly string[]): string {
  return `(acl2::include-book ${lispString(book)} :uncertified-okp acl2::nil ${nothingOptional(trustTags)})`;
}

/** As a person types it, with paths relative to the folder of the sources. */
export function byHand(code: string): string {
  return code.replaceAll('acl2::', '');
}

function nothingOptional(trustTags: readonly string[]): string {
  const allowed = trustTags.length === 0 ? 'acl2::nil' : `(${trustTags.map((tag) => `:${tag}`).join(' ')})`;
  return `:skip-proofs-okp acl2::nil :defaxioms-okp acl2::nil :ttags ${allowed}`;
}
