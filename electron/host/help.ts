/** What `--help` says of the entries. Whoever asks for it gets it and nothing else: no harbor is looked for or started. */
import { USAGE } from './option-table';

interface Entry {
  usage: string;
  about: string;
}

/** The entries of the program; the commands of `lisp-harbor` tell of themselves. */
export const ENTRIES = {
  start: { usage: '[options]', about: 'opens the window; without a display as "serve"' },
  serve: {
    usage: 'serve [options]',
    about: 'the same harbor without a window; prints one line of JSON when it is ready',
  },
  stdio: {
    usage: 'stdio [options]',
    about: 'MCP over stdin and stdout, for clients that start their servers themselves',
  },
} satisfies Record<string, Entry>;

export type EntryName = keyof typeof ENTRIES;

/** Wherever it stands: nobody who asks what something does wants it done. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}

export function helpText({ usage, about }: Entry): string {
  return `Usage: lisp-harbor ${usage}\n\n${about}\n\n${USAGE}\n`;
}

/** Prints the help of an entry that is asked for it. @returns whether it was */
export function helped(entry: EntryName, words: readonly string[]): boolean {
  if (!asksForHelp(words)) return false;
  process.stdout.write(helpText(ENTRIES[entry]));
  return true;
}
