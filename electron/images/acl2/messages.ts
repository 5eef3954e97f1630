/** Errors and warnings as ACL2 8.5 prints them, `ACL2 Error [Translate] in ( DEFUN F ...):  …`, as data. */
import type { Condition, Warning } from '../../contract/model';

/** The type of the condition that says of an event only that it failed. */
export const FAILURE = 'ACL2 Error [Failure]';

/** Characters of a message that a condition shows. */
const SHOWN = 6_000;

const ERROR = /^(?:HARD ACL2 ERROR|ACL2 Error)(?: \[([^\]\n]+)\])?\s+in\s/m;
const EVENT_OF_ERROR =
  /^ACL2 Error(?: \[[^\]\n]+\])?\s+in\s+\(\s(DEF[^\s()"]+|VERIFY-GUARDS)\s+([^\s()"]+)\s+\.\.\.\)/m;
const WARNING =
  /^ACL2 Warning(?: \[([^\]\n]+)\])?\s+in\s+[\s\S]{1,300}?:(?: {2}|\n)([\s\S]*?)(?=\n\s*\n|\n\*{4,}|$(?![\s\S]))/gm;

/** In the summary that ends the commentary of a proof, whose every field begins at the margin. */
const RULES = /^Rules: \(/m;
const END_OF_RULES = /\)\n(?=\S)/;
const RUNE = /\((?:[^()]|\([^()]*\))*\)/g;

/** What a form printed: by itself, and by the prover. */
export interface Printed {
  output: string;
  commentary: string;
}

/** The condition of a form that failed; `raw` is the condition of raw Lisp that ended it, if one did. */
export function conditionOf({ output, commentary }: Printed, raw: string | null): Condition {
  if (raw !== null) return condition('Raw Lisp error', plain(raw));
  return (
    firstError({ output, commentary }) ??
    condition('ACL2 Error', 'The form failed, or ACL2 passed it over, without a message.')
  );
}

/** Why a text could not be read: a form of it that begins on `line`, from 1. @param file absent: of an evaluation */
export function readCondition(message: string, line: number, file?: string): Condition {
  const text = plain(message);
  const place = `the form that begins on line ${line}${file === undefined ? '' : ` of ${file}`}`;
  return /end of (?:file|input)/i.test(text)
    ? condition('Read error', `The text ends inside ${place}: a ), " or | is missing.`)
    : condition('Read error', `${text} (in ${place})`);
}

/** What a message says first, in one line. */
export function firstParagraph({ message }: Condition): string {
  return (message.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ');
}

export function condition(type: string, message: string): Condition {
  return { type, message, level: 1, restarts: [], frames: [] };
}

/** The warnings that the prover printed about form number `form`. */
export function warningsIn(commentary: string, form: number): Warning[] {
  return [...commentary.matchAll(WARNING)].map(([, type = 'ACL2 Warning', message = '']) => ({
    severity: 'warning',
    type,
    message: message.replaceAll(/\s+/g, ' ').trim(),
    form,
  }));
}

/** The event in which the first error was met, such as `DEFTHM APP-NIL`; that of a form around it comes later. */
export function failedEvent({ output, commentary }: Printed): string | null {
  const found = EVENT_OF_ERROR.exec(commentary) ?? EVENT_OF_ERROR.exec(output);
  return found?.slice(1).join(' ') ?? null;
}

/** The rules that the printed summary of a proof names. */
export function rulesIn(commentary: string): string[] {
  const begin = commentary.search(RULES);
  if (begin < 0) return [];
  const rules = commentary.slice(begin + 'Rules: ('.length);
  const shown = rules.slice(0, Math.max(0, rules.search(END_OF_RULES)));
  return (shown.match(RUNE) ?? []).map((rune) => rune.replaceAll(/\s+/g, ' '));
}

/** The first error that was printed, with what follows it: that is its consequence. */
export function firstError({ output, commentary }: Printed): Condition | null {
  return errorIn(output) ?? errorIn(commentary);
}

function errorIn(text: string): Condition | null {
  const found = ERROR.exec(text);
  if (!found) return null;
  const kind = text.startsWith('HARD', found.index) ? 'HARD ACL2 ERROR' : 'ACL2 Error';
  const type = found[1] === undefined ? kind : `${kind} [${found[1]}]`;
  return condition(type, text.slice(found.index, found.index + SHOWN).trim());
}

/** Without what GCL puts before every message. */
function plain(raw: string): string {
  return raw
    .replace(/^Condition in \S+ \[or a callee\]: /, '')
    .replace(/^(?:INTERNAL-)?(?:SIMPLE-)?[A-Z-]+: /, '')
    .trim();
}
