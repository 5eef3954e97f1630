/** What a text of Common Lisp calls, where it is one list and nothing else. */
import { type Scan, skip } from './complete';

export interface OuterList {
  /** As it stands there, such as `acl2::ld`. */
  operator: string;
  /** All that is between the operator and the last parenthesis. */
  rest: string;
}

const OPERATOR = /^\(\s*([^\s()"'|;,`#\\]+)/;

/** null also where comments stand around the list: nothing is taken for a list that the reader may see differently. */
export function outerList(text: string): OuterList | null {
  const whole = text.trim();
  const [opening, operator] = OPERATOR.exec(whole) ?? [];
  if (opening === undefined || operator === undefined || !endsWithItsFirstList(whole)) return null;
  return { operator, rest: whole.slice(opening.length, -1) };
}

function endsWithItsFirstList(text: string): boolean {
  const scan: Scan = { text, at: 0 };
  let depth = 0;
  while (scan.at < text.length) {
    const step = skip(scan, 'common-lisp');
    if (step === 'unterminated') return false;
    if (step !== 'none') continue;
    if (text[scan.at] === '(') depth += 1;
    if (text[scan.at] === ')') depth -= 1;
    scan.at += 1;
    if (depth === 0) return scan.at === text.length;
  }
  return false;
}
