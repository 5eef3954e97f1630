/** Searches the parts of a value, in its image: as many as one search looks at, and on from there. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../bridge';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { SearchField } from '../parts/field';
import { useWords } from '../services';
import styles from './inspector.module.css';
import { PartRow } from './part-row';
import type { ViewProps } from './parts-view';

interface PartSearchProps extends ViewProps {
  sought: string;
  onSeek: (sought: string) => void;
}

export function PartSearch({ sought, onSeek, ...view }: PartSearchProps) {
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
      call('inspector:search', { session: session.id, handle, path: [], text: sought, offset: pageParam }),
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
