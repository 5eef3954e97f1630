/** Key checkpoints as text: the goals at which a proof got stuck, the most telling first, each once. */
import type { KeyCheckpoint, KeyCheckpoints } from '../../contract/proof';
import { beginning, cut } from '../../history/cut-text';
import { type GoalParts, joined, partsOf, textOf } from './goal-text';
import { inOneLine, quoted } from './quoted';

/** Characters of one formula, and of all that an answer tells. */
const FORMULA_CHARACTERS = 800;
const CHECKPOINTS_CHARACTERS = 1_700;

/** Characters of the names under which a goal was pushed, of which there may be dozens. */
const PUSHED_CHARACTERS = 40;

/** Hypotheses that two goals must have in common for the second one to refer to the first. */
const WORTH_SHARING = 2;

/** @param log the job of which the output has those that are left out */
export function checkpointLines(
  checkpoints: KeyCheckpoints,
  whole: boolean,
  log: string | undefined,
): string[] {
  const { top, induction, reverted, untold = 0, gaveUp } = checkpoints;
  const groups: readonly (readonly [string, readonly KeyCheckpoint[]])[] = [
    ['key checkpoints at the top level', top],
    ['key checkpoints under an induction', induction],
    ['given up in favour of an induction', reverted],
  ];
  const telling = whole ? new WholeTelling() : new LeanTelling();
  const lines = groups.flatMap(([title, goals]) => {
    const told = goals.flatMap((goal) => telling.tell(goal));
    return told.length === 0 ? [] : [`  ${title}:`, ...told];
  });
  const more = telling.untold + untold;
  return [
    ...lines,
    ...(more === 0 ? [] : [`  … ${counted(more)}${log ? `: ${log}` : ''}`]),
    ...(gaveUp === null ? [] : [`  gave up: ${inOneLine(gaveUp)}`]),
  ];
}

function counted(count: number): string {
  return `${count} more key checkpoint${count === 1 ? '' : 's'}`;
}

interface Telling {
  /** How many goals there was no room for. */
  readonly untold: number;
  tell(goal: KeyCheckpoint): readonly string[];
}

/** Every goal; the form in one line is there as well where it reads other than what is shown, as in another package. */
class WholeTelling implements Telling {
  readonly untold = 0;

  tell(goal: KeyCheckpoint): string[] {
    const { text, form, unchanged = false } = goal;
    const isData = unchanged || text.replaceAll(/\s+/g, ' ') === form;
    return [...goalLines(headOf(goal), text), ...(isData ? [] : [`    as data: ${inOneLine(form)}`])];
  }
}

/** Each goal once, within characters, of which the first goal may take any number; hypotheses that a goal has in common with one
 * before it are not told again. */
class LeanTelling implements Telling {
  untold = 0;
  readonly #told = new Set<string>();
  readonly #parts = new Map<string, GoalParts>();
  #left = CHECKPOINTS_CHARACTERS;

  tell(goal: KeyCheckpoint): string[] {
    const lines = this.#lines(goal);
    const text = lines.join('\n');
    if (this.#told.has(text)) return [];
    if (text.length > this.#left && this.#told.size > 0) {
      this.untold += 1;
      return [];
    }
    this.#told.add(text);
    this.#parts.set(goal.goal, partsOf(goal.text));
    this.#left -= text.length;
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

/** What is left to tell of a goal that has all hypotheses of an earlier one, or all but one; null for other goals. */
function sharedWith(
  earlier: readonly string[],
  { hypotheses, conclusion }: GoalParts,
): { but: string; text: string } | null {
  const [known, own] = [earlier.map(joined), new Set(hypotheses.map(joined))];
  const missing = known.filter((each) => !own.has(each));
  if (missing.length > 1 || known.length - missing.length < WORTH_SHARING) return null;
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
