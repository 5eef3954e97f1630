/**
 * The profile of cl-mcp-server, a server of one Common Lisp session: its tools, arguments and texts, and
 * those of its later versions that clients rely on.
 */

import { z } from 'zod';
import { code, Forms } from '../../source/code';
import { formsIn } from '../../source/reader';
import type { DefaultProfileOptions } from '../../tools/default-profile';
import { evalTool } from '../../tools/evaluation/eval-tool';
import { jobTool } from '../../tools/evaluation/job-tool';
import { loadTool } from '../../tools/evaluation/load-tool';
import { describeTool } from '../../tools/knowledge/describe-tool';
import { findTool } from '../../tools/knowledge/find-tool';
import type { Profile } from '../../tools/profile';
import type { Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { checkBalanceTool } from '../tools/source-tools';
import {
  aproposText,
  compilationText,
  definitionsText,
  evaluationText,
  syntaxText,
  usesText,
} from './cl-mcp-server-text';
import { liveTools } from './live-tools';
import { MATCH_PAREN } from './match-paren-tool';
import { measuringTools, timingLine } from './measuring-tools';
import { findMethodsTool } from './methods-tool';
import { CallLimits, Code, lastErrorTools, packageArgument } from './session-tools';
import { systemTools, telosTools } from './system-tools';

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

/** Maximum number of definitions in one result. */
const MAX_DEFINITIONS = 500;

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
          'Evaluates Common Lisp forms in the persistent session and returns output, warnings, and the values of the last form.',
        args: Code.extend({ 'capture-time': z.boolean().optional().describe('Report its cost') }),
        toArguments: (given, caller) => limits.evalArguments(given, caller),
        render: (record, { 'capture-time': timed }) =>
          `${evaluationText(record)}${timed ? timingLine(record) : ''}`,
      }),
      ...systemTools(options, limits),
      find({
        name: 'list-definitions',
        description: 'Lists the definitions of this session: functions, macros, variables, classes.',
        args: z.strictObject({ type: z.enum(keysOf(DEFINITIONS)).optional() }),
        toArguments: ({ type = 'all' }) => {
          const only = DEFINITIONS[type];
          return { query: '', kind: 'unsaved', limit: MAX_DEFINITIONS, ...(only ? { only: [only] } : {}) };
        },
        render: ({ results }) => definitionsText(results),
      }),
      load({
        name: 'reset-session',
        description: 'Starts a fresh image: all definitions are lost, loaded systems are loaded again.',
        args: Nothing,
        toArguments: () => ({}),
        render: ({ outcome, job }, _, ours) => {
          if (outcome === 'ok') return 'Session reset. All definitions cleared.\nCurrent package: CL-USER';
          return job ? ours : `The session was reset, but its systems could not be loaded again:\n${ours}`;
        },
      }),
      evaluation({
        name: 'compile-form',
        description: 'Compiles code without running it and returns the compiler’s warnings.',
        args: Code,
        toArguments: ({ code: body, ...given }, caller) =>
          limits.evalArguments({ ...given, code: compilation(body) }, caller),
        render: compilationText,
      }),
      adaptersOf(checkBalanceTool(options))({
        name: 'validate-syntax',
        description:
          'Checks whether the parentheses of code match and reports where they do not; evaluates nothing.',
        args: Code.pick({ code: true }),
        toArguments: ({ code }) => ({ code }),
        render: (checked, { code }) => syntaxText(checked, formsIn(code, 'common-lisp')?.length ?? 0),
      }),
      describe({
        name: 'describe-symbol',
        description: 'Everything about a symbol: arglist, documentation, source, value, methods, slots.',
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
      ...liveTools(options, limits),
      ...telosTools(options, limits),
      MATCH_PAREN,
      USAGE_GUIDE,
      limits.tool,
      jobTool(options),
    ],
  };
}

/** Instructions of the profile `cl-mcp-server`, and the guide that its clients can request. */
const INSTRUCTIONS = `You have a live Common Lisp image (SBCL) whose state persists between calls: work interactively, REPL-first.

- \`evaluate-lisp\` evaluates forms and returns stdout, stderr, warnings and \`=> value\` lines, or \`[ERROR] TYPE\` with its message and backtrace; the session always continues.
- Load a system once with \`load-system\`; then redefine single functions, try them on real values, and write to files what works. After edits that change exports or macros, load the system again: callers that were compiled before keep the old macro.
- \`list-definitions\` shows what you have defined here; \`reset-session\` starts a fresh image with the loaded systems.
- \`describe-symbol\`, \`apropos-search\`, \`who-calls\`, \`class-info\` and \`macroexpand-form\` query the live image.
- A long evaluation continues as a job, which \`job\` follows or cancels: no timer kills it.`;

const MORE = `

Before you write a file: \`validate-syntax\` checks its text and suggests a fix; \`match-paren\` shows where a list ends. \`compile-form\` returns the compiler’s warnings without running code.

After an error: \`describe-last-error\` has its restarts, \`get-backtrace\` as many frames as you request.

Libraries: \`list-local-systems\` and \`quicklisp-search\` list what is available, \`describe-system\` and \`system-dependencies\` describe one, \`quickload\` fetches and loads it.

When code is slow: \`time-execution\` for its cost, \`profile-code\` for the functions that use time, \`allocation-profile\` for those that use memory, \`profile-functions\` for exact call counts, \`memory-report\` for what fills the heap. Give them a second of work or more: shorter work yields few samples.`;

const Result = z.object({ guide: z.string() });

const USAGE_GUIDE: Tool<z.ZodObject, typeof Result> = {
  name: 'get-usage-guide',
  title: 'How to work here',
  description: 'Which tool to use when.',
  scope: 'read',
  args: z.strictObject({}),
  result: Result,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run() {
    const guide = `${INSTRUCTIONS}${MORE}`;
    return { structured: { guide }, text: guide, isError: false };
  },
};
