/** What an edit changes, as a unified diff. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Texts that differ everywhere would take too long to compare. */
const LONGEST_MS = 500;

/** null for texts that are too different to compare; empty for equal ones. Carriage returns are told as they are. */
export function differenceText(file: string, before: string, after: string): string | null {
  if (before === after) return '';
  const options = { headerOptions: FILE_HEADERS_ONLY, context: 3, timeout: LONGEST_MS };
  return createTwoFilesPatch(file, file, before, after, undefined, undefined, options) ?? null;
}
