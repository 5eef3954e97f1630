/** Files and systems that a session loaded. A file unfolds to its definitions. */

import { useQuery } from '@tanstack/react-query';
import { FileInput, Package } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ChangesView, FileLoad } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { dialectOf } from '../../electron/source/dialect';
import { call } from '../bridge';
import { nameInProject } from '../parts/format';
import { CHANGE_HEIGHT, type PlacedRow, RowGroup } from '../parts/list';
import { StateMark } from '../parts/state-mark';
import { RelativeTime, Sentence } from '../parts/text';
import { Problem } from '../parts/view';
import { useServices, useWords } from '../services';
import { ChangeRow, EvaluationLink } from './change-rows';
import { withTitle } from './changes';
import styles from './changes.module.css';

interface LoadedProps {
  session: SessionView;
  changes: Pick<ChangesView, 'loads' | 'systems'>;
  now: number;
  /** Filter for titles of definitions; absent for all. */
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

/** Client and time of a load. */
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

// Current definitions of a loaded file, with links to their descriptions.

/** Maximum number of definitions shown; the filter finds others. */
const MOST_SHOWN = 200;

interface DefinitionsInFileProps {
  session: SessionView;
  load: FileLoad;
  part: string;
}

function DefinitionsInFile({ session, load: { path, evaluation }, part }: DefinitionsInFileProps) {
  const words = useWords();
  const { data, error } = useQuery({
    queryKey: ['image', session.id, 'definitions-in', path, evaluation],
    queryFn: () => call('changes:inFile', { session: session.id, path }),
  });
  if (error) return <Problem tone="warn">{error.message}</Problem>;
  if (!data) return null;
  const found = withTitle(data, part);
  return (
    <>
      <ul aria-label={words.changes.definitions}>
        {found.slice(0, MOST_SHOWN).map((definition, index) => (
          <DefinedRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may occur twice; the list does not change
            key={index}
            session={session}
            definition={definition}
            about={<span>{words.changes.line(definition.line)}</span>}
          />
        ))}
      </ul>
      {found.length === 0 && (
        <p className={styles.note}>
          {part === '' ? words.changes.definesNothing : words.changes.noneHas(part)}
        </p>
      )}
      {found.length > MOST_SHOWN && (
        <p className={styles.note}>{words.changes.moreInFile(found.length - MOST_SHOWN)}</p>
      )}
    </>
  );
}

interface DefinedRowProps {
  session: SessionView;
  definition: { title: string; name: string; package: string };
  /** Location of the definition. */
  about: ReactNode;
  /** Absent in a list that is rendered completely. */
  placed?: PlacedRow;
}

export function DefinedRow({ session, definition, about, placed }: DefinedRowProps) {
  const words = useWords();
  const { actions } = useServices();
  const { title, name, package: here } = definition;
  const separator = dialectOf(session.engine) === 'clojure' ? '/' : '::';
  return (
    <li className={styles.defined} {...placed}>
      <button
        type="button"
        translate="no"
        onClick={() => actions.browse(session.id, `${here}${separator}${name}`)}
      >
        {title}
      </button>
      <span className={styles.about}>
        <span title={words.changes.inPackage(here)}>{here}</span>
        {about}
      </span>
    </li>
  );
}
