/** Clojure code as its top-level forms, so that each can be evaluated, and shown, with its own values. */
import { faultOf } from '../../source/diagnosis';
import { Positions } from '../../source/positions';
import { read } from '../../source/reader';
import { isForm } from '../../source/syntax-tree';
import { delimiterProblem } from './delimiters';

/** A form as it was written, and where: `line` and `column` count from 0. */
export interface PlacedForm {
  code: string;
  line: number;
  column: number;
}

/**
 * The forms of `code` in order, without comments and `#_` forms between them. Where the code goes wrong the last form ends,
 * behind a bracket that is at fault: the engine's own reader refuses it, and what follows is not evaluated.
 */
export function placedForms(code: string): PlacedForm[] {
  return checkedForms(code).forms;
}

/**
 * As `placedForms`, with a sentence that says which bracket or string is not closed or closes nothing; then nothing of the
 * code should be evaluated. `problem` is null where no delimiter is at fault.
 */
export function checkedForms(code: string): { forms: PlacedForm[]; problem: string | null } {
  const { tree, problem } = read(code, 'clojure');
  const positions = new Positions(code);
  const forms: PlacedForm[] = [];
  const put = (start: number, end: number): void => {
    const { line, column } = positions.of(start);
    forms.push({ code: code.slice(start, end), line: line - 1, column: column - 1 });
  };
  const fault = problem === null ? code.length : faultOf(problem);
  for (const node of tree.children) {
    if (node.end > fault) {
      const isBracket = problem?.kind === 'mismatched' || problem?.kind === 'stray';
      put(node.start, isBracket ? fault + 1 : node.end);
      break;
    }
    if (isForm(node)) put(node.start, node.end);
  }
  return { forms, problem: problem && delimiterProblem(code, problem) };
}
