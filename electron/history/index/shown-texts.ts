/** What a line of the list shows of long texts: their beginning, or the line in which a searched text is. Pure. */
import type { EntryResult } from '../../contract/history';

/** Characters of a line, of one value, and values of a result. */
const LONGEST_LINE = 400;
const LONGEST_VALUE = 200;
const MOST_VALUES = 8;

/** The first line that is not blank, or the first with a hit; what is left out on either side is an ellipsis. */
export function lineOf(text: string, query: string | null): string {
  const at = hit(text, query);
  const trimmed = text.trim();
  if (at < 0) {
    const end = trimmed.indexOf('\n');
    const first = end < 0 ? trimmed : `${trimmed.slice(0, end).trimEnd()} …`;
    return cutAt(first, 0);
  }
  const start = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(start, end < 0 ? undefined : end);
  const before = text.slice(0, start).trim() === '' ? '' : '… ';
  const after = end < 0 || text.slice(end).trim() === '' ? '' : ' …';
  return before + cutAt(line.trim(), at - start - (line.length - line.trimStart().length)) + after;
}

/** The condition, else the last values, else the last line that was printed; another of them where only that has a hit. */
export function shownResult(
  { condition, values, output }: { condition: string | null; values: readonly string[]; output: string },
  query: string | null,
): EntryResult {
  const shown: EntryResult[] = [
    ...(condition === null
      ? []
      : [{ kind: 'condition' as const, texts: [lineOf(joined(condition), query)] }]),
    ...(values.length === 0 ? [] : [{ kind: 'values' as const, texts: shownValues(values, query) }]),
    ...(output.trim() === '' ? [] : [{ kind: 'printed' as const, texts: [printedLine(output, query)] }]),
  ];
  const found = shown.find(({ texts }) => texts.some((text) => hit(text, query) >= 0));
  return found ?? shown[0] ?? { kind: 'none', texts: [] };
}

/** Engines break a message around each value that it names: its first line alone says little. */
function joined(message: string): string {
  return message.trim().replace(/\s+/g, ' ');
}

function shownValues(values: readonly string[], query: string | null): string[] {
  const shown = values.slice(0, MOST_VALUES).map((value) => lineOf(value, query).slice(0, LONGEST_VALUE));
  return values.length > MOST_VALUES ? [...shown, '…'] : shown;
}

function printedLine(output: string, query: string | null): string {
  if (hit(output, query) >= 0) return lineOf(output, query);
  return cutAt(output.trim().split('\n').at(-1) ?? '', 0);
}

function hit(text: string, query: string | null): number {
  return query === null ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
}

/** As much of a line as there is room for, with what is at `place` in it. */
function cutAt(line: string, place: number): string {
  if (line.length <= LONGEST_LINE) return line;
  const from = Math.max(0, Math.min(place - LONGEST_LINE / 4, line.length - LONGEST_LINE));
  const cut = line.slice(from, from + LONGEST_LINE).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${from + LONGEST_LINE < line.length ? '…' : ''}`;
}
