/** What a person who quits is asked, by what would be lost. */
import { describe, expect, it } from 'vitest';
import { quitQuestion as question, type UnsavedWork } from '../../electron/shell/quit-question';
import { wordsOf } from '../../electron/words/words';

type Asked = Parameters<typeof question>;
const quitQuestion = (reason: Asked[0], load: Asked[1], work: Asked[2]) =>
  question(reason, load, work, wordsOf('en'));
const loss = (changes: Partial<UnsavedWork>): UnsavedWork => ({
  ...{ session: 'sbcl-1', name: 'tides', busy: null, unsaved: { names: [], total: 0 } },
  ...changes,
});
const defined = loss({ unsaved: { names: ['HEIGHT', '*MARK*'], total: 2 } });
const load = { sessions: 2, running: 1, comeBack: false };
const answers = (unsavedWork: readonly UnsavedWork[]) =>
  quitQuestion('quit', load, unsavedWork).buttons.map(({ answer }) => answer);

describe('the question', () => {
  it('names the definitions of each session, and what is evaluated in it', () => {
    const { detail } = quitQuestion('quit', load, [defined, loss({ name: 'proofs', busy: 'running' })]);
    expect(detail.split('\n')).toEqual([
      'This ends 2 sessions, 1 of them running.',
      'Will be lost:',
      '• tides: 2 definitions are not saved to a file (HEIGHT and *MARK*)',
      '• proofs: an evaluation is running',
      '',
      'Evaluations stay in the history.',
    ]);
  });

  it('says of sessions that come back what comes with them', () => {
    const { detail } = quitQuestion('quit', { ...load, comeBack: true }, [defined]);
    expect(detail).not.toContain('lost');
    expect(detail).toContain('its definitions are evaluated again');
  });

  it('counts what it does not name', () => {
    const { detail } = quitQuestion('quit', load, [
      loss({ busy: 'held', unsaved: { names: ['A', 'B'], total: 40 } }),
      ...Array.from({ length: 9 }, (_, index) => loss({ name: `s${index}`, busy: 'running' })),
    ]);
    expect(detail).toContain(
      '• tides: an evaluation is suspended in the debugger; 40 definitions are not saved to a file (A, B and 38 more)',
    );
    expect(detail).toContain('• and in 2 more sessions');
    expect(detail).not.toContain('s7');
  });

  it('says of an image that does not answer that nothing is known', () => {
    expect(quitQuestion('quit', load, [loss({ unsaved: null })]).detail).toContain('are not known');
  });

  it('says that closing the window quits, also when nothing would be lost', () => {
    const { detail } = quitQuestion('close', { ...load, sessions: 1, running: 0 }, []);
    expect(detail).toContain('Closing the window quits Lisp Harbor. This ends 1 session.');
    expect(detail).not.toContain('lost');
  });
});

describe('the answers', () => {
  it('offer to export first where there is something to export', () => {
    expect(answers([defined])).toEqual(['export', 'quit', 'stay']);
    expect(answers([loss({ busy: 'running' })])).toEqual(['quit', 'stay']);
    expect(answers([loss({ unsaved: null })])).toEqual(['quit', 'stay']);
  });
});
