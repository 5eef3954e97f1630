/**
 * node:http and node:https as they are used here. An import of one makes every export of it, and for that of WebSocket all of
 * Node's own HTTP client is loaded, which takes a tenth of the harbor's start.
 */
const http = process.getBuiltinModule('node:http');

export const { createServer, request, Agent } = http;
export const { createServer: createTlsServer } = process.getBuiltinModule('node:https');
