/**
 * The commands that call tools of the harbor, for agents and users at a shell. They load only Node modules,
 * because agents wait for the start of each.
 */
import { readFileSync, statSync } from 'node:fs';
import type { ToolCall } from '../../contract/local-socket';
import { flag, type OptionRow, value } from '../../host/command-line';

export interface ToolCommand {
  /** Usage text between the name and the options. */
  takes: string;
  /** One sentence. */
  about: string;
  /** Minimum and maximum number of words before the options. */
  words: readonly [fewest: number, most: number];
  options: Readonly<Record<string, OptionRow>>;
  /** Examples and hints, one line each. */
  more?: readonly string[];
  /** It only waits for a job of an earlier command, so Ctrl+C does not interrupt the job. */
  onlyWaits?: true;
  /** @throws Misuse */
  toToolCall(parsed: ParsedArguments): ToolCall | Promise<ToolCall>;
}

/** A parsed command line. */
export interface ParsedArguments {
  words: readonly string[];
  text(option: string): string | undefined;
  /** @throws Misuse if it is not a number of 0 or more */
  number(option: string): number | undefined;
  /** Value of a switch; undefined if it was not given. */
  isSet(option: string): true | undefined;
  /** Returns the absolute path of a named file. */
  file(name: string): string;
  /** Reads all of stdin. @throws Misuse if stdin is a terminal */
  stdin(): Promise<string>;
  /** Whether stdout is a terminal. */
  isWatched: boolean;
}

/** An invalid command line: exit code 2. */
export class Misuse extends Error {}

/** Options of all commands. */
export const COMMON = {
  project: value('DIR', 'project (default: the working directory, or that of a session above it)'),
  data: value('DIR', 'data folder of the harbor'),
  json: flag('prints the data instead of the text'),
  help: { ...flag('prints this and exits'), short: 'h' },
} satisfies Record<string, OptionRow>;

/** Options of commands that work in a session. */
export const IN_SESSION = {
  session: value('NAME', "a handle or a name; a new name opens a session (default: the project's session)"),
  engine: value('NAME', 'engine of a new session (sbcl, acl2, clojure, ecl, abcl, nbb)'),
} satisfies Record<string, OptionRow>;

export const images: ToolCommand = {
  takes: '',
  about: 'shows the engines, the sessions opened here, the sandbox of images, and memory',
  words: [0, 0],
  options: {},
  toToolCall: () => ({ tool: 'images', arguments: {} }),
};

export const callTool: ToolCommand = {
  takes: 'TOOL [JSON|-]',
  about: 'calls any tool, such as inspect, debug, checkpoint or history, with arguments in JSON',
  words: [1, 2],
  options: IN_SESSION,
  more: [`lisp-harbor call inspect '{"code": "*package*"}'`, 'lisp-harbor list-tools lists the tools.'],
  async toToolCall(parsed) {
    const [tool = '', text = '{}'] = parsed.words;
    const args = text === '-' ? argumentsIn(await parsed.stdin(), 'stdin') : argumentsIn(text, text);
    return { tool, arguments: args };
  },
};

/** @throws Misuse if the text is not a JSON object */
export function argumentsIn(text: string, shown: string): Record<string, unknown> {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Misuse(`Arguments are a JSON object, such as {"code": "(+ 1 2)"}; ${shown} is not.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Maximum number of seconds that a tool waits. On a terminal the user waits this long and can press Ctrl+C;
 * other callers get a job sooner.
 */
const LONGEST_WAIT = 600;

/** File names of source code in any engine. */
const SOURCE = /\.(?:lisp|lsp|cl|asd|acl2|clj[cs]?|edn)$/;

const STRICT = {
  strict: flag('exit 1 if the result rests on anything that was not proved (ACL2)'),
  allow: value(
    'NAMES',
    'axioms, or kinds such as skip-proofs, that are accepted, separated by commas (ACL2)',
  ),
};

const WAIT = value('SECONDS', 'return a job after this many seconds (default 45; on a terminal 600)');

export const evaluate: ToolCommand = {
  takes: 'FORM|FILE|-',
  about: 'evaluates forms from the command line, a file or stdin',
  words: [1, 1],
  options: {
    ...IN_SESSION,
    package: value('NAME', 'package or namespace, for this call only'),
    wait: WAIT,
    ...STRICT,
  },
  more: [
    "lisp-harbor eval '(+ 1 2)'",
    'lisp-harbor eval - < forms.lisp',
    'On Windows use double quotes: lisp-harbor eval "(+ 1 2)"; stdin needs none.',
    'A longer evaluation continues as a job: lisp-harbor job 18. Ctrl+C interrupts it.',
  ],
  toToolCall: async (parsed) => ({
    tool: 'eval',
    arguments: { code: await codeOf(parsed), package: parsed.text('package'), wait_ms: waitOf(parsed) },
  }),
};

export const map: ToolCommand = {
  takes: '--as NAME (--count N | --items FORM…) CODE|FILE|-',
  about: 'evaluates code once for each item, on copies of the session that run in parallel',
  words: [1, 10_000],
  options: {
    ...IN_SESSION,
    as: value('NAME', 'the variable that has the value of the item'),
    items: value('FORM…', 'the items: all words before the code'),
    count: value('N', 'the items 0 … N-1'),
    most: value('N', 'maximum number of copies (default: one for each processor)'),
    on: value('HOSTS', 'hosts that run the copies, separated by commas'),
    idempotent: flag('run an item again if its image is lost'),
    package: value('NAME', 'package or namespace of the code'),
    wait: WAIT,
  },
  more: [
    "lisp-harbor map --as n --count 10 '(* n n)'",
    "lisp-harbor map --as file --items '\"a.txt\"' '\"b.txt\"' '(count-lines file)'",
  ],
  toToolCall: async (parsed) => {
    const first = parsed.text('items');
    const items = first === undefined ? undefined : [first, ...parsed.words.slice(0, -1)];
    if (items === undefined && parsed.words.length > 1)
      throw new Misuse('Give one word of code, in quotes; items come after --items.');
    const most = parsed.number('most');
    const on = parsed.text('on')?.split(',');
    const count = parsed.number('count');
    const of = { items, count, most, on, idempotent: parsed.isSet('idempotent') };
    return {
      tool: 'eval',
      arguments: {
        code: await codeOf(parsed, parsed.words.at(-1)),
        package: parsed.text('package'),
        wait_ms: waitOf(parsed),
        map: { as: parsed.text('as'), ...of },
      },
    };
  },
};

export const load: ToolCommand = {
  takes: 'SYSTEM|FILE',
  about: 'compiles and loads a system, namespace, book or file, and reports problems with their positions',
  words: [1, 1],
  options: {
    ...IN_SESSION,
    until: value('NAME', 'in ACL2 only up to the event of this name'),
    fresh: flag('in a new image that contains nothing else'),
    fetch: flag('only fetches missing libraries; needs an approval'),
    ...STRICT,
  },
  toToolCall: (parsed) => ({
    tool: 'load',
    arguments: {
      ...targetOf(parsed),
      until: parsed.text('until'),
      fresh: parsed.isSet('fresh'),
      fetch: parsed.isSet('fetch'),
    },
  }),
};

export const test: ToolCommand = {
  takes: '[SYSTEM|FILE [NAME]]',
  about: 'loads a system or file and runs its tests, or one; without any, all tests known to the session',
  words: [0, 2],
  options: {
    ...IN_SESSION,
    test: value('NAME', 'a single test or suite'),
    framework: value('NAME', 'if it cannot be detected'),
    ...STRICT,
  },
  more: ['A book of ACL2 fails if it rests on axioms or skipped proofs that --allow does not name.'],
  toToolCall: (parsed) => ({
    tool: 'run_tests',
    arguments: {
      ...targetOf(parsed),
      test: parsed.words[1] ?? parsed.text('test'),
      framework: parsed.text('framework'),
    },
  }),
};

const ACTIONS = ['wait', 'status', 'output', 'cancel'];

export const job: ToolCommand = {
  takes: '[wait|status|output|cancel] ID',
  about: 'waits for a job, shows its state or output, or interrupts it',
  words: [1, 2],
  options: { wait: WAIT, offset: value('N', 'with output: characters to skip') },
  more: ['lisp-harbor job 18', 'lisp-harbor job cancel 18'],
  onlyWaits: true,
  toToolCall(parsed) {
    const [id = '', action = 'wait'] = parsed.words.toReversed();
    if (!ACTIONS.includes(action))
      throw new Misuse(`A job has no action ${action}. Actions: ${ACTIONS.join(', ')}.`);
    const number = /^(?:job-)?(\d+)$/.exec(id)?.[1];
    if (number === undefined) throw new Misuse(`${id} is not a job. Give its number, for example job 18.`);
    const waits = action === 'wait' ? { wait_ms: waitOf(parsed) } : {};
    return {
      tool: 'job',
      arguments: { job: `job-${number}`, action, offset: parsed.number('offset'), ...waits },
    };
  },
};

export const restart: ToolCommand = {
  takes: '',
  about: 'gives the session a new image and loads its systems again',
  words: [0, 0],
  options: IN_SESSION,
  toToolCall: () => ({ tool: 'load', arguments: {} }),
};

function waitOf(parsed: ParsedArguments): number | undefined {
  const seconds = parsed.number('wait') ?? (parsed.isWatched ? LONGEST_WAIT : undefined);
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}

/** @throws Misuse if the file does not exist */
async function codeOf(parsed: ParsedArguments, word = parsed.words[0] ?? ''): Promise<string> {
  if (word === '-') return parsed.stdin();
  const file = fileNamed(word, parsed);
  if (file === null) return word;
  if (isFile(file)) return readFileSync(file, 'utf8');
  throw new Misuse(`There is no file ${word}.`);
}

function targetOf(parsed: ParsedArguments): { path: string } | { system: string } | Record<string, never> {
  const [name] = parsed.words;
  if (name === undefined) return {};
  const file = fileNamed(name, parsed);
  return file === null ? { system: name } : { path: file };
}

/**
 * Returns the file that a word names: it ends like source code, or is the path of a file. Names of systems
 * may contain slashes, and forms anything.
 */
function fileNamed(word: string, parsed: ParsedArguments): string | null {
  if (/[()'"`\n]/.test(word)) return null;
  const file = parsed.file(word);
  return SOURCE.test(word) || (/[\\/]/.test(word) && isFile(file)) ? file : null;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** A pattern for lemmas. No name begins with a parenthesis, except those of SETF functions. */
const PATTERN = /^\((?!setf\s)/i;

export const find: ToolCommand = {
  takes: 'QUERY',
  about: 'finds definitions, callers, names by part, or text, in the image and in files',
  words: [1, 1],
  options: {
    ...IN_SESSION,
    kind: value(
      'KIND',
      'definition (default), reference, caller, apropos, completion, unsaved, text; for ACL2 documentation and lemma (default for a query in parentheses)',
    ),
    path: value('FILE', 'search this file or folder instead of the image'),
    package: value('NAME', 'package or namespace of the name'),
    limit: value('N', 'maximum number of results'),
  },
  toToolCall(parsed) {
    const path = parsed.text('path');
    const [query = ''] = parsed.words;
    const args = {
      query,
      kind: parsed.text('kind') ?? (path === undefined && PATTERN.test(query) ? 'lemma' : 'definition'),
      path: path === undefined ? undefined : parsed.file(path),
      package: parsed.text('package'),
      limit: parsed.number('limit'),
    };
    return { tool: 'find', arguments: args };
  },
};

export const describe: ToolCommand = {
  takes: 'SYMBOL',
  about: 'describes a symbol or package: arglist, documentation, file and line, methods, slots',
  words: [1, 1],
  options: { ...IN_SESSION, package: value('NAME', 'package or namespace of the symbol') },
  toToolCall: (parsed) => ({
    tool: 'describe',
    arguments: { symbol: parsed.words[0], package: parsed.text('package') },
  }),
};

/** Operations with a new form, which is read from stdin unless an option gives it. */
const WITH_CONTENT = /^(?:replace|create|insert_(?:before|after))$/;

export const edit: ToolCommand = {
  takes: 'FILE OPERATION [FORM_TYPE FORM_NAME] | -',
  about:
    'edits one top-level form of a Lisp file, identified by type and name; all other bytes are preserved',
  words: [1, 4],
  options: {
    content: value('TEXT', 'the new form or forms (default: stdin)'),
    old: value('TEXT', 'with patch: text that occurs once in the form, and'),
    new: value('TEXT', '  its replacement'),
    index: value('N', 'which of several forms with that name'),
    hash: value('HASH', 'only if the file still has this hash'),
    'dry-run': flag('show the change without writing'),
  },
  more: [
    'OPERATION is replace, insert_before, insert_after, delete or patch.',
    'lisp-harbor edit shop.lisp replace defun price < new-form.lisp',
    "lisp-harbor edit shop.lisp patch defmethod 'area (circle)' --old pi --new +pi+",
    'With -, the arguments of the tool edit_form are read from stdin, as JSON with paths relative to the project.',
  ],
  async toToolCall(parsed) {
    const [name = '', operation, type, form] = parsed.words;
    if (name === '-' && operation === undefined)
      return { tool: 'edit_form', arguments: argumentsIn(await parsed.stdin(), 'stdin') };
    if (operation === undefined)
      throw new Misuse('Name a file and an operation, for example: shop.lisp delete defun price.');
    const content = parsed.text('content');
    const args = {
      path: parsed.file(name),
      operation,
      form_type: type,
      form_name: form,
      content: content ?? (WITH_CONTENT.test(operation) ? await parsed.stdin() : undefined),
      old_text: parsed.text('old'),
      new_text: parsed.text('new'),
      index: parsed.number('index'),
      expected_hash: parsed.text('hash'),
      dry_run: parsed.isSet('dry-run'),
    };
    return { tool: 'edit_form', arguments: args };
  },
};

export const TOOL_COMMANDS: ReadonlyMap<string, ToolCommand> = new Map(
  Object.entries({
    eval: evaluate,
    map,
    load,
    test,
    find,
    describe,
    edit,
    job,
    restart,
    images,
    call: callTool,
  }),
);

export function isToolCommand(word: string | undefined): word is string {
  return word !== undefined && TOOL_COMMANDS.has(word);
}
