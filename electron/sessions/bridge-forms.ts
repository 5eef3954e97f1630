/**
 * What a command of the ACL2 Bridge is to LD. The Bridge of ACL2's books evaluates commands in raw Lisp, beside the logic;
 * here every form goes through LD, so what its clients write around forms for raw Lisp's sake is taken off.
 */
import { HarborError } from '../contract/errors';
import { outerList } from '../source/forms';

/** They ask for the thread that may use memoized functions; here there is no other. */
const MAIN_THREAD: ReadonlySet<string> = new Set(['bridge::in-main-thread', 'bridge::try-in-main-thread']);

/** ACL2's own package is the one that commands begin in. */
const OWN_PACKAGE = /^(?:acl2|common-lisp|cl)::?/;

/** @throws HarborError `not_supported` for operators of the Bridge's own that there are not here */
export function formsOf(command: string): string {
  const list = outerList(command);
  const operator = list?.operator.toLowerCase() ?? '';
  if (list && MAIN_THREAD.has(operator)) return asForm(list.rest.trim());
  if (!operator.startsWith('bridge::')) return asForm(command);
  throw new HarborError(
    'not_supported',
    `There is no ${operator} here. Of the package BRIDGE there are in-main-thread and try-in-main-thread, around a whole command; closing the connection ends its ACL2.`,
  );
}

/** Raw Lisp's VALUES is ACL2's MV. A nested LD is silent inside ours, unless it is told to print as at ACL2's prompt. */
function asForm(text: string): string {
  const list = outerList(text);
  if (!list) return text;
  const operator = list.operator.toLowerCase().replace(OWN_PACKAGE, '');
  if (operator === 'values') return `(mv${list.rest})`;
  if (operator !== 'ld' || /:ld-post-eval-print/i.test(text)) return text;
  return `(${list.operator}${list.rest} :ld-post-eval-print :command-conventions)`;
}
