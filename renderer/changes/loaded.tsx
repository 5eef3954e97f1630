/** What a session loaded: files, which can be unfolded to what they define, and systems. */
import { FileInput, Package } from 'lucide-react';
import type { ChangesView, FileLoad } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { nameInProject } from '../parts/format';
import { Sentence } from '../parts/sentence';
import { StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { useWords } from '../services';
import { ChangeRow, EvaluationLink } from './change-row';
import { DefinitionsInFile } from './definitions-in-file';
import { CHANGE_HEIGHT, RowGroup } from './row-group';

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
        <RowGroup
          title={words.changes.filesLoaded}
          items={loads}
          keyOf={({ path }) => path}
          usualHeight={CHANGE_HEIGHT}
        >
          {(load, placed, fold) => (
            <ChangeRow
              {...fold}
              placed={placed}
              name={nameInProject(load.path, session.project)}
              mark={<StateMark icon={FileInput} tone="quiet" word={words.changes.loaded} />}
              about={<Loading {...load} now={now} />}
              below={<DefinitionsInFile session={session} load={load} part={part} />}
            />
          )}
        </RowGroup>
      )}
      {systems.length > 0 && (
        <RowGroup
          title={words.changes.systems}
          items={systems}
          keyOf={({ name }) => name}
          usualHeight={CHANGE_HEIGHT}
        >
          {(system, placed, fold) => (
            <ChangeRow
              {...fold}
              placed={placed}
              name={system.name}
              mark={<StateMark icon={Package} tone="quiet" word={words.changes.loaded} />}
              about={<Loading {...system} now={now} />}
            />
          )}
        </RowGroup>
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
        <Sentence
          of={words.changes.by(words.common.client(client), <EvaluationLink evaluation={evaluation} />)}
        />
      </span>
      <RelativeTime at={at} now={now} />
    </>
  );
}
