/**
 * The parts of node:http and node:https that are used. An import statement would initialize every export; the
 * one of WebSocket loads Node’s whole HTTP client, which takes a tenth of the harbor’s start.
 */
import type { RequestListener } from 'node:http';
import type { Server, ServerOptions } from 'node:https';

const http = process.getBuiltinModule('node:http');

export const { createServer, request, Agent } = http;

/** TLS is loaded on demand, because most harbors have no certificate. */
export function createTlsServer(options: ServerOptions, answer: RequestListener): Server {
  return process.getBuiltinModule('node:https').createServer(options, answer);
}
