/**
 * Changes to client programs: their configuration files, tokens and profiles. Failures are shown in toasts;
 * no method throws.
 */

import type { ApprovalQuestion } from '../electron/contract/approvals';
import type { ConnectRequest } from '../electron/contract/clients';
import type { Args, Result } from '../electron/contract/contract';
import type { SessionId } from '../electron/contract/model';
import { harbor, messageOf, type ReportingProxy, reportingHarbor } from './bridge';
import type { ActionDependencies } from './session-opener';

export class ClientActions {
  readonly #dependencies: ActionDependencies;
  readonly #harbor: ReportingProxy;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
    this.#harbor = reportingHarbor(dependencies.toasts);
  }

  /**
   * Adds the harbor's entry to another program's configuration, or removes it. Returns whether it succeeded.
   */
  async changeConnection(
    name: string,
    action: 'add' | 'remove',
    choices: ConnectRequest = {},
  ): Promise<boolean> {
    const view = await (action === 'add'
      ? this.#harbor.connect.add({ name, ...choices })
      : this.#harbor.connect.remove({ name }));
    for (const changed of ['connections', 'tokens', 'profiles'])
      await this.#dependencies.queries.invalidateQueries({ queryKey: [changed] });
    if (!view) return false;
    const { connected, disconnected } = this.#dependencies.words().messages;
    const done = (action === 'add' ? connected : disconnected)(view.title);
    this.#dependencies.toasts.done(`${done} ${view.afterwards}`);
    return true;
  }

  async revokeToken(id: number, name: string): Promise<void> {
    const answer = await this.#harbor.tokens.revoke({ id });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['connections'] });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['tokens'] });
    if (answer !== undefined)
      this.#dependencies.toasts.done(this.#dependencies.words().messages.tokenRevoked(name));
  }

  /** Issues a token. The returned secret cannot be read again. */
  async issueToken(args: Args<'tokens:issue'>): Promise<Result<'tokens:issue'> | undefined> {
    const issued = await this.#harbor.tokens.issue(args);
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['tokens'] });
    return issued;
  }

  /** Replaces a token. The returned secret cannot be read again. */
  async rotateToken(id: number): Promise<Result<'tokens:rotate'> | undefined> {
    const issued = await this.#harbor.tokens.rotate({ id });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['connections'] });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['tokens'] });
    return issued;
  }

  /** @param profile null for the harbor's own profile */
  async chooseProfile(client: string, profile: string | null): Promise<void> {
    const profiles = await this.#harbor.profiles.choose({ client, profile });
    if (profiles) this.#dependencies.queries.setQueryData(['profiles'], profiles);
  }
}

/**
 * Changes to the sandbox: allow-list, network and approvals. Failures are shown in toasts; no method throws.
 */
export class SandboxActions {
  readonly #dependencies: ActionDependencies;
  readonly #harbor: ReportingProxy;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
    this.#harbor = reportingHarbor(dependencies.toasts);
  }

  /** Adds an entry to the allow-list. Returns an error message, or null. */
  async allowFolder(entry: Args<'sandbox:allow'>): Promise<string | null> {
    try {
      this.#dependencies.queries.setQueryData(['sandbox'], await harbor.sandbox.allow(entry));
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Removes an entry from the allow-list. */
  async removeAllowed(row: Args<'sandbox:remove'>): Promise<void> {
    this.#showSandbox(await this.#harbor.sandbox.remove(row));
  }

  /** Sets whether images of the project may use the network. */
  async shareNetwork(allowed: boolean): Promise<void> {
    this.#showSandbox(await this.#harbor.sandbox.network({ allowed }));
  }

  /** Restarts the sessions in parallel, so that their images use the current sandbox settings. */
  async restartConfined(sessions: readonly SessionId[]): Promise<void> {
    const restarted = await Promise.all(sessions.map((session) => this.#harbor.sandbox.restart({ session })));
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['sandbox'] });
    const done = restarted.filter((answer) => answer !== undefined).length;
    const { toasts, words } = this.#dependencies;
    if (done > 0) toasts.done(words().messages.restarted(done));
  }

  /** @param reason why the user refuses, for the client */
  async answer(
    { id, digest }: Pick<ApprovalQuestion, 'id' | 'digest'>,
    reply: Args<'approvals:answer'>['reply'],
    reason = '',
  ): Promise<void> {
    await this.#harbor.approvals.answer({ id, digest, reply, reason });
    if (reply === 'no') return;
    for (const queryKey of [['settings'], ['sandbox']])
      await this.#dependencies.queries.invalidateQueries({ queryKey });
  }

  #showSandbox(view: Result<'sandbox:read'> | undefined): void {
    if (view) this.#dependencies.queries.setQueryData(['sandbox'], view);
  }
}
