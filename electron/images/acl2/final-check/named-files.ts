/** What a source of ACL2 names of other sources: the books that it includes and the files that it loads. Pure. */
import path from 'node:path';
import { read } from '../../../source/reader';
import { type Branch, formsOf, isBranch, walk } from '../../../source/syntax-tree';

export interface NamedFile {
  /** The path of the file, relative to what the source is relative to. */
  file: string;
  role: 'book' | 'loaded';
}

/** Folders that books are named by, from keywords in capitals. */
export type BookFolders = Map<string, string>;

/** In the order of the text. Whatever stands in a list that reads like an INCLUDE-BOOK is taken for one; what only a macro
 * makes is not seen.
 * @param file where the text is from @param folders those that are known, to which its own are added */
export function namedFiles(text: string, file: string, folders: BookFolders): NamedFile[] {
  const { tree } = read(text, 'common-lisp');
  const found: NamedFile[] = [];
  for (const { node } of walk(tree)) {
    if (!isBranch(node) || node.kind !== 'list') continue;
    const [operator = '', ...words] = wordsOf(node, text);
    const named = namedBy(operator, words, path.dirname(file), folders);
    if (named) found.push(named);
  }
  return found;
}

function namedBy(
  operator: string,
  words: readonly string[],
  folder: string,
  folders: BookFolders,
): NamedFile | null {
  switch (symbolName(operator)) {
    case 'INCLUDE-BOOK':
      return bookNamed(words, folder, folders);
    case 'LD': {
      const file = stringIn(words[0]);
      return file === null ? null : { file: path.join(folder, file), role: 'loaded' };
    }
    case 'ADD-INCLUDE-BOOK-DIR':
    case 'ADD-INCLUDE-BOOK-DIR!': {
      const added = stringIn(words[1]);
      if (added !== null) folders.set(symbolName(words[0] ?? ''), path.join(folder, added));
      return null;
    }
    default:
      return null;
  }
}

function bookNamed(words: readonly string[], folder: string, folders: BookFolders): NamedFile | null {
  const book = stringIn(words[0]);
  if (book === null) return null;
  const dir = words.findIndex((word) => symbolName(word) === 'DIR');
  const from = dir < 0 ? folder : folders.get(symbolName(words[dir + 1] ?? ''));
  return from === undefined ? null : { file: `${path.join(from, book)}.lisp`, role: 'book' };
}

/** Its elements that have no parts, as written. */
function wordsOf(list: Branch, text: string): string[] {
  return formsOf(list).map((form) => (isBranch(form) ? '' : text.slice(form.start, form.end)));
}

/** Without its package. */
function symbolName(word: string): string {
  return word.slice(word.lastIndexOf(':') + 1).toUpperCase();
}

function stringIn(word: string | undefined): string | null {
  return word?.startsWith('"') && word.endsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : null;
}
