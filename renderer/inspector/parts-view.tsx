/** The parts of a value as a list, complete or filtered by a search. */

import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { PencilLine } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { InspectionView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { harbor, tryCall } from '../bridge';
import { FOCUS_PANE } from '../document-effects';
import { Button, IconButton } from '../parts/button';
import { SearchField } from '../parts/field';
import fields from '../parts/field.module.css';
import { Problem } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './inspector.module.css';
import { VirtualList } from './virtual-list';

/** Number of parts per request. */
const PAGE = 100;

/** Inspects the part at `path`. The label names it in the path of the inspector. */
export type Enter = (path: (number | string)[], label: string) => Promise<void>;

export interface ViewProps {
  session: SessionView;
  inspection: InspectionView;
  onEnter: Enter;
}

export function PartsView(props: ViewProps) {
  const words = useWords();
  const [sought, setSought] = useState('');
  return (
    <div className={styles.parts}>
      <PartSearch {...props} sought={sought} onSeek={setSought} />
      {sought === '' && (
        <VirtualList label={words.inspector.views.parts} total={props.inspection.total}>
          {(rows) => <Rows rows={rows} {...props} />}
        </VirtualList>
      )}
    </div>
  );
}

function Rows({
  rows,
  session,
  inspection,
  onEnter,
}: ViewProps & { rows: readonly { index: number; top: number }[] }) {
  const { handle, kind } = inspection;
  const pages = usePages({
    queryKey: ['image', session.id, 'value', handle],
    size: PAGE,
    first: rows[0]?.index ?? 0,
    last: rows.at(-1)?.index ?? 0,
    fetchPage: async (offset, limit) =>
      (await harbor.inspector.look({ session: session.id, handle, path: [], offset, limit })).parts,
  });
  if (pages.error) return <Problem>{pages.error.message}</Problem>;
  return rows.map(({ index, top }) => {
    const part = pages.itemAt(index);
    return (
      <div key={index} data-row={index} className={styles.row} style={{ top }} {...FOCUS_PANE}>
        {part && <PartRow session={session} handle={handle} kind={kind} part={part} onEnter={onEnter} />}
      </div>
    );
  });
}

// One part: its name, and its value as a link. The value can be set if the part is settable.

interface PartRowProps {
  session: SessionView;
  handle: string;
  kind: string;
  part: InspectionView['parts'][number];
  onEnter: Enter;
}

function PartRow({ session, handle, kind, part, onEnter }: PartRowProps) {
  const words = useWords();
  const [setting, setSetting] = useState(false);
  const { index, name, type, text, settable, unbound, problem } = part;
  if (setting)
    return <SetPart session={session} handle={handle} part={part} onClose={() => setSetting(false)} />;
  const hasKey = kind === 'hash table' || kind === 'map';
  return (
    <>
      {hasKey ? (
        <button
          type="button"
          className={styles.name}
          title={words.inspector.lookIntoKey}
          onClick={() => void onEnter([`key ${index}`], `key ${name}`)}
        >
          <code>{name}</code>
        </button>
      ) : (
        <code className={styles.name}>{name}</code>
      )}
      {unbound || problem !== undefined ? (
        <span className={styles.absent}>{problem ?? words.inspector.unbound}</span>
      ) : (
        <button type="button" className={styles.value} onClick={() => void onEnter([index], name)}>
          <code>{text}</code>
        </button>
      )}
      <span className={styles.type}>{type}</span>
      {settable && (
        <IconButton icon={PencilLine} label={words.inspector.set(name)} onPress={() => setSetting(true)} />
      )}
    </>
  );
}

interface SetPartProps {
  session: SessionView;
  handle: string;
  part: PartRowProps['part'];
  onClose: () => void;
}

function SetPart({ session, handle, part: { index, name, text }, onClose }: SetPartProps) {
  const words = useWords();
  const { toasts } = useServices();
  const [expression, setExpression] = useState(text ?? '');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const args = { session: session.id, handle, path: [index], expression };
    const done = await tryCall(toasts, 'inspector:set', args);
    if (done?.problem) toasts.failed(done.problem);
    else if (done) onClose();
  };
  return (
    <form
      aria-label={words.inspector.set(name)}
      className={styles.setting}
      onSubmit={(event) => void submit(event)}
    >
      <code className={styles.name}>{name}</code>
      <TextField
        aria-label={words.inspector.newValue(name)}
        value={expression}
        onChange={setExpression}
        autoFocus
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      >
        <Input className={fields.text ?? ''} spellCheck={false} onFocus={({ target }) => target.select()} />
      </TextField>
    </form>
  );
}

// Searches the parts of a value in its image. Each request searches a limited number of parts; the user can
// continue.

interface PartSearchProps extends ViewProps {
  sought: string;
  onSeek: (sought: string) => void;
}

function PartSearch({ sought, onSeek, ...view }: PartSearchProps) {
  const words = useWords();
  const [typed, setTyped] = useState(sought);
  return (
    <>
      <form
        aria-label={words.inspector.search}
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault();
          onSeek(typed.trim());
        }}
      >
        <SearchField
          label={words.inspector.search}
          value={typed}
          onChange={(text) => {
            setTyped(text);
            if (text === '') onSeek('');
          }}
        />
      </form>
      {sought !== '' && <Found sought={sought} {...view} />}
    </>
  );
}

function Found({ sought, session, inspection, onEnter }: ViewProps & { sought: string }) {
  const words = useWords();
  const { handle, kind } = inspection;
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['image', session.id, 'value', handle, 'search', sought],
    queryFn: ({ pageParam }) =>
      harbor.inspector.search({ session: session.id, handle, path: [], text: sought, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });
  const parts = data?.pages.flatMap((page) => page.parts) ?? [];
  const next = data?.pages.at(-1)?.next ?? null;
  return (
    <section className={styles.rows} aria-label={words.inspector.found}>
      {error && <Problem>{error.message}</Problem>}
      {parts.map((part) => (
        <div key={part.index} data-row={part.index} className={styles.foundRow}>
          <PartRow session={session} handle={handle} kind={kind} part={part} onEnter={onEnter} />
        </div>
      ))}
      <p className={styles.hint} role="status">
        {isFetching ? words.inspector.searching : words.inspector.foundParts(parts.length)}
        {next !== null && words.inspector.amongFirst(words.formats.number(next))}
      </p>
      {hasNextPage && (
        <Button isDisabled={isFetching} onPress={() => void fetchNextPage()}>
          {words.inspector.searchOn}
        </Button>
      )}
    </section>
  );
}

/** The loaded items of a paged list. */
interface Pages<T> {
  itemAt: (index: number) => T | undefined;
  error: Error | null;
}

interface PagesOptions<T> {
  queryKey: readonly unknown[];
  size: number;
  /** The first and last visible index. */
  first: number;
  last: number;
  fetchPage: (offset: number, limit: number) => Promise<readonly T[]>;
}

export function usePages<T>({ queryKey, size, first, last, fetchPage }: PagesOptions<T>): Pages<T> {
  const from = Math.floor(first / size);
  const numbers = Array.from(
    { length: Math.max(0, Math.floor(last / size) - from + 1) },
    (_, place) => from + place,
  );
  const pages = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...queryKey, 'page', number],
      queryFn: () => fetchPage(number * size, size),
    })),
  });
  return {
    itemAt: (index) => pages[Math.floor(index / size) - from]?.data?.[index % size],
    error: pages.find((page) => page.error)?.error ?? null,
  };
}
