/**
 * Prepares a connection to a Swank or Slynk server before anything is evaluated: identifies the server, creates its
 * REPL, and loads our own Lisp code.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { EmacsProtocol } from '../../contract/harbor-status';
import type { SwankQueries } from './queries';
import { elementsOf, isNil, isSymbol, lispCall, propertyOf, quoted, type Sexp, symbol, textOf } from './sexp';

/** Maximum milliseconds to identify the server. */
const GREETING_MS = 5_000;

/** Maximum milliseconds to load code, which the server may have to compile. */
const LOADING_MS = 60_000;

/**
 * A server of Emacs and its names. The code here and in resources/swank is written with the names of Swank; `named`
 * replaces them in it.
 */
export interface Dialect {
  name: EmacsProtocol;
  /** The server and its editor in messages. */
  title: string;
  editor: string;
  /** The file in the home folder with the secret that its server expects first. */
  secretFile: string;
  /** How to start it, in messages. */
  start: string;
  named: (text: string) => string;
}

export const DIALECTS: Readonly<Record<EmacsProtocol, Dialect>> = {
  swank: {
    name: 'swank',
    ...{ title: 'Swank', editor: 'SLIME', secretFile: '.slime-secret' },
    start: '(ql:quickload :swank) and (swank:create-server :port 4006 :dont-close t)',
    named: (text) => text,
  },
  slynk: {
    name: 'slynk',
    ...{ title: 'Slynk', editor: 'SLY', secretFile: '.sly-secret' },
    start: '(ql:quickload :slynk) and (slynk:create-server :port 4008 :dont-close t)',
    named: (text) =>
      text
        .replaceAll('swank/backend', 'slynk-backend')
        .replaceAll('swank', 'slynk')
        .replaceAll('sldb', 'sly-db')
        .replaceAll('slime', 'sly'),
  },
};

/**
 * Identifies the server and prepares it: its REPL for this connection, and our own code, `helper`.
 * @throws HarborError if it does not answer like the server of the dialect; the message names the other one if that
 *   answers
 */
export async function greet(questions: SwankQueries, dialect: Dialect, helper: string): Promise<ServerFacts> {
  const facts = await factsOf(questions, dialect);
  const loading = { milliseconds: LOADING_MS, package: 'COMMON-LISP-USER' };
  if (dialect.name === 'swank') {
    await questions.query(lispCall('swank:swank-require', quoted([symbol(':swank-repl')])), loading);
    await questions.query(creatingRepl(), loading);
  }
  await questions.query(loadingHelper(dialect, helper), loading);
  const [packageName, repl] = elementsOf(await questions.query(lispCall('lisp-harbor.swank:begin'), loading));
  return { ...facts, package: textOf(packageName) ?? facts.package, repl: repl ?? facts.repl };
}

/** @throws HarborError as `greet`, Error for an answer that is not the server's */
async function factsOf(questions: SwankQueries, dialect: Dialect): Promise<ServerFacts> {
  const options = { milliseconds: GREETING_MS };
  const info = lispCall('swank:connection-info');
  // A server may close the connection over an unknown name, so Slynk is identified first; it also answers some
  // requests of Swank, so an answer is no proof.
  const isWanted = async () =>
    isNil(await questions.query(slynkQuestion(), options)) === (dialect.name === 'swank');
  if (dialect.name === 'slynk' && !(await isWanted())) throw otherServer(dialect);
  const facts = await questions.query(info, options).then(serverFacts).catch(refusalIn);
  if (dialect.name === 'swank' && !(await isWanted())) throw otherServer(dialect);
  if (facts instanceof HarborError) throw facts;
  return facts;
}

function otherServer({ name, title, editor }: Dialect): HarborError {
  const other = DIALECTS[name === 'swank' ? 'slynk' : 'swank'];
  return new HarborError(
    'not_supported',
    `The server is ${other.title}, the server of ${other.editor}, and not ${title}, that of ${editor}. Attach with kind "${other.name}" instead, or start ${title} in that Lisp as well, with ${DIALECTS[name].start}.`,
  );
}

/**
 * Asks whether Slynk serves this connection; both may be loaded. Uses only names of Common Lisp, because a
 * server may close the connection over an unknown name.
 */
function slynkQuestion(): Sexp {
  const connection = lispCall('cl:find-symbol', '*EMACS-CONNECTION*', 'SLYNK');
  return lispCall(
    'cl:and',
    lispCall('cl:find-package', 'SLYNK'),
    lispCall('cl:symbol-value', connection),
    symbol('t'),
  );
}

/** Returns the error if the server answered, though without a value. @throws all other errors */
function refusalIn(error: unknown): HarborError {
  if (error instanceof HarborError && error.code === 'query_failed') return error;
  throw error;
}

/**
 * Omits the coding system: SLIME before 2.31 would take it as a request for a second connection for output if
 * the user configured that. Our output uses this connection.
 */
function creatingRepl(): Sexp {
  const dedicated = lispCall('cl:find-symbol', '*USE-DEDICATED-OUTPUT-STREAM*', 'SWANK-REPL');
  return lispCall(
    'cl:progv',
    lispCall('cl:remove', [], lispCall('cl:list', dedicated)),
    quoted([[]]),
    lispCall('swank-repl:create-repl', []),
  );
}

/** Reads our Lisp files for servers (resources/swank) as one text. */
export async function readHelper(folder: string, { name: own, named }: Dialect): Promise<string> {
  const names = ['package', own, 'objects', 'interrupts', 'evaluation', 'inspection', 'names'];
  const texts = names.map((name) => readFile(path.join(folder, `${name}.lisp`), 'utf8'));
  return named((await Promise.all(texts)).join('\n'));
}

/** Returns a form that loads the helper silently if the image has none or a different version. */
function loadingHelper(dialect: Dialect, text: string): Sexp {
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const source = `${text}\n(setf *source* "${version}")\n`;
  return lispCall(
    'cl:unless',
    lispCall('cl:equal', version, loadedVersion(dialect)),
    lispCall(
      'cl:handler-bind',
      [[symbol('cl:warning'), quoted(symbol('cl:muffle-warning'))]],
      lispCall(
        'cl:let',
        [
          [symbol('cl:*readtable*'), lispCall('cl:copy-readtable', [])],
          [symbol('cl:*package*'), symbol('cl:*package*')],
        ],
        lispCall('cl:load', lispCall('cl:make-string-input-stream', source)),
      ),
    ),
    [],
  );
}

function loadedVersion({ name }: Dialect): Sexp {
  const packageName = `LISP-HARBOR.${name.toUpperCase()}`;
  return lispCall(
    'cl:and',
    lispCall('cl:find-package', packageName),
    lispCall('cl:symbol-value', lispCall('cl:find-symbol', '*SOURCE*', packageName)),
  );
}

/** Facts about the server, from `connection-info` in swank.lisp and slynk.lisp. */
export interface ServerFacts {
  /** `SBCL 2.2.9`. */
  implementation: string;
  /** As reported by the server; meaningless if it runs on another host or in another pid namespace. */
  pid: number | null;
  /** Whether it evaluates in threads, and so reads messages meanwhile. */
  threads: boolean;
  package: string;
  /** The thread of the REPL of this connection, as requests name it. */
  repl: Sexp;
}

/** @throws Error if the answer is not that of such a server */
export function serverFacts(info: Sexp): ServerFacts {
  const lisp = propertyOf(info, 'lisp-implementation');
  const type = textOf(propertyOf(lisp, 'type'));
  if (type === undefined) throw new Error('the answer does not name a Lisp implementation');
  const version = textOf(propertyOf(lisp, 'version'));
  const pid = propertyOf(info, 'pid');
  return {
    implementation: version === undefined ? type : `${type} ${version}`,
    pid: typeof pid === 'number' ? pid : null,
    threads: isSymbol(propertyOf(info, 'style'), ':spawn'),
    package: textOf(propertyOf(propertyOf(info, 'package'), 'name')) ?? 'CL-USER',
    repl: symbol(':repl-thread'),
  };
}

export function describeServer({ implementation, pid, threads }: ServerFacts, address: string): string {
  const process = pid === null ? '' : `, process ${pid}`;
  const deaf = threads ? '' : ' It has no threads: a running evaluation cannot be interrupted from here.';
  return `This session is attached to ${implementation} at ${address}${process}, which was started by someone else.${deaf}`;
}
