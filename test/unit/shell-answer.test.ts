/** Calls from the page: whoever asks and whatever happens, a value comes back. */
import { describe, expect, it } from 'vitest';
import { calls } from '../../electron/contract/contract';
import { HarborError } from '../../electron/contract/errors';
import { type Answering, answerCall, type CallHandlers } from '../../electron/shell/answer';
import { VisibleTexts } from '../../electron/shell/window-events';
import { wordsOf } from '../../electron/words/words';

const OWN_FRAME = { url: 'app://bundle/index.html', parent: null };

/** Handlers of which only the given ones may be called. */
function handlers(given: Partial<CallHandlers>): CallHandlers {
  const refuse = () => {
    throw new Error('not expected to be called');
  };
  const all = Object.fromEntries(Object.keys(calls).map((call) => [call, refuse]));
  return { ...all, ...given } as CallHandlers;
}

const ignore = () => {};

const answering = (
  given: CallHandlers,
  report: Answering['report'] = ignore,
  texts = new VisibleTexts(),
) => ({
  handlers: given,
  texts,
  words: () => wordsOf('en'),
  report,
});

describe('answerCall', () => {
  it('gives the handler parsed arguments with their defaults and answers its value', async () => {
    const seen: unknown[] = [];
    const page = { rows: [], next: null };
    const given = handlers({
      'history:page': (query) => {
        seen.push(query);
        return page;
      },
    });
    const reply = await answerCall(answering(given), 'history:page', OWN_FRAME, { query: 'car' });
    expect(reply).toEqual({ ok: true, value: page });
    expect(seen).toEqual([{ query: 'car', limit: 50 }]);
  });

  it('refuses a frame that is not ours before it looks at the arguments', async () => {
    for (const frame of [null, { ...OWN_FRAME, parent: {} }, { url: 'https://example.org/', parent: null }]) {
      const reply = await answerCall(answering(handlers({})), 'sessions:list', frame, 'nonsense');
      expect(reply).toMatchObject({ ok: false, code: 'untrusted_sender' });
    }
  });

  it('refuses arguments that do not fit and says which', async () => {
    const reply = await answerCall(answering(handlers({})), 'history:page', OWN_FRAME, { limit: 1e9 });
    expect(reply).toMatchObject({ ok: false, code: 'bad_arguments' });
    expect(reply).toHaveProperty('message', expect.stringContaining('history:page.limit'));
  });

  it('passes on an error that a person can act on', async () => {
    const given = handlers({
      'sessions:list': () => {
        throw new HarborError('engine_unavailable', 'Install SBCL.');
      },
    });
    const reports: unknown[] = [];
    const report = (_call: string, error: unknown) => reports.push(error);
    const reply = await answerCall(answering(given, report), 'sessions:list', OWN_FRAME, null);
    expect(reply).toEqual({ ok: false, code: 'engine_unavailable', message: 'Install SBCL.' });
    expect(reports).toEqual([]);
  });

  it('says what kind of trouble it is in the language of the window, and then what the harbor says', async () => {
    const given = handlers({
      'sessions:list': () => {
        throw new HarborError('engine_unavailable', 'Install SBCL.');
      },
    });
    const asked = { ...answering(given), words: () => wordsOf('ja') };
    const reply = await answerCall(asked, 'sessions:list', OWN_FRAME, null);
    expect(reply).toHaveProperty('message', 'エンジンを利用できません: Install SBCL.');
  });

  it('turns any other failure into a value too, and reports it', async () => {
    const defect = new TypeError('x is undefined');
    const reports: unknown[] = [];
    const given = handlers({ 'sessions:list': () => Promise.reject(defect) });
    const report = (call: string, error: unknown) => reports.push([call, error]);
    const reply = await answerCall(answering(given, report), 'sessions:list', OWN_FRAME, null);
    expect(reply).toEqual({ ok: false, code: 'internal', message: 'x is undefined' });
    expect(reports).toEqual([['sessions:list', defect]]);
  });

  it('shows a text with what nobody sees in it, and gives handlers the text itself', async () => {
    const [hidden, plain] = ['/home/ada/li\u200bb', '/home/ada/lib'];
    const removed: string[] = [];
    const view = (folders: string[]) => ({ folders }) as never;
    const given = handlers({
      'sandbox:read': () => view([hidden, plain]),
      'sandbox:remove': ({ folder }) => {
        removed.push(folder);
        return view([]);
      },
    });
    const asked = answering(given);
    const reply = await answerCall(asked, 'sandbox:read', OWN_FRAME, null);
    const folders = ['/home/ada/li⟨U+200B⟩b', plain];
    expect(reply).toEqual({ ok: true, value: { folders } });
    for (const folder of folders) {
      const row = { folder, power: 'read', isDefault: false };
      expect(await answerCall(asked, 'sandbox:remove', OWN_FRAME, row)).toMatchObject({ ok: true });
    }
    expect(removed).toEqual([hidden, plain]);
  });

  it('guesses nothing where two texts look the same', async () => {
    const texts = new VisibleTexts();
    const [hidden, marked] = ['a\u200bb', 'a⟨U+200B⟩b'];
    expect(texts.shown([hidden, marked, 'c\u200b'])).toEqual([marked, marked, 'c⟨U+200B⟩']);
    expect(texts.originals([marked, 'c⟨U+200B⟩'])).toEqual([marked, 'c\u200b']);
  });
});
