/** The window: navigation on the left, the view that is chosen beside it, shortcuts for both. */
import { Anchor } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { I18nProvider } from 'react-aria-components';
import { localeOf } from '../electron/words/language';
import styles from './app.module.css';
import { ApprovalQuestions } from './approvals/approval-questions';
import { useBrowsePointed } from './browse/use-browse-pointed';
import { commandFor } from './commands';
import { Home } from './home/home-view';
import { useKeptFocus } from './kept-focus';
import { Navigation } from './navigation';
import { usePageTheme } from './page-theme';
import { Palette } from './palette';
import { Button } from './parts/button';
import { Empty } from './parts/feedback';
import type { ViewId } from './route';
import { useLanguage, useLive, useRoute, useServices, useWords } from './services';
import { ToastList } from './toast-list';
import { useWindowTitle } from './window-title';

/** The first view comes with the page; the code of the others follows it, so that it holds up nothing. */
const LATER = {
  sessions: () => import('./sessions/sessions-view').then(({ Sessions }) => ({ default: Sessions })),
  history: () => import('./history/history-view').then(({ History }) => ({ default: History })),
  sandbox: () => import('./sandbox/sandbox-view').then(({ Sandbox }) => ({ default: Sandbox })),
  clients: () => import('./clients/clients-view').then(({ Clients }) => ({ default: Clients })),
  settings: () => import('./settings/settings-view').then(({ Settings }) => ({ default: Settings })),
};

const VIEW_OF: Readonly<Record<ViewId, ComponentType>> = {
  home: Home,
  sessions: lazy(LATER.sessions),
  history: lazy(LATER.history),
  sandbox: lazy(LATER.sandbox),
  clients: lazy(LATER.clients),
  settings: lazy(LATER.settings),
};

export function App() {
  usePageTheme();
  useShortcuts();
  useKeptFocus();
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
        {view !== 'home' && <ApprovalQuestions />}
        <ToastList />
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

/** The harbor did not answer when the page was loaded. */
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

/** Where the keys of a shell's and of Emacs's line editing belong to who types. */
function typesLisp(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.xterm, .cm-editor') !== null;
}

/** Runs commands by their shortcuts, but not while a dialog or menu has the keyboard. */
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
