/** What a model wrote as it should be: balanced and indented, or what is wrong with it where nobody can be sure. */
import { type Diagnosis, diagnosisOf } from '../diagnosis';
import type { Dialect } from '../dialect';
import { formatted } from '../format/formatted';
import { read } from '../reader';
import { contradiction, type Mended, mended } from './mended';

export type Fixed =
  /** `told`: what was done to delimiters, and how many lines begin elsewhere; empty for text that is right. */
  Mended | { wrong: Diagnosis };

export function fixed(text: string, dialect: Dialect): Fixed {
  const source = read(text, dialect);
  const wrong = diagnosisOf(source) ?? contradiction(source);
  if (wrong === null) return withIndentation({ text, told: [] }, dialect);
  const mend = source.problem === null ? null : mended(source);
  return mend === null ? { wrong } : withIndentation(mend, dialect);
}

function withIndentation({ text, told }: Mended, dialect: Dialect): Mended {
  const result = formatted(text, dialect);
  return { text: result, told: [...told, ...indented(text, result)] };
}

function indented(before: string, after: string): string[] {
  const lines = after.split('\n');
  const count = before.split('\n').filter((line, place) => line !== lines[place]).length;
  return count === 0 ? [] : [`indented ${count} ${count === 1 ? 'line' : 'lines'}`];
}
