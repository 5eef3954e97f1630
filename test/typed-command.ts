/** Commands that call tools, run within the test's own process: what they say and answer, without what a start costs. */
import { Readable, Writable } from 'node:stream';
import { type CommandProcess, runToolCommand } from '../electron/command-line/calls/run-tool-command';
import type { Ended } from './command-line';

export interface Typed {
  /** Where it is typed. */
  folder: string;
  env?: NodeJS.ProcessEnv;
  /** On stdin. */
  input?: string;
  /** Whether stdout is a terminal. */
  isWatched?: boolean;
  /** Hears each piece of output as it comes. */
  onOutput?: (text: string) => void;
}

/** @param words those after `lisp-harbor` */
export async function typedHere(words: readonly string[], typed: Typed): Promise<Ended> {
  const { folder, env = {}, input = '', isWatched = false, onOutput } = typed;
  const said = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof said) =>
    new Writable({
      write(chunk, _encoding, done) {
        said[name] += String(chunk);
        onOutput?.(String(chunk));
        done();
      },
    });
  const of = {
    env,
    stdin: Readable.from([input]),
    stdout: Object.assign(stream('stdout'), { isTTY: isWatched }),
    stderr: stream('stderr'),
    cwd: () => folder,
    on: () => of,
    off: () => of,
  };
  const code = await runToolCommand(words, of as unknown as CommandProcess);
  return { code, ...said };
}
