/** Which frames of a backtrace are an engine's own insides, or its loader's, as the printed calls tell. */

/** Packages of SBCL, of ASDF and of our agent, in a call or in the function that a local one is in. */
const COMMON_LISP =
  /^\((?:(?:COMPILE-FILE|LOAD) #P"|EVAL-TLF )|^\(\(.* :IN "SYS:|^\(+(?:(?:FLET|LABELS|LAMBDA|METHOD|MACRO-FUNCTION) .*\bIN )?"?(?:SB-[A-Z0-9]+|ASDF(?:\/[A-Z-]+)?|UIOP(?:\/[A-Z-]+)?|LISP-HARBOR[A-Z-]*|ORG\.ARMEDBEAR[A-Z.]*|SI|EXT)::?/;
const CLOJURE =
  /^(?:clojure\.(?:core|lang|main|test)\b|nrepl\.|java\.|javax\.|jdk\.|sun\.|lisp-harbor|lisp_harbor)/;

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
  }),
);

/** What the harbor itself evaluates: calls of its loader, and the form that a JVM is sent. */
const ENTRIES = /^\(LISP-HARBOR:|^\S+\/eval\d+ \(serve\.clj:\d+\)$/;

export function isOwnEntry(call: string): boolean {
  return ENTRIES.test(call);
}

/** @param call as the engine prints the frame */
export function isInnerFrame(engine: string, call: string): boolean {
  return INNER.get(engine)?.test(call) ?? false;
}
