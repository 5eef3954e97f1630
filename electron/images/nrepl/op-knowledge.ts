/**
 * What a server that is neither Clojure on Java nor SCI tells of its names, by ops of its own: nREPL's `lookup` and
 * `completions` (https://nrepl.org/nrepl/ops.html), and the older `info`, `eldoc`, `complete` and `apropos` of cider-nrepl.
 */
import { HarborError } from '../../contract/errors';
import type {
  Finding,
  Findings,
  FindRequest,
  NameRequest,
  SymbolDescription,
} from '../../contract/knowledge';
import type { Knowledge } from '../optional-groups';
import type { BencodeValue } from './bencode';
import { type NreplClient, type NreplMessage, textOf } from './client';
import { expansionCode } from './clojure-code';
import type { NreplSession } from './nrepl-session';
import { inTime, QUESTION_MS } from './questions';

const DESCRIBING = ['info', 'lookup', 'eldoc'] as const;
const COMPLETING = ['completions', 'complete'] as const;

/** Whether one of the server's ops answers anything here. */
export function tellsByOps(ops: ReadonlySet<string>): boolean {
  return [...DESCRIBING, ...COMPLETING, 'apropos'].some((op) => ops.has(op));
}

export class OpKnowledge implements Knowledge {
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
    const op = this.#firstOf(DESCRIBING, 'what a name stands for');
    // Older servers know the argument under its whole name.
    const answer = await this.#ask(op, { sym: symbol, symbol, ns: packageName });
    const told = { ...answer, ...dictionaryOf(answer.info) };
    const name = textOf(told, 'name') ?? (told.eldoc === undefined ? undefined : symbol);
    if (name === undefined)
      throw new HarborError('unknown_symbol', `The server knows no ${symbol} in ${packageName}.`);
    return { symbol, status: `as the server’s op ${op} tells`, definitions: [definition(told, name)] };
  }

  async disassemble(): Promise<string> {
    throw new HarborError('not_supported', 'nREPL has no op that shows machine code.');
  }

  async find({ kind, query, limit, package: packageName, in: where }: FindRequest): Promise<Findings> {
    const ns = packageName ?? this.#namespace();
    if (kind === 'completions') {
      const op = this.#firstOf(COMPLETING, 'how a name may go on');
      const { completions } = await this.#ask(op, { prefix: query, symbol: query, ns });
      return findings(completions, 'candidate', limit);
    }
    if (kind !== 'apropos')
      throw new HarborError(
        'not_supported',
        `nREPL has no op that finds ${kind}. Search the sources for it.`,
      );
    const op = this.#firstOf(['apropos'], 'names by a part of them');
    const answer = await this.#ask(op, { query, ...(where === undefined ? {} : { 'search-ns': where }) });
    return findings(answer['apropos-matches'], 'name', limit);
  }

  /** @throws HarborError `not_supported`, with the ops that it would take */
  #firstOf(ops: readonly string[], purpose: string): string {
    const op = ops.find((each) => this.#ops.has(each));
    if (op !== undefined) return op;
    throw new HarborError(
      'not_supported',
      `The server does not tell ${purpose}: it has no op ${ops.join(' or ')}. Ask it by evaluating.`,
    );
  }

  /** All that the messages of an answer say. @throws HarborError `image_lost`, `took_too_long` */
  async #ask(op: string, request: Record<string, BencodeValue>): Promise<NreplMessage> {
    let said: NreplMessage = {};
    const asked = { ...request, op, session: this.#session.id };
    const answered = this.#client.request(asked, (message) => {
      said = { ...said, ...message };
    });
    const reply = await inTime(answered, QUESTION_MS);
    if (reply === null)
      throw new HarborError(
        'took_too_long',
        `The server did not answer to ${op} in time. Ask when it is idle.`,
      );
    if (reply.done) return said;
    throw new HarborError('image_lost', 'The image cannot answer: the connection to it is gone.');
  }
}

function definition(told: NreplMessage, name: string): SymbolDescription['definitions'][number] {
  const [namespace, documentation, file] = [
    textOf(told, 'ns'),
    textOf(told, 'doc') ?? textOf(told, 'docstring'),
    textOf(told, 'file'),
  ];
  const arglist = textOf(told, 'arglists-str') ?? argumentsText(told.eldoc);
  return {
    kind: told.macro === undefined ? (textOf(told, 'type') ?? (arglist ? 'function' : 'variable')) : 'macro',
    name: namespace ? `${namespace}/${name}` : name,
    ...(arglist ? { arglist } : {}),
    ...(documentation ? { documentation } : {}),
    ...(file ? { source: { file, ...(typeof told.line === 'number' ? { line: told.line } : {}) } } : {}),
  };
}

/** `eldoc` answers with a list of names for each number of arguments. */
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
