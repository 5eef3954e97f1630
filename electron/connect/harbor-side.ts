/** What connecting a program needs of the harbor itself. */
import type { ClientChoice, ConnectAsked } from '../contract/connections';
import type { Scope } from '../contract/model';

/** What is left out stays as it is. */
export type ChoiceAsked = NonNullable<ConnectAsked['choice']>;

export interface HarborSide {
  /** @throws HarborNeeded where no harbor is behind it: it keeps tokens and choices */
  require(): void;
  /** The address of `/mcp` that programs are given; null where there is none. */
  address(): string | null;
  tokens: ClientTokens;
  choices: ClientChoicesSide;
}

/** Why a command cannot do it alone. */
export class HarborNeeded extends Error {}

export interface ClientTokens {
  /** Whether it opens the harbor for that client now. */
  isInForce(token: string, client: string): boolean;
  /** One that is in force once it is put there; the client's others are revoked then.
   * @throws HarborError `bad_arguments` for a name that stands for somebody else */
  draft(client: string, scopes: readonly Scope[]): DraftToken;
  /** No request of it is answered from now on. One that is not in force is passed over. */
  revoke(token: string): Promise<void>;
}

export interface DraftToken {
  token: string;
  /** @throws HarborError when it cannot be written */
  put(): Promise<void>;
}

export interface ClientChoicesSide {
  of(client: string): ClientChoice;
  /** @throws HarborError `bad_arguments` for a profile that there is not */
  check(choice: ChoiceAsked): void;
  /** @throws HarborError `bad_arguments` for a profile that there is not, and when it cannot be written */
  choose(client: string, choice: ChoiceAsked): void;
}

/** For a command that finds no harbor: only a harbor opens its database. */
export function withoutHarbor(address: string | null): HarborSide {
  const require = (): never => {
    throw new HarborNeeded('Only a harbor that runs knows that.');
  };
  return {
    require,
    address: () => address,
    // Whether it really is, the harbor says when it runs.
    tokens: { isInForce: () => true, draft: require, revoke: async () => require() },
    choices: {
      of: () => ({ profile: null, engine: null, scopes: null }),
      check: () => undefined,
      choose: (_, choice) => (Object.keys(choice).length === 0 ? undefined : require()),
    },
  };
}
