/** Answers from the text alone: symbols, folds, tokens, selections, lenses and the edits of the formatter. */
import {
  type CodeLens,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  type SelectionRange,
  type SemanticTokens,
  SemanticTokensBuilder,
  SymbolKind,
  type TextEdit,
} from 'vscode-languageserver/node';
import { standardShape } from '../../source/format/common-lisp-operators';
import { formatSource } from '../../source/format/format';
import { formTitle } from '../../source/locate';
import { type Branch, isBranch, type SyntaxNode, walk } from '../../source/syntax-tree';
import { isDefiner, isList, operatorOf, type TopLevelForm } from '../../source/top-level-forms';
import type { Definition, LispText } from '../lisp-text';

const KINDS: readonly (readonly [RegExp, SymbolKind])[] = [
  [/^(?:defpackage|define-package|defpkg|ns)$/i, SymbolKind.Package],
  [/^def(?:class|type|record|protocol|interface)/i, SymbolKind.Class],
  [/^defstruct/i, SymbolKind.Struct],
  [/^def(?:var|parameter|global|once|stobj)/i, SymbolKind.Variable],
  [/^def(?:constant|const)/i, SymbolKind.Constant],
  [/^(?:defmethod|extend-)/i, SymbolKind.Method],
  [/^def(?:thm|thmd|rule|axiom|evaluator|cong|equiv)/i, SymbolKind.Event],
  [/^defsystem/i, SymbolKind.Module],
  [/^(?:def(?:un|macro|generic|n|mulmethod|multi)|define-|test$)/i, SymbolKind.Function],
];

export function symbolKind(type: string): SymbolKind {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? SymbolKind.Object;
}

/** Returns a definition's name as an outline shows it: `area :around (circle t)`. */
export function symbolName({ form }: Pick<Definition, 'form'>, text: LispText): string {
  const title = formTitle(form, text.dialect);
  return title.slice(form.type.length).trim() || title;
}

export function documentSymbols(text: LispText): DocumentSymbol[] {
  const roots: DocumentSymbol[] = [];
  const open: { end: number; children: DocumentSymbol[] }[] = [];
  for (const { form, node } of text.definitions) {
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= form.whole.start) open.pop();
    const children: DocumentSymbol[] = [];
    (open.at(-1)?.children ?? roots).push({
      name: symbolName({ form }, text),
      detail: form.type,
      kind: symbolKind(form.type),
      range: text.range(form.whole),
      selectionRange: text.range(node),
      children,
    });
    open.push({ end: form.whole.end, children });
  }
  return roots;
}

const MOST_FOLDS = 5_000;

export function foldingRanges(text: LispText): FoldingRange[] {
  const folds: FoldingRange[] = [];
  const add = (start: number, end: number, kind?: FoldingRangeKind) => {
    const [startLine, endLine] = [lineAt(text, start), lineAt(text, Math.max(end - 1, start))];
    if (endLine > startLine && folds.length < MOST_FOLDS)
      folds.push({ startLine, endLine, ...(kind === undefined ? {} : { kind }) });
  };
  const comments: SyntaxNode[] = [];
  const addComments = () => {
    const run = comments.splice(0);
    add(run[0]?.start ?? 0, run.at(-1)?.end ?? 0, FoldingRangeKind.Comment);
  };
  for (const { node } of walk(text.source.tree)) {
    if (node.kind === 'comment') comments.push(node);
    else if (node.kind !== 'blank') {
      addComments();
      if (isList(node) || node.kind === 'string') add(node.start, node.end);
    }
  }
  addComments();
  return folds;
}

function lineAt(text: LispText, offset: number): number {
  return text.document.positionAt(offset).line;
}

/** Returns the selections around an offset, the innermost with its parents. */
export function selectionRange(text: LispText, offset: number): SelectionRange {
  const nodes: SyntaxNode[] = [text.source.tree, ...text.nodesAt(offset)];
  let selection: SelectionRange | undefined;
  for (const node of nodes) {
    if (node.kind === 'blank') continue;
    selection = { range: text.range(node), ...(selection ? { parent: selection } : {}) };
  }
  return selection ?? { range: text.range(text.source.tree) };
}

export const TOKEN_TYPES = [
  'comment',
  'string',
  'number',
  'keyword',
  'function',
  'type',
  'variable',
  'property',
  'namespace',
] as const;
type TokenType = (typeof TOKEN_TYPES)[number];
export const TOKEN_MODIFIERS = ['declaration'] as const;

const NUMBER = /^[-+]?(?:\d[\d_]*(?:\.\d*)?(?:[esfdlM][-+]?\d+)?|\.\d+|\d+\/\d+)[NM]?$/i;

export function semanticTokens(text: LispText): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  const declared = new Map(text.definitions.map(({ form, node }) => [node.start, form.type]));
  for (const { node, parents } of walk(text.source.tree)) {
    if (isBranch(node)) continue;
    const type = tokenType(node, parents, declared, text);
    if (type === null) continue;
    for (const { line, character, length } of linesOf(node, text))
      builder.push(line, character, length, TOKEN_TYPES.indexOf(type), declared.has(node.start) ? 1 : 0);
  }
  return builder.build();
}

function tokenType(
  node: SyntaxNode,
  parents: readonly Branch[],
  declared: ReadonlyMap<number, string>,
  { text, source, dialect }: LispText,
): TokenType | null {
  if (node.kind === 'comment' || parents.some(({ kind }) => kind === 'discarded')) return 'comment';
  if (node.kind === 'string' || node.kind === 'character') return 'string';
  if (node.kind !== 'token') return null;
  const definer = declared.get(node.start);
  if (definer !== undefined) return declaredType(definer);
  const written = text.slice(node.start, node.end);
  if (written.startsWith(':')) return 'property';
  if (NUMBER.test(written)) return 'number';
  if (/^(?:[^*:]+:)*\*[^*]+\*$/.test(written)) return 'variable';
  const around = parents.at(-1);
  if (!around || !isList(around) || text[around.start] !== '(' || around.inner !== node.start) return null;
  const operator = operatorOf(around, source) ?? '';
  const isSpecial =
    isDefiner(operator) ||
    (dialect === 'clojure'
      ? CLOJURE_SPECIAL.has(operator)
      : standardShape(operator.toLowerCase(), around) !== null);
  return isSpecial ? 'keyword' : null;
}

const CLOJURE_SPECIAL: ReadonlySet<string> = new Set(
  'binding case catch comment cond condp do doseq dotimes doto fn for if if-let if-not if-some let letfn loop new ns quote recur reify set! throw try var when when-first when-let when-not when-some while with-open'.split(
    ' ',
  ),
);

function declaredType(definer: string): TokenType {
  const kind = symbolKind(definer);
  if (kind === SymbolKind.Package) return 'namespace';
  if (kind === SymbolKind.Class || kind === SymbolKind.Struct) return 'type';
  return kind === SymbolKind.Variable || kind === SymbolKind.Constant ? 'variable' : 'function';
}

/** Returns the part of a node on each of its lines: most clients show no token of several lines. */
function linesOf(node: SyntaxNode, { text, document }: LispText) {
  const parts: { line: number; character: number; length: number }[] = [];
  let start = node.start;
  for (const line of text.slice(node.start, node.end).split('\n')) {
    const length = line.replace(/\r$/, '').length;
    if (length > 0) parts.push({ ...document.positionAt(start), length });
    start += line.length + 1;
  }
  return parts;
}

/** Returns the edits that format the text; none if it cannot be formatted. */
export function formattingEdits(text: LispText): TextEdit[] {
  return lineEdits(text, formatSource(text.text, text.dialect));
}

/** Returns the edits that turn a text into another, line by line if both have as many lines. */
export function lineEdits(text: LispText, wanted: string): TextEdit[] {
  if (wanted === text.text) return [];
  const [before, after] = [text.text.split('\n'), wanted.split('\n')];
  if (before.length !== after.length)
    return [{ range: text.range({ start: 0, end: text.text.length }), newText: wanted }];
  let start = 0;
  return before.flatMap((line, index): TextEdit[] => {
    const [from, newText = ''] = [start, after[index]];
    start += line.length + 1;
    return line === newText ? [] : [{ range: text.range({ start: from, end: from + line.length }), newText }];
  });
}

export const COMMANDS = {
  evaluate: 'lisp-harbor.evaluate',
  load: 'lisp-harbor.load',
  interrupt: 'lisp-harbor.interrupt',
} as const;

/** Maximum number of lenses: an editor draws each of them. */
const MOST_LENSES = 500;

export function codeLenses(text: LispText): CodeLens[] {
  const outer = text.outerForms.filter(({ whole }) => isList(whole));
  const [first] = outer;
  if (first === undefined) return [];
  const lens = (form: TopLevelForm, title: string, command: string, ...args: unknown[]): CodeLens => {
    const { start } = text.range(form.whole);
    return { range: { start, end: start }, command: { title, command, arguments: [text.uri, ...args] } };
  };
  const each = outer
    .slice(0, MOST_LENSES)
    .map((form) => lens(form, 'Evaluate', COMMANDS.evaluate, text.range(form.whole).start));
  return [...(text.path === null ? [] : [lens(first, 'Load file', COMMANDS.load)]), ...each];
}
