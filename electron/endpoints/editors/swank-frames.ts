/**
 * The messages between an editor and Swank or Slynk in an image. Code in the image can write whatever it wants on its end
 * of the connection, and Emacs Lisp is one of the things that an editor runs. So only known messages reach the
 * editor, each parsed and printed again; and a request of the editor reaches the image only while the user
 * lets clients evaluate.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { FrameDecoder, frame } from '../../host/swank-framing';
import { SlyRepls } from './sly-repls';
import { type Datum, parsed, printed, Token } from './swank-data';
import type { SwankEvaluations } from './swank-evaluations';

/** Maximum length of a message of an image, in bytes. */
const LONGEST_MESSAGE = 8 * 1024 * 1024;

/** Returns a message that Emacs shows in its echo area (`:debug-condition` of SLIME and SLY), framed. */
export function messageForEmacs(text: string): Buffer {
  return frame(`(:debug-condition 0 ${printed(`Lisp Harbor: ${text}`)})`);
}

/** Splits a stream into messages. A message with a wrong header, or a longer one, ends the stream. */
class Messages extends Transform {
  readonly #decoder = new FrameDecoder(LONGEST_MESSAGE);
  readonly #pass: (text: string) => Buffer | null;

  /** @param pass returns the frame to send on; null for none */
  constructor(pass: (text: string) => Buffer | null) {
    super();
    this.#pass = pass;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      for (const text of this.#decoder.read(chunk)) {
        const passed = this.#pass(text);
        if (passed) this.push(passed);
      }
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    done();
  }
}

interface ConversationOptions {
  /** Records what the editor evaluates. */
  evaluations?: Pick<SwankEvaluations, 'requested' | 'sent' | 'replied'>;
  /** Returns why the user lets no client evaluate now; null if they may. Called for each message. */
  refusal: () => string | null;
  /** Writes a frame to the editor, or to the image. */
  toEditor: (frame: Buffer) => void;
  toImage: (frame: Buffer) => void;
}

/** The conversation of one editor with one image: a stream for each direction. */
export class EditorConversation {
  /** From the editor to the image. */
  readonly requests = new Messages((text) => this.#requested(text));
  /** From the image to the editor. */
  readonly replies = new Messages((text) => this.#replied(text));
  readonly #options: ConversationOptions;
  readonly #repls = new SlyRepls();
  /** Requests that the image has not answered. */
  readonly #pending = new Set<number>();
  readonly #reported = new Set<string>();

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  #requested(text: string): Buffer | null {
    const [, kind = ''] = /^\(:([\w-]+)/.exec(text) ?? [];
    if (kind === 'emacs-channel-send') return this.#sent(text);
    const [, last] = /(?<!\d)(\d+)\)\s*$/.exec(text) ?? [];
    const refusal = NEVER_EVALUATES.has(kind) ? null : this.#options.refusal();
    const isRequest = kind === 'emacs-rex' && last !== undefined;
    if (refusal === null) {
      if (isRequest) {
        this.#pending.add(Number(last));
        this.#repls.requested(text, Number(last));
        this.#options.evaluations?.requested(text, Number(last));
      }
      return frame(text);
    }
    if (isRequest) this.#options.toEditor(frame(`(:return (:abort ${printed(refusal)}) ${last})`));
    else this.#options.toEditor(messageForEmacs(refusal));
    return null;
  }

  /** Passes a message to a channel. One that evaluates and is refused is answered, or SLY’s REPL would wait forever. */
  #sent(text: string): Buffer | null {
    const { repl, code } = this.#repls.sent(text);
    const refusal = text.includes('(:teardown)') ? null : this.#options.refusal();
    if (refusal === null) {
      if (repl && code !== null) this.#options.evaluations?.sent(repl, code);
      return frame(text);
    }
    if (repl === null || code === null) this.#options.toEditor(messageForEmacs(refusal));
    else
      for (const answer of [`(:evaluation-aborted ${printed(refusal)})`, printed(repl.prompt)])
        this.#options.toEditor(frame(`(:channel-send ${repl.remote} ${answer})`));
    return null;
  }

  #replied(text: string): Buffer | null {
    const message = parsed(text);
    const [first, ...rest] = Array.isArray(message) ? message : [];
    const kind = first instanceof Token ? first.text : '';
    const repl = this.#repls.replied(kind, rest);
    this.#options.evaluations?.replied(kind, rest, repl);
    if (kind === ':return') return this.#returned(rest);
    const shown = Array.isArray(message) ? PASSES.get(kind)?.(message) : undefined;
    if (shown) return frame(printed(shown));
    this.#refuse(kind, rest);
    return null;
  }

  /** Passes an answer only to a request that was let through, so none stays open or is answered twice. */
  #returned([value, id]: Datum[]): Buffer | null {
    const request = id instanceof Token ? Number(id.text) : Number.NaN;
    if (value === undefined || !this.#pending.delete(request)) return null;
    return frame(`(:return ${printed(value)} ${request})`);
  }

  #refuse(kind: string, [thread, tag]: Datum[]): void {
    const ids = [thread, tag].map((each) => (each instanceof Token ? Number(each.text) : Number.NaN));
    if (EXPECT_ANSWER.has(kind) && ids.every(Number.isSafeInteger))
      this.#options.toImage(frame(`(:emacs-return ${ids.join(' ')} (:abort "Lisp Harbor refused it"))`));
    const selector =
      kind === ':channel-send' && Array.isArray(tag) && tag[0] instanceof Token ? tag[0].text : kind;
    const name = KNOWN_KIND.test(selector) ? selector : 'a malformed message';
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#options.toEditor(
      messageForEmacs(`code in the image sent ${name}, which does not reach an editor through this port.`),
    );
  }
}

/** Messages of an editor that evaluate nothing: they stop an evaluation, or acknowledge. */
const NEVER_EVALUATES: ReadonlySet<string> = new Set(['emacs-interrupt', 'emacs-pong', 'write-done']);

/** Refused messages for whose answer a thread of the image waits. */
const EXPECT_ANSWER: ReadonlySet<string> = new Set([':eval', ':ed-rpc']);

const KNOWN_KIND = /^:[a-z-]{1,40}$/;

const asItIs = (message: Datum[]): Datum[] => message;

/**
 * Messages that may reach an editor, each with a function that returns what of it may. The others of SLIME and SLY
 * evaluate Emacs Lisp (`:eval`, `:eval-no-wait`, `:ed-rpc`), open files or connections (`:ed`,
 * `:open-dedicated-output-stream`) or show images and buffers (`:write-image`, `:popup-buffer`).
 */
const PASSES: ReadonlyMap<string, (message: Datum[]) => Datum[] | null> = new Map([
  ...[
    ':write-string',
    ':read-string',
    ':read-aborted',
    ':read-from-minibuffer',
    ':y-or-n-p',
    ':new-package',
    ':new-features',
    ':presentation-start',
    ':presentation-end',
    ':debug',
    ':debug-activate',
    ':debug-return',
    ':debug-condition',
    ':background-message',
    ':inspect',
    ':ping',
    ':reader-error',
    ':invalid-rpc',
    ':invalid-channel',
  ].map((kind): [string, typeof asItIs] => [kind, asItIs]),
  [':indentation-update', withoutFunctions],
  [':channel-send', toRepl],
]);

/** Messages to the channel of a REPL. The others open connections (`:open-dedicated-output-stream`). */
const TO_REPL: ReadonlySet<string> = new Set([
  ...[':write-string', ':write-values', ':write-result', ':evaluation-aborted', ':prompt', ':set-read-mode'],
  ...[':inspect-object', ':clear-repl-history', ':server-side-repl-close'],
]);

function toRepl(message: Datum[]): Datum[] | null {
  const [, , sent] = message;
  const [selector] = Array.isArray(sent) ? sent : [];
  return selector instanceof Token && TO_REPL.has(selector.text) ? message : null;
}

/**
 * Removes indentations that are no numbers and lambda-list keywords: an editor calls a function of that name
 * when it indents.
 */
function withoutFunctions([kind, entries]: Datum[]): Datum[] | null {
  if (kind === undefined || !Array.isArray(entries)) return null;
  return [kind, entries.filter((entry) => Array.isArray(entry) && isIndentation(entry[1]))];
}

function isIndentation(spec: Datum | undefined): boolean {
  if (typeof spec === 'string') return /^&[a-z]+$/.test(spec);
  if (Array.isArray(spec)) return spec.every(isIndentation);
  return spec instanceof Token && /^(?:\d+|nil)$/.test(spec.text);
}
