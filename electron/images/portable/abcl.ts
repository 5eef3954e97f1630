/**
 * ABCL: runs on the JVM, which is started directly, for its script hands no options on. The version is read from the
 * archive's name: to ask ABCL itself takes seconds.
 */
import { readFile, realpath } from 'node:fs/promises';
import { findProgram } from '../agent/programs';
import { findJava, INSTALL_JAVA } from '../java';
import type { Implementation, Limits } from './implementation';

/** Options of the JVM. People wait for its start, so the slow compiler is left out. */
const OPTIONS = [
  '-Xss16m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
  // ABCL prints the stack of each overflow.
  '-XX:MaxJavaStackTraceDepth=10',
  // The agent opens descriptor 3, see resources/lisp/portable/abcl.lisp.
  ...['--add-opens', 'java.base/java.io=ALL-UNNAMED'],
];

export const ABCL: Implementation = {
  engine: 'abcl',
  title: 'ABCL',
  suffix: 'abcl',
  prompt: (packageName) => `${packageName}(1): `,
  patience: 120_000,

  async find(searchPath) {
    const [script, java] = await Promise.all([findProgram(['abcl'], searchPath), findJava(searchPath)]);
    if (script === undefined) throw new Error('ABCL was not found. Install it with: apt install abcl');
    const archive = await archiveOf(script);
    if (archive === undefined) throw new Error(`${script} names no archive of ABCL (abcl….jar).`);
    if (java === undefined) throw new Error(`ABCL needs Java 9 or later. ${INSTALL_JAVA}`);
    return {
      version: /abcl-(\d[\w.]*)\.jar$/.exec(archive)?.[1] ?? 'unknown',
      path: script,
      command: java.command,
      evaluate: (form, limits) => [
        ...[...OPTIONS, ...folders(limits), '-cp', archive, 'org.armedbear.lisp.Main'],
        ...['--noinform', '--noinit', '--nosystem', '--batch', '--eval', form],
      ],
      runtime: [java.command, archive],
      needs: [...java.needs, archive],
      env: {},
    };
  },
};

/** The JVM looks up a user's home in the host's list of users, not in HOME. */
function folders({ heapMiB, home, temporary }: Limits): string[] {
  return [`-Xmx${heapMiB}m`, `-Duser.home=${home}`, `-Djava.io.tmpdir=${temporary}`];
}

async function archiveOf(script: string): Promise<string | undefined> {
  const text = await readFile(script, 'utf8').catch(() => '');
  const named = /[\w./-]*abcl[\w.-]*\.jar/.exec(text)?.[0];
  return named === undefined ? undefined : realpath(named).catch(() => undefined);
}
