/** What an nREPL server says of itself when it is asked to `describe`: which ops it has, and what it runs on. */
import type { BencodeValue } from './bencode';
import type { NreplClient, NreplMessage } from './client';
import type { SciDialect } from './sci-questions';

export interface ServerFacts {
  ops: ReadonlySet<string>;
  /** In words: "nREPL 1.0.0 on Clojure 1.11.1, Java 17". */
  description: string;
  /** Whether Clojure on Java is behind it, which can load our own Clojure code. */
  clojure: boolean;
  /** SCI, which interprets, is behind it: what it is called, and its language. */
  sci: { name: string; dialect: SciDialect } | null;
  /** nbb's server has one namespace, and one `*1`, for all its sessions. */
  nbb: boolean;
  /** VS Code is behind it, whose extension Joyride serves as nbb does. */
  joyride: boolean;
}

/** null when the server is gone, or cannot answer what is asked. */
export async function describeServer(client: NreplClient): Promise<ServerFacts | null> {
  let ops: BencodeValue = {};
  let versions: BencodeValue = {};
  const reply = await client.request({ op: 'describe' }, (message: NreplMessage) => {
    ops = message.ops ?? ops;
    versions = message.versions ?? versions;
  });
  if (!reply.done || reply.failed || reply.status.includes('unknown-op')) return null;
  const [all, named] = [dictionary(ops), dictionary(versions)];
  const nbb = 'nbb-nrepl' in named;
  // Joyride's server is nbb's under nbb's name, without the ops that look at namespaces.
  const joyride = nbb && !('info' in all) && !('classpath' in all);
  return {
    ops: new Set(Object.keys(all)),
    description: describe(named, joyride ? { 'nbb-nrepl': 'Joyride’s nREPL' } : {}),
    clojure: 'clojure' in named && 'java' in named,
    sci: sciOf(named, joyride),
    nbb,
    joyride,
  };
}

function sciOf(named: Readonly<Record<string, BencodeValue>>, joyride: boolean): ServerFacts['sci'] {
  if ('nbb-nrepl' in named) return { name: joyride ? 'Joyride' : 'nbb', dialect: 'ClojureScript' };
  const babashka = 'babashka' in named || 'babashka.nrepl' in named;
  return babashka ? { name: 'babashka', dialect: 'Clojure' } : null;
}

const NAMES: Readonly<Record<string, string>> = {
  nrepl: 'nREPL',
  'nbb-nrepl': 'nbb nREPL',
  'babashka.nrepl': 'babashka nREPL',
  babashka: 'babashka',
  clojure: 'Clojure',
  java: 'Java',
  node: 'Node',
};

function describe(
  versions: Readonly<Record<string, BencodeValue>>,
  names: Readonly<Record<string, string>>,
): string {
  const known = Object.entries({ ...NAMES, ...names }).flatMap(([key, name]) => {
    const version = versionText(versions[key]);
    return version === undefined ? [] : [`${name} ${version}`.trim()];
  });
  return known.length === 0 ? 'an nREPL server' : known.join(', ');
}

/** A text, or a dictionary with one of the whole; empty where neither has a number in it, as nbb's has not. */
function versionText(version: BencodeValue | undefined): string | undefined {
  if (version === undefined) return undefined;
  const text = typeof version === 'string' ? version : dictionary(version)['version-string'];
  return typeof text === 'string' && /\d/.test(text) ? text : '';
}

function dictionary(value: BencodeValue): Readonly<Record<string, BencodeValue>> {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}
