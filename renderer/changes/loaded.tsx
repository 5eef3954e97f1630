/** What a session loaded: files, which can be unfolded to what they define, and systems. */
import { FileInput, Package } from 'lucide-react';
import type { ChangesView, FileLoad } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { nameInProject } from '../parts/format';
import { Sentence } from '../parts/sentence';
import { StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { useWords } from '../services';
import { ChangeRow, EvaluationLink, Group } from './change-row';
import { DefinitionsInFile } from './definitions-in-file';

interface LoadedProps {
  session: SessionView;
  changes: Pick<ChangesView, 'loads' | 'systems'>;
  now: number;
  /** What the titles have of the definitions that are shown; absent: all are. */
  part?: string;
}

export function Loaded({ session, changes: { loads, systems }, now, part = '' }: LoadedProps) {
  const words = useWords();
  return (
    <>
      {loads.length > 0 && (
        <Group title={words.changes.filesLoaded}>
          {loads.map((load) => (
            <ChangeRow
              key={load.path}
              name={nameInProject(load.path, session.project)}
              mark={<StateMark icon={FileInput} tone="quiet" word={words.changes.loaded} />}
              about={<Loading {...load} now={now} />}
              below={<DefinitionsInFile session={session} load={load} part={part} />}
            />
          ))}
        </Group>
      )}
      {systems.length > 0 && (
        <Group title={words.changes.systems}>
          {systems.map((system) => (
            <ChangeRow
              key={system.name}
              name={system.name}
              mark={<StateMark icon={Package} tone="quiet" word={words.changes.loaded} />}
              about={<Loading {...system} now={now} />}
            />
          ))}
        </Group>
      )}
    </>
  );
}

/** Who loaded it, and when. */
function Loading({ client, evaluation, at, now }: Omit<FileLoad, 'path'> & { now: number }) {
  const words = useWords();
  return (
    <>
      <span>
        <Sentence of={words.changes.by(client, <EvaluationLink evaluation={evaluation} />)} />
      </span>
      <RelativeTime at={at} now={now} />
    </>
  );
}
