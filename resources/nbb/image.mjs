/**
 * What the process of an nbb image runs: nbb's own nREPL server on descriptor 3, without a network port.
 * `node image.mjs <folder of the npm package nbb>`
 */
import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const WIRE = 3;

/** What answers questions, each after those that it needs; some of it is the same on a JVM. */
const QUESTIONS = [
  'answers.cljs',
  'host.cljs',
  '../clojure/outlines.clj',
  'unprinted.cljs',
  'printing.cljs',
  'knowledge.cljs',
  '../clojure/objects.clj',
  '../clojure/elements.clj',
  'parts.cljs',
  '../clojure/lists.clj',
  '../clojure/inspection.clj',
];

/** What loads and tests, with the same in front of it; it needs cljs.test. */
const WORK = [
  'sources.cljs',
  '../clojure/written.clj',
  'loading.cljs',
  '../clojure/reported-checks.clj',
  'test-results.cljs',
  'testing.cljs',
];

const [, , nbbFolder] = process.argv;
const load = (file) => import(pathToFileURL(path.join(nbbFolder, file)).href);

const { loadString } = await load('index.mjs');
await load('lib/nbb_nrepl_server.js');
await loadString(sourceOf('image.cljs'));
globalThis.lispHarborTell = (text) => send({ 'lisp-harbor': text });
await loadString('(lisp-harbor.image/tell-by js/lispHarborTell)');
delete globalThis.lispHarborTell;
for (const [group, files] of Object.entries({ questions: QUESTIONS, work: WORK }))
  await loadString(`(lisp-harbor.image/keep-sources :${group} [${files.map(keptSource).join(' ')}])`);

const wire = new net.Socket({ fd: WIRE });
// nbb turns each chunk into a string by itself: decoded here, no character is split between two of them.
wire.setEncoding('utf8');
wire.on('error', () => process.exit());
wire.on('close', () => process.exit());

watchParent();
await serveOn(wire);
sendOutput(process.stdout, 'out');
sendOutput(process.stderr, 'err');
// Code that fails in a timer fails alone: the session and its state stay.
process.on('uncaughtException', (error) => console.error(`Uncaught ${describe(error)}`));
process.on('unhandledRejection', (error) => console.error(`Unhandled rejection: ${describe(error)}`));

function keptSource(file) {
  const { name } = path.parse(file);
  return `["lisp-harbor.${name}" ${JSON.stringify(sourceOf(file))}]`;
}

function sourceOf(file) {
  return fs.readFileSync(new URL(file, import.meta.url), 'utf8');
}

/**
 * nbb's server asks `net` for a listener and cannot be given a connection. While it starts, `net.createServer`
 * answers a stand-in that opens no port and hands it the wire as its one connection. `syncBuiltinESMExports`
 * makes the stand-in visible through nbb's `import * as net`.
 */
async function serveOn(connection) {
  const { createServer } = net;
  net.createServer = (accept) => ({
    address: () => ({ address: 'descriptor', port: WIRE }),
    listen(_port, _host, ready) {
      silently(ready);
      accept(connection);
    },
  });
  syncBuiltinESMExports();
  await loadString("(require '[nbb.nrepl-server :as server]) (server/start-server! {})");
  net.createServer = createServer;
  syncBuiltinESMExports();
}

/** Inside a sandbox the parent is its first process, and everything there ends with it: the 5 MB are saved. */
function watchParent() {
  const parent = process.ppid;
  if (parent === 1) return;
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  const thread = new Worker(new URL('watch-parent.mjs', import.meta.url), { workerData: parent, resourceLimits });
  thread.unref();
}

/** nbb announces its port on stdout and in the project's `.nrepl-port`; there is none, and that file is not ours. */
function silently(ready) {
  const { write } = process.stdout;
  const { writeFileSync } = fs;
  process.stdout.write = () => true;
  fs.writeFileSync = () => undefined;
  syncBuiltinESMExports();
  ready();
  process.stdout.write = write;
  fs.writeFileSync = writeFileSync;
  syncBuiltinESMExports();
}

/**
 * `console.log` and its like write to the process's streams, past nREPL. On the wire, in messages without an id,
 * their text keeps its place among the evaluation's output and comes before its `done`.
 */
function sendOutput(stream, key) {
  const decoder = new StringDecoder('utf8');
  stream.write = (chunk, encoding, callback) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : Buffer.from(chunk);
    const text = decoder.write(bytes);
    const written = typeof encoding === 'function' ? encoding : callback;
    return send({ [key]: text }, written);
  };
}

/** A message of nREPL without an id. */
function send(message, written) {
  const entries = Object.entries(message).map(([key, text]) => bencoded(key) + bencoded(text));
  return wire.write(`d${entries.join('')}e`, written);
}

function encodingOf(argument) {
  return typeof argument === 'string' ? argument : 'utf8';
}

function bencoded(text) {
  return `${Buffer.byteLength(text)}:${text}`;
}

function describe(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
