/**
 * The profile of cl-mcp-server, a server of one Common Lisp session: its tools, arguments and texts, and those of its
 * later versions that clients rely on.
 */
import { z } from 'zod';
import { code, Forms } from '../../source/code';
import { formsIn } from '../../source/forms';
import { evalTool } from '../evaluation/eval-tool';
import { jobTool } from '../evaluation/job-tool';
import { loadTool } from '../evaluation/load-tool';
import { checkBalanceTool } from '../files/check-balance-tool';
import { describeTool } from '../knowledge/describe-tool';
import { findTool } from '../knowledge/find-tool';
import { Code, packageArgument } from './cl-mcp-server-arguments';
import { aproposText, definitionsText, usesText } from './cl-mcp-server-findings-text';
import { INSTRUCTIONS, USAGE_GUIDE } from './cl-mcp-server-guide';
import { CallLimits } from './cl-mcp-server-limits';
import { measuringTools } from './cl-mcp-server-measuring';
import { timingLine } from './cl-mcp-server-measuring-text';
import { findMethodsTool } from './cl-mcp-server-methods';
import { MATCH_PAREN } from './cl-mcp-server-parens';
import { systemTools } from './cl-mcp-server-systems';
import { telosTools } from './cl-mcp-server-telos';
import { compilationText, evaluationText, syntaxText } from './cl-mcp-server-text';
import type { DefaultProfileOptions } from './default-profile';
import { lastErrorTools } from './last-error-tools';
import type { Profile } from './profile';
import { adaptersOf } from './tool-adapter';

const Nothing = z.strictObject({});
const Name = z.strictObject({ name: z.string().min(1), package: packageArgument });

const DEFINITIONS = {
  all: undefined,
  functions: 'function',
  function: 'function',
  variables: 'variable',
  variable: 'variable',
  macros: 'macro',
  macro: 'macro',
  classes: 'class',
  class: 'class',
} as const;

/** Every definition that one answer has room for. */
const MOST_DEFINITIONS = 500;

const NAMES = {
  function: ['function'],
  'generic-function': ['function'],
  macro: ['macro'],
  variable: ['variable'],
  class: ['class', 'type'],
} as const;

function keysOf<T extends Record<string, unknown>>(table: T): (keyof T & string)[] {
  return Object.keys(table);
}

/** @throws HarborError `bad_arguments` for code that would run instead of being compiled */
function compilation(body: string): string {
  return String(code`(compile nil '(lambda ()\n${Forms.read(body, 'common-lisp', 'code')}))`);
}

export function clMcpServerProfile(options: DefaultProfileOptions): Profile {
  const evaluation = adaptersOf(evalTool(options));
  const describe = adaptersOf(describeTool(options));
  const find = adaptersOf(findTool(options));
  const load = adaptersOf(loadTool(options));
  const limits = new CallLimits(options);
  return {
    name: 'cl-mcp-server',
    instructions: INSTRUCTIONS,
    engine: 'sbcl',
    tools: [
      evaluation({
        name: 'evaluate-lisp',
        description:
          'Evaluates Common Lisp forms in the persistent session and answers what they printed, warnings, and the values of the last form.',
        args: Code.extend({ 'capture-time': z.boolean().optional().describe('Tell its cost') }),
        toArguments: (given, caller) => limits.evalArguments(given, caller),
        render: (record, { 'capture-time': timed }) =>
          `${evaluationText(record)}${timed ? timingLine(record) : ''}`,
      }),
      ...systemTools(options, limits),
      find({
        name: 'list-definitions',
        description: 'Lists what was defined in this session: functions, macros, variables, classes.',
        args: z.strictObject({ type: z.enum(keysOf(DEFINITIONS)).optional() }),
        toArguments: ({ type = 'all' }) => {
          const only = DEFINITIONS[type];
          return { query: '', kind: 'unsaved', limit: MOST_DEFINITIONS, ...(only ? { only: [only] } : {}) };
        },
        render: ({ results }) => definitionsText(results),
      }),
      load({
        name: 'reset-session',
        description: 'Begins a fresh image: all definitions are gone, loaded systems are loaded again.',
        args: Nothing,
        toArguments: () => ({}),
        render: ({ outcome, job }, _, ours) => {
          if (outcome === 'ok') return 'Session reset. All definitions cleared.\nCurrent package: CL-USER';
          return job ? ours : `The session was reset, but its systems could not be loaded again:\n${ours}`;
        },
      }),
      evaluation({
        name: 'compile-form',
        description: 'Compiles code without running it and tells what the compiler warns of.',
        args: Code,
        toArguments: ({ code: body, ...given }, caller) =>
          limits.evalArguments({ ...given, code: compilation(body) }, caller),
        render: compilationText,
      }),
      adaptersOf(checkBalanceTool(options))({
        name: 'validate-syntax',
        description: 'Says whether the parentheses of code match, and if not, where; evaluates nothing.',
        args: Code.pick({ code: true }),
        toArguments: ({ code }) => ({ code }),
        render: (checked, { code }) => syntaxText(checked, formsIn(code, 'common-lisp')?.length ?? 0),
      }),
      describe({
        name: 'describe-symbol',
        description: 'All that a symbol stands for: arglist, documentation, source, value, methods, slots.',
        args: Name,
        toArguments: ({ name, ...where }) => ({ symbol: name, ...where }),
      }),
      describe({
        name: 'class-info',
        description: 'A class: slots, superclasses, subclasses, precedence, metaclass.',
        args: z.strictObject({ class: z.string().min(1), package: packageArgument }),
        toArguments: ({ class: symbol, ...where }) => ({ symbol, ...where }),
      }),
      describe({
        name: 'macroexpand-form',
        description: 'Expands the macros of a form, once or fully.',
        args: z.strictObject({
          form: z.string().min(1),
          full: z.boolean().optional(),
          package: packageArgument,
        }),
        toArguments: ({ form, full, ...where }) => ({ form, expand: full ? 'full' : 'once', ...where }),
      }),
      find({
        name: 'apropos-search',
        description: 'Symbols with a pattern in their names.',
        args: z.strictObject({
          pattern: z.string(),
          package: packageArgument,
          type: z.enum(keysOf(NAMES)).optional(),
        }),
        toArguments: ({ pattern, type, ...where }) => ({
          query: pattern,
          kind: 'apropos',
          ...where,
          ...(type ? { only: [...NAMES[type]] } : {}),
        }),
        render: ({ results, total }, { pattern }) => aproposText(results, total, pattern),
      }),
      find({
        name: 'who-calls',
        description: 'The functions that call a function.',
        args: Name,
        toArguments: ({ name, ...where }) => ({ query: name, kind: 'caller', ...where }),
        render: (found, { name }) => usesText(found, 'caller', name),
      }),
      find({
        name: 'who-references',
        description: 'Code that reads, binds or sets a variable.',
        args: Name,
        toArguments: ({ name, ...where }) => ({ query: name, kind: 'reference', ...where }),
        render: (found, { name }) => usesText(found, 'reference', name),
      }),
      findMethodsTool(options),
      ...lastErrorTools(options),
      ...measuringTools(options, limits),
      ...telosTools(options, limits),
      MATCH_PAREN,
      USAGE_GUIDE,
      limits.tool,
      jobTool(options),
    ],
  };
}
