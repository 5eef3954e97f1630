/** What a person decides of the sandbox: the allow-list, the network, questions and refusals, the pause. None throws. */
import type { CallName } from '../electron/contract/channels';
import type { Args, Result } from '../electron/contract/contract';
import type { SessionId } from '../electron/contract/model';
import { call, messageOf, tryCall } from './bridge';
import type { ActionDependencies } from './session-opener';

export class SandboxActions {
  readonly #dependencies: ActionDependencies;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Adds an entry to the allow-list; answers why that failed, or null. */
  async allowFolder(entry: Args<'sandbox:allow'>): Promise<string | null> {
    try {
      this.#dependencies.queries.setQueryData(['sandbox'], await call('sandbox:allow', entry));
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Whether a file might be used, and by which rule; null where that cannot be said. */
  async wouldUse(question: Args<'sandbox:wouldUse'>): Promise<Result<'sandbox:wouldUse'> | null> {
    return (await this.#try('sandbox:wouldUse', question)) ?? null;
  }

  /** The same of a call. */
  async wouldCall(question: Args<'sandbox:wouldCall'>): Promise<Result<'sandbox:wouldCall'> | null> {
    return (await this.#try('sandbox:wouldCall', question)) ?? null;
  }

  /** Takes an entry off the allow-list. */
  async removeAllowed(row: Args<'sandbox:remove'>): Promise<void> {
    this.#showSandbox(await this.#try('sandbox:remove', row));
  }

  /** Says whether images of the project may use the network. */
  async shareNetwork(allowed: boolean): Promise<void> {
    this.#showSandbox(await this.#try('sandbox:network', { allowed }));
  }

  /** Other images in the place of these sessions', confined to what holds now, all at once. */
  async restartConfined(sessions: readonly SessionId[]): Promise<void> {
    const restarted = await Promise.all(sessions.map((session) => this.#try('sandbox:restart', { session })));
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['sandbox'] });
    const done = restarted.filter((answer) => answer !== undefined).length;
    const { toasts, words } = this.#dependencies;
    if (done > 0) toasts.done(words().messages.restarted(done));
  }

  /** The folder that a person chose in the system's dialog; null for none. */
  async chooseFolder(): Promise<string | null> {
    return (await this.#try('sandbox:choose', null)) ?? null;
  }

  async answer(id: number, reply: Args<'approvals:answer'>['reply']): Promise<void> {
    await this.#try('approvals:answer', { id, reply });
    if (reply === 'no') return;
    for (const queryKey of [['settings'], ['sandbox']])
      await this.#dependencies.queries.invalidateQueries({ queryKey });
  }

  /** Tells of a refused file no longer; it stays refused. */
  async dismissRefusal(id: number): Promise<void> {
    await this.#try('needs:dismiss', { id });
  }

  async pauseAll(paused: boolean): Promise<void> {
    await this.#try('approvals:pause', { paused });
  }

  #showSandbox(view: Result<'sandbox:read'> | undefined): void {
    if (view) this.#dependencies.queries.setQueryData(['sandbox'], view);
  }

  #try<C extends CallName>(name: C, args: Args<C>): Promise<Result<C> | undefined> {
    return tryCall(this.#dependencies.toasts, name, args);
  }
}
