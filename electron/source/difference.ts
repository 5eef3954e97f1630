/** What an edit changes, as a unified diff. */
import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';

/** Texts that differ everywhere would take too long to compare. */
const LONGEST_MS = 500;

/** null for texts that are too different to compare; empty for equal ones. Carriage returns are told as they are. */
export function differenceText(file: string, before: string, after: string): string | null {
  if (before === after) return '';
  const options = { headerOptions: OMIT_HEADERS, context: 3, timeout: LONGEST_MS };
  const changes = createTwoFilesPatch(file, file, before, after, undefined, undefined, options);
  // Headers of our own: those of the library are for git, which spells names of other scripts in octal.
  return changes === undefined ? null : `--- ${file}\n+++ ${file}\n${changes}`;
}
