/** The two readers' syntaxes that source text of our engines is written in. */
import type { EngineName } from '../contract/model';

export type Dialect = 'common-lisp' | 'clojure';

const CLOJURE: ReadonlySet<EngineName> = new Set(['clojure', 'nrepl', 'nbb']);

/** The syntax an engine reads unless its source says otherwise. */
export function dialectOf(engine: EngineName): Dialect {
  return CLOJURE.has(engine) ? 'clojure' : 'common-lisp';
}

/** What a file of an engine's code ends with, without the dot. */
export function extensionOf(engine: EngineName): 'lisp' | 'clj' | 'cljs' {
  if (engine === 'nbb') return 'cljs';
  return dialectOf(engine) === 'clojure' ? 'clj' : 'lisp';
}

const COMMON_LISP_FILE = /\.(lisp|lsp|cl|asd|acl2)$/i;
const CLOJURE_FILE = /\.(clj[csd]?|bb|edn)$/i;

/** The syntax of a file by its name; null for what is no Lisp. */
export function dialectOfFile(file: string): Dialect | null {
  if (COMMON_LISP_FILE.test(file)) return 'common-lisp';
  return CLOJURE_FILE.test(file) ? 'clojure' : null;
}
