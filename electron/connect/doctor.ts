/**
 * Tests a connection: starts exactly the entry in the program’s file and performs the program’s own
 * handshake. Starts nothing that we did not write, because code in a project can write its files.
 */
import {
  Client,
  type Transport as McpTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ConnectDiagnosis } from '../contract/clients';
import { HarborError } from '../contract/errors';
import { additionsOf, isOurs, type Reading } from './client-installation';
import { SERVER_NAME } from './programs/client-program';
import { shellLine, type Transport } from './transport';

/** Time limit, the same as that of Claude Desktop. */
const LIMIT_MS = 60_000;
/** Maximum number of characters of a server’s stderr in a report. */
const MAX_STDERR = 600;

/** @param read reads the entry in the program’s file */
export async function diagnose(
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
  const { program, path: location, entry, found } = reading;
  if (entry === undefined)
    throw failed(`${location.file} has no entry "${SERVER_NAME}". Connect ${program.title} first.`);
  if (!found || !isOurs(reading))
    throw failed(
      `The entry "${SERVER_NAME}" in ${location.file} is not what Lisp Harbor wrote, so it was not started: ${additionsOf(reading).join(', ')} differ. Connect ${program.title} again to replace it.`,
    );
  const by =
    found.kind === 'http'
      ? `asks ${found.url}`
      : `runs ${shellLine([found.command, ...found.args], platform)}`;
  const client = new Client({ name: program.calls, version: '1.0.0' });
  const { transport, stderrText } = opened(found);
  try {
    await client.connect(transport, { timeout: LIMIT_MS });
    const { tools } = await client.listTools(undefined, { timeout: LIMIT_MS });
    const { name = 'A server', version = '(no version)' } = client.getServerVersion() ?? {};
    const protocol = client.getNegotiatedProtocolVersion() ?? '(no version)';
    const kilobytes = Math.ceil(JSON.stringify(tools).length / 1024);
    return [
      `The entry in ${location.file} ${by}.`,
      `${name} ${version} answers it as ${program.calls}, with protocol ${protocol}.`,
      `Its model sees ${tools.length} tools in ${kilobytes} KB: ${tools.map((tool) => tool.name).join(', ')}.`,
    ];
  } catch (error) {
    throw failed(`The entry in ${location.file} ${by}.\n${reasonOf(error, found)}${stderrText()}`);
  } finally {
    await client.close();
  }
}

/**
 * Opens a transport as clients do: a command gets few environment variables. `stderrText` returns what it
 * wrote to stderr.
 */
function opened(found: Transport): { transport: McpTransport; stderrText: () => string } {
  if (found.kind === 'http') {
    const headers = { Authorization: `Bearer ${found.token}` };
    const transport = new StreamableHTTPClientTransport(new URL(found.url), { requestInit: { headers } });
    return { transport, stderrText: () => '' };
  }
  const { command, args, env } = found;
  const transport = new StdioClientTransport({
    ...{ command, args: [...args], stderr: 'pipe' },
    env: { ...getDefaultEnvironment(), ...env },
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-MAX_STDERR);
  });
  return { transport, stderrText: () => (errors.trim() === '' ? '' : `\nIts stderr: ${errors.trim()}`) };
}

function reasonOf(error: unknown, found: Transport): string {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  if (found.kind === 'stdio') {
    return /ENOENT/.test(reason)
      ? `The program ${found.command} does not exist. Connect again.`
      : `No answer: ${reason}.`;
  }
  if (/401|Unauthorized/i.test(reason))
    return 'The token is not accepted: it was revoked or belongs to another harbor. Connect again.';
  return /ECONNREFUSED|fetch failed/.test(`${reason} ${cause}`)
    ? 'No server answers there: the harbor does not run, or its address changed.'
    : `No answer: ${reason}.`;
}

function failed(message: string): HarborError {
  return new HarborError('not_supported', message);
}
