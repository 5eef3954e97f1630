/** What sessions cost: opened and kept ready, interrupted, killed. */
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { call } from '../evaluation.ts';
import { ENDLESS, PIGEONS } from '../pigeons.ts';
import { StartedHarbor } from '../started-harbor.ts';
import type { Case, Cases } from './case.ts';
import { PlainAcl2, plainAcl2 } from './plain-acl2.ts';

const ASSOCIATIVITY = `(thm (equal (append (append x y) z) (append x (append y z))))`;

/** What is large, and is in the history whole. */
const LARGE = [
  {
    id: 'large-value',
    what: 'a value of 1 MB, the beginning told',
    code: '(make-string 1000000 :initial-element #\\a)',
  },
  {
    id: 'large-output',
    what: '10,000 lines printed, the ends told',
    code: '(dotimes (line 10000) (format t "line ~d~%" line))',
  },
];

export async function sessionCases(): Promise<Cases> {
  const ready = await StartedHarbor.start({ settings: { keepReady: true } });
  const fresh = await StartedHarbor.start();
  const plain = await StartedHarbor.start({ args: ['--unconfined'] });
  const { image, books } = plainAcl2();
  const acl2 = await PlainAcl2.start(image, books);
  const cases = [
    { ...(await opening(ready, 'sbcl')), goal: { ms: 5 } },
    SBCL_ALONE,
    { ...(await opening(plain, 'sbcl', 'no sandbox')), goal: { ms: 30 }, against: SBCL_ALONE.id },
    { ...(await opening(fresh, 'sbcl', 'in the sandbox')), goal: { ms: 40 }, against: SBCL_ALONE.id },
    {
      id: 'start-acl2-alone',
      what: 'ACL2 by itself, from its start to its prompt',
      ...acl2Alone(image, books),
    },
    { ...(await opening(ready, 'acl2')), goal: { ms: 60 } },
    { ...(await opening(fresh, 'acl2', 'in the sandbox')), against: 'start-acl2-alone' },
    { ...(await opening(ready, 'clojure')), goal: { ms: 20 } },
    ...(await provingCases(fresh, acl2)),
    await interruptCase(fresh),
    ...(await largeCases(fresh)),
    { id: 'recovery', what: 'kill -9 to the first value: 200 definitions', run: await killable(fresh) },
  ];
  const end = () => Promise.all([acl2.end(), ...[ready, fresh, plain].map((harbor) => harbor.stop())]);
  return { cases, end };
}

/** What a new session cannot take less than. */
const SBCL_ALONE: Case = {
  id: 'start-sbcl-alone',
  what: 'SBCL by itself, from its start to its end',
  run: () => promisify(execFile)('sbcl', ['--no-sysinit', '--no-userinit', '--non-interactive']),
};

function acl2Alone(image: string, books: string): Pick<Case, 'run' | 'after'> {
  let started: PlainAcl2;
  return {
    run: async () => {
      started = await PlainAcl2.start(image, books);
    },
    after: () => started.end(),
  };
}

/** Opens a session. A harbor that keeps images ready has the time to. @param how absent: from those kept ready */
async function opening(of: StartedHarbor, engine: string, how?: string): Promise<Case> {
  const client = await of.client();
  const opened: string[] = [];
  const keepsReady = how === undefined;
  return {
    id: `open-${engine}-${keepsReady ? 'ready' : how.replaceAll(' ', '-')}`,
    what: `a new session of ${engine}, ${how ?? 'an image kept ready'}`,
    ...(keepsReady ? { before: () => untilAllAreReady(client) } : {}),
    run: async () => {
      const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
      opened.push(structured.session);
    },
    after: () => call(client, 'close_session', { session: opened.at(-1) }),
  };
}

/** Images get ready one after another: when a second has brought no more of them, all that are wanted are there. */
async function untilAllAreReady(client: Client): Promise<void> {
  const ready = async () =>
    (await call<{ memory: { ready_images: number } }>(client, 'images')).structured.memory.ready_images;
  for (let [before, now] = [-1, await ready()]; now !== before; ) {
    await delay(1_000);
    [before, now] = [now, await ready()];
  }
}

async function provingCases(harbor: StartedHarbor, acl2: PlainAcl2): Promise<Case[]> {
  const client = await harbor.client();
  const { session } = (await call<{ session: string }>(client, 'open_session', { engine: 'acl2' }))
    .structured;
  return [
    {
      id: 'acl2-plain',
      what: 'ACL2 by itself proves that append is associative',
      run: () => acl2.submit(ASSOCIATIVITY),
    },
    {
      id: 'acl2-associativity',
      what: 'the same in a session',
      against: 'acl2-plain',
      goal: { ms: 4 },
      run: () => call(client, 'eval', { code: ASSOCIATIVITY, session }),
    },
  ];
}

async function largeCases(harbor: StartedHarbor): Promise<Case[]> {
  const client = await harbor.client();
  return LARGE.map(({ id, what, code }) => ({ id, what, run: () => call(client, 'eval', { code }) }));
}

/** From the interrupt of an endless proof, told to have begun, to the end of its evaluation. */
async function interruptCase(harbor: StartedHarbor): Promise<Case> {
  const client = await harbor.client();
  const { session } = (await call<{ session: string }>(client, 'open_session', { engine: 'acl2' }))
    .structured;
  await call(client, 'eval', { code: PIGEONS, session });
  let job: string;
  const output = async () =>
    (await call<{ output: string }>(client, 'job', { job, action: 'output', offset: 0 })).structured.output;
  return {
    id: 'interrupt-proof',
    what: 'interrupting an endless proof of ACL2',
    before: async () => {
      const args = { code: ENDLESS, session, wait_ms: 1 };
      job = (await call<{ job: string }>(client, 'eval', args)).structured.job;
      while (!(await output()).includes('ready')) await delay(20);
    },
    run: () => call(client, 'job', { job, action: 'cancel' }),
  };
}

/** Kills the image of a session that holds 200 definitions and a loaded system, and evaluates in it. */
async function killable(harbor: StartedHarbor): Promise<() => Promise<void>> {
  const client = await harbor.client();
  const { session } = (await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' }))
    .structured;
  const evaluate = async (code: string): Promise<string> =>
    (await call<{ outcome: string }>(client, 'eval', { code, session })).structured.outcome;
  await evaluate('(asdf:load-system "sb-rotate-byte")');
  for (let n = 0; n < 200; n += 1) await evaluate(`(defun f${n} (x y) (if (> x ${n}) (list x y) (+ x y)))`);
  return async () => {
    const { sessions } = (await call<{ sessions: { session: string; pid: number }[] }>(client, 'images'))
      .structured;
    process.kill(sessions.find((each) => each.session === session)?.pid ?? Number.NaN, 'SIGKILL');
    // The harbor may hear of it only while it evaluates.
    while ((await evaluate('(f199 1 2)')) !== 'ok');
  };
}
