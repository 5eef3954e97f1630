/** The services of a harbor that connecting a program needs: its address, tokens and choices for clients. */

import type { ClientChoice, ConnectRequest } from '../contract/clients';
import type { Scope } from '../contract/model';

/** Absent properties do not change. */
export type RequestedChoice = NonNullable<ConnectRequest['choice']>;

export interface HarborServices {
  /** @throws HarborNeeded if no harbor runs, because only a harbor stores tokens and choices */
  require(): void;
  /** The URL of `/mcp` for programs; null if there is none. */
  address(): string | null;
  tokens: ClientTokens;
  choices: ClientChoicesSide;
}

/** Thrown when a command needs a running harbor. */
export class HarborNeeded extends Error {}

export interface ClientTokens {
  /** Reports whether the token is valid and belongs to the client. */
  isInForce(token: string, client: string): boolean;
  /**
   * Creates a token that becomes valid with `put`, which also revokes the client’s other tokens.
   * @throws HarborError `bad_arguments` for a reserved name
   */
  draft(client: string, scopes: readonly Scope[]): DraftToken;
  /** Revokes a token immediately. Does nothing if it is not valid. */
  revoke(token: string): Promise<void>;
}

export interface DraftToken {
  token: string;
  /** @throws HarborError if it cannot be stored */
  put(): Promise<void>;
}

export interface ClientChoicesSide {
  of(client: string): ClientChoice;
  /** @throws HarborError `bad_arguments` if the profile does not exist */
  check(choice: RequestedChoice): void;
  /** @throws HarborError `bad_arguments` if the profile does not exist, or another if it cannot be stored */
  choose(client: string, choice: RequestedChoice): void;
}

/** Returns the services for a command without a running harbor. Only a harbor opens the database. */
export function withoutHarbor(address: string | null): HarborServices {
  const require = (): never => {
    throw new HarborNeeded('This requires a running harbor.');
  };
  return {
    require,
    address: () => address,
    // Assumed valid. A running harbor can tell.
    tokens: { isInForce: () => true, draft: require, revoke: async () => require() },
    choices: {
      of: () => ({ profile: null, engine: null, scopes: null }),
      check: () => undefined,
      choose: (_, choice) => (Object.keys(choice).length === 0 ? undefined : require()),
    },
  };
}
