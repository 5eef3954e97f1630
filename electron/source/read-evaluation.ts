/** Finds what runs code while other code is read, for servers whose own readers cannot be told to refuse it. */
import type { Dialect } from './dialect';
import { read } from './reader';
import { walk } from './syntax-tree';

const READ_EVALUATION: Readonly<Record<Dialect, RegExp>> = { 'common-lisp': /^#\d*\./, clojure: /^#=/ };

/** How it begins, such as `#.`; null where there is none. It is one too in a form that is read to be left out. */
export function readEvaluation(code: string, dialect: Dialect): string | null {
  for (const { node } of walk(read(code, dialect).tree)) {
    if (node.kind === 'string' || node.kind === 'comment') continue;
    const [found] =
      READ_EVALUATION[dialect].exec(code.slice(node.start, Math.min(node.end, node.start + 12))) ?? [];
    if (found) return found;
  }
  return null;
}
