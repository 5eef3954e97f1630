/** What the window says is lost, and what is not: by what a session's image can bring back. */
import { describe, expect, it } from 'vitest';
import { afterDeath, afterEnding, inUse } from './what-is-lost';

describe('a session whose image died', () => {
  const told = (checkpoint: string | null, definitions: boolean) =>
    afterDeath({ comesBack: { checkpoint, definitions } });

  it('has lost all where nothing can be brought back', () => {
    expect(told(null, false)).toContain('its state is lost');
    expect(told(null, false)).not.toContain('again');
  });

  it('has its definitions again where the engine evaluates them again', () => {
    expect(told(null, true)).toContain('a new one, in which definitions are evaluated again');
    expect(told(null, true)).toContain('Other state is lost.');
  });

  it('begins from its checkpoint, and has later definitions where the engine can', () => {
    expect(told('calm', true)).toContain('from checkpoint calm, in which later definitions are evaluated');
    expect(told('calm', false)).toContain('from checkpoint calm. What was done since is lost.');
  });
});

it('closing a session tells of checkpoints where there can be any', () => {
  expect(afterEnding([{ checkpoints: true }, { checkpoints: false }])).toContain('checkpoints stay');
  expect(afterEnding([{ checkpoints: false }])).toMatch(/stays in the history\.$/);
});

describe('a checkpoint', () => {
  const names = new Map([['sbcl-2', 'tides']]);
  const use = (...usedBy: string[]) => inUse({ usedBy }, 'sbcl-1', (id) => names.get(id));

  it('that no session needs is in no use', () => {
    expect(use()).toBeNull();
  });

  it('is in use by sessions by their names, this one first', () => {
    expect(use('sbcl-2', 'sbcl-1')).toBe('in use by this session, tides');
    expect(use('sbcl-3')).toBe('in use by sbcl-3');
  });
});
