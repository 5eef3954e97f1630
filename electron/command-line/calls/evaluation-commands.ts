/** Commands that run code: `eval`, `load`, `test`, `job`, `restart`. */
import { readFileSync, statSync } from 'node:fs';
import { flag, value } from '../../host/option-row';
import { type Given, IN_SESSION, Misuse, type ToolCommand } from './tool-command';

/** Seconds that a tool waits at most. A person waits as long, and may press Ctrl+C; to others a job is told sooner. */
const LONGEST_WAIT = 600;

/** How files of source are called that the engines know. */
const SOURCE = /\.(?:lisp|lsp|cl|asd|acl2|clj[cs]?|edn)$/;

const WAIT = value('SECONDS', 'answer with a job after this long (default 45; on a terminal 600)');

export const evaluate: ToolCommand = {
  takes: 'FORM|FILE|-',
  about: 'evaluates forms: of the command line, of a file, or of stdin',
  words: [1, 1],
  options: { ...IN_SESSION, package: value('NAME', 'package or namespace, for this time only'), wait: WAIT },
  more: [
    "lisp-harbor eval '(+ 1 2)'",
    'lisp-harbor eval - < forms.lisp',
    'On Windows double quotes hold a form: lisp-harbor eval "(+ 1 2)"; stdin needs none.',
    'What runs longer goes on as a job: lisp-harbor job 18. Ctrl+C interrupts it.',
  ],
  asks: async (given) => ({
    tool: 'eval',
    arguments: { code: await codeOf(given), package: given.text('package'), wait_ms: waitOf(given) },
  }),
};

export const load: ToolCommand = {
  takes: 'SYSTEM|FILE',
  about: 'compiles and loads a system, namespace, book or file, and says what is wrong, and where',
  words: [1, 1],
  options: {
    ...IN_SESSION,
    fresh: flag('in a new image that holds nothing else'),
    fetch: flag('only fetches the libraries that it lacks; a person is asked'),
  },
  asks: (given) => ({
    tool: 'load',
    arguments: { ...targetOf(given), fresh: given.isSet('fresh'), fetch: given.isSet('fetch') },
  }),
};

export const test: ToolCommand = {
  takes: '[SYSTEM|FILE]',
  about: 'loads a system or file and runs its tests; without one all that the session knows',
  words: [0, 1],
  options: {
    ...IN_SESSION,
    test: value('NAME', 'one test or suite'),
    framework: value('NAME', 'where it cannot be found out'),
  },
  asks: (given) => ({
    tool: 'run_tests',
    arguments: { ...targetOf(given), test: given.text('test'), framework: given.text('framework') },
  }),
};

const ACTIONS = ['wait', 'status', 'output', 'cancel'];

export const job: ToolCommand = {
  takes: '[wait|status|output|cancel] ID',
  about: 'waits for what outlived its command, tells how it stands or what it has printed, or interrupts it',
  words: [1, 2],
  options: { wait: WAIT, offset: value('N', 'with output: characters to skip') },
  more: ['lisp-harbor job 18', 'lisp-harbor job cancel 18'],
  onlyWaits: true,
  asks(given) {
    const [id = '', action = 'wait'] = given.words.toReversed();
    if (!ACTIONS.includes(action))
      throw new Misuse(`A job has no ${action}. There are: ${ACTIONS.join(', ')}.`);
    const number = /^(?:job-)?(\d+)$/.exec(id)?.[1];
    if (number === undefined) throw new Misuse(`${id} is no job: give its number, as in job 18.`);
    const waits = action === 'wait' ? { wait_ms: waitOf(given) } : {};
    return {
      tool: 'job',
      arguments: { job: `job-${number}`, action, offset: given.number('offset'), ...waits },
    };
  },
};

export const restart: ToolCommand = {
  takes: '',
  about: 'gives the session a fresh image, in which the systems that it had loaded are loaded again',
  words: [0, 0],
  options: IN_SESSION,
  asks: () => ({ tool: 'load', arguments: {} }),
};

function waitOf(given: Given): number | undefined {
  const seconds = given.number('wait') ?? (given.isWatched ? LONGEST_WAIT : undefined);
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}

/** @throws Misuse for a file that is not there */
async function codeOf(given: Given): Promise<string> {
  const [word = ''] = given.words;
  if (word === '-') return given.stdin();
  const file = fileNamed(word, given);
  if (file === null) return word;
  if (isFile(file)) return readFileSync(file, 'utf8');
  throw new Misuse(`There is no file ${word}.`);
}

function targetOf(given: Given): { path: string } | { system: string } | Record<string, never> {
  const [name] = given.words;
  if (name === undefined) return {};
  const file = fileNamed(name, given);
  return file === null ? { system: name } : { path: file };
}

/** Of a word that is called like source, or is the path of a file; names of systems may have slashes, and forms anything. */
function fileNamed(word: string, given: Given): string | null {
  if (/[()'"`\n]/.test(word)) return null;
  const file = given.file(word);
  return SOURCE.test(word) || (/[\\/]/.test(word) && isFile(file)) ? file : null;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
