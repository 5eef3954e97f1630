/**
 * Removes secrets from text before it is written. The patterns are not regular expressions; each takes time
 * proportional to the text.
 */

import type { Stream } from '../contract/model';
import { REDACTED, type Settings, WELL_KNOWN_SECRETS } from '../contract/settings';

/** The characters that `*` matches, as in a key. */
const WILDCARD = String.raw`[^\s"'\x60\\()[\]{}<>,;]`;
const LONGEST = 8192;

/**
 * The combined patterns: `whole` matches a secret, `partial` one that may continue after the end of the text.
 */
interface Rules {
  whole: RegExp;
  partial: RegExp;
}

/** The user's settings of redaction. */
export type RedactionSettings = Pick<Settings, 'redact' | 'redactWellKnown'>;

export class Redaction {
  #wanted: () => RedactionSettings | null;
  #compiled: { of: RedactionSettings | null; rules: Rules | null } = { of: null, rules: null };

  /** @param wanted null: no redaction */
  constructor(wanted: RedactionSettings | null = null) {
    this.#wanted = () => wanted;
  }

  /** @param wanted called each time; the same object means unchanged settings */
  configure(wanted: () => RedactionSettings): void {
    this.#wanted = wanted;
  }

  text(text: string): string {
    const rules = this.#rules;
    return rules === null ? text : text.replace(rules.whole, REDACTED);
  }

  /** Redacts each string in JSON data; property names stay. */
  data<T>(data: T): T;
  data(data: unknown): unknown {
    if (this.#rules === null) return data;
    if (typeof data === 'string') return this.text(data);
    if (Array.isArray(data)) return data.map((item) => this.data(item));
    if (typeof data !== 'object' || data === null) return data;
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, this.data(value)]));
  }

  /** Redacts the strings of a JSON text; the result is JSON. */
  json(json: string): string {
    return this.#rules === null ? json : JSON.stringify(this.data(JSON.parse(json)));
  }

  /**
   * Splits a text that continues: the redacted part that can be output now, and an end that must wait for
   * more.
   */
  partial(text: string): { ready: string; waits: string } {
    const from = this.#rules?.partial.exec(text)?.index ?? text.length;
    return { ready: this.text(text.slice(0, from)), waits: text.slice(from) };
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

/** Redacts the output of one evaluation, in which a secret may be split into several pieces. */
export class RedactedOutput {
  readonly #redaction: Redaction;
  readonly #waiting = new Map<Stream, string>();

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** Returns the text that can be output now. */
  add(stream: Stream, text: string): string {
    const { ready, waits } = this.#redaction.partial((this.#waiting.get(stream) ?? '') + text);
    this.#waiting.set(stream, waits);
    return ready;
  }

  /** Returns all text held back, because no more follows for now. */
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
  return { whole: new RegExp(whole.join('|'), 'giu'), partial: new RegExp(begun.join('|'), 'iu') };
}

/**
 * For each character and `*` of a pattern: the expression for it, and for its beginning at the end of a text.
 */
function partsOf(pattern: string): { all: string; some: string }[] {
  const parts = pattern.trim().match(/\*|[^*]/gu) ?? [];
  return parts.map((part) => {
    const all = part === '*' ? `${WILDCARD}{1,${LONGEST}}` : part.replace(/[\\^$.+?()[\]{}|/]/, '\\$&');
    return { all, some: part === '*' ? `${WILDCARD}{0,${LONGEST}}` : '' };
  });
}

/** Matches only at the beginning of a word. */
function bounded(pattern: string): string {
  return `(?<![\\p{L}\\p{N}])(?:${pattern})`;
}
