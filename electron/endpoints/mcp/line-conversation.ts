/** One conversation of MCP in lines over a socket, from the first message to the end of what it held. */
import type { Socket } from 'node:net';
import type { McpRequestContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineTransport } from './line-transport';
import { tellChanges } from './mcp-changes';
import type { McpCaller, McpServices } from './mcp-conversation';
import { mcpServer } from './mcp-server';
import { ResourceInterest } from './resource-interest';

/**
 * Serves until the socket is closed, which cancels what runs; settles when the connection has ended as well.
 * @param maxLineBytes of one message
 * @param known given for a stranger: as `LineTransport` has it
 */
export async function converse(
  services: McpServices,
  socket: Socket,
  caller: Omit<McpCaller, 'era' | 'interest'>,
  maxLineBytes: number,
  known?: () => void,
): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const serve = ({ era }: McpRequestContext) => {
    const interested = era === 'legacy' ? { interest: new ResourceInterest() } : {};
    const speaking = { ...caller, era, ...interested };
    const server = mcpServer(services, speaking);
    server.onclose = tellChanges(server, services, speaking);
    return server;
  };
  serveStdio(serve, { transport: new LineTransport(socket, maxLineBytes, known) });
  await closed;
  await caller.connection.end().catch((error) => services.log.error('Ending a connection failed', error));
}
