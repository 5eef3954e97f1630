/**
 * The main program of an nbb image: runs nbb's nREPL server on descriptor 3, without a network port. `node
 * image.mjs <folder of the npm package nbb>`
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

/** Files that answer queries, each after its dependencies. Some are shared with the JVM. */
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

/** Files that load and test, in addition to the files above. They require cljs.test. */
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
await loadString('(throw nil)').catch(await loadString('lisp-harbor.image/learn-throwing'));
shortenErrors(await loadString('(ex-info "" {})'), await loadString('lisp-harbor.image/brief-error'));
for (const [group, files] of Object.entries({ questions: QUESTIONS, work: WORK }))
  await loadString(`(lisp-harbor.image/keep-sources :${group} [${files.map(keptSource).join(' ')}])`);

const wire = new net.Socket({ fd: WIRE });
// nbb decodes each chunk separately. Decoding here keeps characters intact that are split between two chunks.
wire.setEncoding('utf8');
wire.on('error', () => process.exit());
wire.on('close', () => process.exit());

watchParent();
await serveOn(wire);
interceptSettling();
skipByteOrderMarks();
sendOutput(process.stdout, 'out');
sendOutput(process.stderr, 'err');
// An error in a timer must not end the process: the session and its state stay.
process.on('uncaughtException', (error) => console.error(`Uncaught ${describe(error)}`));
process.on('unhandledRejection', (error) => console.error(`Unhandled rejection: ${describe(error)}`));

/** nbb reads its sources by these functions, and a byte order mark as a symbol. */
function skipByteOrderMarks() {
  const { readFile, readFileSync } = fs;
  const unmarked = (content, file) =>
    typeof content === 'string' && /\.clj[sc]?$/.test(file) ? content.replace(/^\uFEFF/, '') : content;
  fs.readFileSync = (file, ...options) => unmarked(readFileSync(file, ...options), file);
  fs.readFile = (file, ...options) => {
    const done = options.pop();
    return readFile(file, ...options, (error, content) => done(error, unmarked(content, file)));
  };
  syncBuiltinESMExports();
}

function keptSource(file) {
  const { name } = path.parse(file);
  return `["lisp-harbor.${name}" ${JSON.stringify(sourceOf(file))}]`;
}

function sourceOf(file) {
  return fs.readFileSync(new URL(file, import.meta.url), 'utf8');
}

/**
 * nbb's server creates its listener with `net` and cannot be given a connection. While it starts,
 * `net.createServer` returns a replacement that opens no port and passes it the wire as its only connection.
 * `syncBuiltinESMExports` makes the replacement visible through nbb's `import * as net`.
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

/**
 * nbb's server waits for a promise and then prints its value without a limit, and it fails on a promise that was
 * rejected with nothing. It waits by `then` with a function that contains this text. That function gets a short
 * value here; `show-value` in image.cljs prints the real one.
 */
function interceptSettling() {
  const { then } = Promise.prototype;
  const isServers = (settled, others) =>
    typeof settled === 'function' && others.length === 0 && String(settled).includes('#\\x3cPromise ');
  // biome-ignore lint/suspicious/noThenProperty: the server calls it
  Promise.prototype.then = function (settled, ...others) {
    if (!isServers(settled, others)) return then.call(this, settled, ...others);
    return then.call(
      this,
      (value) => {
        globalThis.lispHarborSettled = value;
        return settled(1);
      },
      (reason) => {
        throw reason ?? nothing(reason);
      },
    );
  };
}

/** The server sends each error as a string, which is endless if its data is. */
function shortenErrors(example, brief) {
  const type = Object.getPrototypeOf(example);
  const { toString } = type;
  type.toString = function () {
    return brief(this) ?? toString.call(this);
  };
}

/** An error in place of null or undefined, for SCI, which reads the message of what was thrown. */
function nothing(reason) {
  const text = reason === null ? 'nil' : 'undefined';
  return Object.assign(new Error(text), { lispHarborNothing: text });
}

/**
 * Starts the thread of watch-parent.mjs. Not needed inside a sandbox, where everything ends with the first
 * process; this saves 5 MB.
 */
function watchParent() {
  const parent = process.ppid;
  if (parent === 1) return;
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  const thread = new Worker(new URL('watch-parent.mjs', import.meta.url), { workerData: parent, resourceLimits });
  thread.unref();
}

/**
 * Suppresses nbb's announcement of its port on stdout and in the project's `.nrepl-port`. There is no port,
 * and the file belongs to the user.
 */
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
 * Sends text of `console.log` and similar functions, which write to the process's streams and bypass nREPL,
 * as messages without an id. Thus it keeps its order with the evaluation's output and arrives before its
 * `done`.
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

/** Sends an nREPL message without an id. */
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
