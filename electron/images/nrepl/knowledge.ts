/**
 * Answers queries about names (definitions, references, completions) in nREPL servers: by our own code in
 * Clojure on the JVM and in SCI, otherwise by the server's ops.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import {
  type Definition,
  type Finding,
  Findings,
  type FindKind,
  type FindRequest,
  type NameRequest,
  SymbolDescription,
  SystemFolder,
} from '../../contract/knowledge';
import { type BencodeValue, textOf } from '../../host/bencode';
import type { Knowledge } from '../optional-groups';
import type { NreplClient, NreplMessage, ServerFacts } from './client';
import { checkedForms, expansionCode } from './clojure-code';
import type { NreplSession } from './nrepl-session';
import { inTime, type NreplQueries, QUESTION_MS } from './queries';
import { SciEvaluator, SciKnowledge, SciQueries } from './sci';

/** A server to query. */
interface KnowingServer {
  client: NreplClient;
  session: NreplSession;
  facts: ServerFacts;
  /** Folder of our own Clojure code, resources/clojure. */
  folder: string;
  /** Runs our own code; works in Clojure on the JVM only. */
  queries: NreplQueries;
  /** Current namespace of the session. */
  namespace: () => string;
}

/** Returns undefined if the server's language is unknown and it has no suitable op. */
export function serverKnowledge(server: KnowingServer): Knowledge | undefined {
  const { client, session, facts, queries, namespace } = server;
  if (facts.clojure) return new NreplKnowledge(queries, namespace);
  if (facts.sci) {
    const { name, dialect } = facts.sci;
    const questions = new SciEvaluator({ ...server, dialect });
    const asking = (question: string, request: string) => questions.run(question, request);
    return new SciKnowledge(name, new SciQueries(name, asking), namespace);
  }
  return hasKnowledgeOps(facts.ops) ? new OpKnowledge(client, session, facts.ops, namespace) : undefined;
}

const QUESTIONS: Readonly<Record<FindKind, string>> = {
  definitions: 'lisp-harbor.finding/definitions',
  callers: 'lisp-harbor.uses/callers',
  references: 'lisp-harbor.uses/references',
  apropos: 'lisp-harbor.finding/apropos',
  completions: 'lisp-harbor.completions/completions',
  unsaved: 'lisp-harbor.finding/unsaved',
};

/** Maximum characters of source code per definition. */
const LONGEST_CODE = 6_000;

class NreplKnowledge implements Knowledge {
  readonly expansionCode = expansionCode;
  readonly #queries: NreplQueries;
  readonly #namespace: () => string;

  /** @param namespace returns the current namespace of the session */
  constructor(queries: NreplQueries, namespace: () => string) {
    this.#queries = queries;
    this.#namespace = namespace;
  }

  async describe({
    symbol,
    package: packageName = this.#namespace(),
  }: NameRequest): Promise<SymbolDescription> {
    const request = { symbol, package: packageName };
    const described = await this.#queries.query(
      'lisp-harbor.descriptions/describe',
      request,
      SymbolDescription,
    );
    return { ...described, definitions: described.definitions.map(withOwnCode) };
  }

  async disassemble(): Promise<string> {
    throw new HarborError(
      'not_supported',
      'Clojure has no machine code to show: the JVM compiles at run time. `javap -c` shows the bytecode of a compiled class.',
    );
  }

  find({ kind, package: packageName = this.#namespace(), ...request }: FindRequest): Promise<Findings> {
    return this.#queries.query(QUESTIONS[kind], { ...request, package: packageName }, Findings);
  }

  /** Everything on the classpath counts as loaded: jar files and folders. */
  systemFolders(): Promise<SystemFolder[]> {
    return this.#queries.query('lisp-harbor.project/class-path', {}, z.array(SystemFolder));
  }
}

/** The image sends the file's text starting at the definition; our reader finds its end. */
function withOwnCode({ code: text, ...definition }: Definition): Definition {
  const [form] = text === undefined ? [] : checkedForms(text).forms;
  if (form === undefined) return definition;
  const { code } = form;
  return { ...definition, code: code.length > LONGEST_CODE ? `${code.slice(0, LONGEST_CODE)} …` : code };
}

const DESCRIBING = ['info', 'lookup', 'eldoc'] as const;
const COMPLETING = ['completions', 'complete'] as const;

/**
 * Reports whether one of the server's ops can be used here: nREPL's `lookup` and `completions`
 * (https://nrepl.org/nrepl/ops.html), or the older `info`, `eldoc`, `complete` and `apropos` of cider-nrepl.
 */
function hasKnowledgeOps(ops: ReadonlySet<string>): boolean {
  return [...DESCRIBING, ...COMPLETING, 'apropos'].some((op) => ops.has(op));
}

class OpKnowledge implements Knowledge {
  readonly expansionCode = expansionCode;
  readonly #client: NreplClient;
  readonly #session: NreplSession;
  readonly #ops: ReadonlySet<string>;
  readonly #namespace: () => string;

  constructor(client: NreplClient, session: NreplSession, ops: ReadonlySet<string>, namespace: () => string) {
    this.#client = client;
    this.#session = session;
    this.#ops = ops;
    this.#namespace = namespace;
  }

  async describe({
    symbol,
    package: packageName = this.#namespace(),
  }: NameRequest): Promise<SymbolDescription> {
    const op = this.#firstOf(DESCRIBING, 'names');
    // Older servers use the longer argument name.
    const answer = await this.#query(op, { sym: symbol, symbol, ns: packageName });
    const facts = { ...answer, ...dictionaryOf(answer.info) };
    const name = textOf(facts, 'name') ?? (facts.eldoc === undefined ? undefined : symbol);
    if (name === undefined)
      throw new HarborError('unknown_symbol', `There is no ${symbol} in ${packageName} on the server.`);
    return { symbol, status: `according to the server’s op ${op}`, definitions: [definition(facts, name)] };
  }

  async disassemble(): Promise<string> {
    throw new HarborError('not_supported', 'nREPL has no op for machine code.');
  }

  async find({ kind, query, limit, package: packageName, in: where }: FindRequest): Promise<Findings> {
    const ns = packageName ?? this.#namespace();
    if (kind === 'completions') {
      const op = this.#firstOf(COMPLETING, 'completions');
      const { completions } = await this.#query(op, { prefix: query, symbol: query, ns });
      return findings(completions, 'candidate', limit);
    }
    if (kind !== 'apropos')
      throw new HarborError(
        'not_supported',
        `nREPL has no op that finds ${kind}. Search the sources instead.`,
      );
    const op = this.#firstOf(['apropos'], 'searching names by substring');
    const answer = await this.#query(op, { query, ...(where === undefined ? {} : { 'search-ns': where }) });
    return findings(answer['apropos-matches'], 'name', limit);
  }

  /** @throws HarborError `not_supported`, naming the required ops */
  #firstOf(ops: readonly string[], purpose: string): string {
    const op = ops.find((each) => this.#ops.has(each));
    if (op !== undefined) return op;
    throw new HarborError(
      'not_supported',
      `The server does not support ${purpose}: it has no op ${ops.join(' or ')}. Use evaluation instead.`,
    );
  }

  /** Merges all messages of the answer. @throws HarborError `image_lost`, `took_too_long` */
  async #query(op: string, request: Record<string, BencodeValue>): Promise<NreplMessage> {
    let merged: NreplMessage = {};
    const sent = { ...request, op, session: this.#session.id };
    const answered = this.#client.request(sent, (message) => {
      merged = { ...merged, ...message };
    });
    const reply = await inTime(answered, QUESTION_MS);
    if (reply === null)
      throw new HarborError(
        'took_too_long',
        `The server did not answer ${op} in time. Try again when it is idle.`,
      );
    if (reply.done) return merged;
    throw new HarborError('image_lost', 'The image cannot answer: the connection is closed.');
  }
}

function definition(facts: NreplMessage, name: string): SymbolDescription['definitions'][number] {
  const [namespace, documentation, file] = [
    textOf(facts, 'ns'),
    textOf(facts, 'doc') ?? textOf(facts, 'docstring'),
    textOf(facts, 'file'),
  ];
  const arglist = textOf(facts, 'arglists-str') ?? argumentsText(facts.eldoc);
  return {
    kind:
      facts.macro === undefined ? (textOf(facts, 'type') ?? (arglist ? 'function' : 'variable')) : 'macro',
    name: namespace ? `${namespace}/${name}` : name,
    ...(arglist ? { arglist } : {}),
    ...(documentation ? { documentation } : {}),
    ...(file ? { source: { file, ...(typeof facts.line === 'number' ? { line: facts.line } : {}) } } : {}),
  };
}

/** `eldoc` returns one list of names per arity. */
function argumentsText(eldoc: BencodeValue | undefined): string | undefined {
  if (!Array.isArray(eldoc)) return undefined;
  return `(${eldoc.map((names) => `[${Array.isArray(names) ? names.join(' ') : String(names)}]`).join(' ')})`;
}

function findings(list: BencodeValue | undefined, nameKey: string, limit: number): Findings {
  const found = Array.isArray(list) ? list.map(dictionaryOf) : [];
  const results = found.flatMap((entry) => finding(entry, nameKey));
  return { results: results.slice(0, limit), total: results.length };
}

function finding(entry: NreplMessage, nameKey: string): Finding[] {
  const [text, documentation] = [textOf(entry, nameKey), textOf(entry, 'doc')];
  if (text === undefined) return [];
  return [{ kind: textOf(entry, 'type') ?? 'name', text, ...(documentation ? { documentation } : {}) }];
}

function dictionaryOf(value: BencodeValue | undefined): NreplMessage {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}
