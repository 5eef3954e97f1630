/** What is asked of a server once, at the beginning of a connection, before anything is evaluated. */
import { HarborError } from '../../contract/errors';
import { loadingHelper } from './helper';
import type { SwankQuestions } from './questions';
import { type ServerFacts, serverFacts } from './server-facts';
import { lispCall, quoted, type Sexp, symbol, textOf } from './sexp';

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
  const facts = serverFacts(await connectionInfo(questions));
  const loading = { milliseconds: LOADING_MS, package: 'COMMON-LISP-USER' };
  await questions.ask(lispCall('swank:swank-require', quoted([symbol(':swank-repl')])), loading);
  await questions.ask(creatingRepl(), loading);
  await questions.ask(loadingHelper(helper), loading);
  const own = await questions.ask(lispCall('lisp-harbor.swank:begin'), loading);
  return { ...facts, package: textOf(own) ?? facts.package };
}

async function connectionInfo(questions: SwankQuestions): Promise<Sexp> {
  const asking = { milliseconds: GREETING_MS };
  try {
    return await questions.ask(lispCall('swank:connection-info'), asking);
  } catch (error) {
    // It answers, but not to this. Whatever goes wrong with the second question, the first error is what counts.
    const refused = error instanceof HarborError && error.code === 'query_failed';
    const info = refused
      ? await questions.ask(lispCall('slynk:connection-info'), asking).catch(() => null)
      : null;
    throw info === null ? error : new HarborError('not_supported', SLYNK);
  }
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
