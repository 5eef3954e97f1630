/** Answers one call of the page: checks its frame and arguments, runs its handler. Knows no Electron. */
import type { CallName } from '../contract/channels';
import { calls, type ParsedArgs, type Reply, type Result } from '../contract/contract';
import { asFailure, type ErrorCode, HarborError } from '../contract/errors';
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
  const failed = (code: ErrorCode, message: string) =>
    texts.shown({ ok: false as const, code, message: words().failures.told(code, message) });
  if (!isTrustedFrame(frame))
    return failed('untrusted_sender', 'Only the window of the app itself may call.');
  const parsed = calls[call].args.safeParse(texts.meant(raw));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = [call, ...(issue?.path ?? [])].join('.');
    return failed('bad_arguments', `${where}: ${issue?.message ?? 'not valid'}`);
  }
  try {
    const value: Result<C> = await handlers[call](parsed.data as ParsedArgs<C>);
    return { ok: true, value: texts.forWindow(call, value) };
  } catch (error) {
    if (!(error instanceof HarborError)) report(call, error);
    const { code, message } = asFailure(error);
    return failed(code, message);
  }
}
