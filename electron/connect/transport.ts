/** How another program reaches this harbor, in whatever notation its file has it. Pure. */
import { z } from 'zod';
import { isStdioCommand, type StdioCommand } from './stdio-command';

/** The address of `/mcp`, and the token that opens it. */
export interface HttpAddress {
  url: string;
  token: string;
}

export type Transport = ({ kind: 'stdio' } & StdioCommand) | ({ kind: 'http' } & HttpAddress);

const Strings = z.record(z.string(), z.unknown()).optional();

/** What programs call the parts of an entry. */
const Entry = z.looseObject({
  command: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  cmd: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: Strings,
  envs: Strings,
  environment: Strings,
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  serverUrl: z.string().optional(),
  uri: z.string().optional(),
  headers: Strings,
  http_headers: Strings,
  requestOptions: z.looseObject({ headers: Strings }).optional(),
});

/** Keys of an entry that say how the server is reached. What stands under others in it is its person's. */
const OWN_KEYS: ReadonlySet<string> = new Set([...Object.keys(Entry.shape), 'transport', 'type', 'source']);

/** What an entry says, in whatever program's notation; undefined for what is none. */
export function transportIn(entry: unknown): Transport | undefined {
  const outer = z.looseObject({ transport: z.unknown() }).safeParse(entry).data;
  const { data } = Entry.safeParse(typeof outer?.transport === 'object' ? outer.transport : entry);
  if (!data) return undefined;
  const [command, ...words] = [data.command ?? data.cmd ?? []].flat();
  if (command !== undefined) {
    const env = strings(data.env ?? data.envs ?? data.environment);
    return { kind: 'stdio', command, args: [...words, ...(data.args ?? [])], env };
  }
  const url = data.url ?? data.httpUrl ?? data.serverUrl ?? data.uri;
  if (url === undefined) return undefined;
  const headers = strings(data.headers ?? data.http_headers ?? data.requestOptions?.headers);
  const [, token = ''] = /^Bearer (\S+)$/.exec(headers.Authorization ?? '') ?? [];
  return { kind: 'http', url, token };
}

/** Whether a harbor of whatever place, version or data folder wrote that for this client. */
export function isOwnTransport(transport: Transport | undefined, client: string): boolean {
  if (transport?.kind === 'stdio') return isStdioCommand(transport.args, client);
  return transport !== undefined &&
    /^https?:\/\/(127\.0\.0\.1|localhost):\d+\/mcp(\/[\w-]+)?$/.test(transport.url)
    ? transport.token.startsWith('lh_')
    : false;
}

/** Whether what stands there does all that is wanted: a person may have added to its environment. */
export function reaches(found: Transport, wanted: Transport): boolean {
  if (found.kind === 'http')
    return wanted.kind === 'http' && found.url === wanted.url && found.token === wanted.token;
  if (wanted.kind === 'http' || found.command !== wanted.command) return false;
  const isSame = JSON.stringify(found.args) === JSON.stringify(wanted.args);
  return isSame && Object.entries(wanted.env).every(([key, value]) => found.env[key] === value);
}

/** The entry that is to stand there, with what its person has added to the one that does. */
export function withAdditions(wanted: Readonly<Record<string, unknown>>, present: unknown) {
  const { data = {} } = z.record(z.string(), z.unknown()).safeParse(present);
  const added = Object.entries(data).filter(([key]) => !OWN_KEYS.has(key));
  return { ...wanted, ...Object.fromEntries(added) };
}

function strings(record: Record<string, unknown> | undefined): Record<string, string> {
  const pairs = Object.entries(record ?? {});
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
