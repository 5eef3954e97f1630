/** Calls from the page: whoever asks and whatever happens, a value comes back. */
import { describe, expect, it } from 'vitest';
import { CALLS } from '../../electron/contract/channels';
import { HarborError } from '../../electron/contract/errors';
import { answerCall, type CallHandlers } from '../../electron/shell/answer';

const OWN_FRAME = { url: 'app://bundle/index.html', parent: null };

/** Handlers of which only the given ones may be called. */
function handlers(given: Partial<CallHandlers>): CallHandlers {
  const refuse = () => {
    throw new Error('not expected to be called');
  };
  const all = Object.fromEntries(CALLS.map((call) => [call, refuse]));
  return { ...all, ...given } as CallHandlers;
}

const ignore = () => {};

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
    const reply = await answerCall(given, 'history:page', OWN_FRAME, { query: 'car' }, ignore);
    expect(reply).toEqual({ ok: true, value: page });
    expect(seen).toEqual([{ query: 'car', limit: 50 }]);
  });

  it('refuses a frame that is not ours before it looks at the arguments', async () => {
    for (const frame of [null, { ...OWN_FRAME, parent: {} }, { url: 'https://example.org/', parent: null }]) {
      const reply = await answerCall(handlers({}), 'sessions:list', frame, 'nonsense', ignore);
      expect(reply).toMatchObject({ ok: false, code: 'untrusted_sender' });
    }
  });

  it('refuses arguments that do not fit and says which', async () => {
    const reply = await answerCall(handlers({}), 'history:page', OWN_FRAME, { limit: 1e9 }, ignore);
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
    const reply = await answerCall(given, 'sessions:list', OWN_FRAME, null, report);
    expect(reply).toEqual({ ok: false, code: 'engine_unavailable', message: 'Install SBCL.' });
    expect(reports).toEqual([]);
  });

  it('turns any other failure into a value too, and reports it', async () => {
    const defect = new TypeError('x is undefined');
    const reports: unknown[] = [];
    const given = handlers({ 'sessions:list': () => Promise.reject(defect) });
    const report = (call: string, error: unknown) => reports.push([call, error]);
    const reply = await answerCall(given, 'sessions:list', OWN_FRAME, null, report);
    expect(reply).toEqual({ ok: false, code: 'internal', message: 'x is undefined' });
    expect(reports).toEqual([['sessions:list', defect]]);
  });
});
