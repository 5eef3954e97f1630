/** A call of a tool as lists show it: what it was about in one line, what became of it, whose session it names. Pure. */
import type { Outcome } from '../../contract/model';

/** Characters of one argument, and of the whole line. */
const LONGEST_ARGUMENT = 80;
const LONGEST_LINE = 400;

/** What was said before anything was done. */
const REFUSALS: ReadonlySet<string> = new Set([
  'file_not_allowed',
  'not_approved',
  'path_not_allowed',
  'paused',
  'profile_not_chosen',
  'project_not_approved',
  'scope_missing',
  'secret_path',
]);

/** `edit_form src/tide.lisp · replace · defun · ebb`: the tool and its short arguments, in the order they were given. */
export function callLine(tool: string, argumentsJson: string): string {
  const parts = Object.entries(parsed(argumentsJson)).flatMap(([name, value]) => argument(name, value));
  return `${tool}${parts.length > 0 ? ` ${parts.join(' · ')}` : ''}`.slice(0, LONGEST_LINE);
}

/** @param outcome as the table of calls has it; null: never answered */
export function callOutcome(outcome: string | null, errorCode: string | null): Outcome {
  if (outcome === null) return 'crashed';
  if (outcome === 'ok') return 'ok';
  return REFUSALS.has(errorCode ?? '') ? 'refused' : 'error';
}

function argument(name: string, value: unknown): string[] {
  // It has a column of its own.
  if (name === 'session' || value === null || value === undefined) return [];
  if (typeof value === 'boolean') return value ? [name] : [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const first = text.trim().split('\n', 1)[0] ?? '';
  if (first === '') return [];
  const whole = first === text.trim() && first.length <= LONGEST_ARGUMENT;
  return [whole ? first : `${first.slice(0, LONGEST_ARGUMENT)}…`];
}

function parsed(json: string): object {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? value : { value };
}
