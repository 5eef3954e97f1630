/** What the command line may ask of the running harbor through its local socket. */
import { z } from 'zod';
import type { ClientProfiles } from '../access/client-profiles';
import type { Tokens } from '../access/tokens';
import type { Connect } from '../connect/install';
import { ProfileChoice } from '../contract/approvals';
import { HarborError } from '../contract/errors';
import type { TelnetView } from '../contract/ports';
import type { Commands } from '../endpoints/local/local-socket';
import type { HarborSummary } from '../host/running-harbor';
import type { Sessions } from '../sessions/sessions';

const Named = z.object({ name: z.string().min(1).max(64) });

/** What the commands act on: the harbor, as far as they need it. */
export interface CommandTarget {
  url: string | null;
  events: { emit(event: 'show' | 'stop'): boolean };
  parts: {
    options: { kind: HarborSummary['kind'] };
    sessions: Sessions;
    tokens: Tokens;
    clientProfiles: ClientProfiles;
    connect: Connect;
    sideDoors: { telnet: { view: TelnetView | null } };
  };
}

/** @param harbor asked at each command, because the socket is made before the harbor is complete */
export function harborCommands(harbor: () => CommandTarget): Commands {
  const summary = (): HarborSummary => ({
    kind: harbor().parts.options.kind,
    pid: process.pid,
    url: harbor().url,
    sessions: harbor().parts.sessions.names,
  });
  return {
    status: async () => summary(),
    show: async () => harbor().events.emit('show'),
    stop: async () => {
      // The answer goes first: ending closes the very socket that it goes through.
      setImmediate(() => harbor().events.emit('stop'));
      return true;
    },
    'issue-token': async (args) => issueFor(harbor().parts, Named.parse(args).name),
    'clients-profile': async (args) => {
      const { client, profile } = ProfileChoice.parse(args);
      harbor().parts.clientProfiles.choose(client, profile);
      return harbor().parts.clientProfiles.of(client);
    },
    'telnet-code': async () => telnetCode(harbor().parts),
    'clients-list': async () => harbor().parts.connect.list(),
    'clients-add': async (args) => harbor().parts.connect.add(Named.parse(args).name),
    'clients-remove': async (args) => harbor().parts.connect.remove(Named.parse(args).name),
  };
}

/** @throws HarborError `not_supported` */
function telnetCode({ sideDoors }: CommandTarget['parts']): string {
  const { view } = sideDoors.telnet;
  if (view) return view.code;
  throw new HarborError('not_supported', 'Telnet is off. Start the harbor with --telnet-port N.');
}

/** A token asked for on the command line takes the place of the one that had its name. */
function issueFor({ tokens }: CommandTarget['parts'], name: string): string {
  return tokens.issue(name, ['read', 'evaluate'], { replace: true }).token;
}
