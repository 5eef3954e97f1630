/** The two readers' syntaxes that source text of our engines is written in. */
import type { EngineName } from '../contract/model';

export type Dialect = 'common-lisp' | 'clojure';

const CLOJURE: ReadonlySet<EngineName> = new Set(['clojure', 'nrepl', 'nbb']);

/** The syntax an engine reads unless its source says otherwise. */
export function dialectOf(engine: EngineName): Dialect {
  return CLOJURE.has(engine) ? 'clojure' : 'common-lisp';
}
