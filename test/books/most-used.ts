/** The books that are used most, as `:dir :system` names them. Debian has no certificate of cgen, whose package only its portcullis knows. */
export const MOST_USED: readonly string[] = [
  ...['arithmetic/top', 'arithmetic-5/top', 'std/lists/top', 'std/util/top', 'centaur/fty/top'],
  ...['projects/apply/top', 'centaur/bitops/top', 'centaur/gl/gl', 'rtl/rel11/lib/top', 'std/util/defrule'],
  ...['acl2s/cgen/top', 'projects/x86isa/utils/utilities'],
];
