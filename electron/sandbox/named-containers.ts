/** Which containers may be started: those that a person named, with the mounts that the person chose. */
import { type Container, Container as ContainerSchema } from '../contract/container';
import { HarborError } from '../contract/errors';

export class NamedContainers {
  readonly #named: () => readonly Container[];

  /** `named` answers those of the settings, which only a person changes. Asked anew each time. */
  constructor(named: () => readonly Container[]) {
    this.#named = named;
  }

  /** The container of that image. @throws HarborError `not_approved`, with how a person allows it */
  find(image: string): Container {
    const found = this.#named().find((each) => each.image === image);
    if (found) return found;
    const entry = JSON.stringify({ image, mounts: [] });
    throw new HarborError(
      'not_approved',
      `No person has named the container image ${image}; it is fetched from the network and has one of its own. A person names it in the window (Sessions, Attach…), or under "containers" in settings.json: ${ContainerSchema.safeParse({ image }).success ? entry : '{"image": …}'}, and starts the harbor again.`,
    );
  }
}
