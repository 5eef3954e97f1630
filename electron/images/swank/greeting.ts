/** What is asked of a server once, at the beginning of a connection, before anything is evaluated. */
import { HarborError } from '../../contract/errors';
import { loadingHelper } from './helper';
import type { SwankQuestions } from './questions';
import { type ServerFacts, serverFacts } from './server-facts';
import { isNil, lispCall, quoted, type Sexp, symbol, textOf } from './sexp';

/** Milliseconds in which a server must say what it is. */
const GREETING_MS = 5_000;

/** Milliseconds for loading: a server may have to compile what it is asked to load. */
const LOADING_MS = 60_000;

const SLYNK =
  'Slynk answers there, the server of SLY, and sessions are attached to Swank, the server of SLIME. Have that Lisp serve ' +
  'Swank as well, by (ql:quickload :swank) and (swank:create-server :port 4006 :dont-close t), and attach to that port; ' +
  'SLY can go on beside it.';

/**
 * Learns what the server is, and prepares it: its REPL for this connection, and our own code, `helper`.
 * @throws HarborError when it does not answer as Swank does; one that names SLY when Slynk answers
 */
export async function greet(questions: SwankQuestions, helper: string): Promise<ServerFacts> {
  const facts = await factsOf(questions);
  const loading = { milliseconds: LOADING_MS, package: 'COMMON-LISP-USER' };
  await questions.ask(lispCall('swank:swank-require', quoted([symbol(':swank-repl')])), loading);
  await questions.ask(creatingRepl(), loading);
  await questions.ask(loadingHelper(helper), loading);
  const own = await questions.ask(lispCall('lisp-harbor.swank:begin'), loading);
  return { ...facts, package: textOf(own) ?? facts.package };
}

/** @throws HarborError as `greet`, Error for what is no answer of Swank */
async function factsOf(questions: SwankQuestions): Promise<ServerFacts> {
  const asking = { milliseconds: GREETING_MS };
  const info = lispCall('swank:connection-info');
  const facts = await questions.ask(info, asking).then(serverFacts).catch(refusalIn);
  // Slynk answers to some names of Swank's as well, so an answer is no proof.
  if (!isNil(await questions.ask(askingSlynk(), asking))) throw new HarborError('not_supported', SLYNK);
  if (facts instanceof HarborError) throw facts;
  return facts;
}

/**
 * Whether Slynk serves this very connection: both may be loaded. Only names of Common Lisp are in it, for a server may
 * close the connection over a name that it does not know.
 */
function askingSlynk(): Sexp {
  const connection = lispCall('cl:find-symbol', '*EMACS-CONNECTION*', 'SLYNK');
  return lispCall(
    'cl:and',
    lispCall('cl:find-package', 'SLYNK'),
    lispCall('cl:symbol-value', connection),
    symbol('t'),
  );
}

/** That a server has answered, though not with a value. @throws whatever else went wrong */
function refusalIn(error: unknown): HarborError {
  if (error instanceof HarborError && error.code === 'query_failed') return error;
  throw error;
}

/**
 * Without the coding system, which SLIME before 2.31 takes for a second connection that brings the output, where a person
 * has set that. Ours comes over this one, so it is not to be opened.
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
