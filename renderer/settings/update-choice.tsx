/** The update channel, and the state of a found update. */

import type { ReactNode } from 'react';
import type { UpdateChannel, UpdateView } from '../../electron/contract/harbor-status';
import type { Settings } from '../../electron/contract/settings';
import { useUpdates } from '../bridge-queries';
import { Button } from '../parts/button';
import { Select } from '../parts/field';
import { RelativeTime, Sentence, useNow } from '../parts/text';
import { Problem } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './settings-view.module.css';

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

/** An installed update needs no check, and the address may be missing. */
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
  /** Whether previous sessions are restored. */
  comeBack: boolean;
}

function State({ view, comeBack }: Shown): ReactNode {
  const { updates: words } = useWords();
  const { actions } = useServices();
  const now = useNow(10_000);
  const look = <Button onPress={() => void actions.harbor.updates.look()}>{words.look}</Button>;
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
          <Button kind="primary" onPress={() => void actions.harbor.updates.get()}>
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
      {wanted ? null : <p>{comeBack ? words.asleep : words.ending}</p>}
      <Button
        kind={wanted ? 'plain' : 'primary'}
        onPress={() => void actions.harbor.updates.install({ wanted: !wanted })}
      >
        {wanted ? words.notYet : begin}
      </Button>
    </>
  );
}
