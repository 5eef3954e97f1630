/** The tab with all that a session has defined, by the files that have it: to its source, and to what the image knows of it. */
import { Braces } from 'lucide-react';
import { useState } from 'react';
import type { DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { Empty, Problem } from '../parts/feedback';
import { SearchField } from '../parts/field';
import { nameInProject } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { useNow } from '../parts/time';
import { useWords } from '../services';
import { EvaluationLink } from './change-row';
import styles from './changes.module.css';
import { DefinedRow } from './defined-row';
import { definitionGroups } from './definition-groups';
import { Loaded } from './loaded';
import { DEFINED_HEIGHT, RowGroup } from './row-group';
import { BEGINNING } from './since';
import { useChanges } from './use-changes';

export function DefinitionsTab({ session }: { session: SessionView }) {
  const words = useWords();
  const { data, error } = useChanges(session, BEGINNING);
  const [part, setPart] = useState('');
  const now = useNow(10_000);
  if (error && !data) return <Problem>{error.message}</Problem>;
  if (!data) return null;
  const there = data.definitions.filter(({ what }) => what !== 'removed');
  if (there.length + data.loads.length + data.systems.length === 0)
    return (
      <Empty icon={Braces} title={words.changes.nothingDefined}>
        {words.changes.nothingDefinedAbout}
      </Empty>
    );
  const groups = definitionGroups(there, part);
  return (
    <section aria-label={words.changes.whatDefined} className={styles.whole}>
      <header className={styles.head}>
        <SearchField label={words.changes.filterDefinitions} value={part} onChange={setPart} />
        <p className={styles.total}>{words.common.definitions(there.length)}</p>
      </header>
      <ScrollArea
        label={words.changes.definitions}
        className={styles.area}
        rememberAs={`definitions of ${session.id}`}
      >
        {groups.length === 0 && there.length > 0 && (
          <p className={styles.note}>{words.changes.noneHas(part)}</p>
        )}
        {groups.map(({ file, definitions }) => (
          <RowGroup
            key={file ?? ''}
            title={nameOf(file, session, words)}
            items={definitions}
            keyOf={({ key }) => key}
            usualHeight={DEFINED_HEIGHT}
          >
            {(definition, placed) => (
              <DefinedRow
                session={session}
                definition={definition}
                about={<Whereabouts of={definition} />}
                placed={placed}
              />
            )}
          </RowGroup>
        ))}
        <Loaded session={session} changes={data} now={now} part={part} />
      </ScrollArea>
    </section>
  );
}

function nameOf(file: string | null, { project }: SessionView, { changes }: Words): string {
  return file === null ? changes.inNoFileTitle : nameInProject(file, project);
}

/** Whether its file is behind, its line there, and what made it. */
function Whereabouts({ of: { evaluation, file, saved } }: { of: DefinitionChange }) {
  const words = useWords();
  return (
    <>
      {file && saved === false && <span>{words.changes.changedSince}</span>}
      {file && <span>{words.changes.line(file.line)}</span>}
      <EvaluationLink evaluation={evaluation} />
    </>
  );
}
