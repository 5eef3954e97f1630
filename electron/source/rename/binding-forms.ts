/** Forms of Clojure that make locals, by their operators without a namespace. */

/** With a vector of names and values. */
export const LETS =
  /^(?:let\*?|loop\*?|if-let|when-let|if-some|when-some|with-open|with-local-vars|dotimes|when-first|go-loop)$/;
/** The same, with `:let` and its like between. */
export const SEQUENCES = /^(?:for|doseq)$/;
/** With parameters, perhaps behind a name. */
export const FUNCTIONS = /^(?:fn\*?|bound-fn)$/;
export const DEFINED_FUNCTIONS = /^(?:>?defn-?|defmacro|defmethod|definline|defnk?|deftest-?)$/;
/** With fields, which their methods see. */
export const TYPES = /^(?:defrecord|deftype)$/;
