/** Which sessions need a checkpoint, as the window says it. */
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../electron/words/words';
import { checkpointUseText } from './checkpoint-use';

describe('a checkpoint', () => {
  const names = new Map([['sbcl-2', 'tides']]);
  const use = (...usedBy: string[]) =>
    checkpointUseText({ usedBy }, 'sbcl-1', (id) => names.get(id), wordsOf('en'));

  it('that no session needs is in no use', () => {
    expect(use()).toBeNull();
  });

  it('is in use by sessions by their names, this one first', () => {
    expect(use('sbcl-2', 'sbcl-1')).toBe('in use by this session, tides');
    expect(use('sbcl-3')).toBe('in use by sbcl-3');
  });
});
