/** Error messages of debugger actions. */

import { expect, test } from 'vitest';
import { wordsOf } from '../../electron/words/words';
import { CallError } from '../bridge';
import { debuggerProblem } from './debugger-actions';

test('nothing that only agents can do', () => {
  const forAgents = new CallError('not_held', 'Use `eval` with on_error: "debug".');
  expect(debuggerProblem(forAgents, wordsOf('en'))).toBe(
    'The suspended evaluation has continued in the meantime, or another evaluation is still running.',
  );
  expect(debuggerProblem(new CallError('busy', 'Wait for it.'), wordsOf('en'))).toBe('Wait for it.');
});
