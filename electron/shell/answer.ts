/** Answers one call of the page: checks its frame and arguments, runs its handler. Knows no Electron. */
import type { CallName } from '../contract/channels';
import { calls, type ParsedArgs, type Reply, type Result } from '../contract/contract';
import { asFailure, type Failure, HarborError } from '../contract/errors';
import type { Words } from '../words/words';
import { type CallingFrame, isTrustedFrame } from './origin';
import type { ShownTexts } from './shown-texts';

/** A handler for every call of the contract; one that is missing does not compile. */
export type CallHandlers = {
  [C in CallName]: (args: ParsedArgs<C>) => Promise<Result<C>> | Result<C>;
};

export interface Answering {
  handlers: CallHandlers;
  texts: ShownTexts;
  /** In the language of the window. */
  words: () => Words;
  /** Is told of errors that are defects of ours. */
  report: (call: CallName, error: unknown) => void;
}

/** Never rejects: errors come back as values, because Electron carries nothing of an error but its message. */
export async function answerCall<C extends CallName>(
  { handlers, texts, words, report }: Answering,
  call: C,
  frame: CallingFrame | null,
  raw: unknown,
): Promise<Reply<Result<C>>> {
  const failed = (failure: Failure) =>
    texts.shown({ ok: false as const, code: failure.code, message: words().failures.told(failure) });
  if (!isTrustedFrame(frame)) {
    return failed({ code: 'untrusted_sender', message: 'Only the window of the app itself may call.' });
  }
  const parsed = calls[call].args.safeParse(texts.meant(raw));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = [call, ...(issue?.path ?? [])].join('.');
    return failed({ code: 'bad_arguments', message: `${where}: ${issue?.message ?? 'not valid'}` });
  }
  try {
    const value: Result<C> = await handlers[call](parsed.data as ParsedArgs<C>);
    return { ok: true, value: texts.forWindow(call, value) };
  } catch (error) {
    if (!(error instanceof HarborError)) report(call, error);
    return failed(asFailure(error));
  }
}
