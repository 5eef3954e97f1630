/** The tab with all that a session has defined, by the files that have it: to its source, and to what the image knows of it. */
import { Braces } from 'lucide-react';
import { useState } from 'react';
import type { DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { dialectOf } from '../../electron/source/dialect';
import { Empty, Problem } from '../parts/feedback';
import { SearchField } from '../parts/field';
import { count, nameInProject } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { useServices } from '../services';
import { EvaluationLink } from './change-row';
import styles from './changes.module.css';
import { definitionGroups } from './definition-groups';
import { BEGINNING } from './since';
import { useChanges } from './use-changes';

export function DefinitionsTab({ session }: { session: SessionView }) {
  const { data, error } = useChanges(session, BEGINNING);
  const [part, setPart] = useState('');
  if (error && !data) return <Problem>{error.message}</Problem>;
  if (!data) return null;
  const there = data.definitions.filter(({ what }) => what !== 'removed');
  if (there.length === 0)
    return (
      <Empty icon={Braces} title="Nothing defined yet">
        Functions, variables, classes and whatever else this session defines appear here, by the files that
        have them.
      </Empty>
    );
  const groups = definitionGroups(there, part);
  return (
    <section aria-label="What the session defined" className={styles.whole}>
      <header className={styles.head}>
        <SearchField label="Filter definitions" value={part} onChange={setPart} />
        <p className={styles.total}>{count(there.length, 'definition')}</p>
      </header>
      <ScrollArea label="Definitions" className={styles.area} rememberAs={`definitions of ${session.id}`}>
        {groups.length === 0 && <p className={styles.note}>None has “{part}” in its name.</p>}
        {groups.map(({ file, definitions }) => (
          <section key={file ?? ''} className={styles.group} aria-label={nameOf(file, session)}>
            <h3>{nameOf(file, session)}</h3>
            <ul>
              {definitions.map((definition) => (
                <Defined key={definition.key} session={session} definition={definition} />
              ))}
            </ul>
          </section>
        ))}
      </ScrollArea>
    </section>
  );
}

function nameOf(file: string | null, { project }: SessionView): string {
  return file === null ? 'In no file' : nameInProject(file, project);
}

function Defined({ session, definition }: { session: SessionView; definition: DefinitionChange }) {
  const { actions } = useServices();
  const { title, name, package: here, evaluation, file, saved } = definition;
  const separator = dialectOf(session.engine) === 'clojure' ? '/' : '::';
  return (
    <li className={styles.defined}>
      <button type="button" onClick={() => actions.browse(session.id, `${here}${separator}${name}`)}>
        {title}
      </button>
      <span className={styles.about}>
        {file && saved === false && <span>changed since</span>}
        {file && <span>line {file.line}</span>}
        <span title={`In ${here}`}>{here}</span>
        <EvaluationLink evaluation={evaluation} />
      </span>
    </li>
  );
}
