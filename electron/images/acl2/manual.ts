/**
 * The manual of a folder of books: the documentation topics in its sources, with the book that defines what
 * a topic is about. The file has a line for each topic, an array in JSON that starts with the name in upper
 * case.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { boundedJson } from '../../host/json';
import { isBranch, type SyntaxNode } from '../../source/syntax-tree';
import { type BookEvent, BookSource, nameIn } from './book-events';

/** A topic in the source of a book. Texts are XDOC markup. */
interface BookTopic {
  /** In upper case, `PKG::NAME` if its package is not ACL2. */
  name: string;
  /** The path below the folder without `.lisp`. */
  book: string;
  line: number;
  short: string;
  long: string;
}

export interface ManualTopic extends BookTopic {
  /** The book that defines the name; otherwise `book`. */
  provider: string;
}

/** Forms without topics. `quote` also excludes templates of macros. */
const CLOSED = /^(?:defund?|defun-.*|defthmd?|defmacro|defconst|quote|quasiquote|mutual-recursion)$/i;

export function topicsIn(book: string, text: string): BookTopic[] {
  if (!/defxdoc|:short|:long/i.test(text)) return [];
  const source = new BookSource(withPlainStrings(text), CLOSED);
  return [...source.events()].flatMap((event) => topicOf(event, book, source));
}

function topicOf(event: BookEvent, book: string, source: BookSource): BookTopic[] {
  const { operator, operands, line } = event;
  const [named, ...rest] = operands;
  if (!/^def/i.test(operator) || named?.kind !== 'token') return [];
  const short = markupAfter(':short', rest, source);
  const long = markupAfter(':long', rest, source);
  if (short + long === '') return [];
  const name = nameIn(event.package, source.textOf(named)).replace(/^acl2::/i, '');
  return [{ name: name.includes('|') ? name : name.toUpperCase(), book, line, short, long }];
}

/** Returns the markup that follows a keyword; an empty string for none. */
function markupAfter(keyword: string, forms: readonly SyntaxNode[], source: BookSource): string {
  const place = forms.findIndex(
    (form) => form.kind === 'token' && source.textOf(form).toLowerCase() === keyword,
  );
  const value = place < 0 ? undefined : forms[place + 1];
  return value === undefined ? '' : markupOf(value, source);
}

/** Evaluates what is constant of a computed text: its strings, as XDOC's constructors combine them. */
function markupOf(form: SyntaxNode, source: BookSource): string {
  if (form.kind === 'string') return stringOf(source.textOf(form));
  if (!isBranch(form)) return '';
  const [, operator = ''] = /^[(\s]*(?:[\w-]+::)?([\w-]+)/.exec(source.textOf(form)) ?? [];
  const parts = form.children.map((part) => markupOf(part, source)).filter((part) => part !== '');
  if (/^codeblock$/i.test(operator)) return `@({\n${parts.join('\n')}\n})`;
  if (/^li$/i.test(operator)) return `<li>${parts.join('\n')}</li>`;
  return parts.join(/^(?:top\w*|p|desc|ul|ol|blockquote|section)/i.test(operator) ? '\n<p/>\n' : '');
}

function stringOf(written: string): string {
  return written.slice(1, -1).replaceAll(/\\([\s\S])/g, '$1');
}

/** Replaces strings that ACL2's reader reads without escapes, `#{"""…"""}`, by plain ones. */
function withPlainStrings(text: string): string {
  return text.replaceAll(
    /#\{"""([\s\S]*?)"""\}/g,
    (_, body: string) => `"${body.replaceAll(/["\\]/g, '\\$&')}"`,
  );
}

const DEFINITION =
  /^[ \t]*\((?:[\w-]+::)?(?:defmacro\+?|defmacro-last|defund?|defun[\w-]*|define|defabbrev)\s+(?:[\w-]+::)?([^\s()|:]+)/gim;

/** Collects the topics of books, and which books define their names. */
export class ManualBuild {
  readonly #topics: BookTopic[] = [];
  readonly #definers = new Map<string, Set<string>>();

  add(book: string, text: string): void {
    this.#topics.push(...topicsIn(book, text));
    for (const [, name = ''] of text.matchAll(DEFINITION)) {
      const key = name.toUpperCase();
      const books = this.#definers.get(key);
      if (books === undefined) this.#definers.set(key, new Set([book]));
      else books.add(book);
    }
  }

  /** @param dependents returns how many books include a book */
  async write(file: string, dependents: (book: string) => number): Promise<void> {
    const lines = this.#topics.map((topic) => {
      const { name, book, line, short, long } = topic;
      return `${JSON.stringify([name, book, line, this.#provider(topic, dependents), short, long])}\n`;
    });
    await writeFile(file, lines.join(''), { mode: 0o600 });
  }

  /** Returns the book that defines the name: the topic's own, or one of the same folder. */
  #provider({ name, book }: BookTopic, dependents: (book: string) => number): string {
    const definers = this.#definers.get(bareName(name));
    if (definers === undefined || definers.has(book)) return book;
    const folder = path.posix.dirname(book);
    const near = [...definers].filter((each) => each.startsWith(`${folder}/`));
    return near.sort((one, other) => dependents(other) - dependents(one))[0] ?? book;
  }
}

export function bareName(name: string): string {
  return name.replace(/^[^:|]+::?/, '').toUpperCase();
}

const Line = z
  .tuple([z.string(), z.string(), z.int(), z.string(), z.string(), z.string()])
  .transform(([name, book, line, provider, short, long]) => ({ name, book, line, provider, short, long }));

function topicIn(line: string): ManualTopic {
  return Line.parse(boundedJson(line));
}

/** Returns the topics with this name in any package, those of the named package first. */
export async function topicsNamed(file: string, name: string): Promise<ManualTopic[]> {
  const text = await readFile(file, 'utf8');
  const bare = bareName(name);
  const packageName = /^([^:|]+)::?/.exec(name)?.[1]?.toUpperCase() ?? 'ACL2';
  const whole = packageName === 'ACL2' ? bare : `${packageName}::${bare}`;
  const topics = [...linesWith(text, bare)].map(topicIn).filter((topic) => bareName(topic.name) === bare);
  const order = (topic: ManualTopic) => Number(topic.name !== whole) * 2 + Number(topic.long === '');
  return topics.sort((one, other) => order(one) - order(other));
}

/** Yields the lines whose names end in `part`, which is in upper case. */
function* linesWith(text: string, part: string): Generator<string> {
  const written = `${JSON.stringify(part).slice(1, -1)}",`;
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
    const start = text.lastIndexOf('\n', at) + 1;
    if (at < text.indexOf('",', start) + 2) yield text.slice(start, text.indexOf('\n', at));
  }
}

/**
 * Returns a rank of a topic by words, all of which must occur; a smaller one is better, null for none. The
 * helper ranks topics of the world in the same way (documentation.lisp).
 */
export function topicRank(
  words: readonly string[],
  name: string,
  short: string,
  long: string,
): number | null {
  const texts = [name, short, long].map((each) => each.toLowerCase());
  let sum = 0;
  for (const word of words.map((each) => each.toLowerCase())) {
    if (bareName(name).toLowerCase() === word || name.toLowerCase() === word) continue;
    const place = texts.findIndex((each) => each.includes(word));
    if (place < 0) return null;
    sum += RANKS[place] ?? 0;
  }
  return sum;
}

/** By place: name, short text, long text. */
const RANKS = [1, 3, 9];

/** Returns the topics with all of `words`, best first, and how many there are. */
export async function topicsAbout(
  file: string,
  words: readonly string[],
  limit: number,
): Promise<{ topics: ManualTopic[]; total: number }> {
  const text = await readFile(file, 'utf8');
  const lowered = words.map((word) => JSON.stringify(word.toLowerCase()).slice(1, -1));
  const found: { rank: number; topic: ManualTopic }[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const lower = line.toLowerCase();
    if (!lowered.every((word) => lower.includes(word))) continue;
    const topic = topicIn(line);
    const rank = topicRank(words, topic.name, topic.short, topic.long);
    if (rank !== null) found.push({ rank, topic });
  }
  found.sort((one, other) => one.rank - other.rank || one.topic.name.length - other.topic.name.length);
  return { topics: found.slice(0, limit).map(({ topic }) => topic), total: found.length };
}
