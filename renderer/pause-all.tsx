/** The switch that holds what agents would begin, and what runs on meanwhile: a pause stops no work. */
import { Pause, Play } from 'lucide-react';
import type { SessionView } from '../electron/contract/model';
import styles from './navigation.module.css';
import { Button } from './parts/button';
import { count } from './parts/format';
import { useLive, useServices } from './services';

export function PauseAll() {
  const { actions } = useServices();
  const paused = useLive((state) => state.approvals.paused);
  return (
    <div className={styles.pause}>
      <Button icon={paused ? Play : Pause} onPress={() => void actions.pauseAll(!paused)}>
        {paused ? 'Let agents go on' : 'Pause all agents'}
      </Button>
      {paused && <StillRunning />}
    </div>
  );
}

function StillRunning() {
  const sessions = useLive((state) => state.sessions);
  return <p role="status">{whatRunsOn([...sessions.values()])}</p>;
}

/** What a person must know who has paused all agents. */
function whatRunsOn(sessions: readonly SessionView[]): string {
  const running = sessions.filter(({ state }) => state === 'running').map(({ name }) => name);
  const images = sessions.filter(({ state }) => HAVE_IMAGES.has(state)).length;
  const evaluations = running.length > 0 ? ` Still running: ${running.join(', ')}.` : ' No evaluation runs.';
  const threads = images > 0 ? ` Threads that code has started run on in ${count(images, 'image')}.` : '';
  return `Agents are paused: none begins anything.${evaluations}${threads}`;
}

const HAVE_IMAGES: ReadonlySet<SessionView['state']> = new Set(['idle', 'running', 'debugger']);
