/** When a session ends: what was typed there and not evaluated is kept, and where is said unless its own place shows it. */
import { wordsOf } from '../../electron/words/words';
import { subscribe } from '../bridge';
import { engineTitle } from '../parts/format';
import type { Services } from '../services';
import { draftOf, keepDraft } from './drafts';

export function keepLeftDrafts({ live, route, toasts, language }: Services): void {
  subscribe('session:ended', ({ session, unread }) => {
    const ended = live.getState().sessions.get(session);
    const text = [unread, draftOf(session)].filter((each) => each.trim() !== '').join('\n');
    if (!ended || text === '') return;
    keepDraft(ended, text);
    const { view, session: shown } = route.getState();
    if (view === 'sessions' && shown === session) return;
    toasts.done(wordsOf(language.getState()).messages.draftLeft(ended.name, engineTitle(ended.engine)));
  });
}
