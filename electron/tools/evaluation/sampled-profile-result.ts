/** A CPU or allocation profile in results: cut to what one may carry, and as text a table of the busiest functions. */
import type { SampledFunction, SampledProfile } from '../../contract/cost';
import type { Allowance } from '../allowance';

/** @param limit longest text of all stacks together, in characters */
export function fittingSampledProfile(
  profile: SampledProfile,
  limit: number,
  allowance: Allowance,
): SampledProfile {
  const functions = allowance.first(profile.functions, 'functions', (each) => ({
    ...each,
    name: allowance.head(each.name, limit),
  }));
  const folded = allowance.lines(profile.folded, limit);
  return { ...profile, functions, folded, omitted: omittedBeside(folded, profile) };
}

/** What is missing in `folded`. */
function omittedBeside(folded: string, profile: SampledProfile): SampledProfile['omitted'] {
  const missing = stackLines(profile.folded.slice(folded.length));
  const samples = missing.reduce((sum, line) => sum + samplesOf(line), 0);
  return {
    stacks: profile.omitted.stacks + missing.length,
    samples: profile.omitted.samples + samples,
  };
}

function stackLines(folded: string): string[] {
  return folded.split('\n').filter((line) => line !== '');
}

function samplesOf(line: string): number {
  return Number(line.slice(line.lastIndexOf(' ') + 1));
}

/** @param whole whether to say the stacks as well, which are long */
export function sampledProfileText(
  { mode, samples, functions, folded, omitted }: SampledProfile,
  whole: boolean,
): string {
  const stacks = stackLines(folded);
  const rest = omitted.stacks === 0 ? 'none' : `${omitted.stacks}, of ${omitted.samples} samples,`;
  const where = `${stacks.length} folded stacks (${rest} left out)`;
  return [
    `[profile: ${mode}] ${samples} samples`,
    '   self            total           function',
    ...functions.map(functionText),
    ...(whole
      ? [`${where}:`, ...stacks]
      : [`${where}: in report.profile.folded of the data, and in the history`]),
  ].join('\n');
}

function functionText({ name, self, total }: SampledFunction): string {
  const share = ({ samples, percent }: SampledFunction['self']) =>
    `${String(samples).padStart(6)} ${String(percent).padStart(5)} %  `;
  return `${share(self)} ${share(total)} ${name}`;
}
