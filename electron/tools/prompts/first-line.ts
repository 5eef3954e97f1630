/** Code as one line of a list. */
import { cut } from '../../history/text';

const LONGEST = 120;

export function firstLine(code: string): string {
  const [line = '', ...more] = code.trim().split('\n');
  return cut(more.length > 0 ? `${line} …` : line, LONGEST);
}
