/** Key checkpoints as text: the goals at which a proof got stuck, the most telling first, each once. */
import type { KeyCheckpoint, KeyCheckpoints } from '../../contract/proof';
import { beginning } from '../../history/cut-text';
import { inOneLine, quoted } from './quoted';

/** Characters of one formula, and of all that an answer tells. */
const FORMULA_CHARACTERS = 800;
const CHECKPOINTS_CHARACTERS = 1_700;

/** In place of the conjecture, where ACL2 goes back to it. */
const ORIGINAL = '<GOAL>';

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
  const budget = new Budget(whole ? Number.POSITIVE_INFINITY : CHECKPOINTS_CHARACTERS);
  const lines = groups.flatMap(([title, goals]) => {
    const told = goals.flatMap((goal) => budget.tell(goalLines(goal, whole)));
    return told.length === 0 ? [] : [`  ${title}:`, ...told];
  });
  const more = budget.untold + untold;
  return [
    ...lines,
    ...(more === 0 ? [] : [`  … ${counted(more)}${log ? `: ${log}` : ''}`]),
    ...(gaveUp === null ? [] : [`  gave up: ${inOneLine(gaveUp)}`]),
  ];
}

function counted(count: number): string {
  return `${count} more key checkpoint${count === 1 ? '' : 's'}`;
}

/** Characters that are left for goals; the first one is told in any case, and none twice. */
class Budget {
  untold = 0;
  readonly #told = new Set<string>();
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  tell(lines: readonly string[]): readonly string[] {
    const text = lines.join('\n');
    if (this.#told.has(text)) return [];
    if (text.length > this.#left && this.#told.size > 0) {
      this.untold++;
      return [];
    }
    this.#told.add(text);
    this.#left -= text.length;
    return lines;
  }
}

/** The form in one line is there as well where all is told and it reads other than what is shown, as in another package. */
function goalLines({ goal, text, form, pushed }: KeyCheckpoint, whole: boolean): string[] {
  const shown = whole ? text : beginning(text, FORMULA_CHARACTERS);
  const rest = text.length - shown.length;
  const joined = text.replaceAll(/\s+/g, ' ');
  const head = `    ${inOneLine(goal)}${pushed === null ? '' : ` (pushed for induction: ${inOneLine(pushed)})`}`;
  if (form === ORIGINAL) return [`${head}: the conjecture itself`];
  return [
    head,
    quoted(shown).replaceAll(/^/gm, '    '),
    ...(rest === 0 ? [] : [`    … ${rest} more characters`]),
    ...(!whole || joined === form ? [] : [`    as data: ${inOneLine(form)}`]),
  ];
}
