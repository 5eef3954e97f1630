/** Lisp code with syntax highlighting, as a block or as one line, and diffs. */

import { StreamLanguage } from '@codemirror/language';
import { clojure } from '@codemirror/legacy-modes/mode/clojure';
import { commonLisp } from '@codemirror/legacy-modes/mode/commonlisp';
import { highlightCode, tagHighlighter, tags } from '@lezer/highlight';
import { type CSSProperties, memo, type ReactNode, type Ref, useMemo } from 'react';
import type { EngineName } from '../../electron/contract/model';
import styles from './code.module.css';
import { firstLine } from './format';
import { ScrollArea } from './scroll-area';
import { keyed } from './view';

interface LispProps {
  code: string;
  engine: EngineName;
}

/** Renders a whole text with its line breaks, and a hanging indent in each line. */
export const LispBlock = memo(function LispBlock({ code, engine }: LispProps) {
  const lines = useMemo(() => linesOf(highlight(code, engine)), [code, engine]);
  return (
    <pre className={styles.block}>
      <code>
        {keyed(lines).map(({ key, item }) => (
          <span
            key={key}
            className={styles.hanging}
            style={{ '--hang': hangOf(item[0]?.text ?? '') } as CSSProperties}
          >
            {styled(item)}
          </span>
        ))}
      </code>
    </pre>
  );
});

/** Splits pieces after each line break. */
export function linesOf(pieces: readonly CodePiece[]): CodePiece[][] {
  const lines: CodePiece[][] = [[]];
  for (const { text, style } of pieces) {
    for (const part of text.split(/(?<=\n)/)) {
      lines.at(-1)?.push({ text: part, style });
      if (part.endsWith('\n')) lines.push([]);
    }
  }
  return lines.filter((line) => line.length > 0);
}

/** The deepest hanging indent in columns: deeper lines have no space. */
const MOST_HANG = 24;

/** Returns the hanging indent of a line, a CSS length: a wrapped line continues two columns right of its start. */
export function hangOf(line: string): string {
  return `${Math.min(line.search(/[^ ]|$/) + 2, MOST_HANG)}ch`;
}

/** Renders the first line, cut by CSS. @param query text whose matches are marked */
export const LispLine = memo(function LispLine({ code, engine, query = '' }: LispProps & { query?: string }) {
  return (
    <code className={styles.line}>
      <Pieces code={firstLine(code).slice(0, 400)} engine={engine} query={query} />
    </code>
  );
});

interface MarkedLispProps {
  before: string;
  /** The marked part, or null. */
  marked: string | null;
  after: string;
  engine: EngineName;
  markRef?: Ref<HTMLElement>;
}

/** Renders a whole text with one marked part. */
export function MarkedLisp({ before, marked, after, engine, markRef }: MarkedLispProps) {
  const code = `${before}${marked ?? ''}${after}`;
  const pieces = useMemo(() => highlight(code, engine), [code, engine]);
  const [start, end] = [before.length, before.length + (marked ?? '').length];
  return (
    // A scroll area must be focusable for keyboard users.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area
    <pre className={styles.marked} tabIndex={0}>
      <code>
        {styled(cutPieces(pieces, 0, start))}
        {marked !== null && <mark ref={markRef}>{styled(cutPieces(pieces, start, end))}</mark>}
        {styled(cutPieces(pieces, end, code.length))}
      </code>
    </pre>
  );
}

/** Renders a line of plain text with its matches marked. */
export function MarkedLine({ text, query }: { text: string; query: string }) {
  return <span className={styles.plainLine}>{styled([{ text, style: 'plain' }], query)}</span>;
}

function Pieces({ code, engine, query = '' }: LispProps & { query?: string }) {
  const pieces = useMemo(() => highlight(code, engine), [code, engine]);
  return styled(pieces, query);
}

function styled(pieces: readonly CodePiece[], query = ''): ReactNode {
  let offset = 0;
  return markHits(pieces, query).map(({ text, hit, piece: { style } }) => {
    const key = offset;
    offset += text.length;
    const className = style === 'plain' ? undefined : styles[style];
    if (hit)
      return (
        <mark key={key} className={className}>
          {text}
        </mark>
      );
    return className === undefined ? (
      text
    ) : (
      <span key={key} className={className}>
        {text}
      </span>
    );
  });
}

/** Class names of highlighted tokens. */
type CodeStyle = 'keyword' | 'string' | 'number' | 'symbol' | 'comment' | 'bracket' | 'plain';

interface CodePiece {
  text: string;
  style: CodeStyle;
}

/** Maximum number of characters to highlight. Parsing longer code would block the page. */
const LIMIT = 40_000;

const commonLispLanguage = StreamLanguage.define(commonLisp);
const clojureLanguage = StreamLanguage.define(clojure);
const CLOJURE_ENGINES: ReadonlySet<EngineName> = new Set<EngineName>(['clojure', 'nrepl', 'nbb']);

const highlighter = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.string, class: 'string' },
  { tag: tags.special(tags.string), class: 'string' },
  { tag: [tags.number, tags.literal], class: 'number' },
  { tag: [tags.atom, tags.bool, tags.null], class: 'symbol' },
  { tag: tags.comment, class: 'comment' },
  { tag: [tags.bracket, tags.punctuation, tags.paren], class: 'bracket' },
]);

/** Splits `code` into highlighted pieces. The concatenation of their texts is `code`. */
export function highlight(code: string, engine: EngineName): readonly CodePiece[] {
  if (code.length > LIMIT) return [{ text: code, style: 'plain' }];
  const language = CLOJURE_ENGINES.has(engine) ? clojureLanguage : commonLispLanguage;
  const pieces: CodePiece[] = [];
  const put = (text: string, classes: string) => add(pieces, text, (classes || 'plain') as CodeStyle);
  highlightCode(code, language.parser.parse(code), highlighter, put, () => put('\n', ''));
  return pieces;
}

/** Returns the pieces of the text from `start` to `end`. */
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

/** A part of a piece that is entirely inside or outside a match. */
interface Hit<P> {
  piece: P;
  text: string;
  hit: boolean;
}

/** Splits pieces at the bounds of matches of `query`, ignoring case. A match can span several pieces. */
export function markHits<P extends { text: string }>(pieces: readonly P[], query: string): Hit<P>[] {
  const text = pieces.map((piece) => piece.text).join('');
  const edges = hitsIn(text, query);
  let offset = 0;
  return pieces.flatMap((piece) => {
    const parts = cutAt(piece.text, offset, edges);
    offset += piece.text.length;
    return parts.map((part) => ({ ...part, piece }));
  });
}

/** Returns start and end of each match, in order. */
function hitsIn(text: string, query: string): number[] {
  const [where, what] = [text.toLowerCase(), query.toLowerCase()];
  const edges: number[] = [];
  if (what === '' || where.length !== text.length) return edges;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length))
    edges.push(at, at + what.length);
  return edges;
}

function cutAt(text: string, offset: number, edges: readonly number[]): { text: string; hit: boolean }[] {
  const within = edges.map((edge) => edge - offset).filter((edge) => edge > 0 && edge < text.length);
  const cuts = [0, ...within, text.length];
  return cuts.slice(1).flatMap((end, index) => {
    const start = cuts[index] ?? 0;
    const before = edges.filter((edge) => edge <= offset + start).length;
    return start === end ? [] : [{ text: text.slice(start, end), hit: before % 2 === 1 }];
  });
}

/** Renders a unified diff in a scrolling area. */
export function Diff({ diff, label }: { diff: string; label: string }) {
  return (
    <ScrollArea label={label} className={styles.diff}>
      <DiffLines diff={diff} />
    </ScrollArea>
  );
}

/** Renders a unified diff. Background colors repeat what the first character of a line says. */
export function DiffLines({ diff }: { diff: string }) {
  const lines = useMemo(() => diffLines(diff), [diff]);
  return (
    <pre>
      {keyed(lines).map(({ key, item: { text, kind } }) => (
        <span key={key} className={styles.diffLine} data-kind={kind}>
          {text || ' '}
        </span>
      ))}
    </pre>
  );
}

type DiffKind = 'added' | 'removed' | 'hunk' | 'same';

/**
 * Splits a unified diff into lines. Omits the two lines that name the file, and the hunk header at the start
 * of the file.
 */
export function diffLines(diff: string): readonly { text: string; kind: DiffKind }[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  const isFirst = /^@@ -[01][ ,]/.test(lines[start] ?? '');
  return lines.slice(Math.max(0, isFirst ? start + 1 : start)).map((text) => ({ text, kind: kindOf(text) }));
}

function kindOf(line: string): DiffKind {
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}
