/** Runs the last tests again while they are watched, also while another view is shown. */
import { useEffect, useRef } from 'react';
import type { HistoryRow, SessionView } from '../../electron/contract/model';
import { useLive, useViewState } from '../services';
import { useOpenRuns, useProjectTests, useRunTests, useTestedSession } from './test-queries';

/** Code that defines or loads something. */
const DEFINES = /\(\s*(?:[^\s():]*::?)?(?:def|load|require|ns\b|in-ns)/i;

export function TestWatch() {
  const isOn = useViewState(({ tests }) => tests.watch);
  const session = useTestedSession();
  return isOn && session ? <Watching key={session.id} session={session} /> : null;
}

function Watching({ session }: { session: SessionView }) {
  const { data } = useProjectTests(session);
  const last = useViewState(({ tests }) => tests.last);
  const changed = useLive(({ evaluations }) => newestChange(evaluations.values(), session.id));
  const isFree = useOpenRuns(session.project).length === 0;
  const runTests = useRunTests();
  const now = data && `${data.stamp} ${changed}`;
  const seen = useRef<string | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each change, when no run goes on
  useEffect(() => {
    if (now === undefined || !isFree || seen.current === now) return;
    const isFirst = seen.current === undefined;
    seen.current = now;
    if (!isFirst) void runTests(session, last ?? [{}]);
  }, [now, isFree]);
  return null;
}

/** The id of the newest evaluation that may have changed the image; 0 for none. */
function newestChange(rows: Iterable<HistoryRow>, session: string): number {
  let newest = 0;
  for (const { id, kind, outcome, code, session: ranIn } of rows)
    if (ranIn === session && outcome === 'ok' && (kind === 'load' || (kind !== 'test' && DEFINES.test(code))))
      newest = Math.max(newest, id);
  return newest;
}
