/** Compares a result's data with its text: every leaf of the data must be found in the text, but for what is left to the data. */

import { basename } from 'node:path';

type Path = (string | number)[];

/** What the text of a result leaves to its data, by its path there, and why a model has no need of it. */
const LEFT_TO_DATA: readonly RegExp[] = [
  // Told when it is news: the conversation knows it from then on.
  /^(?:evaluation\.)?(?:id|session|engine|package)$/,
  // Told of what takes long.
  /^(?:evaluation\.)?(?:duration_ms|cost\.\w+)$/,
  // What the caller has sent, and the last values once more.
  /forms\.\d+\.code$/,
  // A type of the engine's own, and which of the caller's forms it was, say less than the message and the definition.
  /warnings\.\d+\.(?:type|form|source)$/,
  // Nothing can be restarted that is not held, and frames of the engine's own are counted.
  /^condition\.(?:level|restarts\.\d+\.\w+|restarts\.\d+\.arguments\.\d+|frames\.\d+\.\w+)$/,
  /^evaluation\.condition\.(?:level|restarts\.\d+\.\w+|frames\.\d+\.\w+)$/,
  // Told when the evaluation was held.
  /^evaluation\.(?:warnings\.\d+\.(?:severity|message)|condition\.(?:type|message))$/,
  // Our own loader's lines, the compiler's of failures that are told, and tests that passed: they are counted.
  /^std(?:out|err)$/,
  /runs\.\d+\.tests\.\d+$/,
  /failures\.\d+\.reason$/,
  // Where engines lie, what sessions are limited to and since when, how the harbor is reached: for programs.
  /^engines\.\d+\.(?:available|path|reason)$/,
  /^sessions\.\d+\.(?:engine|project|sandbox|generation|pid|memory_bytes|started_at|last_used_at|limits\.\w+)$/,
  /^(?:endpoints\.\d+|memory\.\w+)$/,
  // Whoever has written a text knows what it changes, and whoever has read one sees what it is.
  /^(?:diff|collapsed|total)$/,
  // What a session is like unless something else was asked for; how it stands when that has not changed.
  /^(?:project|sandbox|limits\.\w+|state|level)$/,
  // A part's type is seen in its value; that it can be set is found by setting it.
  /^parts\.\d+\.(?:type|settable)$/,
  /^next_offset$/,
  // Printed names say what is external, source texts say arglist and documentation, and events what a theorem says.
  /^(?:status|symbol)$/,
  /^definitions\.\d+\.(?:metaclass|superclasses\.\d+|precedence\.\d+|properties\.\d+|rulesText|mode|guardsVerified|signature)$/,
  // Of what was saved or gone back to the list says more.
  /^checkpoints\.\d+\.(?:session|package|bytes|saved_at|used_by\.\d+)$/,
  // A row by its id has all.
  /^rows\.\d+\.(?:engine|client|project|package|session|code|output|values\.\d+|started_at|ended_at|duration_ms|truncated)$/,
  // Frames by an offset, and locals of code that has no source.
  /^debugger\.(?:total|next|frames\.\d+\.\w+)$/,
  /^frame\.source\.\w+$/,
  /^next$/,
];

/** The facts of `structured` that neither `text` nor what the caller sent holds, as `path = value`. */
export function missingFacts(structured: unknown, text: string, sent: Record<string, unknown>): string[] {
  const found = `${text}\n${Object.values(sent).map(String).join('\n')}`.toLowerCase();
  return (
    leaves(structured)
      .filter(({ path }) => !LEFT_TO_DATA.some((pattern) => pattern.test(path.join('.'))))
      // What our own loader signals is a sentence of its own.
      .filter(({ value }) => value !== 'LISP-HARBOR-AGENT:COMPILATION-FAILED')
      // Told once of each image.
      .filter(({ value }) => !String(value).startsWith('not sandboxed: '))
      // The value of our own loader is what its report says.
      .filter(({ path }) => !(/^loaded | in \d+ tests?$/m.test(text) && /values\.\d+$/.test(path.join('.'))))
      // What has failed to load says why nothing was loaded.
      .filter(({ path }) => !(/^ERROR /m.test(text) && path[0] === 'condition'))
      .filter(({ path, value }) => !spellings(path, value).some((each) => holds(found, each.toLowerCase())))
      .map(({ path, value }) => `${path.join('.')} = ${String(value).slice(0, 200)}`)
  );
}

/** A number or a name counts only where it stands alone: 4 is not in 42, nor sbcl in the handle sbcl-4f7. */
function holds(text: string, spelling: string): boolean {
  if (!/^[\w-]+$/.test(spelling)) return text.includes(spelling);
  return new RegExp(`(?<![\\w-])${spelling}(?![\\w-])`).test(text);
}

function leaves(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, each]) => leaves(each, [...path, key]));
}

/** How a text may say a value: numbers rounded or counted from one, what is absent or a state in words. */
function spellings(path: Path, value: unknown): string[] {
  const name = String(path.at(-1));
  if (name === 'duration_ms') return [`${Math.round(Number(value))} ms`];
  // Files of the project go by their short names.
  if (name === 'message') return [String(value), String(value).replace(/^\S*\//, '')];
  if (name === 'outcome') return [...(OUTCOMES[String(value)] ?? []), String(value)];
  // The stacks of a profile are long: the text says where they are, and the history says them.
  if (name === 'folded') return [...String(value).split('\n', 1), 'in report.profile.folded of the data'];
  if (path.at(-2) === 'omitted' && value === 0) return ['none left out'];
  if (name === 'form' && typeof value === 'number') return [`(form ${Number(value) + 1})`];
  // No level is told by the state of a session that is not held.
  if (name === 'level') return value === 0 ? ['idle', 'running', 'lost'] : [`level ${String(value)}`];
  if (name === 'skipped' && value === 0) return [''];
  // The package that all names share is told once.
  if (name === 'test') return [String(value), String(value).replace(/^.*::/, '')];
  if (name === 'file' && value !== null) return [String(value), basename(String(value))];
  if (value === null || typeof value === 'boolean' || name.endsWith('_bytes')) return inWords(name, value);
  return [String(value).replace(/\n$/, '')];
}

/** That nothing went wrong is told by what came of it. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  ok: ['=> ', '; no values', 'loaded ', 'passed'],
  running: ['running as job-', 'queued as job-'],
  debugger: ['suspended at debugger level'],
  error: ['; Aborted'],
};

function inWords(name: string, value: unknown): string[] {
  const mebibytes = `${Math.round(Number(value) / 1024 ** 2)} MiB`;
  if (name !== 'memory_bytes' && name.endsWith('_bytes')) return [mebibytes];
  const words: Record<string, string[]> = {
    available: value === true ? [': available'] : [': missing', ': not started'],
    closed: ['closed'],
    collapsed: [value === true ? '· collapsed ·' : '· plain text ·'],
    created: [value === true ? 'created' : 'replaced'],
    complete: [value === true ? 'all objects counted' : 'not complete'],
    counts: ['no counts'],
    default_engine: ['none was found'],
    file: ['in no file'],
    form: ['its form is not known'],
    heap_mib: ['heap not limited'],
    cpu_seconds: ['processor time not limited'],
    output_chars: ['output not limited'],
    memory_bytes: [value === null ? 'memory unknown' : mebibytes],
    short: [value === true ? ', short' : ', not short'],
    // One evaluation alone is no page.
    next: [
      'end of the history',
      'end of the backtrace',
      'no evaluations',
      '; ok · evaluation',
      '; error · evaluation',
    ],
    next_offset: ['end of the output', 'end of the parts'],
    pid: ['no process'],
    settable: ['settable'],
    truncated: ['truncated'],
    written: value === true ? ['; written'] : ['; not written', '; nothing to change'],
  };
  return words[name] ?? [`(nothing says ${name} ${String(value)})`];
}
