/** The switch that holds what agents would begin. A pause stops no work: what runs on is named, and stopped only by a choice of its own. */
import { Pause, Play, Square } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../electron/contract/model';
import styles from './navigation.module.css';
import { Button } from './parts/button';
import { count } from './parts/format';
import { useLive, useServices } from './services';
import { StopAll } from './session/stop-all';

export function PauseAll() {
  const { actions } = useServices();
  const paused = useLive((state) => state.approvals.paused);
  return (
    <div className={styles.pause}>
      <Button icon={paused ? Play : Pause} onPress={() => void actions.sandbox.pauseAll(!paused)}>
        {paused ? 'Let agents go on' : 'Pause all agents'}
      </Button>
      {paused && <StillRunning />}
    </div>
  );
}

function StillRunning() {
  const sessions = useLive((state) => state.sessions);
  const [stopping, setStopping] = useState<readonly SessionView[] | null>(null);
  const running = [...sessions.values()].filter(({ state }) => state === 'running');
  return (
    <>
      <p role="status">{whatRunsOn([...sessions.values()])}</p>
      {running.length > 0 && (
        <Button icon={Square} onPress={() => setStopping(running)}>
          Stop what runs…
        </Button>
      )}
      {stopping && <StopAll sessions={stopping} onClose={() => setStopping(null)} />}
    </>
  );
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
