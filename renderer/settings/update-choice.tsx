/** Which newer versions of the app are looked for, and what becomes of one that was found. */
import type { ReactNode } from 'react';
import type { UpdateChannel, UpdateView } from '../../electron/contract/updates';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { Select } from '../parts/field';
import { Sentence } from '../parts/sentence';
import { RelativeTime, useNow } from '../parts/time';
import { useServices, useWords } from '../services';
import { useUpdates } from '../update-queries';
import styles from './update-choice.module.css';

const CHANNELS: readonly UpdateChannel[] = ['off', 'stable', 'beta'];

export function UpdateChoice({ channel }: { channel: UpdateChannel }) {
  const { updates: words } = useWords();
  const { actions } = useServices();
  const view = useUpdates();
  if (view === undefined) return null;
  if (view.state === 'absent') return <p>{words.absent}</p>;
  return (
    <>
      <Select
        label={words.title}
        value={channel}
        options={CHANNELS.map((value) => ({ value, title: words.channels[value] }))}
        onChange={(updates) => void actions.changeSettings({ updates })}
      />
      <div className={styles.state} role="status" aria-label={words.newer}>
        <State view={view} />
      </div>
    </>
  );
}

function State({ view }: { view: Exclude<UpdateView, { state: 'absent' }> }): ReactNode {
  const { updates: words } = useWords();
  const { actions } = useServices();
  const now = useNow(10_000);
  const look = <Button onPress={() => void actions.updates.look()}>{words.look}</Button>;
  switch (view.state) {
    case 'off':
      return <p>{words.off}</p>;
    case 'looking':
      return <p>{words.looking}</p>;
    case 'current':
      return (
        <>
          <p>
            <Sentence of={words.current(<RelativeTime at={view.at} now={now} />)} />
          </p>
          {look}
        </>
      );
    case 'failed':
      return (
        <>
          <Problem>{view.reason}</Problem>
          {look}
        </>
      );
    case 'found':
      return (
        <>
          <p>{words.found(view.version)}</p>
          <Button kind="primary" onPress={() => void actions.updates.get()}>
            {words.get}
          </Button>
        </>
      );
    case 'getting':
      return <p>{words.getting(view.version, view.percent)}</p>;
    case 'ready':
      return <Ready view={view} />;
  }
}

function Ready({ view: { version, wanted, running } }: { view: Extract<UpdateView, { state: 'ready' }> }) {
  const { updates: words } = useWords();
  const { actions } = useServices();
  return (
    <>
      <p>{wanted ? words.waits(version, running) : words.ready(version)}</p>
      <Button kind={wanted ? 'plain' : 'primary'} onPress={() => void actions.updates.install(!wanted)}>
        {wanted ? words.notYet : words.install}
      </Button>
    </>
  );
}
