/** What a session loaded: systems, and files, which can be unfolded to what they define. */
import { FileInput, Package } from 'lucide-react';
import type { FileLoad, SystemChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { nameInProject } from '../parts/format';
import { Sentence } from '../parts/sentence';
import { StateMark } from '../parts/state-mark';
import { RelativeTime } from '../parts/time';
import { useWords } from '../services';
import { ChangeRow, EvaluationLink } from './change-row';
import { DefinitionsInFile } from './definitions-in-file';

export function SystemRow({ change, now }: { change: SystemChange; now: number }) {
  const words = useWords();
  return (
    <ChangeRow
      name={change.name}
      mark={<StateMark icon={Package} tone="quiet" word={words.changes.loaded} />}
      about={<Loading {...change} now={now} />}
    />
  );
}

interface LoadedFileProps {
  session: SessionView;
  load: FileLoad;
  now: number;
  /** What the titles have of the definitions that are shown. */
  part?: string;
}

export function LoadedFileRow({ session, load, now, part = '' }: LoadedFileProps) {
  const words = useWords();
  return (
    <ChangeRow
      name={nameInProject(load.path, session.project)}
      mark={<StateMark icon={FileInput} tone="quiet" word={words.changes.loaded} />}
      about={<Loading {...load} now={now} />}
      below={<DefinitionsInFile session={session} load={load} part={part} />}
    />
  );
}

/** Who loaded it, and when. */
function Loading({ client, evaluation, at, now }: Omit<SystemChange, 'name'> & { now: number }) {
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
