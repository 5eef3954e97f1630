/**
 * Our own Clojure code, which servers are given as far as a question needs it: a file for each namespace
 * `lisp-harbor.…`, which is needed by whatever mentions it.
 */
import { readFile } from 'node:fs/promises';

/** A namespace by the last part of its name, and its source. */
export interface OwnFile {
  name: string;
  source: string;
}

const MENTION = /\blisp-harbor\.([a-z-]+)/g;

export class OwnCode {
  readonly #patterns: readonly string[];
  readonly #sources = new Map<string, Promise<string>>();

  /** @param patterns paths with `*` for the name of a file, as resources/clojure/*.clj; the first that is there counts */
  constructor(...patterns: string[]) {
    this.#patterns = patterns;
  }

  /** The files that `code` needs, each after those that it needs itself. */
  async filesFor(code: string): Promise<OwnFile[]> {
    const files = new Map<string, string>();
    await this.#add(code, files, new Set());
    return [...files].map(([name, source]) => ({ name, source }));
  }

  async #add(code: string, files: Map<string, string>, begun: Set<string>): Promise<void> {
    for (const [, name = ''] of code.matchAll(MENTION)) {
      if (begun.has(name)) continue;
      begun.add(name);
      const source = await this.#source(name);
      await this.#add(source, files, begun);
      if (source !== '') files.set(name, source);
    }
  }

  /** Empty for a namespace that is none of ours, whatever its name says. */
  #source(name: string): Promise<string> {
    const known = this.#sources.get(name);
    if (known) return known;
    const source = this.#read(name);
    this.#sources.set(name, source);
    return source;
  }

  async #read(name: string): Promise<string> {
    for (const pattern of this.#patterns) {
      const source = await readFile(pattern.replace('*', name), 'utf8').catch(() => null);
      if (source !== null) return source;
    }
    return '';
  }
}
