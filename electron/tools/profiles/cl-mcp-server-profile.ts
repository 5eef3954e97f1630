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
import { imagesTool } from '../sessions/images-tool';
import type { Caller } from '../tool';
import { CallLimits } from './cl-mcp-server-limits';
import { definitionsText, evaluationText, syntaxText } from './cl-mcp-server-text';
import type { DefaultProfileOptions } from './default-profile';
import { lastErrorTools } from './last-error-tools';
import type { Profile } from './profile';
import { adaptersOf } from './tool-adapter';

const INSTRUCTIONS = `You have a live Common Lisp image (SBCL) whose state persists between calls: work interactively, REPL-first.

- \`evaluate-lisp\` evaluates forms and answers stdout, stderr, warnings and \`=> value\` lines, or \`[ERROR] TYPE\` with its message and backtrace; the session always goes on.
- Load a system once with \`load-system\`; then redefine single functions, try them on real values, and write to files what has proved itself. After edits that change exports or macros, load the system again: callers that were compiled before keep the old macro.
- \`list-definitions\` shows what you have defined here; \`reset-session\` begins a fresh image with the loaded systems.
- \`describe-symbol\`, \`apropos-search\`, \`who-calls\`, \`class-info\` and \`macroexpand-form\` answer from the live image.
- What takes long goes on as a job, which \`job\` follows or cancels: nothing is killed by a timer.`;

const Nothing = z.strictObject({});
const packageArgument = z.string().optional().describe('Package context (default: the current package)');
const Code = z.strictObject({
  code: z.string().min(1).describe('Common Lisp code'),
  package: packageArgument,
});
const Name = z.strictObject({ name: z.string().min(1), package: packageArgument });

/** The documents disagree on its name. */
const System = z
  .strictObject({ system: z.string().min(1).optional(), 'system-name': z.string().min(1).optional() })
  .describe('The system, by either name');

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
  const images = adaptersOf(imagesTool(options));
  const limits = new CallLimits(options);
  const evalArguments = async ({ code, package: name }: z.output<typeof Code>, caller: Caller) => ({
    code,
    ...(name === undefined ? {} : { package: name }),
    ...(await limits.toArguments(caller)),
  });
  return {
    name: 'cl-mcp-server',
    instructions: INSTRUCTIONS,
    engine: 'sbcl',
    tools: [
      evaluation({
        name: 'evaluate-lisp',
        description:
          'Evaluates Common Lisp forms in the persistent session and answers what they printed, warnings, and the values of the last form.',
        args: Code.extend({ 'capture-time': z.boolean().optional().describe('Times are always told') }),
        toArguments: evalArguments,
        render: evaluationText,
      }),
      load({
        name: 'load-system',
        description: 'Compiles and loads an ASDF system, with its warnings and failures.',
        args: System,
        toArguments: ({ system, 'system-name': name }) => ({ system: system ?? name ?? '' }),
      }),
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
        render: ({ outcome }) =>
          outcome === 'ok'
            ? 'Session reset. All definitions cleared.\nCurrent package: CL-USER'
            : `The session was reset, but its systems could not be loaded again: ${outcome}`,
      }),
      load({
        name: 'load-file',
        description: 'Compiles and loads a Lisp file of the project.',
        args: z.strictObject({
          path: z.string().min(1),
          compile: z.boolean().optional(),
          package: packageArgument,
        }),
        toArguments: ({ path }) => ({ path }),
      }),
      load({
        name: 'quickload',
        description: 'Loads a system that Quicklisp has installed, as load-system does.',
        args: z.strictObject({ system: z.string().min(1), verbose: z.boolean().optional() }),
        toArguments: ({ system }) => ({ system }),
      }),
      evaluation({
        name: 'time-execution',
        description: 'Evaluates code and tells how long it took and how much it allocated.',
        args: Code,
        toArguments: evalArguments,
      }),
      evaluation({
        name: 'profile-code',
        description: 'Evaluates code and samples which functions its time, or its allocation, goes to.',
        args: Code.extend({ mode: z.enum(['cpu', 'time', 'alloc']).optional() }),
        toArguments: async ({ mode, ...given }, caller) => ({
          ...(await evalArguments(given, caller)),
          profile: mode === 'alloc' ? 'alloc' : 'cpu',
        }),
      }),
      evaluation({
        name: 'compile-form',
        description: 'Compiles code without running it and tells what the compiler warns of.',
        args: Code,
        toArguments: ({ code: body, ...given }, caller) =>
          evalArguments({ ...given, code: compilation(body) }, caller),
        render: evaluationText,
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
      }),
      find({
        name: 'who-calls',
        description: 'The functions that call a function.',
        args: Name,
        toArguments: ({ name, ...where }) => ({ query: name, kind: 'caller', ...where }),
      }),
      find({
        name: 'who-references',
        description: 'Code that reads, binds or sets a variable.',
        args: Name,
        toArguments: ({ name, ...where }) => ({ query: name, kind: 'reference', ...where }),
      }),
      find({
        name: 'find-methods',
        description: 'Methods that are specialized on a class, among all that refers to it.',
        args: z.strictObject({ class: z.string().min(1), package: packageArgument }),
        toArguments: ({ class: query, ...where }) => ({ query, kind: 'reference', ...where }),
      }),
      ...lastErrorTools(options),
      images({
        name: 'memory-report',
        description: 'What fills the memory of the session, by type.',
        args: Nothing,
        toArguments: async (_, caller) => ({ session: (await caller.defaultSession()).session.id }),
      }),
      limits.tool,
      jobTool(options),
    ],
  };
}
