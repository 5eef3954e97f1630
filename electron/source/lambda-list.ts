/** Lambda lists as images print them, and the parameter that takes an argument. Pure. */
import type { Dialect } from './dialect';
import { formsIn } from './reader';

/** Returns the parameters with their markers: `(a &optional (b 1))` has three. */
export function parametersOf(lambdaList: string, dialect: Dialect): string[] {
  return formsIn(lambdaList.slice(1, -1), dialect) ?? [];
}

/** An argument of a call, from 0, and the keyword before it, if there is one. */
export interface ArgumentPlace {
  argument: number;
  keyword?: string | undefined;
}

/**
 * Returns the index of the parameter that takes an argument; the last one for one too many. Markers such as
 * `&optional` take none, and rest parameters all.
 */
export function parameterAt(parameters: readonly string[], { argument, keyword }: ArgumentPlace): number {
  const keys = parameters.findIndex((each) => /^&key$/i.test(each));
  if (keys >= 0 && keyword !== undefined) {
    const wanted = keyword.replace(/^:/, '').toLowerCase();
    const named = parameters.findIndex((each, index) => index > keys && nameIn(each) === wanted);
    if (named >= 0) return named;
  }
  let left = argument;
  for (const [index, each] of parameters.entries()) {
    if (each.startsWith('&')) {
      if (/^&(?:rest|body|key)?$/i.test(each)) return Math.min(index + 1, parameters.length - 1);
      continue;
    }
    if (left === 0) return index;
    left -= 1;
  }
  return Math.max(parameters.length - 1, 0);
}

/** Returns `days` for `days`, `(days 7)` and `((:days d) 7)`. */
function nameIn(parameter: string): string {
  return (
    parameter
      .replace(/^[(:]+/, '')
      .split(/[\s()]/, 1)[0]
      ?.toLowerCase() ?? ''
  );
}
