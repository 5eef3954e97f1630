/** The sessions view: the list and the selected session. */

import { ArrowDown, ArrowUp, ArrowUpDown, PanelLeft, Plus, Power, SquareTerminal } from 'lucide-react';
import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { MenuTrigger, VisuallyHidden } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { Button, IconButton, Menu, MenuItem } from '../parts/button';
import { SearchField } from '../parts/field';
import { NewSession } from '../parts/new-session';
import { RailButton } from '../parts/rail';
import { SplitPane, useWiderThan } from '../parts/split-pane';
import { useNow } from '../parts/text';
import { Empty, Problem } from '../parts/view';
import { useCommand, useLive, useRoute, useServices, useViewState, useWords } from '../services';
import { SessionDetail } from '../session/session-detail';
import { EndSessions, SessionDialogs } from '../session/session-dialogs';
import { fitsListAndPane, type SessionColumn } from '../view-state';
import { AttachServer } from './attach-server';
import { listedSessions, sortedBy, worthEnding } from './session-list';
import { SessionRows } from './session-rows';
import styles from './sessions-view.module.css';

/** Minimum width of the view for the session next to the list, in pixels. */
const MIN_WIDTH_FOR_DETAIL = 800;

export function Sessions() {
  const words = useWords();
  const sessions = useLive((state) => state.sessions);
  const filter = useViewState(({ sessionFilter }) => sessionFilter);
  const sort = useViewState(({ sessionSort }) => sessionSort);
  const selected = useRoute(({ session }) => session);
  const shown = selected === null ? undefined : sessions.get(selected);
  const together = useViewState(({ selectedSessions }) => selectedSessions);
  const chosenRail = useViewState(({ sessionRail }) => sessionRail);
  const hasPane = useRoute(({ tab }) => tab !== null);
  const view = useRef<HTMLElement>(null);
  const hasBoth = useWiderThan(view, MIN_WIDTH_FOR_DETAIL) && shown !== undefined;
  const isWideEnough = useWideEnough();
  const rows = useMemo(() => listedSessions(sessions.values(), filter, sort), [sessions, filter, sort]);
  const none = filter === '' && rows.length === 0;
  const chosen = rows.filter(({ id }) => together.includes(id));
  // Opening or selecting another session elsewhere ends a multiple selection.
  const several = chosen.length > 1 && chosen.some(({ id }) => id === selected) ? chosen : [];
  // Sessions that are chosen together need the strip below the wide list.
  const canBeRail = hasBoth && several.length === 0 && rows.length > 0;
  const isRail = canBeRail && (chosenRail || (hasPane && !isWideEnough));
  const list = (
    <>
      {!none && !isRail && <Tools filter={filter} canNarrow={hasBoth} />}
      {rows.length > 0 ? (
        <SessionRows rows={rows} several={several} rail={isRail} />
      ) : (
        <NoSessions filter={filter} />
      )}
      {isRail && <RailFoot />}
      {rows.length > 0 && !isRail && <SessionStrip rows={rows} selected={several} />}
    </>
  );
  return (
    <main ref={view} className={styles.view}>
      <VisuallyHidden>
        <h1>{words.sessions.title}</h1>
      </VisuallyHidden>
      <MemoryShort />
      <SplitPane
        name="sessions"
        columnsFrom={MIN_WIDTH_FOR_DETAIL}
        replaces
        initial={0.2}
        least={232}
        rail={isRail}
        line={words.sessions.resizeList}
        list={list}
        detail={shown ? <SessionDetail key={shown.id} session={shown} /> : null}
      />
      <SessionDialogs />
    </main>
  );
}

function useWideEnough(): boolean {
  const wideNavigation = useViewState((state) => state.wideNavigation);
  return useSyncExternalStore(onResize, () => fitsListAndPane(innerWidth, wideNavigation));
}

function onResize(changed: () => void): () => void {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
}

function Tools({ filter, canNarrow }: { filter: string; canNarrow: boolean }) {
  const words = useWords();
  const widen = useCommand('sessions:widen');
  const { viewState } = useServices();
  return (
    <>
      <div className={styles.tools}>
        <div className={styles.filter}>
          <SearchField
            label={words.sessions.filterSessions}
            placeholder={words.sessions.filter}
            value={filter}
            onChange={(sessionFilter) => viewState.setState({ sessionFilter })}
          />
        </div>
        <AttachServer compact />
        <NewSession compact />
        {canNarrow && (
          <IconButton icon={PanelLeft} label={widen.title} shortcut={widen.shortcut} onPress={widen.run} />
        )}
      </div>
      <Opening />
    </>
  );
}

/** Below the sessions of a rail: a new session, and the whole list. */
function RailFoot() {
  const words = useWords();
  const open = useCommand('session:open');
  const widen = useCommand('sessions:widen');
  const opening = useLive((state) => state.opening);
  return (
    <div className={styles.railFoot}>
      {opening && <output className={styles.railDoing}>{`${opening}…`}</output>}
      <RailButton
        icon={Plus}
        name={words.sessions.newOne}
        title={open.title}
        shortcut={open.shortcut}
        disabled={opening !== null}
        onClick={open.run}
      />
      <RailButton
        icon={PanelLeft}
        name={words.sessions.list}
        title={widen.title}
        shortcut={widen.shortcut}
        onClick={widen.run}
      />
    </div>
  );
}

/** The progress of opening a session. */
function Opening() {
  const opening = useLive((state) => state.opening);
  return <output className={styles.doing}>{opening && `${opening}…`}</output>;
}

function NoSessions({ filter }: { filter: string }) {
  const words = useWords();
  if (filter !== '') {
    return (
      <Empty icon={SquareTerminal} title={words.sessions.noneFits}>
        {words.sessions.filterAbout}
      </Empty>
    );
  }
  return (
    <Empty icon={SquareTerminal} title={words.sessions.none} action={<FirstSession />}>
      {words.sessions.noneAbout}
    </Empty>
  );
}

function FirstSession() {
  return (
    <div className={styles.first}>
      <NewSession />
      <AttachServer />
    </div>
  );
}

// The strip below the list: total memory, with a button to end sleeping sessions; or the number of selected
// sessions, with a button to end them.

interface SessionStripProps {
  rows: readonly SessionView[];
  /** The multiple selection; empty for fewer than two sessions. */
  selected: readonly SessionView[];
}

export function SessionStrip({ rows, selected }: SessionStripProps) {
  const words = useWords();
  const [ending, setEnding] = useState<readonly SessionView[] | null>(null);
  const isSelection = selected.length > 1;
  const together = isSelection ? selected : rows.filter(({ state }) => state === 'asleep');
  return (
    <div className={styles.strip}>
      <p role="status">{isSelection ? selectionText(selected, words) : <Sum rows={rows} />}</p>
      <SortMenu />
      {together.length > 0 && (
        <Button icon={Power} onPress={() => setEnding(together)}>
          {isSelection
            ? words.sessions.endSeveral(together.length)
            : words.sessions.endSleeping(together.length)}
        </Button>
      )}
      {ending && <EndSessions sessions={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

function Sum({ rows }: { rows: readonly SessionView[] }) {
  const words = useWords();
  const memory = useLive((state) => state.memory);
  const { sessions, formats } = words;
  const facts = [sessions.sum(rows.length, formats.bytes(bytesOf(rows)))];
  if (memory && memory.ready.images > 0)
    facts.push(sessions.ready(memory.ready.images, formats.bytes(memory.ready.bytes)));
  if (memory) facts.push(sessions.available(formats.bytes(memory.availableBytes)));
  return facts.join(' · ');
}

function selectionText(selected: readonly SessionView[], { sessions, formats }: Words): string {
  return sessions.selected(selected.length, formats.bytes(bytesOf(selected)));
}

function bytesOf(sessions: readonly SessionView[]): number {
  return sessions.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
}

// The menu that sorts the list. Choosing the same column again reverses the order.

const COLUMNS: readonly SessionColumn[] = [
  'name',
  'age',
  'idle',
  'memory',
  'state',
  'engine',
  'client',
  'trust',
];

export function SortMenu() {
  const words = useWords();
  const { viewState } = useServices();
  const sort = useViewState(({ sessionSort }) => sessionSort);
  const Arrow = sort.direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <MenuTrigger>
      <IconButton icon={ArrowUpDown} label={words.sessions.sort} />
      <Menu label={words.sessions.sort}>
        {COLUMNS.map((column) => (
          <MenuItem
            key={column}
            title={words.sessions.columns[column].title}
            mark={
              column === sort.column && (
                <Arrow size={12} aria-label={words.sessions.directions[sort.direction]} />
              )
            }
            about={words.sessions.columns[column].about}
            onChoose={() => viewState.setState({ sessionSort: sortedBy(column, sort) })}
          />
        ))}
      </Menu>
    </MenuTrigger>
  );
}

// The notice about low memory: how much is available, and which sessions could be ended. Nothing is ended
// automatically.

/** Maximum number of session names in each row. */
const NAMED = 3;

export function MemoryShort() {
  const words = useWords();
  const memory = useLive((state) => state.memory);
  const sessions = useLive((state) => state.sessions);
  const now = useNow(10_000);
  const [ending, setEnding] = useState<SessionView | null>(null);
  const { formats } = words;
  if (!memory?.short) return null;
  const { largest, longestIdle } = worthEnding(sessions.values(), NAMED);
  return (
    <section aria-label={words.sessions.memory} className={styles.short}>
      <Problem tone="warn">
        {words.sessions.memoryShort(formats.bytes(memory.availableBytes), formats.bytes(memory.totalBytes))}
      </Problem>
      <dl className={styles.rows}>
        <Named title={words.sessions.takeMost} sessions={largest} onEnd={setEnding}>
          {({ memoryBytes }) => formats.bytes(memoryBytes ?? 0)}
        </Named>
        <Named title={words.sessions.idleLongest} sessions={longestIdle} onEnd={setEnding}>
          {({ lastUsedAt }) => formats.age(Math.max(0, now - lastUsedAt))}
        </Named>
      </dl>
      {ending && <EndSessions sessions={[ending]} onClose={() => setEnding(null)} />}
    </section>
  );
}

interface NamedProps {
  title: string;
  sessions: readonly SessionView[];
  onEnd: (session: SessionView) => void;
  /** The value after a session's name. */
  children: (session: SessionView) => string;
}

function Named({ title, sessions, onEnd, children }: NamedProps) {
  const words = useWords();
  if (sessions.length === 0) return null;
  return (
    <div className={styles.row}>
      <dt>{title}</dt>
      {sessions.map((session) => (
        <dd key={session.id}>
          <span className={styles.name}>{session.name}</span>
          <span className={styles.figure}>{children(session)}</span>
          <IconButton icon={Power} label={words.sessions.end(session.name)} onPress={() => onEnd(session)} />
        </dd>
      ))}
    </div>
  );
}
