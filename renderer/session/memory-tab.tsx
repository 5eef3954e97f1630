/** The tab with what fills the memory of a session's image. Counted only when asked for: the image pauses meanwhile. */
import { RotateCw } from 'lucide-react';
import type { Memory, MemoryType } from '../../electron/contract/memory';
import type { SessionView } from '../../electron/contract/model';
import { useMemory } from '../image-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { formatBytes } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { RelativeTime, useNow } from '../parts/time';
import styles from './memory-tab.module.css';

export function MemoryTab({ session }: { session: SessionView }) {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useMemory(session.id);
  const now = useNow(10_000);
  return (
    <ScrollArea label="Memory" className={styles.memory}>
      {error && <Problem>{error.message}</Problem>}
      {data && <Heap memory={data} />}
      <p className={styles.again}>
        <Button icon={RotateCw} isDisabled={isFetching} onPress={() => void refetch()}>
          Count again
        </Button>
        {data && (
          <span>
            Counted <RelativeTime at={dataUpdatedAt} now={now} />. The image pauses while its objects are
            counted, a second at most.
          </span>
        )}
      </p>
      {data && <Types memory={data} />}
    </ScrollArea>
  );
}

function Heap({ memory: { used, size, spaces } }: { memory: Memory }) {
  const others = spaces.filter(({ name }) => name !== 'dynamic');
  return (
    <dl className={styles.facts}>
      <dt>Heap</dt>
      <dd>
        {formatBytes(used)} of {formatBytes(size)} used, garbage included
      </dd>
      {others.map(({ name, bytes }) => (
        <Space key={name} name={name} bytes={bytes} />
      ))}
    </dl>
  );
}

function Space({ name, bytes }: { name: string; bytes: number }) {
  return (
    <>
      <dt>{name[0]?.toUpperCase() + name.slice(1)} space</dt>
      <dd>{formatBytes(bytes)}</dd>
    </>
  );
}

function Types({ memory: { types, others, counted, complete } }: { memory: Memory }) {
  const rest: MemoryType = { name: `${others.types} other types`, bytes: others.bytes, count: others.count };
  return (
    <>
      {!complete && (
        <Problem tone="warn">
          Not all objects are counted: the heap holds more than one second is enough for. The figures are
          those of its first {formatBytes(counted)}.
        </Problem>
      )}
      <table className={styles.types} aria-label="Objects by type">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Objects</th>
            <th scope="col">Memory</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <TypeRow key={type.name} type={type} counted={counted} />
          ))}
          {others.types > 0 && <TypeRow type={rest} counted={counted} />}
        </tbody>
      </table>
    </>
  );
}

function TypeRow({ type: { name, bytes, count }, counted }: { type: MemoryType; counted: number }) {
  const share = (100 * bytes) / Math.max(1, counted);
  return (
    <tr>
      <th scope="row" title={name}>
        {name}
      </th>
      <td>{count.toLocaleString('en-US')}</td>
      <td title={`${bytes.toLocaleString('en-US')} bytes`}>{formatBytes(bytes)}</td>
      <td>{share.toFixed(1)} %</td>
    </tr>
  );
}
