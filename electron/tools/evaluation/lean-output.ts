/** What was printed in the fewest words: a line that repeats is counted, and of what libraries print beside a report the end is told. */
import type { Evaluation } from '../../contract/model';
import { ending } from '../../history/cut-text';
import { ofLoading } from './lean-report';

/** Characters of what was printed meanwhile. */
const BESIDE_A_REPORT = { load: 4_000, test: 1_000 } as const;
/** Of so many equal lines on, they are counted. */
const WORTH_COUNTING = 4;

/** @param row of which it is the output: what is left out here is in the history under its id */
export function leanOutput(output: string, row: Evaluation): string {
  if (!ofLoading(row)) return withCounts(output);
  const own = withCounts(output.replaceAll(/^; compiling .*\n?/gm, '').trim());
  const told = ending(own, BESIDE_A_REPORT[row.kind === 'test' ? 'test' : 'load']);
  const before = own.length - told.length;
  return before === 0 ? told : `… ${before} characters before: in the history, evaluation ${row.id}\n${told}`;
}

/** `text` with each run of equal lines as the first of them and how many more there are. */
function withCounts(text: string): string {
  const lines = text.split('\n');
  const told: string[] = [];
  for (let place = 0; place < lines.length; ) {
    const line = lines[place] ?? '';
    let next = place + 1;
    while (lines[next] === line) next++;
    const count = next - place;
    if (count < WORTH_COUNTING) told.push(...lines.slice(place, next));
    else told.push(line, `… the same line ${count - 1} times more`);
    place = next;
  }
  return told.join('\n');
}
