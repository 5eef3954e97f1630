/** All processes of a killed harbor end, also those too busy to notice that their wire is closed. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { call, evaluate } from '../evaluation';
import { acl2Processes, descendants, isRunning } from '../processes';
import { StartedHarbor } from '../started-harbor';

/** A book whose certification never ends, without using the processor, which the other processes need to start. */
const ENDLESS = `(in-package "ACL2")
(make-event (prog2$ (sleep 100000) '(value-triple 1)))
`;

/** The work of a session until the harbor is killed. */
type Work = (harbor: StartedHarbor, client: Client, session: string) => Promise<unknown>;

/** Blocks the event loop of nbb, which is its only thread. */
const BLOCK_NBB = '(js/Atomics.wait (js/Int32Array. (js/SharedArrayBuffer. 4)) 0 0)';

const WORKS: readonly (readonly [string, string, Work])[] = [
  ['a final check', 'acl2', tested({ framework: 'final-check' })],
  ['a certification', 'acl2', tested({})],
  ['an evaluation of ACL2', 'acl2', evaluated(ENDLESS.replaceAll(/^\(in-package.*\n/g, ''))],
  ['an evaluation of SBCL', 'sbcl', evaluated('(sb-sys:without-interrupts (loop (sleep 1)))')],
  ['an evaluation of Clojure', 'clojure', evaluated('(loop [] (Thread/sleep 1000) (recur))')],
  ['an evaluation of nbb', 'nbb', evaluated(BLOCK_NBB)],
];

/** ACL2 runs on SBCL, so the session of SBCL counts. The final check and the certification have a process besides their session's. */
const ACL2_PROCESSES = 6;

function tested(options: { framework?: string }): Work {
  return async (harbor, client, session) => {
    writeFileSync(path.join(harbor.project, 'endless.lisp'), ENDLESS);
    // Nobody will ever answer this.
    void call(client, 'run_tests', { path: 'endless.lisp', session, ...options }).catch(() => null);
  };
}

function evaluated(code: string): Work {
  return (_harbor, client, session) => evaluate(client, code, { session, wait_ms: 100 });
}

it.each([
  ['in the sandbox', []],
  ['without a sandbox', ['--unconfined']],
])('%s', async (_where, args) => {
  const harbor = await StartedHarbor.start({ args, settings: { keepReady: false } });
  onTestFinished(async () => void (await harbor.stop()));
  const client = await harbor.client();
  await Promise.all(
    WORKS.map(async ([what, engine, work]) => {
      const opened = await call<{ session: string }>(client, 'open_session', { engine, name: what });
      await work(harbor, client, opened.structured.session);
    }),
  );
  await expect.poll(() => acl2Processes(harbor.ready.pid).length).toBe(ACL2_PROCESSES);
  const started = descendants(harbor.ready.pid);
  expect(started.length).toBeGreaterThan(WORKS.length);
  const ended = once(harbor.child, 'exit');
  process.kill(harbor.ready.pid, 'SIGKILL');
  await ended;
  await expect.poll(() => started.filter(isRunning)).toEqual([]);
});
