/**
 * `npm run bench -- --profile ROW`: where the time of an evaluation goes. Writes the processor profile of the harbor, for
 * any viewer of such, and prints what it spent most in, and the system calls of one evaluation. `--counts` prints a table
 * of what evaluations cost on each transport in figures that other load changes little.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, StartedHarbor } from '../started-harbor.ts';
import { type Caller, overHttp, overStdio } from './callers.ts';
import { contextSwitches, processorTime, spentSince } from './processor-time.ts';

const CALLS = 3_000;
const SHOWN = 30;

/** What of a `.cpuprofile` is read: times in microseconds. */
interface Profile {
  nodes: readonly { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: readonly number[];
  timeDeltas: readonly number[];
}

const WAYS: Readonly<Record<string, (harbor: StartedHarbor) => Promise<Caller>>> = {
  'http-2025': ({ ready }) => overHttp(ready.mcp, '2025', ready.token),
  'http-2026': ({ ready }) => overHttp(ready.mcp, '2026', ready.token),
  stdio: async ({ data, project }) => {
    const args = [path.join(ROOT, 'out/electron/stdio.js'), '--data', data, '--project', project];
    return overStdio(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
  },
};

/** @throws Error for a row that it cannot look into */
export async function profile(row: string): Promise<void> {
  const connect = WAYS[row];
  if (!connect) throw new Error(`--profile looks into ${Object.keys(WAYS).join(', ')}, not into ${row}.`);
  const folder = path.join(ROOT, 'test-results', `profile-${row}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const recording = ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${folder}`];
  await evaluating(connect, recording, (_harbor, calls) => calls());
  for (const file of readdirSync(folder)) tellProfile(path.join(folder, file));
  // A harbor of its own: recording a profile takes many system calls.
  await evaluating(connect, [], async ({ ready }, calls) => {
    await calls();
    await tellProcessorTime(ready.pid, calls);
    const counts = await systemCalls(ready.pid, calls);
    process.stdout.write(`\nSystem calls of ${CALLS} evaluations, all threads:\n${counts}\n`);
  });
}

/** The evaluations of a harbor that has just started. V8 has optimized little of what the first of them run. */
const STAGES = [
  { name: '1 to 20', calls: 20 },
  { name: '21 to 100', calls: 80 },
  { name: '101 to 1000', calls: 900 },
  { name: '1001 to 2000', calls: 1_000 },
];

/** Processor time, context switches and system calls of an evaluation, on each transport. */
export async function printCounts(): Promise<void> {
  print('', 'evaluations', 'main', 'sbcl', 'all', 'switches');
  for (const [way, connect] of Object.entries(WAYS))
    await evaluating(connect, [], async ({ ready }, calls) => {
      for (const stage of STAGES) {
        const before = { time: processorTime(ready.pid), switches: contextSwitches(ready.pid) };
        await calls(stage.calls);
        const switches = contextSwitches(ready.pid) - before.switches;
        const spent = spentSince(before.time, processorTime(ready.pid));
        const of = (name: RegExp) =>
          spent.reduce((sum, [thread, micros]) => sum + (name.test(thread) ? micros : 0), 0) / stage.calls;
        const times = [/^(?!sbcl).* main$/, /^sbcl /, /./].map((name) => `${of(name).toFixed(0)} µs`);
        print(way, stage.name, ...times, (switches / stage.calls).toFixed(1));
      }
      process.stdout.write(`${totalIn(await systemCalls(ready.pid, () => calls(1_000)), 1_000)}\n`);
    });
}

function print(...cells: readonly string[]): void {
  process.stdout.write(
    `${cells.map((cell, at) => (at < 2 ? cell.padEnd(14) : cell.padStart(10))).join('')}\n`,
  );
}

/** The system calls of one evaluation, from strace's table of several. */
function totalIn(table: string, evaluations: number): string {
  const [, total] = /^100\.00\s+\S+\s+\S+\s+(\d+).*total$/m.exec(table) ?? [];
  return total === undefined ? table : `${(Number(total) / evaluations).toFixed(1)} system calls each`;
}

/** Has a harbor evaluate, in a process with those options of Node. */
async function evaluating(
  connect: (harbor: StartedHarbor) => Promise<Caller>,
  options: readonly string[],
  work: (harbor: StartedHarbor, calls: (count?: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const command = [process.execPath, ...options, path.join(ROOT, 'out/electron/serve.js')] as const;
  const harbor = await StartedHarbor.start({ command });
  const caller = await connect(harbor);
  try {
    await work(harbor, async (calls = CALLS) => {
      for (let count = 0; count < calls; count += 1) await caller.call('eval', { code: '(+ 1 2)' });
    });
  } finally {
    caller.end();
    await harbor.stop();
  }
}

/** What a profile cannot say on a busy machine: it counts what others do as well. */
async function tellProcessorTime(pid: number, work: () => Promise<void>): Promise<void> {
  const before = processorTime(pid);
  await work();
  const lines = spentSince(before, processorTime(pid))
    .filter(([, micros]) => micros / CALLS >= 1)
    .map(([name, micros]) => `${(micros / CALLS).toFixed(0).padStart(8)} µs  ${name}`);
  process.stdout.write(`\nProcessor time of each evaluation, by process and thread:\n${lines.join('\n')}\n`);
}

function tellProfile(file: string): void {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const own = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    own.set(name, (own.get(name) ?? 0) + (timeDeltas[at] ?? 0));
  }
  own.delete('(idle)');
  const most = [...own].sort(([, one], [, other]) => other - one).slice(0, SHOWN);
  const lines = most.map(([name, micros]) => `${(micros / CALLS).toFixed(1).padStart(8)} µs  ${name}`);
  process.stdout.write(
    `\n${path.relative(ROOT, file)}, of each evaluation, the start included:\n${lines.join('\n')}\n`,
  );
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} ${path.basename(url)}:${lineNumber + 1}`;
}

/** As strace counts them, or why it does not. */
async function systemCalls(pid: number, work: () => Promise<void>): Promise<string> {
  const strace = spawn('strace', ['-c', '-f', '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  strace.stderr.setEncoding('utf8').on('data', (piece: string) => {
    told += piece;
  });
  const ended = once(strace, 'close');
  const failed = once(strace, 'error').then(([error]) => String(error));
  const problem = await Promise.race([failed, once(strace.stderr, 'data').then(() => null)]);
  if (problem !== null) return `strace could not count them: ${problem}`;
  await work();
  strace.kill('SIGINT');
  await ended;
  return told.slice(told.indexOf('% time'));
}
