/**
 * Soundness bugs of ACL2 that a later release fixed, from its release notes: `fixedIn` 8.6 is in the topic NOTE-8-6 of
 * ACL2's documentation. 8.8 was not released in November 2026; its notes are in the repository of ACL2. Pure.
 */

interface KnownBug {
  fixedIn: string;
  /** The first release that has it, if it was not always there. */
  since?: string;
  /** Only on this host; with `!`, on all others. */
  host?: string;
  about: string;
  /** Symbols, in lower case; a source without any of them does not use the feature, unless a macro does. */
  names: readonly string[];
}

const KNOWN_BUGS: readonly KnownBug[] = [
  bug('8.1', ':termination-theorem with automatic functional instantiation', ':termination-theorem'),
  bug('8.1', 'inequalities with 0 in the tau system', ':tau-system', 'tau-status'),
  bug('8.2', 'attachments, with axioms or meta rules', 'defattach'),
  bug('8.3', 'META-EXTRACT of functions in program mode', 'meta-extract-formula', 'meta-extract-global-fact'),
  bug('8.4', 'LOOP$ with :guard as its body, and warrants', 'loop$', 'apply$'),
  bug('8.4', 'guard theorems of DEFABSSTOBJ', 'defabsstobj'),
  bug('8.4', 'printing to strings', 'fms-to-string', 'fmt-to-string', 'fmt1-to-string'),
  bug('8.4', 'RECORD-EXPANSION in sources', 'record-expansion'),
  bug('8.5', 'fields of a stobj with SATISFIES', 'satisfies'),
  bug('8.5', 'LOCAL commands in a portcullis', 'local'),
  bug(
    '8.6',
    'meta and clause-processor rules of an ENCAPSULATE with signatures',
    ':meta',
    ':clause-processor',
  ),
  bug('8.6', 'guards of OPEN-INPUT-CHANNEL', 'open-input-channel', 'open-output-channel'),
  bug('8.6', 'fields of a stobj whose type is a stobj', 'defstobj', 'defabsstobj'),
  bug('8.6', 'two calls of READ-FILE-INTO-STRING', 'read-file-into-string'),
  bug('8.7', 'forced hypotheses in the proof-builder', ':instructions'),
  bug('8.7', 'SWAP-STOBJS', 'swap-stobjs'),
  bug('8.7', 'attachments to functions that stobjs use', 'defattach'),
  bug('8.8', 'elim rules with hypotheses', ':elim'),
  bug('8.8', 'refinement rules in an ENCAPSULATE', ':refinement', 'defrefinement'),
  bug('8.8', 'compound-recognizer rules', ':compound-recognizer'),
  bug('8.8', 'capture of variables in functional instantiation', ':functional-instance'),
  bug('8.8', 'MAKE-EVENT expansions that are no ACL2 objects', 'make-event'),
  bug('8.8', 'redundant DEFUNs with another measure function', 'set-measure-function'),
  bug(
    '8.8',
    'redundant DEFUNs with another well-founded relation',
    'set-well-founded-relation',
    ':well-founded-relation',
  ),
  bug('8.8', 'redundant non-executable definitions', 'defun-nx', 'defund-nx', ':non-executable'),
  bug('8.8', ':BDD hints', ':bdd'),
  bug('8.8', 'BOOLE$ with *BOOLE-SET*', 'boole$'),
  bug('8.8', 'COMPRESS1 and COMPRESS2', 'compress1', 'compress2'),
  bug('8.8', 'type declarations with (OR T …), and in LAMBDA', 'type'),
  bug('8.8', 'MEMOIZE with :invoke', ':invoke'),
  bug('8.8', 'nonlinear arithmetic', ':nonlinearp', 'set-non-linearp', 'set-non-linear'),
  bug('8.8', 'keys of stobj tables', 'stobj-table'),
  bug('8.8', 'printing to strings', 'channel-to-string', 'fms-to-string', 'fmt-to-string', 'fmt1-to-string'),
  { ...bug('8.8', 'floating-point numbers', 'df-string', 'df-round', 'to-df', 'double-float'), since: '8.6' },
  { ...bug('8.8', 'characters beyond 255', 'char-upcase', 'string-upcase'), host: '!GCL' },
  { ...bug('8.8', 'LENGTH and INTEGER-LENGTH on SBCL', 'length', 'integer-length'), host: 'SBCL' },
];

function bug(fixedIn: string, about: string, ...names: string[]): KnownBug {
  return { fixedIn, about, names };
}

/**
 * Returns the note about known soundness bugs of the ACL2 that made a final check; none if there is none.
 * @param acl2 as `ACL2 Version 8.5`
 * @param lisp the host Lisp
 * @param texts the checked sources
 */
export function knownBugNotes(acl2: string, lisp: string, texts: Iterable<string>): string[] {
  const version = /(?<!\d)\d+(?:\.\d+)+/.exec(acl2)?.[0];
  if (version === undefined) return [];
  const bugs = KNOWN_BUGS.filter((each) => concerns(each, version, lisp));
  if (bugs.length === 0) return [];
  const symbols = symbolsIn(texts);
  const used = bugs.filter(({ names }) => names.some((name) => symbols.has(name)));
  const notes = [...new Set(bugs.map(({ fixedIn }) => `note-${fixedIn.replaceAll('.', '-')}`))];
  const about =
    used.length === 0
      ? 'These sources name none of their features.'
      : `These sources name features of ${used.length}: ${used.map((each) => `${each.about} (fixed in ${each.fixedIn})`).join('; ')}.`;
  return [
    `ACL2 ${version} has ${bugs.length} known soundness bugs that later releases fixed (${notes.join(', ')}). ${about}`,
  ];
}

function concerns({ fixedIn, since, host }: KnownBug, version: string, lisp: string): boolean {
  const isThere = isBefore(version, fixedIn) && (since === undefined || !isBefore(version, since));
  if (!isThere || host === undefined) return isThere;
  return host.startsWith('!') ? !lisp.includes(host.slice(1)) : lisp.includes(host);
}

function isBefore(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}

const SYMBOL = /:?[^\s()'"`,;|:]+/g;
const PACKAGE = /(?<![^\s()'"`,;|:])[^\s()'"`,;|:]+::/g;

/** The symbols of the sources in lower case, without their packages. Comments and strings count too. */
function symbolsIn(texts: Iterable<string>): Set<string> {
  const symbols = new Set<string>();
  for (const text of texts)
    for (const [symbol] of text.replaceAll(PACKAGE, '').matchAll(SYMBOL)) symbols.add(symbol.toLowerCase());
  return symbols;
}
