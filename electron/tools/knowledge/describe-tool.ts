/** The tool `describe`: explains a name, with macroexpansion and machine code on request. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Session } from '../../sessions/session/session';
import { OneForm } from '../../source/code';
import { dialectOf } from '../../source/dialect';
import { sessionOf } from '../arguments';
import type { OwnEvaluationOptions } from '../evaluation/evaluation-answer';
import { evaluateFor, evaluationInstead, OwnRecord } from '../evaluation/own-evaluation';
import { SourcePlaces } from '../source-places';
import type { Caller, Tool, ToolResult } from '../tool';
import { definitionResult } from './description-result';
import { descriptionText } from './description-text';

const DescribeArguments = z.strictObject({
  symbol: z.string().min(1).max(500).optional().describe('foo, pkg:foo, |Foo|, (setf foo) or a package'),
  session: z.string().optional(),
  package: z.string().max(500).optional().describe('Where the symbol is looked up'),
  disassemble: z.boolean().optional(),
  form: z.string().max(100_000).optional().describe('To expand instead'),
  expand: z.enum(['once', 'full']).optional(),
});
type DescribeArguments = z.output<typeof DescribeArguments>;

const DescribeResult = z.object({
  session: z.string(),
  symbol: z.string().optional(),
  status: z.string().optional(),
  definitions: z
    .array(z.looseObject({ kind: z.string(), name: z.string() }))
    .optional()
    .describe('With arglist, documentation, source, methods, slots and more, by kind'),
  disassembly: z.string().optional(),
  expansion: z.string().optional(),
  evaluation: OwnRecord.optional().describe('Of form'),
  notes: z.array(z.string()),
});

export function describeTool(
  options: OwnEvaluationOptions,
): Tool<typeof DescribeArguments, typeof DescribeResult> {
  return {
    name: 'describe',
    title: 'Describe a name',
    description:
      'What a symbol stands for in the live image: arglist, documentation, place, type, value, methods, slots; of a package what it exports, and what of that is undefined. Evaluates nothing but `form`, which is macroexpanded.',
    scope: 'read',
    args: DescribeArguments,
    result: DescribeResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      const knowledge = session.ability('knowledge');
      if (args.form !== undefined) return expand(args, args.form, { session, notes }, caller, options);
      if (args.symbol === undefined) throw new HarborError('bad_arguments', 'Give a symbol or a form.');
      const request = { symbol: args.symbol, ...(args.package ? { package: args.package } : {}) };
      const { symbol, status, definitions } = await knowledge.describe(request);
      const view = new SourcePlaces(session, options.history);
      const shown = definitions.map((definition) => definitionResult(definition, view));
      const code = args.disassemble ? { disassembly: await knowledge.disassemble(request) } : {};
      const structured = { session: session.id, symbol, status, definitions: shown, ...code, notes };
      return { structured, text: descriptionText(structured, caller.told), isError: false };
    },
  };
}

interface Asked {
  session: Session;
  notes: string[];
}

/** Expanding runs macros, so it is an evaluation, and the caller needs the scope for that. */
async function expand(
  args: DescribeArguments,
  form: string,
  { session, notes }: Asked,
  caller: Caller,
  options: OwnEvaluationOptions,
): Promise<ToolResult<z.input<typeof DescribeResult>>> {
  if (!caller.client.scopes.has('evaluate'))
    throw new HarborError(
      'scope_missing',
      'Expanding a form runs its macros: that needs the scope "evaluate". Describe the macro by its symbol instead.',
    );
  const read = OneForm.read(form, dialectOf(session.identity.engine), 'form');
  const code = session.ability('knowledge').expansionCode(read, args.expand ?? 'once');
  const where = args.package ? { package: args.package } : {};
  const row = await evaluateFor(
    caller,
    session,
    { kind: 'inspect', code, safeRead: true, ...where },
    options,
  );
  const evaluated = await evaluationInstead(row, session, caller, options, notes);
  if (row.outcome !== 'ok') return evaluated;
  const expansion = row.forms.at(-1)?.values[0] ?? '';
  return { ...evaluated, structured: { ...evaluated.structured, expansion } };
}
