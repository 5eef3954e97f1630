/** Costs and profiles as cl-mcp-server prints them. */
import type { EvaluationRecord } from '../evaluation/record';
import { lastValues } from '../evaluation/record';
import { sampledProfileLines } from '../evaluation/sampled-profile-result';
import { evaluationText } from './cl-mcp-server-text';

/** The cost of an evaluation in one line; empty where it is not known. */
export function timingLine({ cost }: EvaluationRecord): string {
  if (!cost) return '';
  const { real_ms, run_ms, gc_ms, bytes } = cost;
  return `\n; Timing: ${real_ms}ms real, ${run_ms}ms run, ${gc_ms}ms GC, ${grouped(bytes)} bytes consed`;
}

export function timingText(record: EvaluationRecord): string {
  const { outcome, cost } = record;
  if (outcome !== 'ok' || !cost) return evaluationText(record);
  return [
    'Timing:',
    `  Real time:      ${cost.real_ms} ms`,
    `  Run time:       ${cost.run_ms} ms`,
    `  GC time:        ${cost.gc_ms} ms`,
    `  Bytes consed:   ${grouped(cost.bytes)}`,
    '',
    'Result:',
    ...lastValues(record).map((value) => `  ${value}`),
    ...outputLines(record),
  ].join('\n');
}

/** @param withStacks whether the stacks are told as well, which are long */
export function profileText(record: EvaluationRecord, withStacks: boolean): string {
  const { outcome, report } = record;
  if (outcome !== 'ok') return evaluationText(record);
  const mode = report?.profile?.mode.toUpperCase();
  return [
    `Profiling completed${mode === undefined ? '' : ` (mode: ${mode})`}`,
    ...resultLines(record),
    ...profileLines(record, withStacks),
  ].join('\n');
}

export function allocationText(record: EvaluationRecord): string {
  if (record.outcome !== 'ok') return evaluationText(record);
  return [
    'Allocation profiling completed',
    ...resultLines(record),
    ...(record.cost ? [`Approximate bytes allocated: ${grouped(record.cost.bytes)}`, ''] : []),
    'Allocation Report:',
    ...profileLines(record, false),
  ].join('\n');
}

const NOTHING_PROFILED = 'No functions are being profiled.';

/** What an action on the exact profiler came to; it prints the names of the functions, or its report. */
export function profiledFunctionsText(
  record: EvaluationRecord,
  action: 'start' | 'stop' | 'report' | 'reset' | 'status',
): string {
  const { stdout, stderr, warnings } = record;
  const printed = stdout.trimEnd();
  const said = [stderr.trimEnd(), ...warnings.map(({ message }) => message)].filter(Boolean);
  if (action === 'reset') return 'Profiling statistics reset.';
  if (action === 'report') return [printed || NOTHING_PROFILED, ...said].join('\n');
  const names = printed === '' ? [] : printed.split('\n');
  const count = `${names.length} ${names.length === 1 ? 'function' : 'functions'}`;
  const title = {
    start: `Started profiling ${count}:`,
    stop: 'Stopped profiling.\nPreviously profiled:',
    status: 'Currently profiling:',
  }[action];
  return [names.length === 0 ? NOTHING_PROFILED : title, ...names.map((name) => `  ${name}`), ...said].join(
    '\n',
  );
}

function resultLines(record: EvaluationRecord): string[] {
  return ['', `Result: ${lastValues(record).join('\n')}`, ...outputLines(record), ''];
}

function outputLines({ stdout, stderr }: EvaluationRecord): string[] {
  const printed = `${stdout}${stderr}`.trimEnd();
  return printed === '' ? [] : ['', 'Output:', printed];
}

function profileLines({ report }: EvaluationRecord, withStacks: boolean): string[] {
  return report?.profile ? sampledProfileLines(report.profile, withStacks) : [];
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
