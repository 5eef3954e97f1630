/** The memory usage of a session's image by type. Measured only on request, because the image pauses. */
import { MemoryStick, RotateCw } from 'lucide-react';
import type { Memory, MemoryType, SessionView } from '../../electron/contract/model';

import { CallError } from '../bridge';
import { useMemory } from '../image-queries';
import { Button } from '../parts/button';
import { engineTitle } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { RelativeTime, Sentence, useNow } from '../parts/text';
import { Empty, Problem } from '../parts/view';

import { useWords } from '../services';
import styles from './memory-tab.module.css';

export function MemoryTab({ session }: { session: SessionView }) {
  const words = useWords();
  const { data, error, isFetching, dataUpdatedAt, refetch } = useMemory(session.id);
  const now = useNow(10_000);
  if (error instanceof CallError && error.code === 'not_supported')
    return (
      <Empty icon={MemoryStick} title={words.memory.unsupported(engineTitle(session.engine))}>
        {words.memory.unsupportedAbout}
      </Empty>
    );
  return (
    <ScrollArea label={words.memory.title} className={styles.memory}>
      {error && <Problem>{error.message}</Problem>}
      {data && <Heap memory={data} />}
      <p className={styles.again}>
        <Button icon={RotateCw} isDisabled={isFetching} onPress={() => void refetch()}>
          {words.memory.countAgain}
        </Button>
        {data && (
          <span>
            <Sentence of={words.memory.counted(<RelativeTime at={dataUpdatedAt} now={now} />)} />
          </span>
        )}
      </p>
      {data && <Types memory={data} />}
    </ScrollArea>
  );
}

function Heap({ memory: { used, size, spaces } }: { memory: Memory }) {
  const words = useWords();
  const others = spaces.filter(({ name }) => name !== 'dynamic');
  return (
    <dl className={styles.facts}>
      <dt>{words.memory.heap}</dt>
      <dd>{words.memory.used(words.formats.bytes(used), words.formats.bytes(size))}</dd>
      {others.map(({ name, bytes }) => (
        <Space key={name} name={name} bytes={bytes} />
      ))}
    </dl>
  );
}

function Space({ name, bytes }: { name: string; bytes: number }) {
  const words = useWords();
  return (
    <>
      <dt>{words.memory.space(name[0]?.toUpperCase() + name.slice(1))}</dt>
      <dd>{words.formats.bytes(bytes)}</dd>
    </>
  );
}

function Types({ memory: { types, others, counted, complete } }: { memory: Memory }) {
  const words = useWords();
  const rest: MemoryType = {
    name: words.memory.otherTypes(others.types),
    bytes: others.bytes,
    count: others.count,
  };
  return (
    <>
      {!complete && <Problem tone="warn">{words.memory.incomplete(words.formats.bytes(counted))}</Problem>}
      <table className={styles.types} aria-label={words.memory.byType}>
        <thead>
          <tr>
            <th scope="col">{words.memory.type}</th>
            <th scope="col">{words.memory.objects}</th>
            <th scope="col">{words.memory.title}</th>
            <th scope="col">{words.memory.share}</th>
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
  const words = useWords();
  const share = (100 * bytes) / Math.max(1, counted);
  return (
    <tr>
      <th scope="row" title={name}>
        {name}
      </th>
      <td>{words.formats.number(count)}</td>
      <td title={words.memory.bytes(words.formats.number(bytes))}>{words.formats.bytes(bytes)}</td>
      <td>{share.toFixed(1)} %</td>
    </tr>
  );
}
