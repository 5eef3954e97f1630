/** Answers one call of the page: checks its frame and arguments, runs its handler. Knows no Electron. */
import type { CallName } from '../contract/channels';
import { calls, type ParsedArgs, type Reply, type Result } from '../contract/contract';
import { asFailure, HarborError } from '../contract/errors';
import { type CallingFrame, isTrustedFrame } from './origin';
import type { ShownTexts } from './shown-texts';

/** A handler for every call of the contract; one that is missing does not compile. */
export type CallHandlers = {
  [C in CallName]: (args: ParsedArgs<C>) => Promise<Result<C>> | Result<C>;
};

export interface Answering {
  handlers: CallHandlers;
  texts: ShownTexts;
  /** Is told of errors that are defects of ours. */
  report: (call: CallName, error: unknown) => void;
}

/** Never rejects: errors come back as values, because Electron carries nothing of an error but its message. */
export async function answerCall<C extends CallName>(
  { handlers, texts, report }: Answering,
  call: C,
  frame: CallingFrame | null,
  raw: unknown,
): Promise<Reply<Result<C>>> {
  if (!isTrustedFrame(frame)) {
    return { ok: false, code: 'untrusted_sender', message: 'Only the window of the app itself may call.' };
  }
  const parsed = calls[call].args.safeParse(texts.meant(raw));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = [call, ...(issue?.path ?? [])].join('.');
    return { ok: false, code: 'bad_arguments', message: `${where}: ${issue?.message ?? 'not valid'}` };
  }
  try {
    const value: Result<C> = await handlers[call](parsed.data as ParsedArgs<C>);
    return { ok: true, value: texts.forWindow(call, value) };
  } catch (error) {
    if (!(error instanceof HarborError)) report(call, error);
    return { ok: false, ...texts.shown(asFailure(error)) };
  }
}
