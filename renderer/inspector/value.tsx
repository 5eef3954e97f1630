/** A value: what it is, facts about it, and the chosen view. */
import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { InspectionView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { CallError } from '../bridge';
import { useInspection, useNumbers, useRecords } from '../image-queries';
import { IconButton } from '../parts/button';
import { Problem } from '../parts/feedback';
import { LispLine } from '../parts/lisp';
import { useServices, useViewState, useWords } from '../services';
import styles from './inspector.module.css';
import { Shown } from './shown-view';
import { mayBeDrawn, mayBeTable, type ViewName, viewsOf } from './views-of';
import type { Crumb } from './visits';

export type Enter = (path: (number | string)[], label: string) => Promise<void>;

interface ValueProps {
  session: SessionView;
  crumb: Crumb;
  onEnter: Enter;
}

const FIRST_PAGE = { path: [], offset: 0, limit: 100 };

export function Value({ session, crumb, onEnter }: ValueProps) {
  const { data, error } = useInspection(session.id, crumb.handle, FIRST_PAGE);
  // What was shown before is not so any more.
  if (error) return <Gone error={error} />;
  if (!data) return null;
  return <Looked session={session} crumb={crumb} inspection={data} onEnter={onEnter} />;
}

/** A handle is good for the life of its image. */
function Gone({ error }: { error: Error }) {
  const isGone = error instanceof CallError && ['unknown_handle', 'image_lost'].includes(error.code);
  return <Problem tone={isGone ? 'warn' : 'bad'}>{error.message}</Problem>;
}

interface LookedProps extends ValueProps {
  inspection: InspectionView;
}

function Looked({ session, crumb, inspection, onEnter }: LookedProps) {
  const words = useWords();
  const { viewState } = useServices();
  const pinned = useViewState((state) => state.pinned[session.id]);
  const records = useRecords(session.id, crumb.handle, mayBeTable(inspection));
  const numbers = useNumbers(session.id, crumb.handle, mayBeDrawn(inspection));
  const [chosen, setChosen] = useState<ViewName | null>(null);
  const isPinned = pinned !== undefined && pinned.handle !== crumb.handle;
  const views = viewsOf({
    inspection,
    records: records.data ?? null,
    numbers: numbers.data ?? null,
    isPinned,
  });
  const shown = chosen !== null && views.includes(chosen) ? chosen : (views[0] ?? 'printed');
  const isAsking = records.isLoading || numbers.isLoading;
  const pin = (to: Crumb | null) =>
    viewState.setState(({ pinned: { [session.id]: _, ...others } }) => ({
      pinned: to === null ? others : { ...others, [session.id]: to },
    }));
  return (
    <>
      <div className={styles.head}>
        <p className={styles.kind}>
          <strong>{inspection.kind}</strong>
          <code>{inspection.type}</code>
          <span className={styles.handle}>{inspection.handle}</span>
        </p>
        {pinned === undefined ? (
          <IconButton
            icon={Pin}
            label={words.inspector.pin}
            onPress={() => pin({ ...crumb, label: inspection.text })}
          />
        ) : (
          <IconButton icon={PinOff} label={words.inspector.unpin} onPress={() => pin(null)} />
        )}
      </div>
      <p className={styles.printed} title={inspection.text}>
        <LispLine code={inspection.text} engine={session.engine} />
      </p>
      <Facts inspection={inspection} />
      <ToggleButtonGroup
        aria-label={words.inspector.view}
        className={styles.views ?? ''}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[shown]}
        onSelectionChange={([key]) => setChosen(views.find((view) => view === key) ?? null)}
      >
        {views.map((view) => (
          <ToggleButton key={view} id={view} className={styles.view ?? ''}>
            {words.inspector.views[view]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {!isAsking && (
        <Shown
          view={shown}
          session={session}
          inspection={inspection}
          numbers={numbers.data ?? null}
          pinned={pinned ?? null}
          onEnter={onEnter}
        />
      )}
    </>
  );
}

/** What has a view of its own is not said twice. */
function Facts({ inspection: { facts } }: { inspection: InspectionView }) {
  const words = useWords();
  const shown = facts.filter(({ name }) => !['documentation', 'keys'].includes(name));
  if (shown.length === 0) return null;
  return (
    <dl className={styles.facts} aria-label={words.inspector.facts}>
      {shown.map(({ name, text }) => (
        <div key={`${name} ${text}`}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
