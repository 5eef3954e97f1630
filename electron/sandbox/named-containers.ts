/** Which containers may be started: those that a person named, with the mounts that the person chose. */
import type { Container } from '../contract/server';

export interface NamedContainersOptions {
  /** Those of the settings, which only a person changes. Asked anew each time. */
  named: () => readonly Container[];
  /** A person has named another one. */
  add: (container: Container) => void;
}

export class NamedContainers {
  readonly #options: NamedContainersOptions;

  constructor(options: NamedContainersOptions) {
    this.#options = options;
  }

  /** The container of that image. */
  find(image: string): Container | undefined {
    return this.#options.named().find((each) => each.image === image);
  }

  /** A person names it, for every client. */
  add(container: Container): void {
    this.#options.add(container);
  }
}
