/**
 * The tools of a fork of cl-mcp-server about code as it runs: conditions that wait for a restart, traced calls, the
 * parts of a value. A suspension is a debugger level of the session, and is named by its evaluation.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Condition } from '../../contract/model';
import { NoteText } from '../../contract/note';
import { code, Forms, functionName } from '../../source/code';
import { sessionOf } from '../../tools/arguments';
import { debugTool } from '../../tools/evaluation/debug-tool';
import { evalTool } from '../../tools/evaluation/eval-tool';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import type { EvaluationRecord } from '../../tools/evaluation/record';
import { restartText } from '../../tools/evaluation/record-text';
import { describeTool } from '../../tools/knowledge/describe-tool';
import { inspectTool } from '../../tools/knowledge/inspect-tool';
import type { Caller, Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { evaluationText } from './cl-mcp-server-text';
import { type CallLimits, Code, packageArgument } from './session-tools';

const Suspension = z.strictObject({
  'suspension-id': z.int().describe('From evaluate-with-restarts'),
});

export function liveTools(options: EvaluateToolOptions, limits: CallLimits): Tool[] {
  const evaluation = adaptersOf(evalTool(options));
  const debug = adaptersOf(debugTool(options));
  return [
    evaluation({
      name: 'evaluate-with-restarts',
      description:
        'Evaluates code. A condition is suspended where it was signalled, and invoke-restart chooses how to go on.',
      args: Code,
      toArguments: async (given, caller) => ({
        ...(await limits.evalArguments(given, caller)),
        on_error: 'debug',
      }),
      render: suspensionText,
    }),
    debug({
      name: 'invoke-restart',
      description: 'Continues a suspended evaluation with one of its restarts.',
      args: Suspension.extend({
        'restart-index': z.int().min(0).optional(),
        'restart-name': z.string().min(1).optional().describe('CONTINUE'),
        value: z.string().optional().describe('Form for a restart that takes a value'),
        abort: z.boolean().optional().describe('Unwind instead'),
      }),
      toArguments: async (
        { 'suspension-id': id, 'restart-index': index, 'restart-name': name, value, abort },
        caller,
      ) => {
        const condition = await innermost(id, caller);
        if (abort) return { action: 'abort' };
        const restart = index ?? name;
        if (restart === undefined)
          throw new HarborError('bad_arguments', 'Give restart-index, restart-name or abort.');
        refuseWithoutValue(condition, restart, value);
        return { action: 'restart', restart, ...(value === undefined ? {} : { arguments: [value] }) };
      },
      render: continuedText,
    }),
    debug({
      name: 'abandon-suspension',
      description: 'Unwinds a suspended evaluation.',
      args: Suspension,
      toArguments: async ({ 'suspension-id': id }, caller) => {
        await innermost(id, caller);
        return { action: 'abort' };
      },
      render: (_, { 'suspension-id': id }) => `Suspension ${id} abandoned.`,
    }),
    suspensionsTool(options),
    evaluation({
      name: 'trace-call',
      description: 'Evaluates code while functions are traced, for this call only; returns the calls.',
      args: Code.extend({ functions: z.array(z.string().min(1)).min(1).max(50) }),
      toArguments: async ({ functions, ...given }, caller) =>
        limits.evalArguments({ ...given, code: traced(given.code, functions) }, caller),
      render: tracedText,
    }),
    adaptersOf(describeTool(options))({
      name: 'disassemble-function',
      description: 'The machine code of a function.',
      args: z.strictObject({ name: z.string().min(1), package: packageArgument }),
      toArguments: ({ name, ...where }) => ({ symbol: name, disassemble: true, ...where }),
      render: ({ disassembly }, _, ours) => disassembly ?? ours,
    }),
    adaptersOf(inspectTool(options, { numbered: true }))({
      name: 'inspect-object',
      description: 'The parts of a value, each with a handle for a further call.',
      args: z.strictObject({
        code: z.string().min(1).optional(),
        handle: z.string().optional().describe('From an earlier result'),
      }),
      toArguments: (given) => given,
    }),
  ];
}

// Suspensions.

function suspensionText(record: EvaluationRecord): string {
  const { id, outcome, condition, stdout } = record;
  if (outcome !== 'debugger' || condition === undefined) return evaluationText(record);
  return [
    ...(stdout === '' ? [] : [`[stdout]\n${stdout.trimEnd()}\n`]),
    `[SUSPENDED ${id}] ${condition.type}`,
    condition.message,
    '',
    'The condition is still live. Choose a restart with invoke-restart, or abandon it with abandon-suspension.',
    '',
    '[Restarts]',
    ...condition.restarts.map((restart) => `  ${restartText(restart)}`),
  ].join('\n');
}

/** @param result that of our tool, whose schema publishes only an outline of the record */
function continuedText({ evaluation }: { evaluation?: unknown }, _: unknown, ours: string): string {
  const record = evaluation as EvaluationRecord | undefined;
  return record === undefined || record.outcome === 'error' ? ours : suspensionText(record);
}

/**
 * Returns the condition of the suspension.
 * @throws HarborError `unknown_evaluation` unless it is the innermost one of the caller's session
 */
async function innermost(id: number, caller: Caller): Promise<Condition | null> {
  const { session } = await caller.defaultSession();
  const levels = session.suspendedLevels;
  const [newest] = levels.slice(-1);
  if (newest?.id === id) return newest.condition ?? null;
  throw new HarborError(
    'unknown_evaluation',
    newest && levels.some((level) => level.id === id)
      ? `Suspension ${id} waits below suspension ${newest.id}: continue or abandon that first.`
      : `No suspension ${id}. list-suspensions lists them.`,
  );
}

/** @throws HarborError `bad_arguments`: such a restart would read a value from nowhere */
function refuseWithoutValue(
  condition: Condition | null,
  restart: number | string,
  value: string | undefined,
): void {
  const chosen = condition?.restarts.find(({ index, name }) =>
    typeof restart === 'number' ? index === restart : name.toUpperCase() === restart.toUpperCase(),
  );
  if (value !== undefined || chosen === undefined || chosen.arguments.length === 0) return;
  throw new HarborError(
    'bad_arguments',
    `Restart ${chosen.name} needs a value: pass \`value\`, a Lisp form.`,
  );
}

const Listed = z.object({
  suspensions: z.array(z.object({ id: z.int(), code: z.string(), type: z.string(), message: z.string() })),
  notes: z.array(NoteText),
});

function suspensionsTool({ sessions }: EvaluateToolOptions): Tool<z.ZodObject, typeof Listed> {
  return {
    name: 'list-suspensions',
    title: 'Suspended evaluations',
    description: 'The evaluations that wait for a restart, the innermost last.',
    scope: 'read',
    args: z.strictObject({}),
    result: Listed,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(_, caller) {
      const { session, notes } = await sessionOf(undefined, caller, sessions);
      const suspensions = session.suspendedLevels.map(({ id, row, condition }) => ({
        ...{ id, code: row.code, type: condition?.type ?? '', message: condition?.message ?? '' },
      }));
      const lines = suspensions.map(({ id, type, message }) => `[SUSPENDED ${id}] ${type}: ${message}`);
      return {
        structured: { suspensions, notes },
        text: lines.join('\n') || 'No suspended evaluations.',
        asides: notes,
        isError: false,
      };
    },
  };
}

// Traced calls. The trace goes to the standard error of the evaluation.

/** @throws HarborError `bad_arguments` for a name that is no function name, and code with unbalanced parentheses */
function traced(text: string, functions: readonly string[]): string {
  const names = functions.map((name) => functionName(name, 'functions'));
  const body = Forms.read(text, 'common-lisp', 'code');
  return String(
    code`(cl:progn (cl:trace ${names}) (cl:unwind-protect (cl:progn ${body}) (cl:untrace ${names})))`,
  );
}

function tracedText(record: EvaluationRecord, { functions }: { functions: readonly string[] }): string {
  const { stderr, ...rest } = record;
  const calls = stderr.trimEnd();
  return [
    `Traced: ${functions.join(', ')}`,
    '',
    calls === ''
      ? '(no trace output: the functions were not called, or calls of them are inlined)'
      : `[Trace]\n${calls}`,
    '',
    evaluationText({ ...rest, stderr: '' }),
  ].join('\n');
}
