/**
 * node:http and node:https as they are used here. An import of one makes every export of it, and for that of WebSocket all of
 * Node's own HTTP client is loaded, which takes a tenth of the harbor's start.
 */
import type { RequestListener } from 'node:http';
import type { Server, ServerOptions } from 'node:https';

const http = process.getBuiltinModule('node:http');

export const { createServer, request, Agent } = http;

/** Most harbors have no certificate: what TLS needs is loaded for those that do. */
export function createTlsServer(options: ServerOptions, answer: RequestListener): Server {
  return process.getBuiltinModule('node:https').createServer(options, answer);
}
