/** Client keys of the harbor itself, and the rules for names that clients and users choose. */
import { HarborError } from './errors';

// Keys of clients that connect without a token, or with one that the user did not issue. Reserved: no other
// program may use them.

/** The user at the window. */
export const PERSON_KEY = 'you';
/** The harbor's own commands, over the local socket. */
export const COMMAND_LINE_KEY = 'command-line';
/** A stdio client that gives no name. */
export const STDIO_KEY = 'stdio';
/** The token that `serve` creates at each start. */
export const SERVE_KEY = 'serve';
/** The owner of the session that a Swank port opens. */
export const SWANK_KEY = 'swank';
/** The owner of the session that a Slynk port opens. */
export const SLYNK_KEY = 'slynk';
/** The owner of the session that an nREPL port opens. */
export const NREPL_KEY = 'nrepl';
/** An ACL2 Bridge client, because the protocol has no client names. */
export const BRIDGE_KEY = 'bridge';
/** A client of the Lisply port, because the protocol has no client names. */
export const LISPLY_KEY = 'lisply';
/** The client of the diagnostics view, for trying tools by hand. */
export const DIAGNOSTICS_KEY = 'diagnostics';
/** Key prefix of TCP connections, each of which is a client of its own. */
export const TCP_KEYS = 'tcp-';
/** A telnet connection. */
export const TELNET_KEY = 'telnet';

/** Editors of a person, as clients. An editor port knows no others. */
const EDITORS = [
  'SLIME',
  'SLY',
  'CIDER',
  'Calva',
  'Conjure',
  'Cursive',
  'vim-fireplace',
  'nREPL editor',
] as const;
export type EditorKey = (typeof EDITORS)[number];

export const SLIME_KEY: EditorKey = 'SLIME';
export const SLY_KEY: EditorKey = 'SLY';
/** The key of an nREPL client that gives no known name. */
export const NREPL_EDITOR: EditorKey = 'nREPL editor';

/** Returns the editor that gives this name in nREPL’s `clone`. */
export function editorNamed(name: string): EditorKey {
  const known = name.toLowerCase();
  return EDITORS.find((each) => known.startsWith(each.toLowerCase())) ?? NREPL_EDITOR;
}

export function isEditor(key: string): boolean {
  return EDITORS.some((each) => each === key);
}

/** Reports whether the client cannot reconnect under that key. Its sessions end with the harbor. */
export function isSingleConnection(key: string): boolean {
  return key === BRIDGE_KEY || key === TELNET_KEY || key.startsWith(TCP_KEYS);
}

const RESERVED: readonly string[] = [
  PERSON_KEY,
  COMMAND_LINE_KEY,
  STDIO_KEY,
  SERVE_KEY,
  SWANK_KEY,
  SLYNK_KEY,
  NREPL_KEY,
  BRIDGE_KEY,
  LISPLY_KEY,
  TELNET_KEY,
  ...EDITORS.map((key) => key.toLowerCase()),
];

/**
 * Checks a key chosen by a program or a user. Keys that resemble a reserved one are refused as well.
 * @throws HarborError `bad_arguments`
 */
export function refuseReservedKey(key: string): void {
  const wanted = key.trim().toLowerCase();
  if (RESERVED.includes(wanted) || wanted.startsWith(TCP_KEYS))
    throw new HarborError('bad_arguments', `The name ${key} is reserved. Choose another name.`);
  requirePlainName(key);
}

/**
 * Scripts whose letters look alike: a name may use letters of only one of them, because users recognize a
 * name by its look.
 */
const ALPHABETS = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian'];

const OF_ALPHABET = ALPHABETS.map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));

/** Letters, digits, signs, and single blanks between them; at most two combining marks on a letter. */
const FORM = /^(?! )(?:[\p{L}\p{N}\p{P}\p{S}]\p{M}{0,2}| (?! ))+(?<! )$/u;

const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

const RULE =
  'letters of one alphabet, digits, signs and single blanks, without invisible or look-alike characters';

/** Reports whether the name cannot be mistaken for another. */
function isPlainName(name: string): boolean {
  const alphabets = OF_ALPHABET.filter((letter) => letter.test(name));
  return FORM.test(name) && !UNSEEN.test(name) && name.normalize('NFKC') === name && alphabets.length <= 1;
}

/**
 * Checks a new name of a session, token or checkpoint. Existing names stay valid. @throws HarborError
 * `bad_arguments`
 */
export function requirePlainName(name: string): void {
  if (isPlainName(name)) return;
  throw new HarborError(
    'bad_arguments',
    `${JSON.stringify(name.slice(0, 80))} is not a valid name. A name has ${RULE}.`,
  );
}
