/** Brackets and quotes that the editor closes by itself, and where it does not: there what it added could not be meant. */
import { closeBrackets } from '@codemirror/autocomplete';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import type { Dialect } from '../../electron/source/dialect';
import type { Lexeme } from '../../electron/source/lexeme';
import { LEXERS } from '../../electron/source/reader';

const CLOSED = ['(', '[', '{', '"'];

/** @param isPlain whether what is typed is no Lisp: a line for code that reads */
export function closing(dialect: Dialect, isPlain: () => boolean): Extension {
  const bracketsAt = (state: EditorState, at: number) =>
    isPlain() || !closesAfter(state.sliceDoc(0, at), dialect) ? [] : CLOSED;
  // The editor asks for other data of the language at nearly every key: the text is read for this one alone.
  const data = (state: EditorState, at: number) => [
    {
      get closeBrackets() {
        return { brackets: bracketsAt(state, at) };
      },
    },
  ];
  // The languages say something else themselves.
  return [Prec.high(EditorState.languageData.of(data)), closeBrackets()];
}

/** Whether a bracket that is typed after the text is one: in `#\(`, `\(`, `|a (|` and `#| ( |#` it is not. */
export function closesAfter(text: string, dialect: Dialect): boolean {
  if (isEscaped(text)) return false;
  const last = lastLexeme(text, dialect);
  return last === null || !('whole' in last) || last.whole || last.kind === 'string';
}

/** Whether what follows is escaped. Of two backslashes the first escapes the other. */
function isEscaped(text: string): boolean {
  const [backslashes = ''] = /\\*$/.exec(text) ?? [];
  return backslashes.length % 2 === 1;
}

function lastLexeme(text: string, dialect: Dialect): Lexeme | null {
  let last: Lexeme | null = null;
  for (let at = 0; at < text.length; at = last.end) last = LEXERS[dialect](text, at);
  return last;
}
