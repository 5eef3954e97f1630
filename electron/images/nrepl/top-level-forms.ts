/**
 * Splits Clojure source into its top-level forms, so that each can be evaluated, and shown, with its own values, and
 * says what is wrong with its delimiters before anybody evaluates it.
 */
import { flawText } from './delimiters';
import { endOfForm, type Flaw, skipBlank } from './form-ends';

/** A form as it was written, and where: `line` and `column` count from 0. */
export interface TopLevelForm {
  code: string;
  line: number;
  column: number;
}

/**
 * The forms of `code` in order; comments and `#_` forms between them are left out. Text that is no whole form
 * ends the list as its last entry, cut after the character that makes it wrong, for the engine's own reader to
 * refuse: what follows is not evaluated.
 */
export function topLevelForms(code: string): TopLevelForm[] {
  return scan(code).forms;
}

/** As `topLevelForms`, and, where a bracket or a string is not closed or closes nothing, a sentence that says which.
 * Then nothing of the code should be evaluated. */
export function checkedForms(code: string): { forms: TopLevelForm[]; problem: string | null } {
  const { forms, flaw } = scan(code);
  return { forms, problem: flaw && flawText(code, flaw) };
}

function scan(code: string): { forms: TopLevelForm[]; flaw: Flaw | null } {
  const forms: TopLevelForm[] = [];
  const lines = new Lines(code);
  let at = skipBlank(code, 0);
  while (at < code.length) {
    const discarded = code.startsWith('#_', at);
    const end = endOfForm(code, discarded ? at + 2 : at);
    if (!discarded || !end.whole) forms.push({ code: code.slice(at, end.at), ...lines.position(at) });
    if (!end.whole) return { forms, flaw: end.flaw };
    at = skipBlank(code, end.at);
  }
  return { forms, flaw: null };
}

/** Tells lines and columns of offsets that are asked for in ascending order. */
class Lines {
  readonly #code: string;
  #line = 0;
  #start = 0;
  #next: number;

  constructor(code: string) {
    this.#code = code;
    this.#next = code.indexOf('\n');
  }

  position(offset: number): { line: number; column: number } {
    while (this.#next !== -1 && this.#next < offset) {
      this.#line += 1;
      this.#start = this.#next + 1;
      this.#next = this.#code.indexOf('\n', this.#start);
    }
    return { line: this.#line, column: offset - this.#start };
  }
}
