/** What is asked of a server once, at the beginning of a connection, before anything is evaluated. */
import { loadingHelper } from './helper';
import type { SwankQuestions } from './questions';
import { type ServerFacts, serverFacts } from './server-facts';
import { lispCall, quoted, symbol, textOf } from './sexp';

/** Milliseconds in which a server must say what it is. */
const GREETING_MS = 5_000;

/** Milliseconds for loading: a server may have to compile what it is asked to load. */
const LOADING_MS = 60_000;

/**
 * Learns what the server is, and prepares it: its REPL for this connection, and our own code, `helper`.
 * @throws HarborError when it does not answer as Swank does
 */
export async function greet(questions: SwankQuestions, helper: string): Promise<ServerFacts> {
  const info = await questions.ask(lispCall('swank:connection-info'), { milliseconds: GREETING_MS });
  const facts = serverFacts(info);
  const loading = { milliseconds: LOADING_MS, package: 'COMMON-LISP-USER' };
  await questions.ask(lispCall('swank:swank-require', quoted([symbol(':swank-repl')])), loading);
  await questions.ask(loadingHelper(helper), loading);
  const repl = lispCall('swank-repl:create-repl', [], symbol(':coding-system'), 'utf-8-unix');
  await questions.ask(repl, loading);
  const own = await questions.ask(lispCall('lisp-harbor.swank:begin'), loading);
  return { ...facts, package: textOf(own) ?? facts.package };
}
