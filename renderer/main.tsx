/** The page's start: builds what the views use, once, and draws the app. */
import './styles/fonts.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createStore } from 'zustand';
import type { Settings } from '../electron/contract/settings';
import { wordsOf } from '../electron/words/words';
import { Actions } from './actions';
import { App } from './app';
import { followMenu } from './application-menu';
import { subscribe } from './bridge';
import { createQueries, followEvents } from './bridge-queries';
import { createCommands } from './commands';
import { keepLayout, keptLayout } from './kept-layout';
import { followLanguage } from './language';
import { type LiveState, NOTHING_LIVE } from './live';
import { startLiveFeed } from './live-feed';
import { keepLeftDrafts } from './repl/left-drafts';
import { followHash, goTo, type Route } from './route';
import { type AskedOfSession, type Services, ServicesContext } from './services';
import { sessionActs } from './session/session-acts';
import { isToastLookedAt } from './toast-list';
import { NO_TOASTS, type ToastState, Toasts } from './toasts';
import type { ViewState } from './view-state';

function createServices(): Services {
  const live = createStore<LiveState>(() => NOTHING_LIVE);
  const kept = keptLayout(localStorage);
  const route = createStore<Route>(() => kept.route);
  const viewState = createStore<ViewState>(() => kept.viewState);
  const toastList = createStore<ToastState>(() => NO_TOASTS);
  const palette = createStore<boolean>(() => false);
  const queries = createQueries();
  const toasts = new Toasts(toastList, isToastLookedAt);
  const language = followLanguage(queries);
  const words = () => wordsOf(language.getState());
  const actions = new Actions({ live, route, viewState, queries, toasts, words });
  const sessionDialog = createStore<AskedOfSession | null>(() => null);
  const acts = sessionActs(actions, ({ id }, dialog) =>
    sessionDialog.setState({ session: id, dialog }, true),
  );
  const commands = createCommands({
    ...{ actions, acts, toasts, live, route, viewState, words },
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
    acts,
    commands,
    mac: navigator.userAgent.includes('Macintosh'),
  };
}

const root = document.getElementById('root');
if (!root) throw new Error('the page has no place to draw in');
const services = createServices();
followHash(services.route);
services.route.subscribe((now, before) => {
  if (now.view !== before.view || now.session !== before.session || now.tab !== before.tab)
    services.toasts.moved();
});
followMenu(services);
subscribe('window:go', ({ to }) => goTo(to));
keepLayout(localStorage, services.route, services.viewState);
// Before the views show that a session has ended.
keepLeftDrafts(services);
startLiveFeed(services.live);
followEvents(services.queries);
createRoot(root).render(
  <StrictMode>
    <ServicesContext value={services}>
      <QueryClientProvider client={services.queries}>
        <App />
      </QueryClientProvider>
    </ServicesContext>
  </StrictMode>,
);
