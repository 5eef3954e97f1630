/** The limits of a session: what was asked for, else what a person set, as far as its engine keeps them. */
import { HarborError } from '../contract/errors';
import type { Limits } from '../contract/memory';
import type { Engine, EvaluateRequest, LimitName } from '../images/image';

/** Limits that a caller asks for; absent ones are those that a person set. */
export type AskedLimits = { [L in LimitName]?: NonNullable<Limits[L]> };

const NAMES: Readonly<Record<LimitName, string>> = {
  heapMiB: 'its heap',
  cpuSeconds: 'processor time',
  outputChars: 'output',
};

/** @throws HarborError `not_supported` for a limit that the engine does not keep */
export function limitsOf(engine: Pick<Engine, 'name' | 'limits'>, asked: AskedLimits, usual: Limits): Limits {
  const kept = new Set(engine.limits);
  const missing = namesOf(asked).filter((name) => !kept.has(name));
  if (missing.length > 0) throw notKept(engine.name, missing, kept);
  const limit = <L extends LimitName>(name: L) => (kept.has(name) ? (asked[name] ?? usual[name]) : null);
  return { heapMiB: limit('heapMiB'), cpuSeconds: limit('cpuSeconds'), outputChars: limit('outputChars') };
}

/** What each evaluation of the session is sent with. */
export function evaluationLimits({
  cpuSeconds,
  outputChars,
}: Limits): Pick<EvaluateRequest, 'cpuSeconds' | 'outputChars'> {
  return {
    ...(cpuSeconds === null ? {} : { cpuSeconds }),
    ...(outputChars === null ? {} : { outputChars }),
  };
}

function namesOf(asked: AskedLimits): LimitName[] {
  const names = Object.keys(NAMES) as LimitName[];
  return names.filter((name) => asked[name] !== undefined);
}

function notKept(engine: string, missing: LimitName[], kept: ReadonlySet<LimitName>): HarborError {
  const words = (names: Iterable<LimitName>) => [...names].map((name) => NAMES[name]).join(', ');
  const others = kept.size > 0 ? `It can limit ${words(kept)}.` : 'Open it without limits.';
  return new HarborError('not_supported', `A session of ${engine} cannot limit ${words(missing)}. ${others}`);
}
