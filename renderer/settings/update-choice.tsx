/** Which newer versions of the app are looked for, and what becomes of one that was found. */
import type { ReactNode } from 'react';
import type { Settings } from '../../electron/contract/settings';
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

export function UpdateChoice({ settings }: { settings: Settings }) {
  const { updates: words } = useWords();
  const view = useUpdates();
  if (view === undefined) return null;
  if (view.state === 'absent') return <p>{words.absent}</p>;
  return (
    <>
      {isInstalled(view) ? null : <ChannelChoice channel={settings.updates} />}
      <div className={styles.state} role="status" aria-label={words.newer}>
        <State view={view} comeBack={settings.sessionsComeBack} />
      </div>
    </>
  );
}

/** Then there is nothing to look for, and perhaps no address to look at. */
const isInstalled = (view: UpdateView) => view.state === 'ready' && view.installed;

function ChannelChoice({ channel }: { channel: UpdateChannel }) {
  const { updates: words } = useWords();
  const { actions } = useServices();
  return (
    <Select
      label={words.title}
      value={channel}
      options={CHANNELS.map((value) => ({ value, title: words.channels[value] }))}
      onChange={(updates) => void actions.changeSettings({ updates })}
    />
  );
}

interface Shown {
  view: Exclude<UpdateView, { state: 'absent' }>;
  /** Whether sessions of the last time come back. */
  comeBack: boolean;
}

function State({ view, comeBack }: Shown): ReactNode {
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
      return <Ready view={view} comeBack={comeBack} />;
  }
}

function Ready({
  view: { version, installed, wanted, running },
  comeBack,
}: Shown & { view: { state: 'ready' } }) {
  const { updates: words } = useWords();
  const { actions } = useServices();
  const here = installed ? words.installed(version) : words.ready(version);
  const waits = installed ? words.waitsToStart(version, running) : words.waits(version, running);
  const begin = installed ? words.startAgain : words.install;
  return (
    <>
      <p>{wanted ? waits : here}</p>
      {wanted ? null : <p>{comeBack ? words.asleep : words.gone}</p>}
      <Button kind={wanted ? 'plain' : 'primary'} onPress={() => void actions.updates.install(!wanted)}>
        {wanted ? words.notYet : begin}
      </Button>
    </>
  );
}
