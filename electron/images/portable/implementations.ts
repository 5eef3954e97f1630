/** The Common Lisps that run the portable part of our agent: how to find and start ABCL, CCL and ECL. */

import { readFile, realpath } from 'node:fs/promises';
import type { EngineName } from '../../contract/model';
import { findProgram, perProgram, programOutput } from '../agent/programs';
import { findJava, INSTALL_JAVA } from '../java';

/** An installed Lisp, and how to run it. */
export interface Installation {
  version: string;
  /** The path to show: the program or its archive. */
  path: string;
  command: string;
  /** Arguments that evaluate one form at startup, without the user's init files and further input. */
  evaluate(form: string, limits: Limits): readonly string[];
  /** Files of the Lisp itself; compiled files are invalid if they change. */
  runtime: readonly string[];
  /** Files and folders that it reads at run time. */
  needs: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Resources of an image. `home` and `temporary` are folders of its session. */
export interface Limits {
  heapMiB: number;
  home: string;
  temporary: string;
}

export interface Implementation {
  engine: EngineName;
  title: string;
  /** Suffix of its compiled files. */
  suffix: string;
  prompt(packageName: string): string;
  /** Milliseconds of progress time until a new process must answer. */
  progressTimeout: number;
  /** Whether it runs the servers of Emacs, `resources/lisp/emacs`. */
  servesEmacs: boolean;
  /** A remark for the user, shown with the discovered engine. */
  remark?: string;
  /** @throws Error with a sentence on what is missing and how to get it */
  find(searchPath: string): Promise<Installation>;
}

/** JVM options, tuned for a fast start. */
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
  servesEmacs: false,
  suffix: 'abcl',
  prompt: (packageName) => `${packageName}(1): `,
  progressTimeout: 120_000,

  async find(searchPath) {
    const [script, java] = await Promise.all([findProgram(['abcl'], searchPath), findJava(searchPath)]);
    if (script === undefined) throw new Error('ABCL was not found. Install it with: apt install abcl');
    const archive = await archiveOf(script);
    if (archive === undefined) throw new Error(`${script} does not name an archive of ABCL (abcl….jar).`);
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

/** The JVM takes the user's home from the host's user database, not from HOME. */
function folders({ heapMiB, home, temporary }: Limits): string[] {
  return [`-Xmx${heapMiB}m`, `-Duser.home=${home}`, `-Djava.io.tmpdir=${temporary}`];
}

async function archiveOf(script: string): Promise<string | undefined> {
  const text = await readFile(script, 'utf8').catch(() => '');
  const named = /[\w./-]*abcl[\w.-]*\.jar/.exec(text)?.[0];
  return named === undefined ? undefined : realpath(named).catch(() => undefined);
}

const MIB = 1024 * 1024;

const versionOutput = perProgram((program) => programOutput(program, ['--version']));

export const CCL: Implementation = {
  engine: 'ccl',
  title: 'CCL',
  servesEmacs: false,
  suffix: 'ccl',
  prompt: () => '? ',
  progressTimeout: 30_000,
  remark: 'untested with Lisp Harbor',

  async find(searchPath) {
    const program = await findProgram(['ccl', 'ccl64', 'lx86cl64', 'dx86cl64', 'ccl32'], searchPath);
    if (program === undefined)
      throw new Error('CCL was not found. Get it from https://ccl.clozure.com/download.html');
    const version = /Version ([\w.-]+)/i.exec(await versionOutput(program))?.[1];
    if (version === undefined) throw new Error(`${program} does not respond like CCL.`);
    return {
      version,
      path: program,
      command: program,
      evaluate: (form, { heapMiB }) => [
        ...['--no-init', '--quiet', '--batch', '--heap-reserve', String(heapMiB * MIB)],
        ...['--eval', form],
      ],
      runtime: [program],
      needs: [program],
      env: process.env.CCL_DEFAULT_DIRECTORY
        ? { CCL_DEFAULT_DIRECTORY: process.env.CCL_DEFAULT_DIRECTORY }
        : {},
    };
  },
};

/** ECL compiles the agent through C, so it needs a C compiler, which Debian's package includes. */
export const ECL: Implementation = {
  engine: 'ecl',
  title: 'ECL',
  servesEmacs: true,
  suffix: 'fas',
  prompt: () => '> ',
  progressTimeout: 30_000,

  async find(searchPath) {
    const program = await findProgram(['ecl'], searchPath);
    if (program === undefined) throw new Error('ECL was not found. Install it with: apt install ecl');
    const version = /^ECL (\S+)/m.exec(await versionOutput(program))?.[1];
    if (version === undefined) throw new Error(`${program} does not respond like ECL.`);
    return {
      version,
      path: program,
      command: program,
      evaluate: (form, { heapMiB }) => ['--norc', '--heap-size', String(heapMiB * MIB), '--eval', form],
      runtime: [program],
      needs: [program],
      env: {},
    };
  },
};
