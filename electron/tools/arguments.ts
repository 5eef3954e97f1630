/** Validation of tool arguments, and lookup of the session that most tools take. */

import type { z } from 'zod';
import { HarborError, listSimilarNames } from '../contract/errors';
import { type Note, note } from '../contract/note';

import { likelyName } from '../host/likely-name';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import { coerced } from './coercion';
import type { Caller, Tool } from './tool';

/**
 * Parses the arguments of a tool.
 * @throws HarborError `bad_arguments`, naming each wrong member
 */
export function checkedArguments<A extends z.ZodObject>(
  { name, args }: Pick<Tool<A>, 'name' | 'args'>,
  given: unknown,
): z.output<A> {
  const parsed = args.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw new HarborError(
    'bad_arguments',
    `Arguments of ${name} are wrong:\n${problemsText(parsed.error, given)}`,
  );
}

/**
 * Parses the arguments of a call as the client means them. A tool that only reads drops unknown arguments and
 * names them in `notes`. Any other tool refuses them, because a dropped argument may be the one that restricts
 * the call.
 * @param refusesMisspelt whether a tool that only reads refuses a name that is close to a known one
 *   (`Profile.refusesMisspelt`)
 * @throws HarborError `bad_arguments`, naming each wrong member and the closest known names
 */
export function acceptedArguments<A extends z.ZodObject>(
  tool: Pick<Tool<A>, 'name' | 'args' | 'annotations' | 'scope' | 'approval'>,
  sent: unknown,
  refusesMisspelt = false,
): { args: z.output<A>; notes: Note[] } {
  const given = coerced(tool.args, sent);
  const known = Object.keys(tool.args.shape);
  const unknown = membersOf(given).filter((name) => !known.includes(name));
  const [first] = unknown;
  if (first === undefined) return { args: checkedArguments(tool, given), notes: [] };
  const there = `${tool.name} has no argument ${shortList(unknown)}. ${listSimilarNames(first, known)}`;
  const isMisspelt = unknown.some((name) => likelyName(name, known) !== null);
  const rest = Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => known.includes(name)));
  const parsed = tool.args.safeParse(rest);
  if (parsed.success && isReader(tool) && !(refusesMisspelt && isMisspelt))
    return { args: parsed.data, notes: [note('ignored_arguments', `Ignored: ${there}`)] };
  const problems = parsed.success ? '' : `\n${problemsText(parsed.error, rest)}`;
  throw new HarborError('bad_arguments', `${there}${problems}`);
}

/** Reports whether calls of the tool need no approval and change nothing. */
function isReader({
  scope,
  approval,
  annotations,
}: Pick<Tool, 'scope' | 'approval' | 'annotations'>): boolean {
  return scope === 'read' && (approval ?? null) === null && annotations.readOnlyHint;
}

/** Returns at most five names, each cut to 60 characters. */
function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => name.slice(0, 60));
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}

function membersOf(given: unknown): string[] {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.keys(given) : [];
}

/**
 * Returns the session with that handle, or the caller's default session.
 * @throws HarborError `unknown_session`; `cancelled` when the caller disconnected while its session was being
 *   opened
 */
export async function sessionOf(
  handle: string | undefined,
  caller: Caller,
  sessions: Sessions,
): Promise<{ session: Session; notes: Note[] }> {
  if (handle !== undefined)
    return { session: await sessions.find(handle, caller.client, caller.grant), notes: [] };
  const opened = await caller.defaultSession();
  if (caller.signal.aborted) throw new HarborError('cancelled', 'The call was cancelled before it began.');
  return opened;
}

type Issue = z.core.$ZodIssue;

/** Returns the problems of `given`, one a line: the name, the accepted form, and whether it is missing. */
export function problemsText({ issues }: Pick<z.ZodError, 'issues'>, given: unknown): string {
  return issues.map((issue) => problemText(issue, given)).join('\n');
}

function problemText(issue: Issue, given: unknown): string {
  const name = issue.path.join('.');
  const isMissing = name !== '' && valueAt(given, issue.path) === undefined;
  const message = messageOf(issue).replace(/, received undefined$/, '');
  return `${name}${isMissing ? ' is missing' : ''}${name === '' ? '' : ': '}${message}`;
}

/** How clients write a value of a type that they often send in another form. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['array', 'array […]'],
  ['boolean', 'boolean true or false'],
  ['int', 'whole number such as 1000'],
  ['number', 'number such as 1000'],
  ['object', 'object {…}'],
  ['record', 'object {…}'],
]);

/** Returns the message of an issue with the accepted form; for a union, those of all alternatives. */
function messageOf(issue: Issue): string {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) {
    const message = issue.message.replace(/^Invalid (?:input|option): /, '');
    const form = issue.code === 'invalid_type' ? FORMS.get(issue.expected) : undefined;
    return form === undefined ? message : message.replace(/^expected \w+/, `expected ${form}`);
  }
  const each = issue.errors.flatMap(([first]) =>
    first ? [messageOf(first).replace(/, received .*$/, '')] : [],
  );
  return [...new Set(each)].join(', or ');
}

function valueAt(given: unknown, path: Issue['path']): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    given,
  );
}
