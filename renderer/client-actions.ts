/** What a person does with client programs: their configurations, tokens and profiles. None throws. */
import type { CallName } from '../electron/contract/channels';
import type { ConnectAsked } from '../electron/contract/connections';
import type { Args, Result } from '../electron/contract/contract';
import { tryCall } from './bridge';
import type { ActionDependencies } from './session-opener';

export class ClientActions {
  readonly #dependencies: ActionDependencies;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Writes our entry into another program's configuration, or removes it; answers whether that was done. */
  async changeConnection(name: string, action: 'add' | 'remove', asked: ConnectAsked = {}): Promise<boolean> {
    const view = await (action === 'add'
      ? this.#try('connect:add', { name, ...asked })
      : this.#try('connect:remove', { name }));
    for (const changed of ['connections', 'tokens', 'profiles'])
      await this.#dependencies.queries.invalidateQueries({ queryKey: [changed] });
    if (!view) return false;
    const { connected, disconnected } = this.#dependencies.words().messages;
    const done = (action === 'add' ? connected : disconnected)(view.title);
    this.#dependencies.toasts.done(`${done} ${view.afterwards}`);
    return true;
  }

  /** Has another program ask its person for our entry. */
  async openLink(name: string): Promise<void> {
    await this.#try('connect:openLink', { name });
  }

  async revokeToken(id: number, name: string): Promise<void> {
    const answer = await this.#try('tokens:revoke', { id });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['connections'] });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['tokens'] });
    if (answer !== undefined)
      this.#dependencies.toasts.done(this.#dependencies.words().messages.tokenRevoked(name));
  }

  /** Issues a token and answers its secret, which nobody can read again. */
  async issueToken(args: Args<'tokens:issue'>): Promise<Result<'tokens:issue'> | undefined> {
    const issued = await this.#try('tokens:issue', args);
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['tokens'] });
    return issued;
  }

  /** Puts another token in the place of one; answers its secret, which nobody can read again. */
  async rotateToken(id: number): Promise<Result<'tokens:rotate'> | undefined> {
    const issued = await this.#try('tokens:rotate', { id });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['connections'] });
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['tokens'] });
    return issued;
  }

  /** @param profile null: the harbor's own */
  async chooseProfile(client: string, profile: string | null): Promise<void> {
    const profiles = await this.#try('profiles:choose', { client, profile });
    if (profiles) this.#dependencies.queries.setQueryData(['profiles'], profiles);
  }

  #try<C extends CallName>(name: C, args: Args<C>): Promise<Result<C> | undefined> {
    return tryCall(this.#dependencies.toasts, name, args);
  }
}
