/** Forms for tests that ask an image for code: what tools read of their callers' arguments. */
import { OneForm } from '../electron/source/code';
import type { Dialect } from '../electron/source/dialect';

export function form(text: string, dialect: Dialect = 'common-lisp'): OneForm {
  return OneForm.read(text, dialect, 'form');
}
