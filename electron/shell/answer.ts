/** Answers one call of the page: checks its frame and arguments, runs its handler. Knows no Electron. */
import type { CallName, EventName } from '../contract/channels';
import { calls, type ParsedArgs, type Reply, type Result } from '../contract/contract';
import { asFailure, HarborError } from '../contract/errors';
import { visibleData } from '../contract/visible-text';
import { type CallingFrame, isTrustedFrame } from './origin';

/** A handler for every call of the contract; one that is missing does not compile. */
export type CallHandlers = {
  [C in CallName]: (args: ParsedArgs<C>) => Promise<Result<C>> | Result<C>;
};

/**
 * Never rejects: errors come back as values, because Electron carries nothing of an error but its message.
 * @param report is told of errors that are defects of ours
 */
export async function answerCall<C extends CallName>(
  handlers: CallHandlers,
  call: C,
  frame: CallingFrame | null,
  raw: unknown,
  report: (call: CallName, error: unknown) => void,
): Promise<Reply<Result<C>>> {
  if (!isTrustedFrame(frame)) {
    return { ok: false, code: 'untrusted_sender', message: 'Only the window of the app itself may call.' };
  }
  const parsed = calls[call].args.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = [call, ...(issue?.path ?? [])].join('.');
    return { ok: false, code: 'bad_arguments', message: `${where}: ${issue?.message ?? 'not valid'}` };
  }
  try {
    const value: Result<C> = await handlers[call](parsed.data as ParsedArgs<C>);
    return { ok: true, value: forWindow(call, value) };
  } catch (error) {
    if (!(error instanceof HarborError)) report(call, error);
    return { ok: false, ...visibleData(asFailure(error)) };
  }
}

/** What a terminal draws: it gives each character a cell of its own, turns none, and takes out what would move it. */
const OF_TERMINAL: ReadonlySet<CallName | EventName> = new Set(['listener:open', 'listener:output'] as const);

/** Everything that the window shows comes through here, by an answer or an event. */
export function forWindow<T>(channel: CallName | EventName, value: T): T {
  return OF_TERMINAL.has(channel) ? value : visibleData(value);
}
