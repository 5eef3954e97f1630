/**
 * Our own Clojure code, which servers are given as far as a question needs it: a file for each namespace
 * `lisp-harbor.…`, which is needed by whatever mentions it.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A namespace by the last part of its name, and its source. */
export interface OwnFile {
  name: string;
  source: string;
}

const MENTION = /\blisp-harbor\.([a-z-]+)/g;

export class OwnCode {
  readonly #folder: string;
  readonly #sources = new Map<string, Promise<string>>();

  /** @param folder resources/clojure */
  constructor(folder: string) {
    this.#folder = folder;
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
    const source = readFile(path.join(this.#folder, `${name}.clj`), 'utf8').catch(() => '');
    this.#sources.set(name, source);
    return source;
  }
}
