/**
 * Queries about names in ACL2's world (resources/lisp/acl2/knowledge.lisp), and their documentation as text.
 */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import {
  Definition,
  Finding,
  Findings,
  type FindRequest,
  lispString,
  type NameGroup,
  type NameRequest,
  SymbolDescription,
} from '../../contract/knowledge';
import { mention, ours } from '../../contract/mention';
import type { OneForm } from '../../source/code';
import type { Knowledge } from '../optional-groups';
import type { Acl2Queries } from './conversation';

/** The kinds of definition of each group, as definitions.lisp names them. */
const KINDS: Readonly<Record<NameGroup, readonly string[]>> = {
  function: ['function', 'constrained function'],
  macro: ['macro'],
  variable: ['constant', 'stobj'],
  theorem: ['theorem'],
  class: ['class'],
  type: ['type'],
};

/** The topics of books, which need not be included. */
export interface Manual {
  /**
   * Returns the topic with this name, also of another package if there is none in that of the name; null for
   * none, or the reason why it is not known yet.
   */
  topic(name: string): Promise<Definition | { missing: string } | null>;
}

export class Acl2Knowledge implements Knowledge {
  readonly #queries: Acl2Queries;
  readonly #manual: Manual;

  constructor(queries: Acl2Queries, manual: Manual) {
    this.#queries = queries;
    this.#manual = manual;
  }

  async describe({ symbol, package: packageName }: NameRequest): Promise<SymbolDescription> {
    const answer = this.#queries.query('describe', symbol, { package: packageName }, DocumentedDescription);
    const name = packageName === undefined || symbol.includes(':') ? symbol : `${packageName}::${symbol}`;
    const description = await answer.catch((error) => this.#outsideWorld(name, error));
    if (!description.definitions.some(lacksTopic)) return description;
    const topic = await this.#manual.topic(description.symbol);
    if (topic === null || 'missing' in topic || topic.name !== description.symbol) return description;
    const { documentation } = topic;
    const definitions = description.definitions.map((each) =>
      lacksTopic(each) ? { ...each, documentation } : each,
    );
    return { ...description, definitions };
  }

  /** @throws HarborError `error`, if the name is no topic of a book */
  async #outsideWorld(name: string, error: unknown): Promise<SymbolDescription> {
    if (!(error instanceof HarborError) || !/^unknown_(?:symbol|package)$/.test(error.code)) throw error;
    const topic = await this.#manual.topic(name);
    if (topic === null) throw error;
    if ('missing' in topic) throw new HarborError(error.code, `${error.message} ${topic.missing}`);
    return { symbol: topic.name, status: 'not in this world', definitions: [topic] };
  }

  async disassemble(): Promise<never> {
    throw new HarborError('not_supported', 'ACL2 cannot show machine code.', {
      mentions: [mention`${ours('describe')} shows the definition and its rules.`],
    });
  }

  find({ kind, query, only, ...request }: FindRequest): Promise<Findings> {
    const kinds = only === undefined ? {} : { kinds: only.flatMap((group) => KINDS[group]) };
    const { limit, package: packageName, in: searched } = request;
    return this.#queries.query(
      kind,
      query,
      { limit, package: packageName, in: searched, ...kinds },
      Findings,
    );
  }

  /** Calls what :TRANS1 and :TRANS call, because those commands print and return no value. */
  expansionCode(form: OneForm, extent: 'once' | 'full'): string {
    return extent === 'once'
      ? `(acl2::trans1-fn '${form}\n acl2::state)`
      : `(acl2::translate '${form}\n acl2::t acl2::nil acl2::t 'acl2::top-level (acl2::w acl2::state) acl2::state)`;
  }
}

/** Reports whether a name of ACL2 or of a book has no documentation in the world. A session's own have no topic. */
function lacksTopic({ kind, documentation, builtIn, source }: Definition): boolean {
  return kind !== 'package' && documentation === undefined && (builtIn === true || source !== undefined);
}

export function includeForm(book: string): string {
  return `(include-book ${lispString(book)} :dir :system)`;
}

/** Documentation as XDOC markup. `from` is the book that contains it. */
const Markup = z.object({ markup: z.array(z.string()).optional(), from: z.string().optional() });

type Markup = z.infer<typeof Markup>;

const DocumentedDescription = SymbolDescription.extend({
  definitions: z.array(Definition.extend(Markup.shape).transform(withText)),
});

export const DocumentedFindings = Findings.extend({
  results: z.array(Finding.extend(Markup.shape).transform(withText)),
});

/** Returns a documented object with its markup as text. */
export function withText<D extends Markup & { documentation?: string | undefined }>({
  markup,
  from,
  ...documented
}: D) {
  if (markup === undefined) return documented;
  const book = from === undefined ? [] : [`(${from})`];
  return { ...documented, documentation: [...markup.map(xdocText), ...book].filter(Boolean).join('\n\n') };
}

/** A block of code. */
const CODE_BLOCK = /@\(\{([\s\S]*?)\}\)|<code>([\s\S]*?)<\/code>/g;

/**
 * Inline code, formulas, and directives that the preprocessor evaluates or looks up, such as `@(see append)`.
 */
const INLINE = /@\('([\s\S]*?)'\)|@\(([$[`])([\s\S]*?)[$\]`]\)|@\([\w-]+\??\s+([^()]*)\)/g;

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…' },
    ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', larr: '←', rarr: '→', rArr: '⇒', hArr: '⇔' },
    ...{ in: '∈', isin: '∈', forall: '∀', exist: '∃', and: '∧', or: '∨', not: '¬' },
    ...{ ne: '≠', le: '≤', ge: '≥' },
    ...{ times: '×', middot: '·', bull: '•', copy: '©', alpha: 'α', beta: 'β', lambda: 'λ', pi: 'π' },
  }),
);

/**
 * Converts XDOC markup to plain text: code is unchanged, a link becomes its name, and paragraphs are
 * separated by a blank line. Malformed markup also yields text.
 */
export function xdocText(markup: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const block of markup.matchAll(CODE_BLOCK)) {
    parts.push(prose(markup.slice(at, block.index)), codeBlock(block[1] ?? withEntities(block[2] ?? '')));
    at = block.index + block[0].length;
  }
  parts.push(prose(markup.slice(at)));
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .replaceAll('@@', '@');
}

function codeBlock(code: string): string {
  const lines = code
    .replace(/^\s*\n/, '')
    .trimEnd()
    .split('\n');
  return lines.map((line) => `  ${line}`.trimEnd()).join('\n');
}

/** A tag that ends a line becomes a blank line or a dash. Other tags are removed. */
function prose(markup: string): string {
  const text = markup
    .replaceAll(INLINE, (_, code?: string, _sign?: string, formula?: string, about?: string) =>
      (code ?? formula ?? linkName(about ?? '')).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    )
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<li\b[^<>]*>/gi, '\n- ')
    .replaceAll(/<\/?(?:p|h\d|ul|ol|dl|blockquote|table|center)\b[^<>]*>/gi, '\n\n')
    .replaceAll(/<(?:br|dt|dd|tr)\b[^<>]*>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '');
  const lines = withEntities(text).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '-')
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Returns the name in a directive: `|ACL2|::|UPDATE-NTH|` without bars and package ACL2. */
function linkName(about: string): string {
  return about
    .trim()
    .replaceAll(/\|([^|a-z]*)\|/g, '$1')
    .replace(/^ACL2::/i, '');
}

function withEntities(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => {
    const [, hexadecimal, decimal] = /^#(?:x([\da-f]{1,5})|(\d{1,6}))$/i.exec(name) ?? [];
    if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
    return decimal === undefined ? (ENTITIES.get(name) ?? whole) : String.fromCodePoint(Number(decimal));
  });
}
