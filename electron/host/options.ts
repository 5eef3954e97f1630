/**
 * The options of `start`, `serve` and `stdio`: the parser, and the texts of `--help`. An option takes
 * precedence over an environment variable, and that over the settings file. An unknown option is an error,
 * except in the app, which shares its command line with Chromium.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { HarborError } from '../contract/errors';
import { STDIO_KEY } from '../contract/known-clients';
import type { EngineName } from '../contract/model';
import { ENGINE_NAMES, TRUST_TAG } from '../contract/option-values';
import { flag, type OptionRow, optionLines, value } from './command-line';
import { defaultRoot } from './data-folder';

// Options and environment variables of the ports other than that of MCP over HTTP.

interface PortOption {
  /** Help text of the option. */
  does: string;
  /** Name in the Lisply environment variables `START_<NAME>` and `<NAME>_PORT`; null if Lisply has none. */
  variable: string | null;
}

/** The protocol ports by the prefixes of their options: `--swank-port N`. */
const PORTS = {
  swank: { does: 'lets Emacs attach to an SBCL session with SLIME', variable: 'SWANK' },
  slynk: { does: 'lets Emacs attach to an SBCL session with SLY', variable: null },
  nrepl: { does: 'lets an editor attach to a session with nREPL', variable: null },
  bridge: { does: 'serves the ACL2 Bridge, with a world for each connection', variable: null },
  lisply: { does: 'serves Lisply without a token, with one session for all', variable: 'HTTP' },
  tcp: { does: 'MCP in lines over TCP without a token', variable: null },
  telnet: { does: 'a REPL over telnet, for those with the code of the ready line', variable: 'TELNET' },
} satisfies Record<string, PortOption>;

export type PortName = keyof typeof PORTS;
export const PORT_NAMES = Object.keys(PORTS) as PortName[];

/** Options of the protocol ports. */
export const PORT_OPTIONS = Object.fromEntries(
  PORT_NAMES.map((name) => {
    const does = `${PORTS[name].does} (default: off; 0 = any free port)`;
    return [`${name}-port`, { type: 'string', takes: 'N', does }];
  }),
) as Record<`${PortName}-port`, { type: 'string'; takes: string; does: string }>;

/** undefined: not opened; 0: any free port. */
export type Ports = Readonly<Record<PortName, number | undefined>>;

/** The HTTPS port. `cert` and `key` are PEM files. */
export interface HttpsOptions {
  port: number;
  cert: string;
  key: string;
}

/** Command line values, as given. */
type OptionValues = Readonly<Partial<Record<`${PortName | 'https'}-port` | 'cert' | 'key', string>>>;

/** @throws HarborError `bad_arguments` naming the option */
export function portsOf(values: OptionValues, env: NodeJS.ProcessEnv): Ports {
  const ports = PORT_NAMES.map((name) => [name, portOf(name, PORTS[name].variable, values, env)]);
  return Object.fromEntries(ports) as Ports;
}

/** @throws HarborError `bad_arguments` if only some of the three are given */
export function httpsOf(values: OptionValues, env: NodeJS.ProcessEnv): HttpsOptions | undefined {
  const port = portOf('https', 'HTTPS', values, env);
  const { cert, key } = values;
  if (port === undefined && cert === undefined && key === undefined) return undefined;
  if (port === undefined || cert === undefined || key === undefined)
    throw new HarborError(
      'bad_arguments',
      'HTTPS needs all three: --https-port N, --cert FILE with the certificate and --key FILE with its key, both in PEM.',
    );
  return { port, cert: path.resolve(cert), key: path.resolve(key) };
}

/** @throws HarborError `bad_arguments` */
export function portNumber(text: string, option: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new HarborError('bad_arguments', `${option} ${text} is not a port number between 0 and 65535.`);
}

/** Returns the port of the option. A variable `…_PORT` counts only if `START_…` is true. */
function portOf(
  name: PortName | 'https',
  variable: string | null,
  values: OptionValues,
  env: NodeJS.ProcessEnv,
): number | undefined {
  const started = variable !== null && env[`START_${variable}`] === 'true';
  const text = values[`${name}-port`] ?? (started ? env[`${variable}_PORT`] || undefined : undefined);
  return text === undefined ? undefined : portNumber(text, `--${name}-port`);
}

/** All options, for the parser and for `--help`. */
export const OPTIONS = {
  data: value('DIR', 'data folder (history, settings, tokens)'),
  project: value('DIR', 'folder that sessions may write to (default: the working directory)'),
  port: value('N', 'port of the HTTP endpoint (default 4617; 0 = any free one)'),
  ...PORT_OPTIONS,
  'bridge-socket': value('PATH', 'serves the ACL2 Bridge on a unix socket that only you can open'),
  'lisply-prefix': value('P', 'path prefix of Lisply (default: lisply)'),
  'https-port': value('N', 'also serves HTTP over TLS (default: off; 0 = any free port), with'),
  cert: value('FILE', '  a certificate for localhost or 127.0.0.1, and'),
  key: value('FILE', '  its private key; both in PEM'),
  profile: value('NAME', 'set of tools for agents (default: default)'),
  engine: value('NAME', 'engine of new sessions (sbcl, acl2, clojure, ecl, abcl, ccl, nbb)'),
  books: value('DIR', "ACL2's community books, for :dir :system (default: those next to ACL2)"),
  'trust-tags': value('NAMES', "trust tags that ACL2's certified system books may use, comma-separated"),
  client: value('KEY', 'name of the stdio client (default: stdio)'),
  session: value('NAME', 'a session that continues when the REPL ends (repl)'),
  'issue-token': value('NAME', 'prints a token for a client with that name and exits'),
  unconfined: flag('runs images without a sandbox; every result says so'),
  hidden: flag('starts without a window and without the ready line'),
  debug: flag('logs to stderr, as MCP_DEBUG=true does'),
  help: { ...flag('prints this and exits'), short: 'h' },
} satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof OPTIONS;

/** The option lines of `--help`. */
export const USAGE = `Options:\n${optionLines(OPTIONS)}`;

export interface Options {
  data: string;
  /** As given; undefined if absent. */
  project: string | undefined;
  port: number | undefined;
  /** Ports other than that of MCP over HTTP. */
  ports: Ports;
  /** Path of a unix socket for the ACL2 Bridge. */
  bridgeSocket: string | undefined;
  /** MCP and Lisply over HTTPS; undefined: not served. */
  https: HttpsOptions | undefined;
  /** The nREPL server for clients of the profile `nrepl`: its port, or the folder of its port file. */
  nrepl: { port: number | undefined; workspace: string | undefined };
  /** Path prefix of Lisply, without surrounding slashes. */
  lisplyPrefix: string;
  /** As given. undefined: the harbor uses `default`, and each client the profile chosen for it. */
  profile: string | undefined;
  engine: EngineName | undefined;
  /** Folder of ACL2’s system books. undefined: taken from the environment, or found next to ACL2. */
  books: string | undefined;
  /** Trust tags that ACL2’s system books may use. */
  trustTags: readonly string[];
  client: string;
  /** Name of a session, for `repl`. */
  session: string | undefined;
  issueToken: string | undefined;
  unconfined: boolean;
  hidden: boolean;
  debug: boolean;
}

/**
 * @param passOver whether unknown options are ignored, because they may be Chromium’s
 * @throws HarborError `bad_arguments` naming the option
 */
export function parseOptions(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  passOver = false,
): Options {
  const values = readArguments(argv, passOver);
  const port = values.port ?? env.MCP_HTTP_PORT;
  return {
    data: path.resolve(values.data ?? defaultRoot()),
    project: values.project === undefined ? undefined : existingFolder(values.project, '--project'),
    port: port === undefined || port === '' ? undefined : portNumber(port, '--port'),
    ports: portsOf(values, env),
    https: httpsOf(values, env),
    nrepl: {
      port: env.NREPL_PORT ? portNumber(env.NREPL_PORT, 'NREPL_PORT') : undefined,
      workspace: env.JOYRIDE_WORKSPACE ? path.resolve(env.JOYRIDE_WORKSPACE) : undefined,
    },
    bridgeSocket: values['bridge-socket'] === undefined ? undefined : path.resolve(values['bridge-socket']),
    lisplyPrefix: pathPrefix(values['lisply-prefix'] ?? 'lisply'),
    profile: values.profile,
    engine: values.engine === undefined ? undefined : engineName(values.engine),
    books: values.books === undefined ? undefined : existingFolder(values.books, '--books'),
    trustTags: trustTags(values['trust-tags'] ?? ''),
    client: values.client ?? STDIO_KEY,
    session: values.session,
    issueToken: values['issue-token'],
    unconfined: values.unconfined ?? false,
    hidden: values.hidden ?? false,
    debug: values.debug ?? env.MCP_DEBUG === 'true',
  };
}

function readArguments(argv: readonly string[], passOver: boolean) {
  try {
    return parseArgs({ args: ours(argv, passOver), options: OPTIONS, allowPositionals: passOver }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HarborError('bad_arguments', `${reason.split('.')[0] ?? reason}.\n\n${USAGE}`);
  }
}

/** Returns our own options and their values. The others belong to Chromium. */
function ours(argv: readonly string[], passOver: boolean): string[] {
  if (!passOver) return [...argv];
  const options: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const name = word.replace(/^--/, '').replace(/=.*$/s, '');
    if (!word.startsWith('--') || !isOurs(name)) continue;
    options.push(word);
    const value = argv[at + 1];
    if (OPTIONS[name].type === 'string' && !word.includes('=') && value !== undefined) {
      options.push(value);
      at += 1;
    }
  }
  return options;
}

function isOurs(name: string): name is keyof typeof OPTIONS {
  return Object.hasOwn(OPTIONS, name);
}

function existingFolder(folder: string, option: string): string {
  const resolved = path.resolve(folder);
  if (statSync(resolved, { throwIfNoEntry: false })?.isDirectory()) return resolved;
  throw new HarborError('bad_arguments', `${option} ${folder} is not a folder.`);
}

/** A path prefix. Its first segment must not be `mcp` or `health`, which the harbor uses. */
const PREFIX = /^(?!(?:mcp|health)(?:\/|$))[\w.~-]+(?:\/[\w.~-]+)*$/;

/** Removes surrounding slashes. */
function pathPrefix(text: string): string {
  const prefix = text.replace(/^\/|\/$/g, '');
  if (PREFIX.test(prefix)) return prefix;
  throw new HarborError(
    'bad_arguments',
    `--lisply-prefix ${text} is not a valid path. Use letters and digits, for example lisply.`,
  );
}

function trustTags(text: string): string[] {
  const names = text.split(',').flatMap((name) => name.trim() || []);
  const wrong = names.find((name) => !TRUST_TAG.test(name));
  if (wrong === undefined) return names;
  throw new HarborError('bad_arguments', `--trust-tags ${wrong} is not the name of a trust tag.`);
}

function engineName(text: string): EngineName {
  const known = ENGINE_NAMES.find((name) => name === text);
  if (known !== undefined) return known;
  throw new HarborError(
    'bad_arguments',
    `--engine ${text} is not an engine. Engines: ${ENGINE_NAMES.join(', ')}.`,
  );
}

interface Entry {
  usage: string;
  about: string;
}

/** The entries of the program. The commands of `lisp-harbor` have help texts of their own. */
export const ENTRIES = {
  start: { usage: '[options]', about: 'opens the window; without a display, runs as "serve"' },
  serve: {
    usage: 'serve [options]',
    about: 'runs the harbor without a window; prints one line of JSON when it is ready',
  },
  stdio: {
    usage: 'stdio [options]',
    about: 'MCP over stdin and stdout, for clients that start their servers themselves',
  },
} satisfies Record<string, Entry>;

export type EntryName = keyof typeof ENTRIES;

/** Reports whether `--help` is anywhere in the command line. Then nothing else is done. */
export function requestsHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}

export function helpText({ usage, about }: Entry): string {
  return `Usage: lisp-harbor ${usage}\n\n${about}\n\n${USAGE}\n`;
}

/** Prints the help of an entry if it was requested. @returns whether it was */
export function printHelpIfRequested(entry: EntryName, words: readonly string[]): boolean {
  if (!requestsHelp(words)) return false;
  process.stdout.write(helpText(ENTRIES[entry]));
  return true;
}
