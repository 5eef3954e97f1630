/** Decodes terminal input into named keys. Pure. */

export type KeyName =
  | 'enter'
  | 'newline'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'erase-word-left'
  | 'erase-word-right'
  | 'erase-to-start'
  | 'erase-to-end'
  | 'yank'
  | 'previous'
  | 'next'
  | 'clear-screen'
  | 'interrupt';

export type Key =
  | { kind: 'press'; name: KeyName }
  | { kind: 'text'; text: string }
  | { kind: 'paste'; text: string };

/** Control characters, with their meaning in Emacs and readline. */
const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'interrupt',
  '\x04': 'delete',
  '\x05': 'end',
  '\x06': 'right',
  '\x08': 'erase-word-left',
  '\x0a': 'enter',
  '\x0b': 'erase-to-end',
  '\x0c': 'clear-screen',
  '\x0d': 'enter',
  '\x0e': 'next',
  '\x10': 'previous',
  '\x15': 'erase-to-start',
  '\x17': 'erase-word-left',
  '\x19': 'yank',
  '\x7f': 'backspace',
};

/** Final parts of escape sequences (after ESC [ or ESC O), as xterm sends them. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  '1~': 'home',
  '4~': 'end',
  '3~': 'delete',
  '1;3C': 'word-right',
  '1;3D': 'word-left',
  '1;5C': 'word-right',
  '1;5D': 'word-left',
  '3;5~': 'erase-word-right',
};

/** ESC followed by a character: Alt or Meta with that key. */
const META: Readonly<Record<string, KeyName>> = {
  b: 'word-left',
  f: 'word-right',
  d: 'erase-word-right',
  '\x7f': 'erase-word-left',
  '\r': 'newline',
};

const ESC = '\x1b';
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/**
 * A cursor or editing key, an answer to a query, Alt with a character, a control character, or plain text.
 */
const TOKEN = new RegExp(
  [
    `${ESC}[\\[O]([0-?]*[A-Za-z~])`,
    `${ESC}[\\]P^_X][^\\x07${ESC}]*(?:\\x07|${ESC}\\\\)`,
    `${ESC}(\\P{Cs})`,
    '(\\p{Cc})',
    '(\\P{Cc}+)',
  ].join('|'),
  'gu',
);

/** Reports whether a Control key edits the line, which takes precedence over shortcuts of the window. */
export function isLineKey({
  key,
  ctrlKey,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey'>): boolean {
  if (!ctrlKey || shiftKey || !/^[a-z]$/i.test(key)) return false;
  return String.fromCharCode(key.toLowerCase().charCodeAt(0) - 96) in CONTROLS;
}

/** Splits terminal input into keys. Other sequences, such as answers to queries, are ignored. */
export function decodeKeys(data: string): Key[] {
  const start = data.indexOf(PASTE_START);
  if (start < 0) return decodeTyped(data);
  const from = start + PASTE_START.length;
  const end = data.indexOf(PASTE_END, from);
  const to = end < 0 ? data.length : end;
  const rest = end < 0 ? '' : data.slice(end + PASTE_END.length);
  const paste: Key = { kind: 'paste', text: pasted(data.slice(from, to)) };
  return [...decodeTyped(data.slice(0, start)), paste, ...decodeKeys(rest)];
}

/**
 * Returns pasted text with plain line ends and without control characters, which could affect the terminal.
 */
function pasted(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}/gu, '');
}

function decodeTyped(data: string): Key[] {
  const keys: Key[] = [];
  for (const [, sequence, meta, control, text] of data.matchAll(TOKEN)) {
    if (text !== undefined) keys.push({ kind: 'text', text });
    const name = SEQUENCES[sequence ?? ''] ?? META[meta ?? ''] ?? CONTROLS[control ?? ''];
    if (name) keys.push({ kind: 'press', name });
  }
  return keys;
}
