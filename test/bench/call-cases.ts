/**
 * One evaluation of `(+ 1 2)` on every way, beside servers that do nothing, a bare pipe to the same SBCL, and whatever
 * other server is named.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, StartedHarbor, temporaryFolder } from '../started-harbor.ts';
import { type Caller, overHttp, overStdio } from './callers.ts';
import type { Case, Cases } from './case.ts';
import type { BenchOptions } from './options.ts';

const CODE = '(+ 1 2)';
const DO_NOTHING_STDIO = 'test/bench/do-nothing-stdio.mjs';
/** Calls under way at once, each on a session of its own. */
const AT_ONCE = 16;

/** Where an evaluation comes in, with what its server is compared with. */
interface Way {
  name: string;
  what?: string;
  against?: string;
  goal?: { times: number };
  caller: Caller;
}

/** What was started, the newest first to end. */
type Started = (() => unknown)[];

export async function callCases(options: Pick<BenchOptions, 'peers' | 'httpPeers'>): Promise<Cases> {
  const started: Started = [];
  const end = async () => {
    for (const each of started.reverse()) await each();
  };
  try {
    const harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
    started.push(() => harbor.stop());
    const nothing = await nothingOverHttp(started);
    const ways = [
      ...(await ownWays(harbor, nothing, started)),
      ...(await leastWays(started)),
      ...(await peerWays(options, started)),
    ];
    for (const { caller } of ways) started.push(() => caller.end());
    const pipe = await barePipe(started);
    return { cases: [...ways.map(caseOf), pipe, ...(await besideEvaluation(harbor, nothing, started))], end };
  } catch (error) {
    await end();
    throw error;
  }
}

function caseOf({ name, what = `${CODE}: ${name}`, against, goal, caller }: Way): Case {
  return {
    ...{ id: name, what },
    ...(against === undefined ? {} : { against }),
    ...(goal === undefined ? {} : { goal }),
    run: () => caller.call('eval', { code: CODE }),
  };
}

async function ownWays(harbor: StartedHarbor, nothing: string, started: Started): Promise<Way[]> {
  const { mcp, token } = harbor.ready;
  const bridge = startNode(started, 'out/electron/stdio.js', [
    '--data',
    harbor.data,
    '--project',
    harbor.project,
  ]);
  const silent = startNode(started, DO_NOTHING_STDIO);
  const [http, stdio] = [
    { against: 'nothing-http', goal: { times: 1.4 } },
    { against: 'nothing-stdio', goal: { times: 2.5 } },
  ];
  return [
    {
      name: 'nothing-http',
      what: 'a server that does nothing, over http',
      caller: await overHttp(nothing, '2025'),
    },
    { name: 'http-2025', ...http, caller: await overHttp(mcp, '2025', token) },
    { name: 'http-2026', ...http, caller: await overHttp(mcp, '2026', token) },
    {
      name: 'nothing-stdio',
      what: 'a server that does nothing, over stdio',
      caller: await overStdio(silent),
    },
    { name: 'stdio', ...stdio, caller: await overStdio(bridge) },
  ];
}

/** What those servers take that do nothing but what cannot be left out. */
async function leastWays(started: Started): Promise<Way[]> {
  const what = (way: string) => `the least with a history and an image, over ${way}`;
  const http = await overHttp(await nothingOverHttp(started, ['least-work']), '2025');
  const stdio = await overStdio(startNode(started, DO_NOTHING_STDIO, ['least-work']));
  const bridged = await overStdio(await leastBridge(started));
  return [
    { name: 'least-http', what: what('http'), against: 'nothing-http', caller: http },
    { name: 'least-stdio', what: what('stdio'), against: 'nothing-stdio', caller: stdio },
    { name: 'least-bridge', what: what('stdio and a bridge'), against: 'nothing-stdio', caller: bridged },
  ];
}

/** One such server for all clients, as one harbor holds a data folder: each client starts a bridge to it. */
async function leastBridge(started: Started): Promise<ChildProcess> {
  const folder = temporaryFolder('least');
  started.push(() => rmSync(folder, { recursive: true, force: true }));
  const socket = path.join(folder, 'socket');
  const { stdout } = startNode(started, DO_NOTHING_STDIO, ['least-work', socket]);
  if (stdout) await once(stdout, 'data');
  return startNode(started, 'test/bench/least-bridge.mjs', [socket]);
}

async function peerWays(
  { peers, httpPeers }: Pick<BenchOptions, 'peers' | 'httpPeers'>,
  started: Started,
): Promise<Way[]> {
  const ways: Way[] = [];
  for (const [name, url] of httpPeers)
    ways.push({ name: `peer-${name}`, against: 'nothing-http', caller: await overHttp(url, '2025') });
  for (const [name, command] of peers) {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
    started.push(() => child.kill());
    ways.push({ name: `peer-${name}`, against: 'nothing-stdio', caller: await overStdio(child) });
  }
  return ways;
}

/** What no tool is called for, and many calls at once. */
async function besideEvaluation(harbor: StartedHarbor, nothing: string, started: Started): Promise<Case[]> {
  const { mcp, token } = harbor.ready;
  const one = await overHttp(mcp, '2025', token);
  const least = await nothingOverHttp(started, ['least-work', String(AT_ONCE)]);
  const [ours, theirs, leasts] = [await several(mcp, token), await several(nothing), await several(least)];
  started.push(() => {
    for (const caller of [one, ...ours, ...theirs, ...leasts]) caller.end();
  });
  const atOnce = (callers: readonly Caller[]) =>
    Promise.all(callers.map((caller) => caller.call('eval', { code: CODE })));
  return [
    {
      id: 'images',
      what: 'the tool images',
      goal: { ms: 1 },
      run: () => one.call('images', {}),
    },
    { id: 'tools-list', what: 'tools/list', goal: { ms: 1 }, run: () => one.ask('tools/list', {}) },
    { id: 'nothing-16', what: `${AT_ONCE} at once of a server that does nothing`, run: () => atOnce(theirs) },
    {
      id: 'sessions-16',
      what: `${CODE}: ${AT_ONCE} at once on ${AT_ONCE} sessions`,
      against: 'nothing-16',
      goal: { times: 1 / 0.7 },
      run: () => atOnce(ours),
    },
    {
      id: 'least-16',
      what: `${AT_ONCE} at once of the least with a history and ${AT_ONCE} images`,
      against: 'nothing-16',
      run: () => atOnce(leasts),
    },
  ];
}

function several(url: string, token?: string): Promise<Caller[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, () => overHttp(url, '2025', token)));
}

async function nothingOverHttp(started: Started, args: readonly string[] = []): Promise<string> {
  const { stdout } = startNode(started, 'test/bench/do-nothing-http.mjs', args);
  const [line] = stdout ? await once(stdout, 'data') : [];
  return `http://127.0.0.1:${String(line).trim()}/mcp`;
}

/** The least that it takes to have SBCL evaluate: a form is written to it, and what it prints is read. */
async function barePipe(started: Started): Promise<Case> {
  const reading = '(loop (prin1 (eval (read))) (terpri) (finish-output))';
  const sbcl = spawn('sbcl', ['--noinform', '--disable-debugger', '--no-userinit', '--eval', reading], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  started.push(() => sbcl.kill());
  const run = async () => {
    const answer = once(sbcl.stdout, 'data');
    sbcl.stdin.write(`${CODE}\n`);
    await answer;
  };
  await run();
  return { id: 'pipe', what: `${CODE}: a pipe to SBCL itself`, run };
}

function startNode(started: Started, file: string, args: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, [path.join(ROOT, file), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  started.push(() => child.kill());
  return child;
}
