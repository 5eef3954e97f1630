/** Real Swank servers for tests: SLIME's own, in real Lisps, started as a person starts them and not by the harbor. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LASTING } from './shared-cores';

/** Milliseconds that the first start on a machine may take, which compiles Swank. */
export const COMPILING_MS = 180_000;

/** Where Debian's cl-swank puts it. */
const DEBIAN = '/usr/share/common-lisp/source/slime';

const LISPS = {
  sbcl: {
    command: 'sbcl',
    before: ['--noinform', '--no-sysinit', '--no-userinit'],
    option: '--eval',
    prepare: [],
    exit: '(sb-ext:exit :code 1 :abort t)',
  },
  ecl: {
    command: 'ecl',
    before: ['-norc'],
    option: '-eval',
    // Its other compiler goes through C, a minute for Swank.
    prepare: ['(ext:install-bytecodes-compiler)'],
    exit: '(ext:quit 1)',
  },
} as const;

export type LispName = keyof typeof LISPS;

export interface ServerOptions {
  lisp?: LispName;
  /** The port of an earlier one; any free one unless given. */
  port?: number;
  /** How it serves: in threads, or one request after another. */
  style?: ':spawn' | 'nil';
  /** Its HOME. */
  home?: string;
  /** Evaluated before it serves. */
  setup?: string;
  /** The folder of SLIME; Debian's unless given. */
  slime?: string;
  /** Whether it ends with its first connection, as one does that was started without :dont-close. */
  once?: boolean;
}

export class SwankServer {
  readonly port: number;
  readonly child: ChildProcess;
  readonly #printed: Printed;

  static async start({ port: wanted = 0, style = ':spawn', setup = 'nil', ...options }: ServerOptions = {}) {
    const { lisp = 'sbcl', home = tmpdir(), slime = DEBIAN, once = false } = options;
    const stays = once ? 'nil' : 't';
    const serve = `(progn ${setup} (swank:create-server :port ${wanted} :style ${style} :dont-close ${stays}))`;
    // Without threads, or for one connection, it may serve where it is called, and says its port itself.
    const told = `(format t "~&port ~D~%" (let ((swank::*log-output* nil)) ${serve}))`;
    const compiled = new CompiledFiles(lisp, slime);
    const forms = [style === 'nil' || once ? `(progn ${ANNOUNCE} ${serve})` : told, WAIT];
    const child = lispWithSwank(lisp, forms, { home, slime, cache: compiled.folder });
    child.once('exit', () => compiled.remove());
    const printed = new Printed(child);
    const port = await portOf(child, printed);
    compiled.share();
    return new SwankServer(child, printed, port);
  }

  private constructor(child: ChildProcess, printed: Printed, port: number) {
    this.child = child;
    this.#printed = printed;
    this.port = port;
  }

  /** What it printed itself, on either stream. */
  get printed(): string {
    return this.#printed.text;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** As a crash ends it. */
  async stop(): Promise<void> {
    if (!this.running) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

const WAIT = '(progn (finish-output) (loop (sleep 60)))';

const ANNOUNCE =
  '(setf (symbol-function (quote swank::simple-announce-function)) (lambda (port) (format t "~&port ~D~%" port) (finish-output)))';

function lispWithSwank(
  lisp: LispName,
  forms: readonly string[],
  { home, slime, cache }: { home: string; slime: string; cache: string },
): ChildProcess {
  const { command, before, option, prepare, exit } = LISPS[lisp];
  const load = `(progn
    (load "${slime}/swank-loader.lisp")
    (setf (symbol-value (find-symbol "*FASL-DIRECTORY*" "SWANK-LOADER")) #p"${cache}/")
    (let ((*standard-output* (make-broadcast-stream))) (funcall (find-symbol "INIT" "SWANK-LOADER"))))`;
  // Debian's SLIME goes by XDG_CACHE_HOME, others by the variable. A version of SLIME may be too old for this Lisp.
  const loading = `(handler-case ${load} (error (problem) (print problem) (finish-output) ${exit}))`;
  const args = [...prepare, loading, ...forms].flatMap((form) => [option, form]);
  return spawn(command, [...before, ...args], {
    // One without threads also reads its standard input, and ends with it.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home, XDG_CACHE_HOME: cache },
  });
}

/**
 * A folder of its own for what a server compiles, begun with what an earlier one compiled: Swank takes half a minute to
 * compile, and several files of tests may begin at once.
 */
class CompiledFiles {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-swank-cache-'));
  readonly #shared: string;

  constructor(lisp: LispName, slime: string) {
    const name = slime.replaceAll(/\W+/g, '-');
    this.#shared = path.join(LASTING, `lisp-harbor-test-swank-${lisp}${name}`);
    if (existsSync(this.#shared)) cpSync(this.#shared, this.folder, COPY);
  }

  /** All is compiled. */
  share(): void {
    if (existsSync(this.#shared)) return;
    const whole = mkdtempSync(`${this.#shared}-`);
    cpSync(this.folder, whole, COPY);
    try {
      renameSync(whole, this.#shared);
    } catch {
      // Another one was first.
      rmSync(whole, { recursive: true, force: true });
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Swank compares times. */
const COPY = { recursive: true, preserveTimestamps: true } as const;

/** What a server prints to its own terminal. */
class Printed {
  text = '';

  constructor({ stdout, stderr }: ChildProcess) {
    for (const stream of [stdout, stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.text += chunk.toString();
      });
  }

  get port(): number | null {
    // The whole line: a pipe may bring a part of the number first.
    const [, port] = /^port (\d+)\n/m.exec(this.text) ?? [];
    return port === undefined ? null : Number(port);
  }
}

async function portOf(child: ChildProcess, printed: Printed): Promise<number> {
  const { stdout } = child;
  if (!stdout) throw new Error('the server was started without pipes');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the Swank server ended with ${String(code)}:\n${printed.text.slice(-2000)}`);
  });
  for (;;) {
    if (printed.port !== null) return printed.port;
    await Promise.race([once(stdout, 'data'), ended]);
  }
}
