/** The switch that holds what agents would begin. A pause stops no work: what runs on is named, and stopped only by a choice of its own. */
import { Pause, Play, Square } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../electron/contract/model';
import type { Words } from '../electron/words/words';
import styles from './navigation.module.css';
import { Button } from './parts/button';
import { useLive, useServices, useWords } from './services';
import { StopAll } from './session/stop-all';

export function PauseAll() {
  const words = useWords();
  const { actions } = useServices();
  const paused = useLive((state) => state.approvals.paused);
  return (
    <div className={styles.pause}>
      <Button icon={paused ? Play : Pause} onPress={() => void actions.sandbox.pauseAll(!paused)}>
        {words.commands.titles[paused ? 'agents:go-on' : 'agents:pause']}
      </Button>
      {paused && <StillRunning />}
    </div>
  );
}

function StillRunning() {
  const words = useWords();
  const sessions = useLive((state) => state.sessions);
  const [stopping, setStopping] = useState<readonly SessionView[] | null>(null);
  const running = [...sessions.values()].filter(({ state }) => state === 'running');
  return (
    <>
      <p role="status">{whatRunsOn([...sessions.values()], words)}</p>
      {running.length > 0 && (
        <Button icon={Square} onPress={() => setStopping(running)}>
          {words.window.stopWhatRuns}
        </Button>
      )}
      {stopping && <StopAll sessions={stopping} onClose={() => setStopping(null)} />}
    </>
  );
}

/** What a person must know who has paused all agents. */
function whatRunsOn(sessions: readonly SessionView[], { window }: Words): string {
  const running = sessions.filter(({ state }) => state === 'running').map(({ name }) => name);
  const images = sessions.filter(({ state }) => HAVE_IMAGES.has(state)).length;
  return window.paused + window.stillRunning(running) + window.threadsRunOn(images);
}

const HAVE_IMAGES: ReadonlySet<SessionView['state']> = new Set(['idle', 'running', 'debugger']);
