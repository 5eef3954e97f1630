/** Reads back what the log has written: the newest lines of its newest files. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type HarborLog, LogLevel, type LogLine } from '../contract/log';

const WrittenLine = z.object({ at: z.string(), level: z.string(), message: z.string() });

/** So many files are looked at: one is a day. */
const MOST_FILES = 7;

/** Of one line. */
const LONGEST_TEXT = 4_000;

/** @param most lines */
export async function lastLogLines(folder: string, most: number): Promise<HarborLog> {
  const files = (await readdir(folder).catch(() => []))
    .filter((name) => /^harbor-.*\.log$/.test(name))
    .sort();
  const newest = files.slice(-MOST_FILES).reverse();
  let lines: LogLine[] = [];
  let read = 0;
  for (const name of newest) {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    lines = [...text.split('\n').flatMap(lineOf), ...lines];
    read += 1;
    if (lines.length > most) break;
  }
  return { folder, lines: lines.slice(-most), whole: lines.length <= most && read === files.length };
}

/** None for what is no line of the log, such as one that is being written. */
function lineOf(text: string): LogLine[] {
  if (text === '') return [];
  try {
    const { at, level, message } = WrittenLine.parse(JSON.parse(text));
    const known = LogLevel.safeParse(level);
    return [
      {
        at: Date.parse(at),
        level: known.success ? known.data : 'info',
        text: message.slice(0, LONGEST_TEXT),
      },
    ];
  } catch {
    return [];
  }
}
