/** What is wrong with text whose delimiters do not match, for whoever wrote it: where, and what probably mends it. */
import { likelyFix } from './likely-fix';
import { Positions } from './positions';
import type { Problem, Source } from './reader';

export interface Diagnosis {
  /** Of what is at fault, both counted from 1. */
  line: number;
  column: number;
  message: string;
  /** What would make the delimiters match, judged by indentation; absent where nothing simple does. */
  fix?: string;
}

/** null for text that is right. */
export function diagnosisOf(source: Source): Diagnosis | null {
  const { problem, text } = source;
  if (problem === null) return null;
  const positions = new Positions(text);
  const at = (offset: number): string => {
    const { line, column } = positions.of(offset);
    return `${describe(text, offset)} at line ${line}, column ${column}`;
  };
  const fix = likelyFix(source, positions);
  return {
    ...positions.of(faultOf(problem)),
    message: messageOf(problem, text, at),
    ...(fix === null ? {} : { fix }),
  };
}

/** As sentences. */
export function diagnosisText({ message, fix }: { message: string; fix?: string | undefined }): string {
  return fix === undefined ? message : `${message} Likely fix: ${fix}`;
}

/** Where to look, as an offset. Of lists that do not end, the innermost is where a reader gives up. */
export function faultOf(problem: Problem): number {
  switch (problem.kind) {
    case 'unclosed':
      return problem.openers.at(-1) ?? 0;
    case 'mismatched':
    case 'stray':
      return problem.closer;
    default:
      return problem.at;
  }
}

function messageOf(problem: Problem, text: string, at: (offset: number) => string): string {
  switch (problem.kind) {
    case 'unclosed':
      return unclosedText(problem.openers, at);
    case 'mismatched':
      return `The ${at(problem.opener)} is closed by the ${at(problem.closer)}.`;
    case 'stray':
      return `The ${at(problem.closer)} closes nothing.`;
    case 'unterminated':
      return `The ${at(problem.at)} is not ended.`;
    case 'dangling':
      return `The ${at(problem.at)} has no form after it${problem.closer === null ? '' : `, but the ${text.charAt(problem.closer)}`}.`;
  }
}

function unclosedText(openers: readonly number[], at: (offset: number) => string): string {
  const [outermost = 0, ...inner] = openers;
  const innermost = inner.at(-1);
  return innermost === undefined
    ? `The ${at(outermost)} is not closed.`
    : `The ${at(innermost)} is not closed, nor is the ${at(outermost)}.`;
}

/** What a reader sees at that place. */
function describe(text: string, offset: number): string {
  const [found] = /^(?:#\||#[_+\-'.]|,@|~@|[\s\S])/u.exec(text.slice(offset, offset + 3)) ?? [''];
  if (found === '"') return 'string';
  if (found === '#|') return 'comment';
  return found === '|' ? 'symbol' : found;
}
