/** The tools of cl-mcp-server for time and memory: what code costs, and where it goes. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { type Code, code, functionName, stringCode } from '../../source/code';
import { evalTool } from '../evaluation/eval-tool';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import { heapText, imageMemoryText } from '../sessions/image-memory';
import { type ImagesToolOptions, imagesTool } from '../sessions/images-tool';
import type { Tool } from '../tool';
import { Code as CodeArguments } from './cl-mcp-server-arguments';
import type { CallLimits } from './cl-mcp-server-limits';
import {
  allocationText,
  profiledFunctionsText,
  profileText,
  timingText,
} from './cl-mcp-server-measuring-text';
import { evaluationText } from './cl-mcp-server-text';
import { adaptersOf } from './tool-adapter';

const Sampled = CodeArguments.extend({
  mode: z.enum(['cpu', 'time', 'alloc']).optional(),
  'report-type': z.enum(['flat', 'graph']).optional().describe('graph: the stacks as well'),
  'max-samples': z.int().optional(),
  'sample-interval': z.number().optional(),
});

const Allocating = CodeArguments.extend({ 'max-samples': z.int().optional() });

const SAMPLING =
  'A sample is taken after every 5 ms of CPU time, or as regions are allocated, 20000 at most.';
const CPU_TIME = 'Time is sampled as CPU time: code that waits is not in it.';

const Profiled = z.strictObject({
  action: z.enum(['start', 'stop', 'report', 'reset', 'status']),
  functions: z.array(z.string().min(1)).max(200).optional().describe('For start: their names'),
  package: z
    .string()
    .max(500)
    .optional()
    .describe('For start: all of its functions, or where names are read'),
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
      description: 'Evaluates code and tells how long it took and how much it allocated.',
      args: CodeArguments,
      toArguments: (given, caller) => limits.evalArguments(given, caller),
      render: timingText,
    }),
    evaluation({
      name: 'profile-code',
      description: 'Evaluates code and samples which functions its time, or its allocation, goes to.',
      args: Sampled,
      toArguments: async ({ mode, code, package: name }, caller) => ({
        ...(await limits.evalArguments({ code, package: name }, caller)),
        profile: mode === 'alloc' ? 'alloc' : 'cpu',
      }),
      render: (record, { 'report-type': type }) => profileText(record, type === 'graph'),
      notes: ({ mode, ...given }) => [...(mode === 'time' ? [CPU_TIME] : []), ...samplingNotes(given)],
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
        'Counts the calls of functions and their time exactly (SB-PROFILE): start with their names or a package, run code, report; reset begins to count anew, stop ends it.',
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

function samplingNotes(given: { 'max-samples'?: unknown; 'sample-interval'?: unknown }): string[] {
  return given['max-samples'] === undefined && given['sample-interval'] === undefined ? [] : [SAMPLING];
}

const PROFILED = code`(format t "~{~S~%~}" (sb-profile:profile))`;

/** @throws HarborError `bad_arguments` */
function profilerCode({ action, functions, package: name }: z.output<typeof Profiled>): Code {
  switch (action) {
    case 'start': {
      const what = functions?.map((each) => functionName(each, 'functions'));
      if (what === undefined && name === undefined)
        throw new HarborError('bad_arguments', 'Say what to start: functions, or a package.');
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

/** Asks the image, which may be evaluating; only with gc-first has it evaluate. */
function memoryTool(options: EvaluateToolOptions & ImagesToolOptions): Tool {
  const evaluation = evalTool(options);
  const report = adaptersOf(imagesTool(options))({
    name: 'memory-report',
    description: 'What fills the memory of the session, by type.',
    args: Memory,
    toArguments: async (_, caller) => ({ session: (await caller.defaultSession()).session.id }),
    render: ({ session_memory: memory }, { verbosity }) => {
      if (!memory) return 'The memory of the session is not told.';
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
            'gc-first has the session evaluate: that needs the scope "evaluate". Leave it out.',
          );
        const collected = await evaluation.run({ code: '(sb-ext:gc :full t)' }, caller);
        if (collected.structured.outcome !== 'ok')
          throw new HarborError('busy', `Garbage was not collected: ${collected.text}`);
      }
      return report.run(given, caller);
    },
  } satisfies typeof report;
}
