/** The window: navigation, the selected view and keyboard shortcuts. */

import { Anchor } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { I18nProvider } from 'react-aria-components';
import { localeOf } from '../electron/words/language';
import styles from './app.module.css';
import { ApprovalQuestions } from './approvals/approval-questions';
import { codeOf, nameAtPoint } from './browse/symbol-at';
import { commandFor } from './commands';
import { useFocusRecovery, usePageTheme, useWindowTitle } from './document-effects';
import { Home } from './home/home-view';
import { Navigation, PausedStrip } from './navigation';
import { Palette } from './palette';
import { Button } from './parts/button';
import { Empty } from './parts/view';
import type { ViewId } from './route';
import { useLanguage, useLive, useRoute, useServices, useWords } from './services';
import { hasImage } from './session/session-actions';
import { TestWatch } from './tests/test-watch';
import { ToastList } from './toast-list';

/** Home is part of the entry bundle; the other views are loaded after the first paint. */
const LATER = {
  sessions: () => import('./sessions/sessions-view').then(({ Sessions }) => ({ default: Sessions })),
  source: () => import('./source/source-view').then(({ Source }) => ({ default: Source })),
  tests: () => import('./tests/tests-view').then(({ Tests }) => ({ default: Tests })),
  history: () => import('./history/history-view').then(({ History }) => ({ default: History })),
  sandbox: () => import('./sandbox/sandbox-view').then(({ Sandbox }) => ({ default: Sandbox })),
  clients: () => import('./clients/clients-view').then(({ Clients }) => ({ default: Clients })),
  settings: () => import('./settings/settings-view').then(({ Settings }) => ({ default: Settings })),
};

const VIEW_OF: Readonly<Record<ViewId, ComponentType>> = {
  home: Home,
  sessions: lazy(LATER.sessions),
  source: lazy(LATER.source),
  tests: lazy(LATER.tests),
  history: lazy(LATER.history),
  sandbox: lazy(LATER.sandbox),
  clients: lazy(LATER.clients),
  settings: lazy(LATER.settings),
};

export function App() {
  usePageTheme();
  useShortcuts();
  useFocusRecovery();
  useBrowsePointed();
  useLaterViews();
  useWindowTitle();
  const view = useRoute((route) => route.view);
  const problem = useLive((state) => state.problem);
  const language = useLanguage();
  const View = VIEW_OF[view];
  return (
    <I18nProvider locale={localeOf(language)}>
      <div className={styles.app}>
        <Navigation />
        <Suspense fallback={<main />}>
          {problem === null ? <View /> : <Unreachable problem={problem} />}
        </Suspense>
        <div className={styles.below}>
          <PausedStrip />
          {view !== 'home' && <ApprovalQuestions />}
        </div>
        <ToastList />
        <TestWatch />
        <Palette />
      </div>
    </I18nProvider>
  );
}

/** Loads the other views once the first is drawn. */
function useLaterViews(): void {
  useEffect(() => {
    const idle = requestIdleCallback(() => {
      for (const load of Object.values(LATER)) void load();
    });
    return () => cancelIdleCallback(idle);
  }, []);
}

/** Shown if the harbor did not answer when the page was loaded. */
function Unreachable({ problem }: { problem: string }) {
  const words = useWords();
  const { actions } = useServices();
  const again = (
    <Button kind="primary" onPress={() => void actions.reload()}>
      {words.window.tryAgain}
    </Button>
  );
  return (
    <main className={styles.unreachable}>
      <h1>{words.window.unreachable}</h1>
      <Empty icon={Anchor} title={words.window.nothingShown} action={again}>
        {problem}
      </Empty>
    </main>
  );
}

/**
 * Reports whether the target is a terminal or a code editor, where line-editing keys take precedence over
 * shortcuts.
 */
function typesLisp(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.xterm, .cm-editor') !== null;
}

/** Runs commands by their shortcuts, except while a dialog or menu is open. */
function useShortcuts(): void {
  const { commands, mac } = useServices();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('[role=dialog], [role=menu]')) return;
      const command = commandFor(commands, event, mac, typesLisp(event.target));
      if (!command) return;
      event.preventDefault();
      command.run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [commands, mac]);
}

/** Browses the name under the pointer on Alt+click. */
function useBrowsePointed(): void {
  const { actions, live, route } = useServices();
  useEffect(() => {
    const click = (event: MouseEvent) => {
      if (!event.altKey || !(event.target instanceof Node)) return;
      const { view, session: shown } = route.getState();
      const id = codeOf(event.target) ?? (view === 'sessions' ? shown : null);
      const session = id === null ? undefined : live.getState().sessions.get(id);
      const name = nameAtPoint(event.clientX, event.clientY);
      if (!session || !hasImage(session) || name === null) return;
      event.preventDefault();
      event.stopPropagation();
      actions.browse(session.id, name);
    };
    // Runs before the click handlers of the element.
    addEventListener('click', click, { capture: true });
    return () => removeEventListener('click', click, { capture: true });
  }, [actions, live, route]);
}
