/** The list of evaluations, newest first; its end loads older ones as it comes into view. */
import { type Ref, useEffect, useRef } from 'react';
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components';
import type { HistoryRow } from '../../electron/contract/model';
import type { EvaluationList } from '../bridge-queries';
import { lastLine } from '../live';
import { Button } from '../parts/button';
import { firstLine, oneLine } from '../parts/format';
import { LispLine } from '../parts/lisp';
import { useRememberedScroll } from '../parts/scroll-area';
import { OutcomeMark } from '../parts/state-mark';
import tables from '../parts/table.module.css';
import { Duration, RelativeTime, useNow } from '../parts/time';
import { useLive, useRoute, useServices } from '../services';
import styles from './history-table.module.css';

export function HistoryTable({ list }: { list: EvaluationList }) {
  const { route } = useServices();
  const selected = useRoute(({ evaluation }) => evaluation);
  const scroll = useRememberedScroll<HTMLDivElement>('history');
  const now = useNow(10_000);
  return (
    <div ref={scroll} className={tables.scroll}>
      <Table
        aria-label="Evaluations"
        className={tables.table ?? ''}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        // Escape closes the detail; the table would take the key for itself and do nothing.
        escapeKeyBehavior="none"
        selectedKeys={selected === null ? [] : [selected]}
        onSelectionChange={(keys) => {
          const [key] = keys === 'all' ? [] : keys;
          route.setState({ evaluation: typeof key === 'number' ? key : null });
        }}
      >
        <TableHeader>
          <Column className={styles.outcome ?? ''}>Outcome</Column>
          <Column isRowHeader>Code</Column>
          <Column className={styles.result ?? ''}>Result</Column>
          <Column className={styles.client ?? ''}>Client</Column>
          <Column className={styles.when ?? ''}>When</Column>
          <Column className={`${styles.took} ${tables.figure}`}>Took</Column>
        </TableHeader>
        <TableBody items={list.rows} dependencies={[now]}>
          {(row) => <EvaluationRow row={row} now={now} />}
        </TableBody>
      </Table>
      {list.hasMore && <LoadOlder list={list} />}
    </div>
  );
}

function EvaluationRow({ row, now }: { row: HistoryRow; now: number }) {
  return (
    <Row id={row.id} textValue={firstLine(row.code)} dependencies={[row, now]}>
      <Cell className={styles.outcome ?? ''}>
        <OutcomeMark outcome={row.outcome} />
      </Cell>
      <Cell>
        <LispLine code={row.code} engine={row.engine} />
      </Cell>
      <Cell className={styles.result ?? ''}>
        <Result row={row} />
      </Cell>
      <Cell className={styles.client ?? ''}>{row.client}</Cell>
      <Cell className={styles.when ?? ''}>
        <RelativeTime at={row.startedAt} now={now} />
      </Cell>
      <Cell className={`${styles.took} ${tables.figure}`}>
        <Duration ms={row.durationMs} since={row.startedAt} />
      </Cell>
    </Row>
  );
}

/** The condition, else the last value, else the last line that was printed, which follows one that runs. */
function Result({ row }: { row: HistoryRow }) {
  const { id, outcome, values, engine, conditionMessage, conditionType, output } = row;
  if (conditionType !== null) {
    return <span className={styles.condition}>{oneLine(conditionMessage || conditionType)}</span>;
  }
  const value = values.at(-1);
  if (value !== undefined) return <LispLine code={value} engine={engine} />;
  if (outcome === 'running') return <LivePrinted id={id} />;
  return <Printed line={output.trim().split('\n').at(-1) ?? ''} />;
}

function LivePrinted({ id }: { id: number }) {
  const line = useLive(({ evaluations }) => lastLine(evaluations.get(id)?.output ?? []));
  return <Printed line={line} />;
}

function Printed({ line }: { line: string }) {
  return <code className={styles.printed}>{line}</code>;
}

function LoadOlder({ list: { loadingMore, loadMore } }: { list: EvaluationList }) {
  const end = useWhenSeen<HTMLDivElement>(loadMore);
  return (
    <div ref={end} className={styles.older}>
      <Button isDisabled={loadingMore} onPress={loadMore}>
        Load older
      </Button>
    </div>
  );
}

function useWhenSeen<E extends HTMLElement>(seen: () => void): Ref<E> {
  const element = useRef<E>(null);
  const latest = useRef(seen);
  useEffect(() => {
    latest.current = seen;
  }, [seen]);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current());
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return element;
}
