/** What a person does about newer versions of the app. None throws. */
import { tryCall } from './bridge';
import type { ActionDependencies } from './session-opener';

export class UpdateActions {
  readonly #dependencies: ActionDependencies;

  constructor(dependencies: ActionDependencies) {
    this.#dependencies = dependencies;
  }

  async look(): Promise<void> {
    await tryCall(this.#dependencies.toasts, 'updates:look', null);
  }

  /** Begins to fetch the version that was found. */
  async get(): Promise<void> {
    await tryCall(this.#dependencies.toasts, 'updates:get', null);
  }

  /** Installs what was fetched as soon as no evaluation runs, or takes that back. */
  async install(wanted: boolean): Promise<void> {
    await tryCall(this.#dependencies.toasts, 'updates:install', { wanted });
  }
}
