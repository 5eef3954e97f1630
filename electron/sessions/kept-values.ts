/** `#v812` at a prompt: the first value of evaluation 812, and `#v812.2` its second, wherever a form can stand. */
import { HarborError } from '../contract/errors';
import type { Inspector } from '../images/optional-groups';
import type { Dialect } from '../source/dialect';
import { read } from '../source/reader';
import { walk } from '../source/syntax-tree';

const REFERENCE = /^#v(\d{1,15})(?:\.(\d{1,6}))?$/;

/** The code with what names a value replaced by code that has it; text in strings and comments stays.
 * @throws HarborError `not_supported` where the engine cannot name one */
export function withKeptValues(
  code: string,
  dialect: Dialect,
  inspector: Pick<Inspector, 'keptValueCode'> | null,
): string {
  if (!code.includes('#v')) return code;
  const parts: string[] = [];
  let at = 0;
  for (const { node } of walk(read(code, dialect).tree)) {
    if (node.kind !== 'token') continue;
    const [, evaluation, place = '1'] = REFERENCE.exec(code.slice(node.start, node.end)) ?? [];
    if (evaluation === undefined) continue;
    const named = inspector?.keptValueCode?.(Number(evaluation), Number(place));
    if (named === undefined)
      throw new HarborError(
        'not_supported',
        `Values cannot be named so here: #v${evaluation} is no form of this engine.`,
      );
    parts.push(code.slice(at, node.start), named);
    at = node.end;
  }
  return parts.join('') + code.slice(at);
}
