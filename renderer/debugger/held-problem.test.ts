/** What a person is told where the debugger could not do something. */
import { expect, test } from 'vitest';
import { wordsOf } from '../../electron/words/words';
import { CallError } from '../bridge';
import { heldProblem } from './held-problem';

test('nothing that only agents can do', () => {
  const forAgents = new CallError('not_held', 'Nothing is held. `eval` with on_error: "debug" holds it.');
  expect(heldProblem(forAgents, wordsOf('en'))).toBe(
    'What was held here has gone on meanwhile, or something still runs there.',
  );
  expect(heldProblem(new CallError('busy', 'Wait for it.'), wordsOf('en'))).toBe('Wait for it.');
});
