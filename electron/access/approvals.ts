/**
 * Asks the user to approve an act if a rule says so. The prompt goes to the window, never to the client's own
 * channel, where the client could answer it.
 */
import { EventEmitter } from 'node:events';
import type {
  AcceptedCall,
  Act,
  Admission,
  ApprovalQuestion,
  ApprovalReply,
  ApprovalRule,
  ApprovalState,
  Approver,
  FileDiff,
  FileText,
  Grant,
} from '../contract/approvals';
import { asFailure, HarborError } from '../contract/errors';
import { PERSON_KEY } from '../contract/known-clients';
import { phraseText } from '../contract/phrase';
import { onAbort } from '../host/listeners';
import { covers, decideApproval } from './grant';
import { digestOf, partsOf } from './shown-parts';

/** The content of a prompt; `signal` is aborted when the client cancels the call. */
export type Question = Omit<ApprovalQuestion, 'id' | 'requestedAt' | 'digest'> & { signal?: AbortSignal };

export interface ApprovalsOptions {
  /** Returns the user's rules. Called for each act. */
  rules: () => readonly ApprovalRule[];
  /** Saves a rule after the user answered "always". */
  addRule: (rule: ApprovalRule) => void;
  /** Reports whether a window is open in which the user can answer. */
  isAttended: () => boolean;
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

/** A reply of the user; `gone` if the client cancelled the call before. */
interface Settled {
  reply: ApprovalReply | 'gone';
  /** Why the user refuses; '' without a reason. */
  reason: string;
}

interface Waiting {
  question: ApprovalQuestion;
  settle: (settled: Settled) => void;
}

export interface ApprovalEvents {
  /** `state` has changed. */
  changed: [];
}

export class Approvals extends EventEmitter<ApprovalEvents> implements Approver {
  readonly #options: ApprovalsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #paused = false;
  #lastId = 0;

  constructor(options: ApprovalsOptions) {
    super();
    this.#options = options;
  }

  get state(): ApprovalState {
    return { paused: this.#paused, questions: [...this.#waiting.values()].map(({ question }) => question) };
  }

  /**
   * Resolves when the act may begin.
   * @throws HarborError `paused`, `not_approved`, `cancelled`
   */
  async require(act: Act): Promise<void> {
    this.#refusePaused();
    const { answer, rule } = decideApproval(act.client, act.class, this.#options.rules(), act.unlessRuled);
    if (answer === 'allow') return;
    if (answer === 'deny') throw denied(act, rule);
    if (act.unbidden || !this.isAttended) throw unattended(act, rule);
    const { signal } = act;
    const diffs = act.call?.preview ? await previewOf(act) : [];
    const sources = act.call?.sources ? await showSources(act) : [];
    const question = questionOf(act, diffs, sources);
    const reply = await this.prompt({ ...question, rule, ...(signal ? { signal } : {}) });
    if (reply === 'always') this.#remember(act);
    this.#refusePaused();
  }

  /** Returns why acts of this class are refused now, without a question; null if the user may allow them. */
  refusal(act: Act): HarborError | null {
    if (this.#paused) return paused();
    const { answer, rule } = decideApproval(act.client, act.class, this.#options.rules());
    return answer === 'deny' ? denied(act, rule) : null;
  }

  /** Implements `ExecutionGuard`. The person at the window needs no approval. */
  readonly guard = (act: Omit<Act, 'signal'>, grant: Grant | null): Admission => {
    let isKnown = covers(grant, act.client, act.class);
    return (signal) => {
      if (act.client === PERSON_KEY) return null;
      const mayBegin =
        isKnown || decideApproval(act.client, act.class, this.#options.rules()).answer === 'allow';
      if (!this.#paused && mayBegin) return grant?.call?.shownSources ? unchangedSources(grant.call) : null;
      return this.require({ ...act, ...(grant?.call && { call: grant.call }), signal }).then(() => {
        isKnown = true;
        return null;
      }, harborError);
    };
  };

  /** Whether the user has paused all clients. */
  get isPaused(): boolean {
    return this.#paused;
  }

  /** Reports whether a window is open in which the user can answer. */
  get isAttended(): boolean {
    return this.#options.isAttended();
  }

  /**
   * Asks the user regardless of rules, and returns how far the approval reaches.
   * @throws HarborError `paused`, `not_approved`, `cancelled`
   */
  async prompt(question: Question): Promise<Exclude<ApprovalReply, 'no'>> {
    this.#refusePaused();
    const { reply, reason } = await this.#replyTo(question);
    if (reply === 'gone')
      throw new HarborError('cancelled', 'The client cancelled the call before the approval was answered.');
    if (reply === 'no') throw refusedByPerson(question, reason);
    return reply;
  }

  /**
   * Answers the question that the user saw. Ignored if it is settled already.
   * @param reason why the user refuses; the client gets it
   */
  answer({ id, digest }: Pick<ApprovalQuestion, 'id' | 'digest'>, reply: ApprovalReply, reason = ''): void {
    const waiting = this.#waiting.get(id);
    if (waiting?.question.digest === digest) waiting.settle({ reply, reason });
  }

  /** Pauses or resumes all clients. Running calls continue. */
  pause(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.emit('changed');
  }

  #remember({ client, class: of, always }: Act): void {
    if (always) always();
    else this.#options.addRule({ client, class: of, answer: 'allow' });
  }

  #replyTo({ signal, ...request }: Question): Promise<Settled> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Settled>();
    const removeListener = onAbort(signal, () => resolve({ reply: 'gone', reason: '' }));
    const requestedAt = (this.#options.clock ?? Date.now)();
    const question = { id, ...request, digest: digestOf(request), requestedAt };
    this.#waiting.set(id, { question, settle: resolve });
    this.emit('changed');
    return promise.finally(() => {
      removeListener();
      this.#waiting.delete(id);
      this.emit('changed');
    });
  }

  #refusePaused(): void {
    if (this.#paused) throw paused();
  }
}

function paused(): HarborError {
  return new HarborError(
    'paused',
    'The user has paused all agents. New calls are refused until agents are resumed in the window; running calls continue.',
  );
}

function harborError(error: unknown): HarborError {
  return error instanceof HarborError ? error : new HarborError('internal', asFailure(error).message);
}

/** Returns what the call would change in files; nothing if that is unknown or the call would fail. */
async function previewOf({ call }: Act): Promise<readonly FileDiff[]> {
  return (await call?.preview?.().catch(() => [])) ?? [];
}

/** Returns the files that the call may run, which from now on must stay as they are. */
async function showSources({ call }: Act): Promise<readonly FileText[]> {
  if (!call?.sources) return [];
  call.shownSources = await call.sources();
  return call.shownSources;
}

/** Returns the error if files are not as the user was shown them; else null. */
async function unchangedSources({ sources, shownSources = [] }: AcceptedCall): Promise<HarborError | null> {
  const now = (await sources?.()) ?? [];
  const isSame = ({ file, text }: FileText, at: number) =>
    shownSources[at]?.file === file && shownSources[at]?.text === text;
  if (now.length === shownSources.length && now.every(isSame)) return null;
  const changed = now.find((each, at) => !isSame(each, at))?.file ?? '';
  return new HarborError(
    'hash_mismatch',
    `Files in ${changed} changed after the user was asked about this call, so nothing was loaded. Call again.`,
  );
}

/** Returns what the window shows of the act. */
function questionOf(
  act: Act,
  diffs: readonly FileDiff[],
  sources: readonly FileText[],
): Omit<Question, 'rule' | 'signal'> {
  const { client, class: of, tool, explanation, session } = act;
  return {
    client,
    class: of,
    tool,
    parts: partsOf(act, diffs, sources),
    ...(explanation ? { explanation } : {}),
    ...(session ? { session } : {}),
  };
}

function denied(act: Act, rule: string): HarborError {
  return refusal(
    act,
    `A user rule denies ${act.tool} for ${act.client} (${rule}). The user can change it in the window under Sandbox, or under "approvals" in settings.json${entry(act)}.`,
  );
}

function unattended(act: Act, rule: string): HarborError {
  return refusal(
    act,
    `${act.tool} needs the user’s approval (${rule}), and this harbor has no window to ask in. The user can allow it under "approvals" in settings.json${entry(act)}.`,
  );
}

function refusedByPerson({ tool }: Question, reason: string): HarborError {
  const why = reason.trim() === '' ? 'Ask them why.' : `Their reason: ${reason.trim()}`;
  return new HarborError('not_approved', `The user denied this call of ${tool}. ${why}`);
}

/** Returns the error: first the reason, then how to allow the act. */
function refusal({ explanation, otherwise }: Act, why: string): HarborError {
  const sentences = [explanation && phraseText(explanation.meaning), why, otherwise].filter(
    (each) => each !== undefined,
  );
  return new HarborError('not_approved', sentences.join(' '));
}

function entry({ client, class: of }: Act): string {
  return `: ${JSON.stringify({ client, class: of, answer: 'allow' })}`;
}
