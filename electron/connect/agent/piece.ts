/** What is put into a program's folders for its agent: a file, or an entry of one. Pure: text to text. */
export type PieceState = 'installed' | 'outdated' | 'foreign' | 'absent';

export interface Piece {
  /** `skill`, `hook`, `plugin`. */
  kind: string;
  file: string;
  /** @param text of the file; null where there is none. @throws HarborError `config_unreadable` */
  state(text: string | null): PieceState;
  put(text: string | null): string;
  /** null: nothing is left of the file. */
  take(text: string): string | null;
}

/** In every file that is ours as a whole. */
export const OWN_MARK = 'lisp-harbor agent';

/** A file of ours. */
export function wholeFile(kind: string, file: string, content: string): Piece {
  return {
    kind,
    file,
    state(text) {
      if (text === null) return 'absent';
      if (text === content) return 'installed';
      return text.includes(OWN_MARK) ? 'outdated' : 'foreign';
    },
    put: () => content,
    take: () => null,
  };
}
