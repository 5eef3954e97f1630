/** The window: navigation on the left, the view that is chosen beside it, shortcuts for both. */
import { Anchor } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import styles from './app.module.css';
import { ApprovalQuestions } from './approvals/approval-questions';
import { useBrowsePointed } from './browse/use-browse-pointed';
import { Clients } from './clients/clients-view';
import { commandFor } from './commands';
import { History } from './history/history-view';
import { Home } from './home/home-view';
import { Navigation } from './navigation';
import { usePageTheme } from './page-theme';
import { Button } from './parts/button';
import { Empty } from './parts/feedback';
import type { ViewId } from './route';
import { Sandbox } from './sandbox/sandbox-view';
import { useLive, useRoute, useServices } from './services';
import { Sessions } from './sessions/sessions-view';
import { Settings } from './settings/settings-view';
import { ToastList } from './toast-list';

const VIEW_OF: Readonly<Record<ViewId, () => ReactNode>> = {
  home: Home,
  sessions: Sessions,
  history: History,
  sandbox: Sandbox,
  clients: Clients,
  settings: Settings,
};

export function App() {
  usePageTheme();
  useShortcuts();
  useBrowsePointed();
  const view = useRoute((route) => route.view);
  const problem = useLive((state) => state.problem);
  const View = VIEW_OF[view];
  return (
    <div className={styles.app}>
      <Navigation />
      {problem === null ? <View /> : <Unreachable problem={problem} />}
      <ApprovalQuestions />
      <ToastList />
    </div>
  );
}

/** The harbor did not answer when the page was loaded. */
function Unreachable({ problem }: { problem: string }) {
  const { actions } = useServices();
  const again = (
    <Button kind="primary" onPress={() => void actions.reload()}>
      Try again
    </Button>
  );
  return (
    <main className={styles.unreachable}>
      <h1>The harbor does not answer</h1>
      <Empty icon={Anchor} title="Nothing can be shown" action={again}>
        {problem}
      </Empty>
    </main>
  );
}

/** Runs commands by their shortcuts, but not while a dialog or menu has the keyboard. */
function useShortcuts(): void {
  const { commands, mac } = useServices();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('[role=dialog], [role=menu]')) return;
      const command = commandFor(commands, event, mac);
      if (!command) return;
      event.preventDefault();
      command.run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [commands, mac]);
}
