/** The harbor as connecting a program needs it: its address, and what its clients hold and were given. */
import type { ClientChoices } from '../access/client-choices';
import type { Tokens } from '../access/tokens';
import type { ChoiceAsked, HarborSide } from '../connect/harbor-side';
import type { ClientChoice } from '../contract/connections';

/** Which profile a person chose. */
interface Profiles {
  chosen(client: string): string | null;
  /** @throws HarborError `bad_arguments` when there is no such profile */
  check(profile: string): void;
  choose(client: string, profile: string | null): void;
}

export interface HarborSideDependencies {
  tokens: Tokens;
  clientProfiles: Profiles;
  clientChoices: ClientChoices;
  address(): string | null;
  /** Ends what a client holds over HTTP, whose token is no longer in force. */
  endClient(client: string): Promise<void>;
}

export function harborSide(dependencies: HarborSideDependencies): HarborSide {
  const { tokens, clientProfiles, clientChoices, address, endClient } = dependencies;
  return {
    require: () => undefined,
    address,
    tokens: {
      isInForce: (token, client) => tokens.find(token)?.name === client,
      draft(client, scopes) {
        const { token, put } = tokens.draft(client, scopes);
        return {
          token,
          async put() {
            put();
            await endClient(client);
          },
        };
      },
      async revoke(token) {
        const found = tokens.find(token);
        if (!found) return;
        tokens.revoke(found.id);
        await endClient(found.name);
      },
    },
    choices: {
      of: (client): ClientChoice => {
        const { engine, scopes } = clientChoices.of(client);
        return { profile: clientProfiles.chosen(client), engine, scopes: scopes && [...scopes] };
      },
      check({ profile }) {
        if (profile) clientProfiles.check(profile);
      },
      choose(client, { profile, engine, scopes }: ChoiceAsked) {
        if (profile !== undefined) clientProfiles.choose(client, profile);
        if (engine === undefined && scopes === undefined) return;
        clientChoices.choose(client, {
          ...(engine !== undefined && { engine }),
          ...(scopes !== undefined && { scopes }),
        });
      },
    },
  };
}
