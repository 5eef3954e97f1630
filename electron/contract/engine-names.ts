/** Kinds of Lisp that the harbor can run (`sbcl`, `ecl`, `abcl`, `ccl`, `acl2`, `clojure`, `nbb`) or attach to (the others). */
export const ENGINE_NAMES = [
  'sbcl',
  'ecl',
  'abcl',
  'ccl',
  'acl2',
  'clojure',
  'nrepl',
  'swank',
  'lisply',
  'nbb',
] as const;
