/** Figures as a table for people, as `bench.json`, and as the table of a page of docs/ made of that. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { ROOT } from '../started-harbor.ts';
import { HIGHEST_LOAD, type Row } from './measure.ts';

const JSON_FILE = path.join(ROOT, 'bench.json');
const PAGE = path.join(ROOT, 'docs/performance.md');
/** The page's table is between these. */
const [BEGIN, END] = ['<!-- made by npm run bench -- --page -->', '<!-- made so far -->'];

interface Bench {
  /** Milliseconds since the epoch, as ISO 8601. */
  at: string;
  machine: { processor: string; cores: number; memoryGiB: number };
  versions: Readonly<Record<string, string>>;
  rows: readonly Row[];
}

export function report(rows: readonly Row[]): void {
  const head = ['', 'p50', 'p95', 'p99', 'ratio', 'goal', ''];
  printColumns([head, ...rows.map(cells)]);
  const busy = rows.filter(({ goal, load }) => goal !== undefined && load > HIGHEST_LOAD);
  if (busy.length > 0)
    process.stdout.write(
      `\nAt a load above ${HIGHEST_LOAD} no goal is called met or missed: others had the machine.\n`,
    );
  const bench: Bench = { at: new Date().toISOString(), machine: machine(), versions: versions(), rows };
  writeFileSync(JSON_FILE, `${JSON.stringify(bench, null, 2)}\n`);
}

function cells({ what, p50Ms, p95Ms, p99Ms, ratio, goal, met }: Row): string[] {
  return [
    what,
    ...[p50Ms, p95Ms, p99Ms].map(milliseconds),
    ratio === undefined ? '' : times(ratio),
    goalText(goal),
    met === null ? '' : met ? 'met' : 'missed',
  ];
}

function goalText(goal: Row['goal']): string {
  if (goal === undefined) return '';
  return 'ms' in goal ? `${goal.ms} ms` : times(goal.times);
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

function printColumns(lines: readonly string[][]): void {
  const widths = [52, 10, 10, 10, 9, 9, 8];
  const text = lines.map((line) =>
    line
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join(''),
  );
  process.stdout.write(`${text.join('\n')}\n`);
}

/** Puts the last figures into the page. @throws Error when there are none, or no place for them */
export function writePage(): void {
  const bench = JSON.parse(readFileSync(JSON_FILE, 'utf8')) as Bench;
  const text = readFileSync(PAGE, 'utf8');
  const [before, rest] = text.split(BEGIN, 2);
  const [, after] = rest?.split(END, 2) ?? [];
  if (after === undefined) throw new Error(`${PAGE} has no place between ${BEGIN} and ${END}.`);
  writeFileSync(PAGE, [before, BEGIN, `\n\n${table(bench)}\n\n`, END, after].join(''));
}

function table({ at, machine: { processor, cores, memoryGiB }, versions: made, rows }: Bench): string {
  const lines = rows.map((row) => {
    const [what, p50, p95, , ratio, goal] = cells(row);
    return `| ${[what, p50, p95, ratio, goal].join(' | ')} |`;
  });
  const load = Math.max(...rows.map((row) => row.load));
  const on = `${cores} cores of ${processor}, ${memoryGiB} GiB, ${Object.entries(made)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}; ${at.slice(0, 10)}, load up to ${load.toFixed(1)}`;
  return ['| | p50 | p95 | ratio | goal |', '|---|--:|--:|--:|--:|', ...lines, '', `On ${on}.`].join('\n');
}

function machine(): Bench['machine'] {
  const [first] = cpus();
  return {
    processor: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
  };
}

function versions(): Bench['versions'] {
  const sbcl = execFileSync('sbcl', ['--version'], { encoding: 'utf8' })
    .trim()
    .replace(/^SBCL /, '');
  return { Node: process.versions.node, SBCL: sbcl };
}
