/** Reads the newest lines of the log back. Separate from log.ts, so that entries do not load the parser. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type HarborLog, LogLevel, type LogLine } from '../contract/harbor-status';

const WrittenLine = z.object({ at: z.string(), level: z.string(), message: z.string() });

/** Maximum number of log files read. There is one per day. */
const MOST_FILES = 7;

/** Maximum length of a line, in characters. */
const LONGEST_TEXT = 4_000;

/**
 * Returns the newest lines of the log.
 * @param most maximum number of lines
 */
export async function lastLogLines(folder: string, most: number): Promise<HarborLog> {
  const files = (await readdir(folder).catch(() => []))
    .filter((name) => /^harbor-.*\.log$/.test(name))
    .sort();
  const newest = files.slice(-MOST_FILES).reverse();
  let lines: LogLine[] = [];
  let read = 0;
  for (const name of newest) {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    lines = [...text.split('\n').flatMap(parseLine), ...lines];
    read += 1;
    if (lines.length > most) break;
  }
  return { folder, lines: lines.slice(-most), whole: lines.length <= most && read === files.length };
}

/** Returns an empty list for text that is not a complete line of the log. */
function parseLine(text: string): LogLine[] {
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
