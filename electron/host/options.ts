/**
 * The options of `start`, `serve` and `stdio`. Options win over the environment, the environment over the
 * settings file. An unknown option is refused by name, except in the app, whose command line Chromium shares.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ENGINE_NAMES } from '../contract/engine-names';
import { HarborError } from '../contract/errors';
import { STDIO_KEY } from '../contract/known-clients';
import type { EngineName } from '../contract/model';
import { TRUST_TAG } from '../contract/trust-tag';
import { defaultRoot } from './data-folder';
import { OPTIONS, USAGE } from './option-table';
import { type HttpsOptions, httpsOf, type Ports, portNumber, portsOf } from './port-options';

export interface Options {
  data: string;
  /** As given; undefined when the person named none. */
  project: string | undefined;
  port: number | undefined;
  /** Ports beside that of MCP over HTTP. */
  ports: Ports;
  /** Path of a unix socket for the ACL2 Bridge. */
  bridgeSocket: string | undefined;
  /** MCP and Lisply over HTTPS as well; undefined opens no port for it. */
  https: HttpsOptions | undefined;
  /** Where an nREPL server is for clients of the profile `nrepl`: its port, or the folder of its port file. */
  nrepl: { port: number | undefined; workspace: string | undefined };
  /** Where Lisply's paths begin, without slashes around it. */
  lisplyPrefix: string;
  /** As given; undefined: the harbor's is `default`, a client's the one that is chosen for it. */
  profile: string | undefined;
  engine: EngineName | undefined;
  /** Folder of ACL2's system books, by option; undefined: what the environment says, or what is found beside ACL2. */
  books: string | undefined;
  /** Names of trust tags that ACL2's system books may use. */
  trustTags: readonly string[];
  client: string;
  /** The name of a session, for `repl`. */
  session: string | undefined;
  issueToken: string | undefined;
  unconfined: boolean;
  hidden: boolean;
  debug: boolean;
}

/**
 * @param passOver whether options that are not ours are Chromium's business and ignored
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

/** Our own options and their values; the rest belongs to Chromium or to whoever drives it. */
function ours(argv: readonly string[], passOver: boolean): string[] {
  if (!passOver) return [...argv];
  const kept: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const name = word.replace(/^--/, '').replace(/=.*$/s, '');
    if (!word.startsWith('--') || !isOurs(name)) continue;
    kept.push(word);
    const value = argv[at + 1];
    if (OPTIONS[name].type === 'string' && !word.includes('=') && value !== undefined) {
      kept.push(value);
      at += 1;
    }
  }
  return kept;
}

function isOurs(name: string): name is keyof typeof OPTIONS {
  return Object.hasOwn(OPTIONS, name);
}

function existingFolder(folder: string, option: string): string {
  const resolved = path.resolve(folder);
  if (statSync(resolved, { throwIfNoEntry: false })?.isDirectory()) return resolved;
  throw new HarborError('bad_arguments', `${option} ${folder} is not a folder.`);
}

/** The segments of a path whose first one is not taken. */
const PREFIX = /^(?!(?:mcp|health)(?:\/|$))[\w.~-]+(?:\/[\w.~-]+)*$/;

/** Without the slashes around it, with which it may be given. */
function pathPrefix(text: string): string {
  const prefix = text.replace(/^\/|\/$/g, '');
  if (PREFIX.test(prefix)) return prefix;
  throw new HarborError(
    'bad_arguments',
    `--lisply-prefix ${text} is no path of its own: give letters and digits, such as lisply.`,
  );
}

function trustTags(text: string): string[] {
  const names = text.split(',').flatMap((name) => name.trim() || []);
  const wrong = names.find((name) => !TRUST_TAG.test(name));
  if (wrong === undefined) return names;
  throw new HarborError('bad_arguments', `--trust-tags ${wrong} is no name of a trust tag.`);
}

function engineName(text: string): EngineName {
  const known = ENGINE_NAMES.find((name) => name === text);
  if (known !== undefined) return known;
  throw new HarborError(
    'bad_arguments',
    `--engine ${text} is not an engine. Known: ${ENGINE_NAMES.join(', ')}.`,
  );
}
