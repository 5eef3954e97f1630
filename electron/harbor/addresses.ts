/** Everything at which a harbor can be reached, as URLs and the path of its socket. What lists them is built before the endpoints. */

export interface Addressed {
  /** None while it is closed. */
  readonly addresses: readonly string[];
}

export class Addresses {
  readonly #endpoints: Addressed[] = [];

  /** From now on those of these endpoints are among them. */
  add(...endpoints: readonly Addressed[]): void {
    this.#endpoints.push(...endpoints);
  }

  get all(): string[] {
    return this.#endpoints.flatMap(({ addresses }) => addresses);
  }
}
