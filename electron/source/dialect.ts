/** The two syntaxes of source text. */
import type { EngineName } from '../contract/model';

export type Dialect = 'common-lisp' | 'clojure';

const CLOJURE: ReadonlySet<EngineName> = new Set(['clojure', 'nrepl', 'nbb']);

/** Returns the syntax that an engine reads by default. */
export function dialectOf(engine: EngineName): Dialect {
  return CLOJURE.has(engine) ? 'clojure' : 'common-lisp';
}

/** Returns the file extension of an engine's source, without the dot. */
export function extensionOf(engine: EngineName): 'lisp' | 'clj' | 'cljs' {
  if (engine === 'nbb') return 'cljs';
  return dialectOf(engine) === 'clojure' ? 'clj' : 'lisp';
}

const COMMON_LISP_FILE = /\.(lisp|lsp|cl|asd|acl2)$/i;
const CLOJURE_FILE = /\.(clj[csd]?|bb|edn)$/i;

/** Returns the syntax of a file by its extension; null if it is no Lisp source. */
export function dialectOfFile(file: string): Dialect | null {
  if (COMMON_LISP_FILE.test(file)) return 'common-lisp';
  return CLOJURE_FILE.test(file) ? 'clojure' : null;
}
