/**
 * Values of command line options and settings. Without zod, because programs that start often load this file.
 * Engines are Lisps that the harbor runs (`sbcl`, `ecl`, `abcl`, `ccl`, `acl2`, `clojure`, `nbb`) or attaches
 * to (the others).
 */
export const ENGINE_NAMES = [
  'sbcl',
  'ecl',
  'abcl',
  'ccl',
  'acl2',
  'clojure',
  'nrepl',
  'swank',
  'slynk',
  'lisply',
  'nbb',
] as const;

/** Theme of the window. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Language of the window. `system`: the system's language if it is supported, else English. */
export const LANGUAGE_CHOICES = ['system', 'en', 'ja'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

/** Name of an ACL2 trust tag, with or without its colon. */
export const TRUST_TAG = /^:?[^\s()'`,;"|#:]{1,199}$/;
