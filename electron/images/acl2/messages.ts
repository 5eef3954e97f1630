/** Parses errors and warnings as ACL2 8.5 prints them, `ACL2 Error [Translate] in ( DEFUN F ...):  …`. */
import type { Condition, Warning } from '../../contract/model';

/** Type of a condition that only says that an event failed. */
export const FAILURE = 'ACL2 Error [Failure]';

/** Maximum characters of a message in a condition. */
const SHOWN = 6_000;

const ERROR = /^(?:HARD ACL2 ERROR|ACL2 Error)(?: \[([^\]\n]+)\])?\s+in\s/m;
const EVENT_OF_ERROR =
  /^ACL2 Error(?: \[[^\]\n]+\])?\s+in\s+\(\s(DEF[^\s()"]+|VERIFY-GUARDS)\s+([^\s()"]+)\s+\.\.\.\)/m;
const WARNING =
  /^ACL2 Warning(?: \[([^\]\n]+)\])?\s+in\s+[\s\S]{1,300}?:(?: {2}|\n)([\s\S]*?)(?=\n\s*\n|\n\*{4,}|$(?![\s\S]))/gm;

/** The rules in the summary of a proof. Each field of the summary starts at the margin. */
const RULES = /^Rules: \(/m;
const END_OF_RULES = /\)\n(?=\S)/;
const RUNE = /\((?:[^()]|\([^()]*\))*\)/g;

/** Output of a form: printed by the form itself, and by the prover. */
export interface Printed {
  output: string;
  commentary: string;
}

/** Returns the condition of a failed form. `raw` is the raw Lisp condition that ended it, or null. */
export function conditionOf({ output, commentary }: Printed, raw: string | null): Condition {
  if (raw !== null) return condition('Raw Lisp error', plain(raw));
  return (
    firstError({ output, commentary }) ??
    condition('ACL2 Error', 'The form failed without a message, or ACL2 skipped it.')
  );
}

/**
 * Returns the condition for code that could not be read. The unreadable form starts on `line`, counted from
 * 1.
 * @param file undefined for the code of an evaluation
 */
export function readCondition(message: string, line: number, file?: string): Condition {
  const text = plain(message);
  const place = `the form that starts on line ${line}${file === undefined ? '' : ` of ${file}`}`;
  return /end of (?:file|input)/i.test(text)
    ? condition('Read error', `The text ends inside ${place}. A ), " or | is missing.`)
    : condition('Read error', `${text} (in ${place})`);
}

/** Returns the first paragraph of a message in one line. */
export function firstParagraph({ message }: Condition): string {
  return (message.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ');
}

export function condition(type: string, message: string): Condition {
  return { type, message, level: 1, restarts: [], frames: [] };
}

/** Returns the warnings that the prover printed for form number `form`. */
export function warningsIn(commentary: string, form: number): Warning[] {
  return [...commentary.matchAll(WARNING)].map(([, type = 'ACL2 Warning', message = '']) => ({
    severity: 'warning',
    type,
    message: message.replaceAll(/\s+/g, ' ').trim(),
    form,
  }));
}

/**
 * Returns the event of the first error, such as `DEFTHM APP-NIL`. Enclosing forms report their errors later.
 */
export function failedEvent({ output, commentary }: Printed): string | null {
  const found = EVENT_OF_ERROR.exec(commentary) ?? EVENT_OF_ERROR.exec(output);
  return found?.slice(1).join(' ') ?? null;
}

/** Returns the rules in the printed summary of a proof. */
export function rulesIn(commentary: string): string[] {
  const begin = commentary.search(RULES);
  if (begin < 0) return [];
  const rules = commentary.slice(begin + 'Rules: ('.length);
  const shown = rules.slice(0, Math.max(0, rules.search(END_OF_RULES)));
  return (shown.match(RUNE) ?? []).map((rune) => rune.replaceAll(/\s+/g, ' '));
}

/** Returns the first printed error and the text after it, which describes its consequences. */
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

/** Removes the prefix that GCL adds to messages. */
function plain(raw: string): string {
  return raw
    .replace(/^Condition in \S+ \[or a callee\]: /, '')
    .replace(/^(?:INTERNAL-)?(?:SIMPLE-)?[A-Z-]+: /, '')
    .trim();
}
