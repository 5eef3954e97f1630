/** Output as ACL2 and nREPL really print it, beside the condition that a block shows. */
import { expect, it } from 'vitest';
import type { OutputPiece } from '../live';
import { ownOutput } from './own-output';

const stdout = (text: string): OutputPiece => ({ stream: 'stdout', text });
const stderr = (text: string): OutputPiece => ({ stream: 'stderr', text });

const SOFT = 'ACL2 Error in TOP-LEVEL:  Global variables, such as UNDEFD, are not\nallowed.';

it.each([
  ['an error of ACL2', [stdout(`\n\n${SOFT}\n\n`)], SOFT, []],
  [
    'what came before and after it stays',
    [stdout(`tide\n\n${SOFT}\n\nhigh\n`)],
    SOFT,
    [stdout('tide\nhigh')],
  ],
  ['only the last of them is its', [stdout(`${SOFT}\n`), stderr(SOFT)], SOFT, [stdout(`${SOFT}\n`)]],
  [
    'an error of Clojure',
    [stderr('Execution error (ArithmeticException) at user/eval178 (REPL:1).\nDivide by zero\n')],
    'Divide by zero',
    [],
  ],
  [
    'one whose message has its data as well',
    [stdout('hey\n'), stderr('Execution error (ExceptionInfo) at user/eval197 (REPL:1).\nbad\n')],
    'bad {:a 1}',
    [stdout('hey\n')],
  ],
  [
    'one behind what was printed there',
    [stderr('careful\nSyntax error compiling at (evaluation 2:1:1).\nUnable to resolve symbol: foo\n')],
    'Unable to resolve symbol: foo\n  thrown as clojure.lang.Compiler$CompilerException',
    [stderr('careful')],
  ],
  [
    'output that says something else',
    [stdout('Execution error of mine\n7\n')],
    'bad',
    [stdout('Execution error of mine\n7\n')],
  ],
  ['no condition', [stdout(SOFT)], null, [stdout(SOFT)]],
])('%s', (_, pieces, message, left) => {
  expect(ownOutput(pieces, message)).toEqual(left);
});
