/**
 * ABCL: runs on the JVM, which is started directly, for its script hands no options on. The version is read from the
 * archive's name: to ask ABCL itself takes seconds.
 */
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../agent/programs';
import type { Implementation, Limits } from './implementation';

/** What the JVM is told: the start is what people wait for, so the compiler that takes long is left out. */
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
    const [script, java] = await Promise.all([
      findProgram(['abcl'], searchPath),
      findProgram(['java'], searchPath),
    ]);
    if (script === undefined) throw new Error('ABCL was not found. Install it with: apt install abcl');
    const archive = await archiveOf(script);
    if (archive === undefined) throw new Error(`${script} names no archive of ABCL (abcl….jar).`);
    if (java === undefined)
      throw new Error('ABCL needs Java 9 or later. Install it with: apt install default-jre-headless');
    const virtualMachine = path.dirname(path.dirname(await realpath(java)));
    return {
      version: /abcl-(\d[\w.]*)\.jar$/.exec(archive)?.[1] ?? 'unknown',
      path: script,
      command: java,
      evaluate: (form, limits) => [
        ...[...OPTIONS, ...folders(limits), '-cp', archive, 'org.armedbear.lisp.Main'],
        ...['--noinform', '--noinit', '--nosystem', '--batch', '--eval', form],
      ],
      runtime: [java, archive],
      needs: [virtualMachine, archive, ...(await settingsOfJava())],
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

/** Debian keeps the JVM's settings, without which it does not start, in /etc. */
async function settingsOfJava(): Promise<string[]> {
  const entries = await readdir('/etc').catch(() => []);
  return entries.filter((name) => /^java(-|$)/.test(name)).map((name) => path.join('/etc', name));
}
