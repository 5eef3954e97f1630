/** What the command line may ask of the running harbor through its local socket. */
import { z } from 'zod';
import type { ClientProfiles } from '../access/client-profiles';
import type { Tokens } from '../access/tokens';
import type { Connect } from '../connect/install';
import { ProfileChoice } from '../contract/chosen-profiles';
import { ConnectAsked } from '../contract/connections';
import { HarborError } from '../contract/errors';
import type { HttpServer } from '../endpoints/http/http-server';
import type { Commands } from '../endpoints/local/local-socket';
import type { TelnetPort } from '../endpoints/telnet/telnet-port';
import { isLinkedRoute } from '../host/app-link';
import type { HarborSummary } from '../host/running-harbor';
import type { Sessions } from '../sessions/sessions';

const Named = z.object({ name: z.string().min(1).max(64) });

/** Where the window is to be. */
const Shown = z.object({ to: z.string().refine(isLinkedRoute).optional() });

const Connected = Named.extend(ConnectAsked.shape);
const Previewed = Connected.extend({ action: z.enum(['add', 'remove']) });
const InProject = ConnectAsked.pick({ project: true });

export interface CommandDependencies {
  kind: HarborSummary['kind'];
  events: { emit(event: 'stop'): boolean; emit(event: 'show', to?: string): boolean };
  sessions: Sessions;
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  connect: Connect;
  http: HttpServer;
  telnet: TelnetPort;
}

export function harborCommands(dependencies: CommandDependencies): Commands {
  const { kind, events, sessions, tokens, clientProfiles, connect, http, telnet } = dependencies;
  const summary = (): HarborSummary => ({ kind, pid: process.pid, url: http.url, sessions: sessions.names });
  return {
    status: async () => summary(),
    show: async (args) => events.emit('show', Shown.parse(args).to),
    stop: async () => {
      // The answer goes first: ending closes the very socket that it goes through.
      setImmediate(() => events.emit('stop'));
      return true;
    },
    // A token asked for here takes the place of the one that had its name.
    'issue-token': async (args) =>
      tokens.issue(Named.parse(args).name, ['read', 'evaluate'], { replace: true }).token,
    'clients-profile': async (args) => {
      const { client, profile } = ProfileChoice.parse(args);
      clientProfiles.choose(client, profile);
      return clientProfiles.of(client);
    },
    'telnet-code': async () => codeOf(telnet),
    'clients-list': async (args) => connect.list(InProject.parse(args).project),
    'clients-bundle': async () => (await connect.bundle()).toString('base64'),
    'clients-preview': async (args) => {
      const { name, action, ...asked } = Previewed.parse(args);
      return connect.preview(name, action, asked);
    },
    'clients-add': async (args) => {
      const { name, ...asked } = Connected.parse(args);
      return connect.add(name, asked);
    },
    'clients-remove': async (args) => {
      const { name, project } = Connected.parse(args);
      return connect.remove(name, project);
    },
  };
}

/** @throws HarborError `not_supported` */
function codeOf({ view }: TelnetPort): string {
  if (view) return view.code;
  throw new HarborError('not_supported', 'Telnet is off. Start the harbor with --telnet-port N.');
}
