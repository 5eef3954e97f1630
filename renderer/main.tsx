/** Builds the services of the page and renders the app. */

import './styles/fonts.css';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createStore, type StoreApi } from 'zustand';
import type { Settings } from '../electron/contract/settings';
import { type Language, languageOf } from '../electron/words/language';
import { wordsOf } from '../electron/words/words';
import { Actions } from './actions';
import { App } from './app';
import { harbor, subscribe } from './bridge';
import { createQueries, followEvents } from './bridge-queries';
import { createCommands, menuCommands } from './commands';
import { type LiveState, NOTHING_LIVE } from './live';
import { startLiveFeed } from './live-feed';
import { saveDraftsOfEndedSessions } from './repl/drafts';
import { followHash, goTo, type Route } from './route';
import { type OpenSessionDialog, type Services, ServicesContext } from './services';
import { sessionActions } from './session/session-actions';
import { isToastLookedAt } from './toast-list';
import { NO_TOASTS, type ToastState, Toasts } from './toasts';
import { loadLayout, saveLayout, type ViewState } from './view-state';

/** Sends the commands with their current shortcuts to the application menu, and runs the chosen ones. */
export function followMenu({ commands, queries, language }: Services): void {
  let sent = '';
  const sendCommands = () => {
    const table = menuCommands(commands);
    if (JSON.stringify(table) === sent) return;
    sent = JSON.stringify(table);
    // A menu without commands is harmless and needs no message.
    void harbor.window.commands(table).catch(() => undefined);
  };
  sendCommands();
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === 'settings') sendCommands();
  });
  language.subscribe(sendCommands);
  subscribe('window:run', ({ id }) => {
    const command = commands.find((each) => each.id === id);
    if (command?.enabled()) command.run();
  });
}

function createServices(): Services {
  const live = createStore<LiveState>(() => NOTHING_LIVE);
  const layout = loadLayout(localStorage);
  const route = createStore<Route>(() => layout.route);
  const viewState = createStore<ViewState>(() => layout.viewState);
  const toastList = createStore<ToastState>(() => NO_TOASTS);
  const palette = createStore<boolean>(() => false);
  const queries = createQueries();
  const toasts = new Toasts(toastList, isToastLookedAt);
  const language = followLanguage(queries);
  const words = () => wordsOf(language.getState());
  const actions = new Actions({ live, route, viewState, queries, toasts, words });
  const sessionDialog = createStore<OpenSessionDialog | null>(() => null);
  const sessionActionTable = sessionActions(actions, ({ id }, dialog) =>
    sessionDialog.setState({ session: id, dialog }, true),
  );
  const commands = createCommands({
    ...{ actions, sessionActions: sessionActionTable, toasts, live, route, viewState, words },
    chosen: () => queries.getQueryData<Settings>(['settings'])?.shortcuts ?? {},
    openPalette: () => palette.setState(true, true),
  });
  return {
    live,
    route,
    viewState,
    toastList,
    palette,
    sessionDialog,
    language,
    queries,
    toasts,
    actions,
    sessionActions: sessionActionTable,
    commands,
    mac: navigator.userAgent.includes('Macintosh'),
  };
}

const root = document.getElementById('root');
if (!root) throw new Error('element #root is missing');
const services = createServices();
followHash(services.route);
services.route.subscribe((now, before) => {
  if (now.view !== before.view || now.session !== before.session || now.tab !== before.tab)
    services.toasts.moved();
});
followMenu(services);
subscribe('window:go', ({ to }) => goTo(to));
saveLayout(localStorage, services.route, services.viewState);
// Must run before the views show that a session has ended.
saveDraftsOfEndedSessions(services);
startLiveFeed(services.live);
followEvents(services.queries, services.live);
createRoot(root).render(
  <StrictMode>
    <ServicesContext value={services}>
      <QueryClientProvider client={services.queries}>
        <App />
      </QueryClientProvider>
    </ServicesContext>
  </StrictMode>,
);

// The language of the page: initially that of the document, then that of the settings.

/** Follows the settings and sets the `lang` attribute of the document. */
export function followLanguage(queries: QueryClient): StoreApi<Language> {
  const { documentElement } = document;
  const store = createStore<Language>(() => (documentElement.lang === 'ja' ? 'ja' : 'en'));
  store.subscribe((language) => {
    documentElement.lang = language;
  });
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== 'settings') return;
    const settings = queries.getQueryData<Settings>(['settings']);
    if (settings) store.setState(languageOf(settings.language, navigator.language), true);
  });
  return store;
}
