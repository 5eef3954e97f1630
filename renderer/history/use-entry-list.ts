/** The list that a filter asks for, kept current while it is shown. */
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { call, subscribe } from '../bridge';
import type { HistoryFilter } from '../view-state';
import { askedFilter } from './asked-filter';
import { EntryList, type EntrySource } from './entry-list';

const SOURCE: EntrySource = {
  entries: (filter, page) => call('history:entries', { filter, page }),
  outline: (filter) => call('history:outline', filter),
};

/** Until the first entries of another filter are there, the list before it is answered, so that nothing flickers. */
export function useEntryList(filter: HistoryFilter): EntryList {
  const asked = useMemo(() => new EntryList(askedFilter(filter, Date.now()), SOURCE), [filter]);
  const shown = useRef(asked);
  useSyncExternalStore(asked.subscribe, () => asked.version);
  useEffect(() => {
    void asked.refresh();
    return subscribe('history:changed', () => void asked.refresh());
  }, [asked]);
  if (asked.loaded || asked.error) shown.current = asked;
  return shown.current;
}
