/** Messages as engines sent them, recorded on the way in: one a line in `recorded/`, as a string of JSON. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, 'recorded');

type Name = 'agent-events' | 'swank-messages' | 'acl2-records' | 'acl2-commentary' | 'nrepl-messages';

export function recorded(name: Name): readonly string[] {
  const lines = readFileSync(path.join(FOLDER, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line): string => JSON.parse(line));
}

/** Some messages after one another, as a connection has them; `framed` makes the bytes of each. As Latin-1. */
export function conversations(
  messages: readonly string[],
  framed: (message: string) => Buffer | string,
): string[] {
  const texts = messages.map((message) => Buffer.from(framed(message)).toString('latin1'));
  const some = Array.from({ length: 6 }, (_, which) => texts.filter((_text, index) => index % 6 === which));
  return [...texts.slice(0, 4), ...some.map((each) => each.slice(0, 5).join(''))];
}
