/** What a person chose to see of the history, as main is asked for it. Pure. */
import type { HistoryFilter as Asked } from '../../electron/contract/history';
import type { HistoryFilter, Since } from '../view-state';

const HOUR = 3_600_000;
const SPANS: Readonly<Record<Since, number>> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 168 * HOUR,
  month: 720 * HOUR,
};

/** @param now milliseconds since the epoch */
export function askedFilter({ query, since, ...rest }: HistoryFilter, now: number): Asked {
  const chosen = Object.entries(rest).filter(([, value]) => value !== null);
  const text = query.trim();
  return {
    ...Object.fromEntries(chosen),
    ...(text === '' ? {} : { query: text }),
    ...(since === null ? {} : { from: now - SPANS[since] }),
  };
}

/** Whether anything is left out. */
export function isNarrowed({ query, ...rest }: HistoryFilter): boolean {
  return query.trim() !== '' || Object.values(rest).some((value) => value !== null);
}
