/**
 * A qualified name of Common Lisp, such as `shop:price`, and the symbols of a project's files that are the same
 * symbol: by nicknames, local nicknames, imports and exports.
 */
import { lispToken } from './names/package-forms';
import { Packages, USER } from './names/packages';
import { readFile } from './own-syntax';
import { LispFile } from './rename/lisp-file';

/** A file with none of these words defines and changes no package. */
const ABOUT_PACKAGES = /package|defpkg|\(\s*(?:export|import|shadow)/i;

export class QualifiedName {
  readonly #package: string;
  readonly #name: string;
  readonly #packages = new Packages();
  readonly #files: LispFile[] = [];
  #homes: ReadonlySet<string> | null = null;

  /** Returns null unless it is a symbol with a package. */
  static of(query: string): QualifiedName | null {
    const token = /[\s()]/.test(query) ? null : lispToken(query);
    return token?.kind === 'symbol' && token.package ? new QualifiedName(token.package, token.name) : null;
  }

  private constructor(where: string, name: string) {
    this.#package = where;
    this.#name = name;
  }

  /** Reads the packages of a file. Call it for all files of the project before the first query. */
  learn(path: string, text: string): void {
    if (!ABOUT_PACKAGES.test(text)) return;
    const file = new LispFile({ path, source: readFile(text, 'common-lisp') });
    file.define(this.#packages);
    this.#files.push(file);
  }

  /**
   * Reports whether `written` may be the symbol.
   * @param here the current package as read; null if the text does not tell
   */
  denotes(written: string, here: string | null): boolean {
    const token = lispToken(written);
    if (token?.kind !== 'symbol' || token.name !== this.#name) return false;
    this.#homes ??= this.#homesOfName();
    const packages = this.#packages;
    const current = packages.find(here ?? USER, null);
    if (token.package === null && (here === null || !packages.isKnown(current))) return true;
    const where = token.package === null ? current : packages.find(token.package, current);
    if (this.#homes.has(packages.home(where, this.#name))) return true;
    return token.package === null && packages.unknownUses(where).some((used) => this.#homes?.has(used));
  }

  /** A package name that no file defines may be a local nickname, in one package or several. */
  #homesOfName(): ReadonlySet<string> {
    for (const file of this.#files) file.change(this.#packages);
    const packages = this.#packages;
    const everywhere = packages.find(this.#package, null);
    const called = packages.isKnown(everywhere)
      ? [everywhere]
      : [everywhere, ...packages.all.map((from) => packages.find(this.#package, from))];
    return new Set(called.map((each) => packages.home(each, this.#name)));
  }
}
