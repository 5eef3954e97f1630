/** Finds programs on this machine and runs them for their output. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isExecutable, runAlone } from '../../host/child-process';

/** Maximum milliseconds for a program's output. */
const ANSWER_MS = 10_000;

/** Folders of package managers, which a desktop app's PATH often lacks. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin', '/opt/local/bin'];

/** Returns the first of `names` found on `searchPath` (as in PATH) or in the usual folders. */
export async function findProgram(names: readonly string[], searchPath: string): Promise<string | undefined> {
  const folders = [...searchPath.split(path.delimiter).filter(path.isAbsolute), ...USUAL_FOLDERS];
  for (const name of names)
    for (const folder of folders) {
      const program = path.join(folder, name);
      if (isExecutable(program)) return program;
    }
  return undefined;
}

/** Returns the stdout of `program`. @throws Error with its output if it fails */
export async function programOutput(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await runAlone(program, args, { timeout: ANSWER_MS })).stdout;
  } catch (error) {
    throw new Error(`${program} does not run: ${printed(error)}`, { cause: error });
  }
}

/** Remembers the result of `query` for each program until the file of the program changes. Failures are queried again. */
export function perProgram<T>(query: (program: string) => Promise<T>): (program: string) => Promise<T> {
  const known = new Map<string, { version: string; result: T }>();
  return async (program) => {
    const { ino, size, mtimeMs } = await stat(program);
    const version = [ino, size, mtimeMs].join(' ');
    const before = known.get(program);
    if (before?.version === version) return before.result;
    const result = await query(program);
    known.set(program, { version, result });
    return result;
  };
}

/** Returns what a program printed before it failed, or why it could not be run. */
export function printed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stderr, stdout } = error as { stderr?: unknown; stdout?: unknown };
  const text = [stdout, stderr]
    .filter((part) => typeof part === 'string')
    .join('\n')
    .trim();
  return text.slice(-2_000) || error.message;
}
