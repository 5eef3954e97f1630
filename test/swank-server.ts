/** Real Swank servers for tests: SLIME's own, in real Lisps, started as a person starts them and not by the harbor. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Where Debian's cl-swank puts it. */
const SOURCE = '/usr/share/common-lisp/source/slime/swank-loader.lisp';

const LISPS = {
  sbcl: {
    command: 'sbcl',
    before: ['--noinform', '--no-sysinit', '--no-userinit'],
    option: '--eval',
    prepare: [],
  },
  ecl: {
    command: 'ecl',
    before: ['-norc'],
    option: '-eval',
    // Its other compiler goes through C, a minute for Swank.
    prepare: ['(ext:install-bytecodes-compiler)'],
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
}

export class SwankServer {
  readonly port: number;
  readonly child: ChildProcess;
  readonly #printed: Printed;

  static async start({ port = 0, style = ':spawn', setup = 'nil', ...options }: ServerOptions = {}) {
    const { lisp = 'sbcl', home = tmpdir() } = options;
    const serve = `(progn ${setup} (swank:create-server :port ${port} :style ${style} :dont-close t))`;
    // Without threads it serves where it is called, and says its port itself.
    const told = `(format t "~&port ~D~%" (let ((swank::*log-output* nil)) ${serve}))`;
    const child = lispWithSwank(lisp, [style === 'nil' ? `(progn ${ANNOUNCE} ${serve})` : told, WAIT], home);
    const printed = new Printed(child);
    return new SwankServer(child, printed, await portOf(child, printed));
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

/** Compiled once for all tests; fasls of an older Swank are compiled anew by its loader. */
function lispWithSwank(lisp: LispName, forms: readonly string[], home: string): ChildProcess {
  const { command, before, option, prepare } = LISPS[lisp];
  const { fasls, keep } = faslFolder(lisp);
  const load = [
    ...prepare,
    `(progn (load "${SOURCE}") (setf (symbol-value (find-symbol "*FASL-DIRECTORY*" "SWANK-LOADER")) "${fasls}/"))`,
    '(let ((*standard-output* (make-broadcast-stream))) (funcall (find-symbol "INIT" "SWANK-LOADER")))',
  ];
  const args = [...load, ...forms].flatMap((form) => [option, form]);
  const child = spawn(command, [...before, ...args], {
    // One without threads also reads its standard input, and ends with it.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home },
  });
  child.once('exit', keep);
  return child;
}

/** Several files of tests may begin at once: each compiles for itself, and one result is kept. */
function faslFolder(lisp: LispName): { fasls: string; keep: () => void } {
  const shared = path.join(tmpdir(), `lisp-harbor-test-swank-${lisp}`);
  if (existsSync(shared)) return { fasls: shared, keep: () => undefined };
  const own = mkdtempSync(`${shared}-`);
  mkdirSync(own, { recursive: true });
  const keep = () => {
    if (existsSync(shared)) rmSync(own, { recursive: true, force: true });
    else renameSync(own, shared);
  };
  return { fasls: own, keep };
}

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
    const [, port] = /^port (\d+)$/m.exec(this.text) ?? [];
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
