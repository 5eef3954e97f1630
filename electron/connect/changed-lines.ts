/** The change of a file as people are shown it: what is added and taken away, and no word of what stands beside it. Pure. */
import { diffLines } from 'diff';

/** Tokens that open the harbor; the file has them whole. */
const TOKEN = /\blh_[\w-]{20,}/g;

/**
 * Like a unified diff without context, in which a line that changes in part is cut to that part: what stands beside our entry
 * may be another server's secret. null is a file that does not exist. Empty when both are the same.
 */
export function changedLines(file: string, before: Buffer | null, after: Buffer | null): string {
  if (before && after ? before.equals(after) : before === after) return '';
  const [from, to] = [before ? file : '/dev/null', after ? file : '/dev/null'];
  const hunks = hunksOf(before?.toString() ?? '', after?.toString() ?? '');
  const lines = hunks.flatMap(({ line, removed, added }) => {
    const [gone, come] = differing(removed, added);
    return [`@@ line ${line} @@`, ...marked('-', gone), ...marked('+', come)];
  });
  return `--- ${from}\n+++ ${to}\n${lines.join('\n')}\n`.replace(TOKEN, 'lh_…');
}

interface Hunk {
  /** In the file as it was, from 1. */
  line: number;
  removed: string;
  added: string;
}

function hunksOf(before: string, after: string): Hunk[] {
  const hunks: Hunk[] = [];
  let line = 1;
  let isOpen = false;
  for (const { value, count, added, removed } of diffLines(before, after)) {
    const isChange = added || removed;
    if (isChange && !isOpen) hunks.push({ line, removed: '', added: '' });
    const hunk = hunks.at(-1);
    if (hunk && removed) hunk.removed += value;
    if (hunk && added) hunk.added += value;
    if (!added) line += count;
    isOpen = isChange;
  }
  return hunks;
}

/** Both without what they begin and end with alike; whole lines that differ stay whole. */
function differing(removed: string, added: string): [removed: string, added: string] {
  const most = Math.min(removed.length, added.length);
  let start = 0;
  while (start < most && removed[start] === added[start]) start += 1;
  let end = 0;
  while (end < most - start && removed.at(-1 - end) === added.at(-1 - end)) end += 1;
  return [removed.slice(start, removed.length - end), added.slice(start, added.length - end)];
}

function marked(mark: '-' | '+', text: string): string[] {
  const lines = text.replace(/^(?:\r\n|\r|\n)|(?:\r\n|\r|\n)$/g, '').split(/\r\n|\r|\n/);
  return text === '' ? [] : lines.map((line) => mark + line);
}
