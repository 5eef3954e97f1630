/** Which frames of a backtrace are an engine's own insides, or its loader's, as the printed calls tell. */

/** What loads the caller's code, or is the form itself in Clojure: it says nothing of where something went wrong. */
const LOADER =
  /^\S+\/eval\d+ \(|^\(+(?:(?:FLET|LABELS|LAMBDA|METHOD) .*\bIN )?"?(?:ASDF(?:\/[A-Z-]+)?|UIOP(?:\/[A-Z-]+)?|LISP-HARBOR[A-Z-]*)::?|^\((?:LOAD|COMPILE-FILE|REQUIRE) /;
/** Packages of SBCL, of ASDF and of our agent, in a call or in the function or the file of SBCL's that a local one is in. */
const COMMON_LISP =
  /^\(+(?:(?:FLET|LABELS|LAMBDA|METHOD|MACRO-FUNCTION) .*\bIN )?"?(?:SYS:SRC;|SB-[A-Z0-9]+|ASDF(?:\/[A-Z-]+)?|UIOP(?:\/[A-Z-]+)?|LISP-HARBOR[A-Z-]*|ORG\.ARMEDBEAR[A-Z.]*|SI|EXT)::?/;
const CLOJURE =
  /^(?:clojure\.(?:core|lang|main|test)\b|nrepl\.|java\.|javax\.|jdk\.|sun\.|lisp-harbor|lisp_harbor)/;

/** SCI says where in its own sources a function of ClojureScript's libraries is. */
const NBB = /^lisp-harbor\.|\((?:sci|cljs|clojure|nbb|edamame)\/[^()]*\)$/;

const INNER: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    sbcl: COMMON_LISP,
    acl2: COMMON_LISP,
    ecl: COMMON_LISP,
    abcl: COMMON_LISP,
    ccl: COMMON_LISP,
    swank: COMMON_LISP,
    clojure: CLOJURE,
    nrepl: CLOJURE,
    nbb: NBB,
  }),
);

/** @param call as the engine prints the frame */
export function isInnerFrame(engine: string, call: string): boolean {
  const inner = INNER.get(engine);
  return inner !== undefined && (inner.test(call) || isLoaderFrame(call));
}

/** Whether it is of what loads and tests systems, ours or ASDF. */
export function isLoaderFrame(call: string): boolean {
  return LOADER.test(call);
}
