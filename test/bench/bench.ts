/**
 * `npm run bench`: what a call costs, as ratios within one run; with `--words` what answers cost, in characters; with `--history` what rows, pages and searches cost. Cases are interleaved so that a machine's moods
 * fall on all alike. The no-op is a call that passes every layer but the image: it names a session there is not.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { call } from '../evaluation.ts';
import { ENDLESS, PIGEONS } from '../pigeons.ts';
import { ROOT, StartedHarbor } from '../started-harbor.ts';
import { booksCases } from './books-cases.ts';
import type { Case } from './case.ts';
import { firstPaint } from './first-paint.ts';
import { reportHistory } from './history-report.ts';
import { reportTasks, reportWords } from './words-report.ts';

const ROUNDS = Number(process.env.LISP_HARBOR_BENCH_ROUNDS ?? 300);
const WARM_UP = 30;
const SLOW_ROUNDS = 7;

interface Row {
  id: string;
  what: string;
  medianMs: number;
  p95Ms: number;
  /** Beside the case named in `against`. */
  ratio?: number;
  against?: string;
}

if (process.argv.includes('--words')) {
  await reportWords();
  await reportTasks();
  process.exit(0);
}
const history = process.argv.indexOf('--history');
if (history >= 0) {
  await reportHistory(Number(process.argv[history + 1] ?? 0) || undefined);
  process.exit(0);
}
const harbor = await StartedHarbor.start({ settings: { keepReady: true } });
const harborOfFresh = await StartedHarbor.start({ settings: { keepReady: false } });
const windows = await firstPaint();
try {
  const [calls, starts] = [await callCases(), [...(await startCases()), ...windows.cases]];
  const rows = [
    ...(await interleaved(calls, ROUNDS, WARM_UP)),
    ...(await interleaved(starts, SLOW_ROUNDS, 2)),
  ];
  report(withRatios(rows, [...calls, ...starts]));
} finally {
  await Promise.all([harbor.stop(), harborOfFresh.stop(), windows.end()]);
}

async function callCases(): Promise<Case[]> {
  const clients = {
    'http-2025': await harbor.client('legacy'),
    'http-2026': await harbor.client('modern'),
    stdio: await harbor.stdioClient(),
  };
  return Object.entries(clients).flatMap(([name, client]) => [
    {
      id: `noop-${name}`,
      what: `no-op tool over ${name}`,
      run: () => client.callTool({ name: 'close_session', arguments: { session: 'none' } }),
    },
    {
      id: `eval-${name}`,
      what: `eval (+ 1 2) over ${name}`,
      against: `noop-${name}`,
      run: () => client.callTool({ name: 'eval', arguments: { code: '(+ 1 2)' } }),
    },
  ]);
}

async function startCases(): Promise<Case[]> {
  return [
    ...(await sessionCases('sbcl', 'SBCL')),
    ...(await sessionCases('acl2', 'ACL2')),
    await interruptCase(),
    { id: 'recovery', what: 'kill -9 to the first value: 200 definitions', run: await killable() },
    await readingCase(),
    ...shellCases('clone', process.env.npm_node_execpath ?? 'node', 'resources/setup/lisp-harbor.mjs'),
    ...shellCases('installed', process.execPath, 'out/electron/command-line.js'),
    ...(await booksCases(harborOfFresh)),
    { id: 'cold-start', what: 'serve from spawn to its ready line', run: coldStart },
  ];
}

async function sessionCases(engine: string, title: string): Promise<Case[]> {
  const fresh = `session-${engine}-fresh`;
  return [
    {
      ...(await sessionCase(harborOfFresh, engine)),
      id: fresh,
      what: `a new ${title} session to its first value`,
    },
    {
      ...(await sessionCase(harbor, engine)),
      id: `session-${engine}-ready`,
      what: 'the same with an image kept ready',
      against: fresh,
    },
  ];
}

/** Opens a session and evaluates in it. A harbor that keeps images ready has the time to. */
async function sessionCase(
  of: StartedHarbor,
  engine: string,
): Promise<Pick<Case, 'before' | 'run' | 'after'>> {
  const client = await of.client();
  const opened: { session: string }[] = [];
  return {
    before: async () => {
      if (of === harbor) await untilAllAreReady(client);
    },
    run: async () => {
      const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
      opened.push(structured);
      await call(client, 'eval', { code: '(+ 1 2)', session: structured.session });
    },
    after: () => call(client, 'close_session', { session: opened.at(-1)?.session }),
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

/** From the interrupt of an endless proof, told to have begun, to the end of its evaluation. */
async function interruptCase(): Promise<Case> {
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

/** The tool checks parentheses, for which it reads every form of the file. */
async function readingCase(): Promise<Case> {
  const client = await harbor.client('legacy', { profile: 'lisp-mcp-server' });
  const folder = path.join(ROOT, 'resources/lisp');
  const files = readdirSync(folder).filter((file) => file.endsWith('.lisp'));
  const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  writeFileSync(path.join(harbor.project, 'long.lisp'), text.repeat(Math.ceil(1_000_000 / text.length)));
  const args = { path: 'long.lisp' };
  return {
    id: 'read-source',
    what: 'reading 1 MB of Lisp, every form',
    run: () => client.callTool({ name: 'lisp-check-parens', arguments: args }),
  };
}

/** A command at a shell from its start to its end, beside a program that does nothing in the same Node. */
function shellCases(where: string, node: string, entry: string): Case[] {
  const start = (...args: string[]) => promisify(execFile)(node, args, { cwd: harbor.project });
  const nothing = `shell-${where}-nothing`;
  return [
    { id: nothing, what: `${where}: node -e 0`, run: () => start('-e', '0') },
    {
      id: `shell-${where}-eval`,
      what: `${where}: lisp-harbor eval '(+ 1 2)'`,
      against: nothing,
      run: () => start(path.join(ROOT, entry), 'eval', '(+ 1 2)', '--data', harbor.data),
    },
  ];
}

/** Kills the image of a session that holds 200 definitions and a loaded system, and evaluates in it. */
async function killable(): Promise<() => Promise<void>> {
  const client = await harbor.client();
  const opened = await client.callTool({ name: 'open_session', arguments: { engine: 'sbcl' } });
  const { session } = opened.structuredContent as { session: string };
  const evaluate = async (code: string): Promise<string> => {
    const { structuredContent } = await client.callTool({ name: 'eval', arguments: { code, session } });
    return (structuredContent as { outcome: string }).outcome;
  };
  await evaluate('(asdf:load-system "sb-rotate-byte")');
  const definitions = Array.from(
    { length: 200 },
    (_, n) => `(defun f${n} (x y) (if (> x ${n}) (list x y) (+ x y)))`,
  );
  for (const definition of definitions) await evaluate(definition);
  return async () => {
    const { structuredContent } = await client.callTool({ name: 'images', arguments: {} });
    const { sessions } = structuredContent as { sessions: { session: string; pid: number }[] };
    process.kill(sessions.find((each) => each.session === session)?.pid ?? Number.NaN, 'SIGKILL');
    // The harbor may hear of it only while it evaluates.
    while ((await evaluate('(f199 1 2)')) !== 'ok');
  };
}

async function coldStart(): Promise<void> {
  const other = await StartedHarbor.start();
  await other.stop();
}

async function interleaved(cases: Case[], rounds: number, warmUp: number): Promise<Row[]> {
  const times = new Map<Case, number[]>(cases.map((each) => [each, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const each of cases) {
      await each.before?.();
      const began = performance.now();
      const own = await each.run();
      const took = typeof own === 'number' ? own : performance.now() - began;
      if (round >= warmUp) times.get(each)?.push(took);
      await each.after?.();
    }
  }
  return cases.map((each) => {
    const sorted = (times.get(each) ?? []).toSorted((a, b) => a - b);
    return { id: each.id, what: each.what, medianMs: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
  });
}

function quantile(sorted: number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function withRatios(rows: Row[], cases: Case[]): Row[] {
  const medians = new Map(rows.map((row) => [row.id, row.medianMs]));
  return rows.map((row) => {
    const against = cases.find(({ id }) => id === row.id)?.against;
    const base = against === undefined ? undefined : medians.get(against);
    return against === undefined || base === undefined
      ? row
      : { ...row, against, ratio: row.medianMs / base };
  });
}

function report(rows: Row[]): void {
  const lines = rows.map(({ what, medianMs, p95Ms, ratio }) =>
    [
      what.padEnd(44),
      `${medianMs.toFixed(2)} ms`.padStart(12),
      `${p95Ms.toFixed(2)} ms`.padStart(12),
      ratio === undefined ? '' : `${ratio.toFixed(2)} ×`.padStart(10),
    ].join(''),
  );
  process.stdout.write(
    `${['case'.padEnd(44), 'median'.padStart(12), 'p95'.padStart(12), 'ratio'.padStart(10)].join('')}\n${lines.join('\n')}\n`,
  );
  writeFileSync(
    path.join(ROOT, 'bench.json'),
    `${JSON.stringify({ at: new Date().toISOString(), rounds: ROUNDS, rows }, null, 2)}\n`,
  );
}
