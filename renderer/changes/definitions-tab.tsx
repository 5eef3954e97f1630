/** The tab with all that a session has defined, by the files that have it: to its source, and to what the image knows of it. */
import { Braces } from 'lucide-react';
import { useState } from 'react';
import type { DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { dialectOf } from '../../electron/source/dialect';
import type { Words } from '../../electron/words/words';
import { Empty, Problem } from '../parts/feedback';
import { SearchField } from '../parts/field';
import { nameInProject } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { useServices, useWords } from '../services';
import { EvaluationLink } from './change-row';
import styles from './changes.module.css';
import { definitionGroups } from './definition-groups';
import { BEGINNING } from './since';
import { useChanges } from './use-changes';

export function DefinitionsTab({ session }: { session: SessionView }) {
  const words = useWords();
  const { data, error } = useChanges(session, BEGINNING);
  const [part, setPart] = useState('');
  if (error && !data) return <Problem>{error.message}</Problem>;
  if (!data) return null;
  const there = data.definitions.filter(({ what }) => what !== 'removed');
  if (there.length === 0)
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
        {groups.length === 0 && <p className={styles.note}>{words.changes.noneHas(part)}</p>}
        {groups.map(({ file, definitions }) => (
          <section key={file ?? ''} className={styles.group} aria-label={nameOf(file, session, words)}>
            <h3>{nameOf(file, session, words)}</h3>
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

function nameOf(file: string | null, { project }: SessionView, { changes }: Words): string {
  return file === null ? changes.inNoFileTitle : nameInProject(file, project);
}

function Defined({ session, definition }: { session: SessionView; definition: DefinitionChange }) {
  const words = useWords();
  const { actions } = useServices();
  const { title, name, package: here, evaluation, file, saved } = definition;
  const separator = dialectOf(session.engine) === 'clojure' ? '/' : '::';
  return (
    <li className={styles.defined}>
      <button
        type="button"
        translate="no"
        onClick={() => actions.browse(session.id, `${here}${separator}${name}`)}
      >
        {title}
      </button>
      <span className={styles.about}>
        {file && saved === false && <span>{words.changes.changedSince}</span>}
        {file && <span>{words.changes.line(file.line)}</span>}
        <span title={words.changes.inPackage(here)}>{here}</span>
        <EvaluationLink evaluation={evaluation} />
      </span>
    </li>
  );
}
