/**
 * The report of a final check as text that a stranger can read and repeat. What sources have written stands in lines that
 * are indented, so none of it passes for a line of the report. Pure.
 */
import type { FinalCheck } from '../../contract/final-check';
import { visibleLine } from '../../contract/visible-text';

export function finalCheckText(report: FinalCheck): string {
  const { theorems, theoremCount, functions, functionCount, files, steps, notes } = report;
  return [
    section(verdictOf(report), [factsOf(report)]),
    section(`Theorems${counted(theorems.length, theoremCount)}`, theoremLines(report)),
    section(
      `Functions that they are about, beside ACL2’s own${counted(functions.length, functionCount)}`,
      functionLines(report),
    ),
    section('Notes', notes.map(visibleLine)),
    section(
      'Sources, by their SHA-256',
      files.map(({ file, sha256, role }) => `${sha256}  ${role.padEnd(10)}  ${visibleLine(file)}`),
    ),
    section('To repeat it', [howToRepeat(report), ...steps.map((step) => `    ${visibleLine(step)}`)]),
    ...files.map(({ file, text }) =>
      text === undefined ? '' : section(`Text of ${visibleLine(file)}`, quoted(text)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function howToRepeat({ files }: FinalCheck): string {
  const below = files.some(({ role }) => role === 'portcullis')
    ? ' Take CERTIFY-BOOK and (LP) out of those that end in .acl2.'
    : '';
  return `Put the sources, under these names, into an empty folder.${below} Start ACL2 in it for each of these lines, with ACL2_CUSTOMIZATION=NONE and ACL2_BOOK_HASH_ALISTP=NIL in its environment:`;
}

/** What was checked and whether it rests on anything. */
export function verdictOf({ claim, book, theoremCount, trustTags, issues }: FinalCheck): string {
  const what = claim === null ? everything(theoremCount) : `The theorem ${visibleLine(claim)}`;
  const rests = issues.map(({ kind, about }) => `${kind} (${about.map(visibleLine).join(' ')})`);
  return [
    `${what} of ${visibleLine(book)} ${claim === null && theoremCount > 1 ? 'hold' : 'holds'}, rebuilt from sources.`,
    rests.length === 0
      ? 'Nothing but ACL2 is trusted.'
      : `Trusted beside ACL2: ${rests.join(', ')}. Code with a trust tag could have made all of this up.`,
    ...(trustTags.length === 0 || rests.length > 0 ? [] : [`Allowed and not used: ${trustTags.join(' ')}.`]),
  ].join(' ');
}

/** What is checked where nothing is named. */
function everything(theorems: number): string {
  if (theorems === 0) return 'Every definition';
  return theorems === 1 ? '1 theorem' : `${theorems} theorems`;
}

export function theoremLines({ theorems }: Pick<FinalCheck, 'theorems'>): string[] {
  return theorems.flatMap(({ name, formula }) => [visibleLine(name), ...quoted(formula)]);
}

export function functionLines({ functions }: Pick<FinalCheck, 'functions'>): string[] {
  return functions.flatMap(({ name, constrained, axiom }) => [
    `${visibleLine(name)}${constrained ? ', of which only this is known' : ''}`,
    ...quoted(axiom ?? '(ACL2 cannot say it as a formula)'),
  ]);
}

function factsOf({ acl2, lisp, checkedAt, durationMs }: FinalCheck): string {
  const seconds = (durationMs / 1_000).toFixed(1);
  return `${visibleLine(acl2)} on ${visibleLine(lisp)}; ${new Date(checkedAt).toISOString()}, ${seconds} s`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines].join('\n');
}

function counted(told: number, all: number): string {
  return told === all ? '' : `, the first ${told} of ${all}`;
}

function quoted(text: string): string[] {
  return text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => `    ${visibleLine(line)}`);
}
