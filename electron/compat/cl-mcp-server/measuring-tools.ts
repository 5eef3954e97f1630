/** The tools of cl-mcp-server that measure the time and memory of code. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { type Note, note } from '../../contract/note';
import { type Code, code, functionName, stringCode } from '../../source/code';
import { evalTool } from '../../tools/evaluation/eval-tool';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { type EvaluationRecord, lastValues } from '../../tools/evaluation/record';
import { sampledProfileLines } from '../../tools/evaluation/report-text';
import { type ImagesToolOptions, imagesTool } from '../../tools/sessions/images-tool';
import { heapText, imageMemoryText } from '../../tools/sessions/memory-result';
import type { Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { evaluationText } from './cl-mcp-server-text';
import { type CallLimits, Code as CodeArguments } from './session-tools';

const Sampled = CodeArguments.extend({
  mode: z.enum(['cpu', 'time', 'alloc']).optional(),
  'report-type': z.enum(['flat', 'graph']).optional().describe('graph: include the stacks'),
  'max-samples': z.int().optional(),
  'sample-interval': z.number().optional(),
});

const Allocating = CodeArguments.extend({ 'max-samples': z.int().optional() });

const SAMPLING = 'A sample is taken every 5 ms of CPU time, or as regions are allocated, 20000 at most.';
const CPU_TIME = 'Time is CPU time: time spent waiting is not included.';

const Profiled = z.strictObject({
  action: z.enum(['start', 'stop', 'report', 'reset', 'status']),
  functions: z.array(z.string().min(1)).max(200).optional().describe('For start: their names'),
  package: z.string().max(500).optional().describe('For start: all its functions, or where names are read'),
});

const Memory = z.strictObject({
  verbosity: z.enum(['default', 'detailed', 'minimal']).optional(),
  'gc-first': z.boolean().optional().describe('Collect garbage before'),
});

export function measuringTools(options: EvaluateToolOptions & ImagesToolOptions, limits: CallLimits): Tool[] {
  const evaluation = adaptersOf(evalTool(options));
  return [
    evaluation({
      name: 'time-execution',
      description: 'Evaluates code and reports its time and allocation.',
      args: CodeArguments,
      toArguments: (given, caller) => limits.evalArguments(given, caller),
      render: timingText,
    }),
    evaluation({
      name: 'profile-code',
      description: 'Evaluates code and samples which functions use its time, or its allocation.',
      args: Sampled,
      toArguments: async ({ mode, code, package: name }, caller) => ({
        ...(await limits.evalArguments({ code, package: name }, caller)),
        profile: mode === 'alloc' ? 'alloc' : 'cpu',
      }),
      render: (record, { 'report-type': type }) => profileText(record, type === 'graph'),
      notes: ({ mode, ...given }) => [
        ...(mode === 'time' ? [note('cpu_time', CPU_TIME)] : []),
        ...samplingNotes(given),
      ],
    }),
    evaluation({
      name: 'allocation-profile',
      description: 'Evaluates code and samples which functions allocate.',
      args: Allocating,
      toArguments: async ({ code, package: name }, caller) => ({
        ...(await limits.evalArguments({ code, package: name }, caller)),
        profile: 'alloc',
      }),
      render: allocationText,
      notes: samplingNotes,
    }),
    evaluation({
      name: 'profile-functions',
      description:
        'Counts the calls of functions and their time exactly (SB-PROFILE): start with their names or a package, run code, report; reset clears the counts, stop ends it.',
      args: Profiled,
      toArguments: async (given, caller) => ({
        code: String(profilerCode(given)),
        ...(given.functions && given.package ? { package: given.package } : {}),
        ...(await limits.toArguments(caller)),
      }),
      render: (record, { action }) =>
        record.outcome === 'ok' ? profiledFunctionsText(record, action) : evaluationText(record),
    }),
    memoryTool(options),
  ];
}

function samplingNotes(given: { 'max-samples'?: unknown; 'sample-interval'?: unknown }): Note[] {
  const isDefault = given['max-samples'] === undefined && given['sample-interval'] === undefined;
  return isDefault ? [] : [note('ignored_arguments', SAMPLING)];
}

const PROFILED = code`(format t "~{~S~%~}" (sb-profile:profile))`;

/** @throws HarborError `bad_arguments` */
function profilerCode({ action, functions, package: name }: z.output<typeof Profiled>): Code {
  switch (action) {
    case 'start': {
      const what = functions?.map((each) => functionName(each, 'functions'));
      if (what === undefined && name === undefined)
        throw new HarborError('bad_arguments', 'Name what to start: functions, or a package.');
      return code`(progn (sb-profile:unprofile) (sb-profile:profile ${what ?? stringCode((name ?? '').toUpperCase())}) ${PROFILED})`;
    }
    case 'stop':
      return code`(progn ${PROFILED} (sb-profile:unprofile))`;
    case 'report':
      return code`(let ((*trace-output* *standard-output*)) (when (sb-profile:profile) (sb-profile:report)))`;
    case 'reset':
      return code`(sb-profile:reset)`;
    case 'status':
      return PROFILED;
  }
}

/** Queries the image, also during an evaluation; evaluates only with gc-first. */
function memoryTool(options: EvaluateToolOptions & ImagesToolOptions): Tool {
  const evaluation = evalTool(options);
  const report = adaptersOf(imagesTool(options))({
    name: 'memory-report',
    description: 'The memory of the session by type of object.',
    args: Memory,
    toArguments: async (_, caller) => ({ session: (await caller.defaultSession()).session.id }),
    render: ({ session_memory: memory }, { verbosity }) => {
      if (!memory) return 'The memory of the session is not available.';
      return verbosity === 'minimal' ? heapText(memory) : imageMemoryText(memory);
    },
  });
  return {
    ...report,
    async run(given, caller) {
      if (given['gc-first']) {
        if (!caller.client.scopes.has('evaluate'))
          throw new HarborError(
            'scope_missing',
            'gc-first evaluates in the session, which needs the scope "evaluate". Leave it out.',
          );
        const collected = await evaluation.run({ code: '(sb-ext:gc :full t)' }, caller);
        if (collected.structured.outcome !== 'ok')
          throw new HarborError('busy', `Garbage was not collected: ${collected.text}`);
      }
      return report.run(given, caller);
    },
  } satisfies typeof report;
}

// Costs and profiles as cl-mcp-server prints them.

/** Returns the cost of an evaluation on one line; empty if it is not known. */
export function timingLine({ cost }: EvaluationRecord): string {
  if (!cost) return '';
  const { real_ms, run_ms, gc_ms, bytes } = cost;
  return `\n; Timing: ${real_ms}ms real, ${run_ms}ms run, ${gc_ms}ms GC, ${grouped(bytes)} bytes consed`;
}

function timingText(record: EvaluationRecord): string {
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

/** @param withStacks whether to include the stacks, which are long */
function profileText(record: EvaluationRecord, withStacks: boolean): string {
  const { outcome, report } = record;
  if (outcome !== 'ok') return evaluationText(record);
  const mode = report?.profile?.mode.toUpperCase();
  return [
    `Profiling completed${mode === undefined ? '' : ` (mode: ${mode})`}`,
    ...resultLines(record),
    ...profileLines(record, withStacks),
  ].join('\n');
}

function allocationText(record: EvaluationRecord): string {
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

/** Returns the result of an action on the exact profiler, which prints function names or its report. */
function profiledFunctionsText(
  record: EvaluationRecord,
  action: 'start' | 'stop' | 'report' | 'reset' | 'status',
): string {
  const { stdout, stderr, warnings } = record;
  const printed = stdout.trimEnd();
  const messages = [stderr.trimEnd(), ...warnings.map(({ message }) => message)].filter(Boolean);
  if (action === 'reset') return 'Profiling statistics reset.';
  if (action === 'report') return [printed || NOTHING_PROFILED, ...messages].join('\n');
  const names = printed === '' ? [] : printed.split('\n');
  const count = `${names.length} ${names.length === 1 ? 'function' : 'functions'}`;
  const title = {
    start: `Started profiling ${count}:`,
    stop: 'Stopped profiling.\nPreviously profiled:',
    status: 'Currently profiling:',
  }[action];
  return [
    names.length === 0 ? NOTHING_PROFILED : title,
    ...names.map((name) => `  ${name}`),
    ...messages,
  ].join('\n');
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
