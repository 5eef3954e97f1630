/** The list that a filter asks for, kept current while it is shown. */
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { call, subscribe } from '../bridge';
import type { HistoryFilter } from '../view-state';
import { askedFilter } from './asked-filter';
import { EntryList, type EntrySource } from './entry-list';

/** How often a list is looked at again that is not indexed yet, in milliseconds. */
const AGAIN_MS = 1_000;

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
  const [{ version }, isGrowing] = [asked, asked.loaded && asked.isGrowing];
  useEffect(() => {
    if (!isGrowing || version === 0) return;
    const timer = setTimeout(() => void asked.refresh(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [asked, isGrowing, version]);
  if (asked.loaded || asked.error) shown.current = asked;
  return shown.current;
}
