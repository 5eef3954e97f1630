/** Whether a program gets what it needs: the program's own handshake, by exactly the entry that stands in its file. */
import {
  Client,
  type Transport as McpTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ConnectDiagnosis } from '../contract/connections';
import { HarborError } from '../contract/errors';
import { SERVER_NAME } from './programs/client-program';
import { type Reading, targetOf } from './site';
import { shellLine } from './stdio-command';
import type { Transport } from './transport';

/** As long as Claude Desktop waits. */
const LIMIT_MS = 60_000;
/** Characters of what a server said on stderr that are told. */
const TOLD_ERRORS = 600;

/** @param read answers what stands in the program's file */
export async function diagnosed(
  { name, title }: { name: string; title: string },
  read: () => Promise<Reading>,
  platform: NodeJS.Platform,
): Promise<ConnectDiagnosis> {
  try {
    const lines = await handshake(await read(), platform);
    return { name, title, ok: true, lines };
  } catch (error) {
    if (!(error instanceof HarborError)) throw error;
    return { name, title, ok: false, lines: error.message.split('\n') };
  }
}

async function handshake(reading: Reading, platform: NodeJS.Platform): Promise<string[]> {
  const { program, place, entry, found } = reading;
  if (entry === undefined)
    throw failed(`${place.file} has no entry "${SERVER_NAME}". Connect ${program.title} first.`);
  if (!found || !targetOf(reading).isOurs(entry))
    throw failed(`The entry "${SERVER_NAME}" in ${place.file} is not one of Lisp Harbor, and was not tried.`);
  const by =
    found.kind === 'http'
      ? `asks ${found.url}`
      : `runs ${shellLine([found.command, ...found.args], platform)}`;
  const client = new Client({ name: program.calls, version: '1.0.0' });
  const { transport, said } = opened(found);
  try {
    await client.connect(transport, { timeout: LIMIT_MS });
    const { tools } = await client.listTools(undefined, { timeout: LIMIT_MS });
    const { name = 'A server', version = 'of no version' } = client.getServerVersion() ?? {};
    const protocol = client.getNegotiatedProtocolVersion() ?? 'of no version';
    const kilobytes = Math.ceil(JSON.stringify(tools).length / 1024);
    return [
      `The entry in ${place.file} ${by}.`,
      `${name} ${version} answers it as ${program.calls}, with protocol ${protocol}.`,
      `Its model sees ${tools.length} tools in ${kilobytes} KB: ${tools.map((tool) => tool.name).join(', ')}.`,
    ];
  } catch (error) {
    throw failed(`The entry in ${place.file} ${by}.\n${reasonOf(error, found)}${said()}`);
  } finally {
    await client.close();
  }
}

/** As clients do: a command gets little of the environment. `said` is what it wrote on stderr. */
function opened(found: Transport): { transport: McpTransport; said: () => string } {
  if (found.kind === 'http') {
    const headers = { Authorization: `Bearer ${found.token}` };
    const transport = new StreamableHTTPClientTransport(new URL(found.url), { requestInit: { headers } });
    return { transport, said: () => '' };
  }
  const { command, args, env } = found;
  const transport = new StdioClientTransport({
    ...{ command, args: [...args], stderr: 'pipe' },
    env: { ...getDefaultEnvironment(), ...env },
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-TOLD_ERRORS);
  });
  return { transport, said: () => (errors.trim() === '' ? '' : `\nIt said: ${errors.trim()}`) };
}

function reasonOf(error: unknown, found: Transport): string {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  if (found.kind === 'stdio') {
    return /ENOENT/.test(reason)
      ? `There is no program ${found.command}. Connect again.`
      : `It did not answer: ${reason}.`;
  }
  if (/401|Unauthorized/i.test(reason))
    return 'Its token is refused: it was revoked, or is another harbor’s. Connect again.';
  return /ECONNREFUSED|fetch failed/.test(`${reason} ${cause}`)
    ? 'Nobody answers there: the harbor does not run, or has another address now.'
    : `It did not answer: ${reason}.`;
}

function failed(message: string): HarborError {
  return new HarborError('not_supported', message);
}
