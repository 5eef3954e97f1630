/** A goal as its hypotheses and its conclusion, each as the prover has laid it out; and those put together again. Pure. */
import { read } from '../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode } from '../../source/syntax-tree';

export interface GoalParts {
  hypotheses: readonly string[];
  conclusion: string;
}

/** What is no implication is a conclusion. */
export function partsOf(text: string): GoalParts {
  const { tree } = read(text, 'common-lisp');
  const [goal, ...more] = formsOf(tree);
  const parts = goal && more.length === 0 ? operands(goal, 'IMPLIES', text) : null;
  const [hypothesis, conclusion] = parts ?? [];
  if (!hypothesis || !conclusion || parts?.length !== 2) return { hypotheses: [], conclusion: text };
  const hypotheses = operands(hypothesis, 'AND', text) ?? [hypothesis];
  return {
    hypotheses: hypotheses.map((each) => laidOut(each, text)),
    conclusion: laidOut(conclusion, text),
  };
}

/** The goal of those parts. */
export function textOf({ hypotheses, conclusion }: GoalParts): string {
  if (hypotheses.length === 0) return conclusion;
  const [first = ''] = hypotheses;
  const hypothesis = hypotheses.length === 1 ? first : `${behind('(AND ', hypotheses.join('\n'))})`;
  return `${behind('(IMPLIES ', `${hypothesis}\n${conclusion}`)})`;
}

/** The same text however it is broken into lines, but where that may be part of a string or a name. */
export function joined(text: string): string {
  return /["|\\]/.test(text) ? text : text.replaceAll(/\s+/g, ' ');
}

function operands(node: SyntaxNode, operator: string, text: string): SyntaxNode[] | null {
  if (!isList(node)) return null;
  const [first, ...rest] = formsOf(node);
  return first && text.slice(first.start, first.end) === operator ? rest : null;
}

function isList(node: SyntaxNode): node is Branch {
  return isBranch(node) && node.kind === 'list' && node.closed;
}

/** Its lines, moved to the left as far as it stood from the margin. */
function laidOut({ start, end }: SyntaxNode, text: string): string {
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  const margin = new RegExp(`\n {0,${column}}`, 'g');
  return text.slice(start, end).replaceAll(margin, '\n');
}

function behind(opening: string, text: string): string {
  return opening + text.replaceAll('\n', `\n${' '.repeat(opening.length)}`);
}
