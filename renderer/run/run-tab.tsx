/** Where an evaluation spends its time: the profile of one, as flame graph and table, or its traced calls as a tree. */

import { Activity, ChevronRight, ListTree, RotateCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { useEvaluation } from '../bridge-queries';
import { SamplerResult } from '../evaluations/flame-graph';
import { useTrace } from '../image-queries';
import { Button } from '../parts/button';
import { LispLine } from '../parts/code';
import { SearchField, Select } from '../parts/field';
import { bareName } from '../parts/format';
import { noteFacts } from '../parts/note-facts';
import { ScrollArea } from '../parts/scroll-area';
import { Empty, Problem } from '../parts/view';
import { useLive, useServices, useViewState, useWords } from '../services';
import type { Measured } from '../view-state';
import styles from './run-tab.module.css';
import { type CallRow, callRows, callTree } from './trace-tree';

export function RunTab({ session }: { session: SessionView }) {
  const words = useWords();
  const measured = useViewState((state) => state.measured[session.id]);
  if (!measured)
    return (
      <Empty icon={Activity} title={words.run.nothing}>
        {words.run.nothingAbout}
      </Empty>
    );
  return <MeasuredRun key={measured.evaluation} session={session} measured={measured} />;
}

function MeasuredRun({ session, measured }: { session: SessionView; measured: Measured }) {
  const words = useWords();
  const { actions } = useServices();
  const { evaluation, how } = measured;
  const outcome = useLive(({ evaluations }) => evaluations.get(evaluation)?.outcome);
  const isOpen = outcome === 'running' || outcome === 'debugger';
  const { data: row } = useEvaluation(evaluation, !isOpen);
  return (
    <div className={styles.run}>
      <div className={styles.head}>
        <div className={styles.code} title={row?.code}>
          {row && <LispLine code={row.code} engine={row.engine} />}
        </div>
        <Button
          icon={Activity}
          isDisabled={isOpen}
          onPress={() => void actions.measure(session.id, evaluation, 'profile')}
        >
          {words.run.profile}
        </Button>
        <Button
          icon={ListTree}
          isDisabled={isOpen}
          onPress={() => void actions.measure(session.id, evaluation, 'trace')}
        >
          {words.run.trace}
        </Button>
      </div>
      {how === 'trace' ? (
        <TraceView session={session} measured={measured} isOpen={isOpen} />
      ) : (
        <ScrollArea label={words.entry.profiles.cpu} className={styles.scrolled}>
          {isOpen && <p className={styles.about}>{words.run.running}</p>}
          {row?.report?.profile && <SamplerResult profile={row.report.profile} />}
          {row && !row.report?.profile && (
            <p className={styles.about} lang="en">
              {noteFacts(row.notes).join(' ') || row.condition?.message}
            </p>
          )}
        </ScrollArea>
      )}
    </div>
  );
}

/** Depths that can be chosen. */
const DEPTHS = ['all', '1', '2', '3', '5', '8'] as const;

interface TraceViewProps {
  session: SessionView;
  measured: Measured;
  isOpen: boolean;
}

function TraceView({ session, measured: { evaluation, filter = '' }, isOpen }: TraceViewProps) {
  const words = useWords();
  const { data, error, refetch } = useTrace(session.id, evaluation, isOpen);
  const [text, setText] = useState(filter);
  const [depth, setDepth] = useState<(typeof DEPTHS)[number]>('all');
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const tree = useMemo(() => callTree(data?.calls ?? []), [data]);
  const rows = callRows(tree, { text, depth: depth === 'all' ? null : Number(depth) }, closed);
  const setOpen = (place: number, open: boolean) => {
    const next = new Set(closed);
    if (open) next.delete(place);
    else next.add(place);
    setClosed(next);
  };
  if (error)
    return (
      <Problem
        action={
          <Button icon={RotateCw} onPress={() => void refetch()}>
            {words.window.tryAgain}
          </Button>
        }
      >
        {error.message}
      </Problem>
    );
  return (
    <>
      <div className={styles.filters}>
        <SearchField label={words.run.filter} value={text} onChange={setText} />
        <Select
          label={words.run.depth}
          value={depth}
          options={DEPTHS.map((value) => ({
            value,
            title: value === 'all' ? words.run.allDepths : words.run.upTo(Number(value)),
          }))}
          onChange={setDepth}
        />
      </div>
      {data && (
        <p className={styles.about}>
          {words.run.counts(data.calls.length, data.functions)}
          {data.others > 0 && ` ${words.run.others(data.others)}`}
        </p>
      )}
      <ScrollArea label={words.run.calls} className={styles.calls}>
        <table aria-label={words.run.calls}>
          <thead>
            <tr>
              <th scope="col">{words.run.call}</th>
              <th scope="col">{words.run.value}</th>
              <th scope="col">{words.run.time}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <CallRowView
                key={row.node.place}
                row={row}
                session={session}
                evaluation={evaluation}
                onOpen={(open) => setOpen(row.node.place, open)}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </>
  );
}

/** Level from which rows are not indented further. */
const DEEPEST_INDENTED = 12;

interface CallRowViewProps {
  row: CallRow;
  session: SessionView;
  evaluation: number;
  onOpen: (open: boolean) => void;
}

function CallRowView({ row: { node, level, open }, session, evaluation, onOpen }: CallRowViewProps) {
  const words = useWords();
  const { actions } = useServices();
  const { name, arguments: given, values, left, microseconds, place } = node;
  const short = bareName(name);
  const text = (shown: string) => `(${shown}${given === '' ? '' : ` ${given}`})`;
  const inspect = async () => {
    const found = await actions.harbor.trace.call({ session: session.id, evaluation, place });
    if (found) actions.inspect(session.id, { handle: found.handle });
  };
  return (
    <tr>
      <th scope="row" style={{ '--level': Math.min(level - 1, DEEPEST_INDENTED) } as object}>
        {open === null ? (
          <span className={styles.toggle} />
        ) : (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={open}
            aria-label={words.run.callees(short)}
            onClick={() => onOpen(!open)}
          >
            <ChevronRight size={12} aria-hidden />
          </button>
        )}
        <code title={text(name)}>{text(short)}</code>
      </th>
      <td>
        <button
          type="button"
          className={styles.value}
          title={words.inspector.lookInto}
          aria-label={`${short}: ${left ? words.run.left : (values ?? words.run.running)}`}
          onClick={() => void inspect()}
        >
          <code>{left ? words.run.left : (values ?? '…')}</code>
        </button>
      </td>
      <td>{microseconds === null ? '…' : words.formats.duration(microseconds / 1000)}</td>
    </tr>
  );
}
