/** The hosts that the user named in the settings, each with its launcher. Clients choose among them and add none. */

import { HarborError, listSimilarNames } from '../../contract/errors';
import type { ImageHost } from '../../contract/image-host';
import { HostLauncher } from './host-launcher';
import { CACHE_FOLDER, quoted } from './host-scripts';

export class Hosts {
  readonly #named: () => readonly ImageHost[];
  readonly #launchers = new Map<string, HostLauncher>();

  /** @param named returns the hosts of the settings; called for each decision */
  constructor(named: () => readonly ImageHost[]) {
    this.#named = named;
  }

  get all(): readonly ImageHost[] {
    return this.#named();
  }

  /**
   * Returns the launcher of a host. A host whose settings changed gets another one.
   * @throws HarborError `bad_arguments` if the user named no such host
   */
  launcher(name: string): HostLauncher {
    const host = this.find(name);
    const key = JSON.stringify(host);
    const launcher = this.#launchers.get(key) ?? new HostLauncher(host);
    this.#launchers.set(key, launcher);
    return launcher;
  }

  /** Deletes what a session that was closed has on its host. @throws HarborError as `Machine.run` */
  async removeSession({ id, host }: { id: string; host?: string }): Promise<void> {
    if (host === undefined) return;
    await this.launcher(host).run([...CACHE_FOLDER, `rm -rf "$cache/sessions/"${quoted(id)}`]);
  }

  /** @throws HarborError `bad_arguments` */
  find(name: string): ImageHost {
    const host = this.#named().find((each) => each.name === name);
    if (host) return host;
    const names = this.#named().map((each) => each.name);
    throw new HarborError(
      'bad_arguments',
      `There is no host ${name}. ${listSimilarNames(name, names)} Only the user can add one, under "hosts" in settings.json.`,
    );
  }
}
