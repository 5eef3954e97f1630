/**
 * Takes out of texts what a person wants in no history, before any of it is written. Patterns are no regular expressions of anybody's
 * own: each takes time in proportion to the text.
 */

import type { Stream } from '../contract/model';
import { REDACTED, WELL_KNOWN_SECRETS } from '../contract/redaction';
import type { Settings } from '../contract/settings';

/** Characters that a `*` stands for, as many of them as a key has. */
const STARRED = String.raw`[^\s"'\x60\\()[\]{}<>,;]`;
const LONGEST = 8192;

/** As the patterns say together: what is one, and what at the end of a text may become one. */
interface Rules {
  whole: RegExp;
  begun: RegExp;
}

/** What a person wants taken out. */
export type Wanted = Pick<Settings, 'redact' | 'redactWellKnown'>;

export class Redaction {
  #wanted: () => Wanted | null;
  #compiled: { of: Wanted | null; rules: Rules | null } = { of: null, rules: null };

  /** @param wanted null: nothing */
  constructor(wanted: Wanted | null = null) {
    this.#wanted = () => wanted;
  }

  /** @param wanted asked each time; the same object says the same */
  follow(wanted: () => Wanted): void {
    this.#wanted = wanted;
  }

  text(text: string): string {
    const rules = this.#rules;
    return rules === null ? text : text.replace(rules.whole, REDACTED);
  }

  /** The same in each string of what JSON can say; names of properties stay. */
  data<T>(data: T): T;
  data(data: unknown): unknown {
    if (this.#rules === null) return data;
    if (typeof data === 'string') return this.text(data);
    if (Array.isArray(data)) return data.map((item) => this.data(item));
    if (typeof data !== 'object' || data === null) return data;
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, this.data(value)]));
  }

  /** The same in a text that is JSON, of which it stays JSON. */
  json(json: string): string {
    return this.#rules === null ? json : JSON.stringify(this.data(JSON.parse(json)));
  }

  /** Of a text that goes on: what can be told of it by now, and the end that must wait for what follows. */
  begun(text: string): { told: string; waits: string } {
    const from = this.#rules?.begun.exec(text)?.index ?? text.length;
    return { told: this.text(text.slice(0, from)), waits: text.slice(from) };
  }

  get #rules(): Rules | null {
    const wanted = this.#wanted();
    if (this.#compiled.of !== wanted) {
      const known = wanted?.redactWellKnown ? WELL_KNOWN_SECRETS : [];
      this.#compiled = { of: wanted, rules: rulesOf([...known, ...(wanted?.redact ?? [])]) };
    }
    return this.#compiled.rules;
  }
}

/** What one evaluation prints: a text that is to be taken out may come in several pieces. */
export class RedactedOutput {
  readonly #redaction: Redaction;
  readonly #waiting = new Map<Stream, string>();

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** What can be told once this was printed. */
  add(stream: Stream, text: string): string {
    const { told, waits } = this.#redaction.begun((this.#waiting.get(stream) ?? '') + text);
    this.#waiting.set(stream, waits);
    return told;
  }

  /** Nothing follows for now: all that waits. */
  rest(): [Stream, string][] {
    const rest = [...this.#waiting].filter(([, text]) => text !== '');
    this.#waiting.clear();
    return rest.map(([stream, text]) => [stream, this.#redaction.text(text)]);
  }
}

function rulesOf(patterns: readonly string[]): Rules | null {
  const parts = patterns.map(partsOf);
  if (parts.length === 0) return null;
  const whole = parts.map((of) => bounded(of.map(({ all }) => all).join('')));
  const begun = parts.map((of) =>
    bounded(of.reduceRight((rest, { some, all }) => `(?:${some}$|${all}${rest})`, '$')),
  );
  return { whole: new RegExp(whole.join('|'), 'giu'), begun: new RegExp(begun.join('|'), 'iu') };
}

/** Each character and each `*` of a pattern: what it matches, and what the last part of a text may match of it. */
function partsOf(pattern: string): { all: string; some: string }[] {
  const parts = pattern.trim().match(/\*|[^*]/gu) ?? [];
  return parts.map((part) => {
    const all = part === '*' ? `${STARRED}{1,${LONGEST}}` : part.replace(/[\\^$.+?()[\]{}|/]/, '\\$&');
    return { all, some: part === '*' ? `${STARRED}{0,${LONGEST}}` : '' };
  });
}

/** A word that only has the text in its middle is another one. */
function bounded(pattern: string): string {
  return `(?<![\\p{L}\\p{N}])(?:${pattern})`;
}
