/** A token of Common Lisp as the symbol that the standard reader makes of it (CLHS 2.3.4, 2.3.5). */

export interface LispToken {
  /** `symbol`: looked up in its package, or in the current one. */
  kind: 'symbol' | 'keyword' | 'uninterned';
  /** As the reader makes it; null where none is written. */
  package: string | null;
  name: string;
  /** Where the name begins in the token. */
  nameAt: number;
}

/** null for what is no symbol by its beginning, such as `#xFF`. Numbers are told like symbols: they have no name that is asked for. */
export function lispToken(written: string): LispToken | null {
  const uninterned = written.startsWith('#:');
  if (written.startsWith('#') && !uninterned) return null;
  const first = uninterned ? 2 : 0;
  const colon = firstColon(written, first);
  if (uninterned || colon < 0) {
    const kind = uninterned ? 'uninterned' : 'symbol';
    return { kind, package: null, name: nameRead(written.slice(first)), nameAt: first };
  }
  const nameAt = written[colon + 1] === ':' ? colon + 2 : colon + 1;
  const name = nameRead(written.slice(nameAt));
  if (colon === first) return { kind: 'keyword', package: 'KEYWORD', name, nameAt };
  return { kind: 'symbol', package: nameRead(written.slice(first, colon)), name, nameAt };
}

/** What the reader makes of part of a token: in capitals, but for what is escaped. */
export function nameRead(written: string): string {
  let [name, isWithinBars] = ['', false];
  for (let at = 0; at < written.length; at += 1) {
    const character = written.charAt(at);
    if (character === '\\') {
      at += 1;
      name += written.charAt(at);
    } else if (character === '|') isWithinBars = !isWithinBars;
    else name += isWithinBars ? character : character.toUpperCase();
  }
  return name;
}

/** -1 where no colon is outside of escapes. */
function firstColon(written: string, from: number): number {
  let isWithinBars = false;
  for (let at = from; at < written.length; at += 1) {
    const character = written[at];
    if (character === '\\') at += 1;
    else if (character === '|') isWithinBars = !isWithinBars;
    else if (character === ':' && !isWithinBars) return at;
  }
  return -1;
}

/** How a name is written: what a person would have written in the place of `written`, with its bars or in its case. */
export function respelled(written: string, newName: string): string {
  if (/^\|.*\|$/s.test(written)) return `|${nameRead(newName).replace(/[|\\]/g, '\\$&')}|`;
  if (/[|\\]/.test(newName)) return newName;
  const small = written.toLowerCase();
  if (written === small) return newName;
  if (written === written.toUpperCase()) return newName.toUpperCase();
  return written === capitalized(small) ? capitalized(newName.toLowerCase()) : newName;
}

function capitalized(text: string): string {
  return text.replace(/[a-z0-9]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
