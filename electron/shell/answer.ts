/**
 * Handles one call of the page: checks the frame, the name and the arguments, then runs the handler. Does not
 * import Electron.
 */
import { type CallName, calls, type ParsedArgs, type Reply, type Result } from '../contract/contract';
import { asFailure, type Failure, HarborError } from '../contract/errors';
import type { Words } from '../words/words';
import { type CallingFrame, isTrustedFrame } from './origin';
import type { VisibleTexts } from './window-events';

/** The handler of every call in the contract. A missing one is a type error. */
export type CallHandlers = {
  [C in CallName]: (args: ParsedArgs<C>) => Promise<Result<C>> | Result<C>;
};

export interface Answering {
  handlers: CallHandlers;
  texts: VisibleTexts;
  /** Words in the language of the window. */
  words: () => Words;
  /** Called with errors that are defects. */
  report: (call: CallName, error: unknown) => void;
}

/** Returns failures as values and never rejects, because Electron passes on only the message of an error. */
export async function answerCall(
  { handlers, texts, words, report }: Answering,
  call: unknown,
  frame: CallingFrame | null,
  raw: unknown,
): Promise<Reply<unknown>> {
  const failed = (failure: Failure) =>
    texts.shown({ ok: false as const, code: failure.code, message: words().failures.text(failure) });
  if (!isTrustedFrame(frame)) {
    return failed({ code: 'untrusted_sender', message: 'Only the window of the app itself may call.' });
  }
  if (!isCallName(call)) {
    return failed({ code: 'bad_arguments', message: `There is no call named ${String(call)}.` });
  }
  const parsed = calls[call].args.safeParse(texts.originals(raw));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = [call, ...(issue?.path ?? [])].join('.');
    return failed({ code: 'bad_arguments', message: `${where}: ${issue?.message ?? 'not valid'}` });
  }
  try {
    const value = await runHandler(handlers, call, parsed.data);
    return { ok: true, value: texts.forWindow(call, value) };
  } catch (error) {
    if (!(error instanceof HarborError)) report(call, error);
    return failed(asFailure(error));
  }
}

function isCallName(call: unknown): call is CallName {
  return typeof call === 'string' && Object.hasOwn(calls, call);
}

function runHandler<C extends CallName>(handlers: CallHandlers, call: C, args: unknown): unknown {
  return handlers[call](args as ParsedArgs<C>);
}
