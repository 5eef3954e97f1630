/** The report of a final check as an agent gets it: cut to what one result may carry, and in few words. */
import type { FinalCheck } from '../../contract/final-check';
import { functionLines, theoremLines, verdictOf } from '../../sessions/export/final-check-text';
import type { Allowance } from '../allowance';

/** Characters for theorems, and for the functions that they are about. */
const LEAN_CHARACTERS = 2_000;

/** @param limit longest single text, in characters */
export function fittingFinalCheck(report: FinalCheck, limit: number, allowance: Allowance): FinalCheck {
  const lines = (texts: readonly string[], what: string) =>
    allowance.first(texts, what, (text) => allowance.head(text, limit));
  return {
    ...report,
    theorems: allowance.first(report.theorems, 'theorems', (theorem) => ({
      ...theorem,
      formula: allowance.head(theorem.formula, limit),
      term: allowance.head(theorem.term, limit),
    })),
    functions: allowance.first(report.functions, 'functions', (each) => ({
      ...each,
      axiom: each.axiom === null ? null : allowance.head(each.axiom, limit),
    })),
    issues: allowance.first(report.issues, 'trust issues', ({ kind, about }) => ({
      kind,
      about: lines(about, 'lines'),
    })),
    files: allowance.first(report.files, 'files', (file) => ({
      ...file,
      ...(file.text === undefined ? {} : { text: allowance.head(file.text, limit) }),
    })),
    steps: lines(report.steps, 'steps'),
    notes: lines(report.notes, 'notes'),
  };
}

/** What holds and of what it speaks; the history has the sources, their hashes and the steps. */
export function leanFinalCheck(report: FinalCheck, evaluation: number): string {
  const { files, functions } = report;
  const own = files.filter(({ role }) => role === 'book').length;
  const system = files.filter(({ role }) => role === 'system').length;
  return [
    verdictOf(report),
    ...within(theoremLines(report)),
    ...(functions.length === 0 ? [] : ['about:', ...within(functionLines(report))]),
    ...report.notes.map((note) => `; ${note}`),
    `rebuilt from ${own} of its own books and ${system} of the system’s; their hashes, and how to repeat it: \`history\` with id ${evaluation}`,
  ].join('\n');
}

function within(lines: readonly string[]): string[] {
  let characters = 0;
  const end = lines.findIndex((line) => {
    characters += line.length + 1;
    return characters > LEAN_CHARACTERS;
  });
  return end < 0 ? [...lines] : [...lines.slice(0, end), `… ${lines.length - end} more lines`];
}
