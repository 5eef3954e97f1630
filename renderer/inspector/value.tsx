/** A value: type, facts and the selected view. */

import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { InspectionView, Numbers } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { CallError } from '../bridge';
import { useInspection, useNumbers, useRecords } from '../image-queries';
import { IconButton } from '../parts/button';
import { LispBlock, LispLine } from '../parts/code';
import { ScrollArea } from '../parts/scroll-area';
import { Problem } from '../parts/view';
import { useServices, useViewState, useWords } from '../services';
import { ChartView } from './chart-view';
import styles from './inspector.module.css';
import { BytesView, TableView } from './paged-views';
import { type Enter, PartsView } from './parts-view';
import { ClassesView, TreeView } from './tree-views';
import { differences, factOf, mayBeDrawn, mayBeTable, type ViewName, viewsOf } from './view-data';
import type { Crumb } from './visits';

interface ValueProps {
  session: SessionView;
  crumb: Crumb;
  onEnter: Enter;
}

const FIRST_PAGE = { path: [], offset: 0, limit: 100 };

export function Value({ session, crumb, onEnter }: ValueProps) {
  const { data, error } = useInspection(session.id, crumb.handle, FIRST_PAGE);
  // The previous value is outdated.
  if (error) return <MissingValue error={error} />;
  if (!data) return null;
  return <Looked session={session} crumb={crumb} inspection={data} onEnter={onEnter} />;
}

/** Shown for a failed request. A handle is valid for the life of its image. */
function MissingValue({ error }: { error: Error }) {
  const isExpired = error instanceof CallError && ['unknown_handle', 'image_lost'].includes(error.code);
  return <Problem tone={isExpired ? 'warn' : 'bad'}>{error.message}</Problem>;
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
  const isLoading = records.isLoading || numbers.isLoading;
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
      {!isLoading && (
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

/** The facts of a value, except those with a view of their own. */
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

// The selected view of a value.

interface ShownProps {
  view: ViewName;
  session: SessionView;
  inspection: InspectionView;
  numbers: Numbers | null;
  pinned: Crumb | null;
  onEnter: Enter;
}

function Shown({ view, session, inspection, numbers, pinned, onEnter }: ShownProps) {
  const words = useWords();
  const of = { session, inspection, onEnter };
  switch (view) {
    case 'parts':
      return <PartsView {...of} />;
    case 'tree':
      return <TreeView {...of} />;
    case 'table':
      return <TableView {...of} />;
    case 'chart':
      return numbers && <ChartView numbers={numbers} />;
    case 'bytes':
      return <BytesView {...of} />;
    case 'classes':
      return <ClassesView {...of} />;
    case 'difference':
      return pinned && <DifferenceView session={session} inspection={inspection} pinned={pinned} />;
    case 'documentation':
      return (
        <ScrollArea label={words.inspector.views.documentation} className={styles.text}>
          <p className={styles.documentation}>{factOf(inspection, 'documentation')}</p>
        </ScrollArea>
      );
    case 'printed':
      return (
        <ScrollArea label={words.inspector.views.printed} className={styles.text}>
          <LispBlock code={inspection.text} engine={session.engine} />
        </ScrollArea>
      );
  }
}

// A comparison of a value with the pinned one: the parts that print differently.

/** Maximum number of compared parts. */
const COMPARED = { path: [], offset: 0, limit: 500 };

interface DifferenceViewProps {
  session: SessionView;
  inspection: InspectionView;
  pinned: Crumb;
}

function DifferenceView({ session, inspection, pinned }: DifferenceViewProps) {
  const words = useWords();
  const one = useInspection(session.id, pinned.handle, COMPARED);
  const other = useInspection(session.id, inspection.handle, COMPARED);
  const error = one.error ?? other.error;
  if (error) return <Problem tone="warn">{error.message}</Problem>;
  if (!one.data || !other.data) return null;
  const { differing, alike } = differences(one.data.parts, other.data.parts, words);
  const uncompared = Math.max(one.data.total, other.data.total) - COMPARED.limit;
  return (
    <ScrollArea label={words.inspector.views.difference} className={styles.text}>
      <table className={styles.difference}>
        <thead>
          <tr>
            <th scope="col">{words.inspector.part}</th>
            <th scope="col">{words.inspector.pinned}</th>
            <th scope="col">{words.inspector.thisOne}</th>
          </tr>
        </thead>
        <tbody>
          {one.data.text !== other.data.text && (
            <tr>
              <th scope="row">{words.inspector.printed}</th>
              <Cell text={one.data.text} />
              <Cell text={other.data.text} />
            </tr>
          )}
          {differing.map(({ name, one: before, other: after }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <Cell text={before} />
              <Cell text={after} />
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.hint}>
        {words.inspector.differ(words.formats.number(differing.length))}
        {words.inspector.alike(alike)}
        {uncompared > 0 && words.inspector.notCompared(words.formats.number(uncompared))}
      </p>
    </ScrollArea>
  );
}

function Cell({ text }: { text: string | null }) {
  const words = useWords();
  return (
    <td>
      {text === null ? <span className={styles.absent}>{words.common.none}</span> : <code>{text}</code>}
    </td>
  );
}
