/**
 * Asks a person before an act that a rule says to ask about. The question goes to the window and never into the
 * client's own channel, where the client could answer it.
 */
import { EventEmitter } from 'node:events';
import type {
  Act,
  Admission,
  ApprovalQuestion,
  ApprovalReply,
  ApprovalRule,
  ApprovalState,
  Approver,
} from '../contract/approvals';
import { asFailure, HarborError } from '../contract/errors';
import { PERSON_KEY } from '../contract/known-clients';
import { phraseText } from '../contract/phrase';
import { approvalOf } from './decide';
import { isLetIn } from './let-in';

/** What a person is asked; `signal` is aborted when the client gives up. */
export type Question = Omit<ApprovalQuestion, 'id' | 'askedAt'> & { signal?: AbortSignal };

export interface ApprovalsOptions {
  /** A person's rules. Asked anew each time. */
  rules: () => readonly ApprovalRule[];
  /** A person has said "always". */
  addRule: (rule: ApprovalRule) => void;
  /** Whether there is a window in which a person can answer. */
  isAttended: () => boolean;
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

interface Waiting {
  question: ApprovalQuestion;
  settle: (reply: ApprovalReply | 'gone') => void;
}

export interface ApprovalEvents {
  /** `state` would answer something else now. */
  changed: [];
}

export class Approvals extends EventEmitter<ApprovalEvents> implements Approver {
  readonly #options: ApprovalsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #paused = false;
  #asked = 0;

  constructor(options: ApprovalsOptions) {
    super();
    this.#options = options;
  }

  get state(): ApprovalState {
    return { paused: this.#paused, questions: [...this.#waiting.values()].map(({ question }) => question) };
  }

  /** Settles when the act may begin.
   * @throws HarborError `paused`, `not_approved`, `cancelled` */
  async require(act: Act): Promise<void> {
    this.#refusePaused();
    const { answer, rule } = approvalOf(act.client, act.class, this.#options.rules(), act.unlessRuled);
    if (answer === 'allow') return;
    if (answer === 'deny') throw denied(act, rule);
    if (act.unbidden || !this.isAttended) throw nobodyToAsk(act, rule);
    const { signal } = act;
    const reply = await this.ask({ ...questionOf(act), rule, ...(signal ? { signal } : {}) });
    if (reply === 'always') this.#keep(act);
    this.#refusePaused();
  }

  /** As `Door`. A person at the window needs nobody's word. */
  readonly door = (act: Omit<Act, 'signal'>): Admission => {
    let isKnown = isLetIn(act.class);
    return (signal) => {
      if (act.client === PERSON_KEY) return null;
      const mayBegin = isKnown || approvalOf(act.client, act.class, this.#options.rules()).answer === 'allow';
      if (!this.#paused && mayBegin) return null;
      return this.require({ ...act, signal }).then(() => {
        isKnown = true;
        return null;
      }, harborError);
    };
  };

  /** Whether nothing of any client begins. */
  get isPaused(): boolean {
    return this.#paused;
  }

  /** Whether there is a window in which a person can answer. */
  get isAttended(): boolean {
    return this.#options.isAttended();
  }

  /** Asks a person, whatever the rules say, and answers how far their yes goes.
   * @throws HarborError `paused`, `not_approved`, `cancelled` */
  async ask(question: Question): Promise<Exclude<ApprovalReply, 'no'>> {
    this.#refusePaused();
    const reply = await this.#replyTo(question);
    if (reply === 'gone')
      throw new HarborError('cancelled', 'The call was given up before a person answered.');
    if (reply === 'no') throw refusedByPerson(question);
    return reply;
  }

  /** A person answers; a question that is settled meanwhile is none any more. */
  answer(id: number, reply: ApprovalReply): void {
    this.#waiting.get(id)?.settle(reply);
  }

  /** Lets nothing of any client begin, or lets them go on. What runs already runs on. */
  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.emit('changed');
  }

  #keep({ client, class: of, always }: Act): void {
    if (always) always();
    else this.#options.addRule({ client, class: of, answer: 'allow' });
  }

  #replyTo({ signal, ...asked }: Question): Promise<ApprovalReply | 'gone'> {
    const id = ++this.#asked;
    const { promise, resolve } = Promise.withResolvers<ApprovalReply | 'gone'>();
    const leave = () => resolve('gone');
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
    const askedAt = (this.#options.clock ?? Date.now)();
    this.#waiting.set(id, { question: { id, ...asked, askedAt }, settle: resolve });
    this.emit('changed');
    return promise.finally(() => {
      signal?.removeEventListener('abort', leave);
      this.#waiting.delete(id);
      this.emit('changed');
    });
  }

  #refusePaused(): void {
    if (!this.#paused) return;
    throw new HarborError(
      'paused',
      'A person has paused all agents. Nothing begins until they let agents go on in the window; what runs already runs on.',
    );
  }
}

function harborError(error: unknown): HarborError {
  return error instanceof HarborError ? error : new HarborError('internal', asFailure(error).message);
}

/** What a window is told of the act. */
function questionOf({
  client,
  class: of,
  tool,
  code,
  told,
  session,
}: Act): Omit<ApprovalQuestion, 'id' | 'rule' | 'askedAt'> {
  return { client, class: of, tool, code, ...(told ? { told } : {}), ...(session ? { session } : {}) };
}

function denied(act: Act, rule: string): HarborError {
  return refused(
    act,
    `${act.tool} is refused to ${act.client} by a rule of a person (${rule}). Only they change it: in the window under Sandbox, or under "approvals" in settings.json${entry(act)}.`,
  );
}

function nobodyToAsk(act: Act, rule: string): HarborError {
  return refused(
    act,
    `${act.tool} needs a person's word (${rule}), and this harbor has no window to ask in. A person allows it under "approvals" in settings.json${entry(act)}.`,
  );
}

function refusedByPerson({ tool }: Question): HarborError {
  return new HarborError(
    'not_approved',
    `A person was asked about this call of ${tool} and said no. Ask them why.`,
  );
}

/** What is wrong first, then both ways to allow it. */
function refused({ told, otherwise }: Act, why: string): HarborError {
  const sentences = [told && phraseText(told.meaning), why, otherwise].filter((each) => each !== undefined);
  return new HarborError('not_approved', sentences.join(' '));
}

function entry({ client, class: of }: Act): string {
  return `: ${JSON.stringify({ client, class: of, answer: 'allow' })}`;
}
