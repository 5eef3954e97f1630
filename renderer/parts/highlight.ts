/** Splits Lisp code into pieces with the names of their styles, by CodeMirror's parsers. Pure. */
import { StreamLanguage } from '@codemirror/language';
import { clojure } from '@codemirror/legacy-modes/mode/clojure';
import { commonLisp } from '@codemirror/legacy-modes/mode/commonlisp';
import { highlightCode, tagHighlighter, tags } from '@lezer/highlight';
import type { EngineName } from '../../electron/contract/model';

export type CodeStyle = 'keyword' | 'string' | 'number' | 'comment' | 'bracket' | 'plain';

export interface CodePiece {
  text: string;
  style: CodeStyle;
}

/** Longer code is shown plain: parsing it would hold the page up, and nobody reads colours in it. */
const LIMIT = 40_000;

const commonLispLanguage = StreamLanguage.define(commonLisp);
const clojureLanguage = StreamLanguage.define(clojure);
const CLOJURE_ENGINES: ReadonlySet<EngineName> = new Set<EngineName>(['clojure', 'nrepl', 'nbb']);

const highlighter = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.string, class: 'string' },
  { tag: tags.special(tags.string), class: 'string' },
  { tag: [tags.number, tags.atom, tags.bool, tags.null, tags.literal], class: 'number' },
  { tag: tags.comment, class: 'comment' },
  { tag: [tags.bracket, tags.punctuation, tags.paren], class: 'bracket' },
]);

/** The pieces of `code` in order; joined, their texts are `code` again. */
export function highlight(code: string, engine: EngineName): readonly CodePiece[] {
  if (code.length > LIMIT) return [{ text: code, style: 'plain' }];
  const language = CLOJURE_ENGINES.has(engine) ? clojureLanguage : commonLispLanguage;
  const pieces: CodePiece[] = [];
  const put = (text: string, classes: string) => add(pieces, text, (classes || 'plain') as CodeStyle);
  highlightCode(code, language.parser.parse(code), highlighter, put, () => put('\n', ''));
  return pieces;
}

/** The pieces of the text from `start` to `end` alone. */
export function cutPieces(pieces: readonly CodePiece[], start: number, end: number): CodePiece[] {
  let offset = 0;
  return pieces.flatMap(({ text, style }) => {
    const from = Math.max(start - offset, 0);
    const cut = text.slice(from, Math.max(end - offset, from));
    offset += text.length;
    return cut === '' ? [] : [{ text: cut, style }];
  });
}

function add(pieces: CodePiece[], text: string, style: CodeStyle): void {
  const last = pieces.at(-1);
  if (last?.style === style) last.text += text;
  else pieces.push({ text, style });
}
