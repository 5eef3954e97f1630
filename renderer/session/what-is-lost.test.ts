/** What the window says is lost, and what is not: by what a session's image can bring back. */
import { describe, expect, it } from 'vitest';
import { endingText, imageDiedText } from './what-is-lost';

describe('a session whose image died', () => {
  const told = (checkpoint: string | null, definitions: boolean) =>
    imageDiedText({ comesBack: { checkpoint, definitions } });

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
  expect(endingText([{ checkpoints: true }, { checkpoints: false }])).toContain('checkpoints stay');
  expect(endingText([{ checkpoints: false }])).toMatch(/stays in the history\.$/);
});
