/**
 * Whether text holds only complete forms, so that a listener knows when to evaluate and when to ask for more.
 * Only delimiters count; whether the rest can be read is the reader’s business.
 */
import type { Dialect } from './dialect';
import { isClosing, isOpening, type Scan, skip } from './scan';

/** `incomplete` wants more text; `complete` can be given to the reader, which also reports a stray `)`. */
export type Completeness = 'empty' | 'incomplete' | 'complete';

export function completeness(text: string, dialect: Dialect): Completeness {
  const scan: Scan = { text, at: 0 };
  let depth = 0;
  let seen = false;
  while (scan.at < text.length) {
    const step = skip(scan, dialect);
    if (step === 'unterminated') return 'incomplete';
    if (step === 'blank') continue;
    seen = true;
    if (step === 'token') continue;
    const character = text.charAt(scan.at);
    if (isOpening(character, dialect)) depth += 1;
    if (isClosing(character, dialect)) depth -= 1;
    if (depth < 0) return 'complete';
    scan.at += 1;
  }
  if (!seen) return 'empty';
  return depth > 0 ? 'incomplete' : 'complete';
}
