/** Code whose value is the expansion of a form of Clojure, on whatever runs it. */

const EXPANSIONS = {
  once: (form: string) => `(macroexpand-1 '${form}\n)`,
  full: (form: string) => `(do (require 'clojure.walk) (clojure.walk/macroexpand-all '${form}\n))`,
} as const;

export function expansionCode(form: string, extent: 'once' | 'full'): string {
  return EXPANSIONS[extent](form);
}
