/** The arguments of tools: checked before a tool runs; and `session`, which most of them take. */
import type { z } from 'zod';
import { HarborError } from '../contract/errors';
import { thereAre } from '../contract/names-there';
import { likelyName } from '../host/likely-name';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import { problemsText } from './argument-problems';
import type { Caller, Tool } from './tool';

/** @throws HarborError `bad_arguments`, naming each member that is wrong */
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

/** The arguments of a call, without those that the tool does not have where that does no harm, and notes that name these.
 * @param refusesUnknown whether unknown ones are refused, as `Profile.refusesUnknown` says; a tool that only reads is given
 * what it knows all the same, unless an argument of its own was meant
 * @throws HarborError `bad_arguments`, naming each member that is wrong and what is near it */
export function acceptedArguments<A extends z.ZodObject>(
  tool: Pick<Tool<A>, 'name' | 'args' | 'annotations'>,
  given: unknown,
  refusesUnknown = false,
): { args: z.output<A>; notes: string[] } {
  const known = Object.keys(tool.args.shape);
  const unknown = membersOf(given).filter((name) => !known.includes(name));
  const [first] = unknown;
  if (first === undefined) return { args: checkedArguments(tool, given), notes: [] };
  const there = `${tool.name} has no argument ${shortList(unknown)}. ${thereAre(first, known)}`;
  const isMeant = unknown.some((name) => likelyName(name, known) !== null);
  const rest = Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => known.includes(name)));
  const parsed = tool.args.safeParse(rest);
  if (parsed.success && !(refusesUnknown && (isMeant || !tool.annotations.readOnlyHint)))
    return { args: parsed.data, notes: [`Passed over: ${there}`] };
  const problems = parsed.success ? '' : `\n${problemsText(parsed.error, rest)}`;
  throw new HarborError('bad_arguments', `${there}${problems}`);
}

/** As many, and as much of each, as a mistake needs. */
function shortList(names: readonly string[]): string {
  const told = names.slice(0, 5).map((name) => name.slice(0, 60));
  return `${told.join(', ')}${names.length > told.length ? ` and ${names.length - told.length} more` : ''}`;
}

function membersOf(given: unknown): string[] {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.keys(given) : [];
}

/** The session of that handle, or the caller's default one.
 * @throws HarborError `unknown_session`, or `cancelled` when the caller went away while its session was opened */
export async function sessionOf(
  handle: string | undefined,
  caller: Caller,
  sessions: Sessions,
): Promise<{ session: Session; notes: string[] }> {
  if (handle !== undefined) return { session: await sessions.find(handle, caller.client), notes: [] };
  const opened = await caller.defaultSession();
  if (caller.signal.aborted) throw new HarborError('cancelled', 'The call was cancelled before it began.');
  return opened;
}
