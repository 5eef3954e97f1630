/** Key checkpoints as text: the goals at which a proof got stuck, the most informative first, each once. */

import type { KeyCheckpoint, KeyCheckpoints } from '../../contract/proof';
import { beginning, cut } from '../../history/long-text';
import { read } from '../../source/reader';
import { type Branch, formsOf, isBranch, type SyntaxNode } from '../../source/syntax-tree';
import { inOneLine, quoted } from './quoted';

/** Maximum characters of one formula, and of all checkpoints in one result. */
const FORMULA_CHARACTERS = 800;
const CHECKPOINTS_CHARACTERS = 1_700;

/** Maximum characters of the names under which a goal was pushed; there may be dozens. */
const PUSHED_CHARACTERS = 40;

/** Minimum number of common hypotheses for a goal to refer to an earlier one. */
const MIN_SHARED_HYPOTHESES = 2;

/**
 * @param log the job whose output contains the omitted checkpoints
 * @param most maximum number of goals, unless `whole`
 */
export function checkpointLines(
  checkpoints: KeyCheckpoints,
  whole: boolean,
  log: string | undefined,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const { top, induction, reverted, untold: hidden = 0, gaveUp } = checkpoints;
  const groups: readonly (readonly [string, readonly KeyCheckpoint[]])[] = [
    ['key checkpoints at the top level', top],
    ['key checkpoints under an induction', induction],
    ['abandoned in favor of an induction', reverted],
  ];
  const renderer = whole ? new WholeGoals() : new BriefGoals(most);
  const lines = groups.flatMap(([title, goals]) => {
    const lines = goals.flatMap((goal) => renderer.render(goal));
    return lines.length === 0 ? [] : [`  ${title}:`, ...lines];
  });
  const more = renderer.hidden + hidden;
  return [
    ...lines,
    ...(more === 0 ? [] : [`  … ${counted(more)}${log ? `: ${log}` : ''}`]),
    ...(gaveUp === null ? [] : [`  gave up: ${inOneLine(gaveUp)}`]),
  ];
}

function counted(count: number): string {
  return `${count} more key checkpoint${count === 1 ? '' : 's'}`;
}

interface GoalRenderer {
  /** Number of goals that did not fit. */
  readonly hidden: number;
  render(goal: KeyCheckpoint): readonly string[];
}

/**
 * Renders every goal. The form in one line is added where it differs from the shown text, as in another
 * package.
 */
class WholeGoals implements GoalRenderer {
  readonly hidden = 0;

  render(goal: KeyCheckpoint): string[] {
    const { text, form, unchanged = false } = goal;
    const isData = unchanged || text.replaceAll(/\s+/g, ' ') === form;
    return [...goalLines(headOf(goal), text), ...(isData ? [] : [`    as data: ${inOneLine(form)}`])];
  }
}

/**
 * Renders each goal once within a limit of characters; the first goal may be of any length. Hypotheses that a
 * goal shares with an earlier one are not repeated.
 */
class BriefGoals implements GoalRenderer {
  hidden = 0;
  readonly #shown = new Set<string>();
  readonly #parts = new Map<string, GoalParts>();
  #remaining = CHECKPOINTS_CHARACTERS;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  render(goal: KeyCheckpoint): string[] {
    const lines = this.#lines(goal);
    const text = lines.join('\n');
    if (this.#shown.has(text)) return [];
    if ((text.length > this.#remaining && this.#shown.size > 0) || this.#shown.size >= this.#most) {
      this.hidden += 1;
      return [];
    }
    this.#shown.add(text);
    this.#parts.set(goal.goal, partsOf(goal.text));
    this.#remaining -= text.length;
    return lines;
  }

  #lines(goal: KeyCheckpoint): string[] {
    const { text, unchanged } = goal;
    if (unchanged) return [`${headOf(goal)}: the conjecture itself`];
    const parts = partsOf(text);
    for (const [earlier, { hypotheses }] of this.#parts) {
      const shared = sharedWith(hypotheses, parts);
      if (shared)
        return goalLines(
          `${headOf(goal)}, with the hypotheses of ${inOneLine(earlier)}${shared.but}`,
          shared.text,
        );
    }
    const shown = beginning(text, FORMULA_CHARACTERS);
    const rest = text.length - shown.length;
    return [...goalLines(headOf(goal), shown), ...(rest === 0 ? [] : [`    … ${rest} more characters`])];
  }
}

/**
 * Returns the remaining text of a goal that has all hypotheses of an earlier one, or all but one; null for
 * other goals.
 */
function sharedWith(
  earlier: readonly string[],
  { hypotheses, conclusion }: GoalParts,
): { but: string; text: string } | null {
  const [known, own] = [earlier.map(joined), new Set(hypotheses.map(joined))];
  const missing = known.filter((each) => !own.has(each));
  if (missing.length > 1 || known.length - missing.length < MIN_SHARED_HYPOTHESES) return null;
  const further = hypotheses.filter((each) => !known.includes(joined(each)));
  const text = textOf({ hypotheses: further, conclusion });
  if (text.length > FORMULA_CHARACTERS) return null;
  return { but: missing.map((each) => ` but ${inOneLine(each)}`).join(''), text };
}

function headOf({ goal, pushed }: KeyCheckpoint): string {
  const induction =
    pushed === null ? '' : ` (pushed for induction: ${cut(inOneLine(pushed), PUSHED_CHARACTERS)})`;
  return `    ${inOneLine(goal)}${induction}`;
}

function goalLines(head: string, text: string): string[] {
  return [head, quoted(text).replaceAll(/^/gm, '    ')];
}

/** The hypotheses and the conclusion of a goal, in the prover's own layout. */
interface GoalParts {
  hypotheses: readonly string[];
  conclusion: string;
}

/** Splits a goal. A formula that is not an implication is a conclusion. */
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

/** Returns the text of a goal. */
export function textOf({ hypotheses, conclusion }: GoalParts): string {
  if (hypotheses.length === 0) return conclusion;
  const [first = ''] = hypotheses;
  const hypothesis = hypotheses.length === 1 ? first : `${behind('(AND ', hypotheses.join('\n'))})`;
  return `${behind('(IMPLIES ', `${hypothesis}\n${conclusion}`)})`;
}

/** Returns the text with line breaks replaced by blanks, except inside a string or a name. */
function joined(text: string): string {
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

/** Returns the lines of a node, with their common indentation removed. */
function laidOut({ start, end }: SyntaxNode, text: string): string {
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  const margin = new RegExp(`\n {0,${column}}`, 'g');
  return text.slice(start, end).replaceAll(margin, '\n');
}

function behind(opening: string, text: string): string {
  return opening + text.replaceAll('\n', `\n${' '.repeat(opening.length)}`);
}
