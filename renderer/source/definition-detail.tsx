/** The definition at the cursor as the image knows it: documentation, methods, classes and callers. */
import type { Finding, MethodDescription, SourcePlace } from '../../electron/contract/knowledge';
import type { SessionView } from '../../electron/contract/model';
import { useDescription, useFindings } from '../image-queries';
import { nameInProject, shortenPath } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { asWritten } from '../repl/arglist';
import { useServices, useWords } from '../services';
import { hasImage } from '../session/session-actions';
import type { TextDefinition } from './forms';
import styles from './source-view.module.css';

interface DetailProps {
  session: SessionView;
  definition: TextDefinition | null;
}

export function DefinitionDetail({ session, definition }: DetailProps) {
  const words = useWords();
  return (
    <aside className={styles.detail} aria-label={words.source.detail}>
      <ScrollArea label={words.source.detail} className={styles.area}>
        {definition && <Versions definition={definition} />}
        {definition && hasImage(session) && <Known session={session} definition={definition} />}
      </ScrollArea>
    </aside>
  );
}

function Versions({ definition: { title, image, commit } }: { definition: TextDefinition }) {
  const words = useWords();
  return (
    <header>
      <h2 translate="no">{title}</h2>
      {image && <p className={styles.hint}>{words.source.image[image]}</p>}
      {commit && <p className={styles.hint}>{words.source.commit[commit]}</p>}
    </header>
  );
}

function Known({
  session,
  definition: { name, package: here },
}: {
  session: SessionView;
  definition: TextDefinition;
}) {
  const words = useWords();
  const { data } = useDescription(session.id, name, here);
  const { data: callers } = useFindings(session.id, 'callers', name, here);
  const found = data?.definitions ?? [];
  if (data === undefined && callers === undefined)
    return <p className={styles.hint}>{words.source.nothingKnown}</p>;
  return (
    <>
      {found.map(
        ({ kind, name: own, arglist, documentation, methods = [], superclasses = [], subclasses = [] }) => (
          <section key={`${kind} ${own}`} aria-label={`${kind} ${own}`}>
            <p className={styles.hint} lang="en">
              {kind}
            </p>
            {arglist !== undefined && <code>{asWritten(arglist)}</code>}
            {documentation !== undefined && <p translate="no">{documentation}</p>}
            <Places session={session} title={words.browse.methods} places={methods} />
            <Names session={session} here={here} title={words.browse.superclasses} names={superclasses} />
            <Names session={session} here={here} title={words.browse.subclasses} names={subclasses} />
          </section>
        ),
      )}
      <Places session={session} title={words.source.callers} places={callers?.results ?? []} />
    </>
  );
}

interface PlacesProps {
  session: SessionView;
  title: string;
  places: readonly (Pick<MethodDescription, 'text' | 'source'> | Pick<Finding, 'text' | 'source'>)[];
}

function Places({ session, title, places }: PlacesProps) {
  if (places.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {places.map(({ text, source }) => (
          <li key={`${text} ${source?.file ?? ''} ${source?.line ?? ''}`}>
            <Place session={session} text={text} source={source} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Place({
  session,
  text,
  source,
}: {
  session: SessionView;
  text: string;
  source: SourcePlace | undefined;
}) {
  const { actions } = useServices();
  const { file, line = 1 } = source ?? {};
  if (file === undefined) return <code>{text}</code>;
  const path = nameInProject(file, session.project);
  return (
    <button type="button" className={styles.row} onClick={() => actions.sources.open(session.id, path, line)}>
      <code>{text}</code>
      <span className={styles.place}>{`${shortenPath(path, 28)}:${line}`}</span>
    </button>
  );
}

interface NamesProps {
  session: SessionView;
  /** The package of the names. */
  here: string;
  title: string;
  names: readonly string[];
}

function Names({ session, here, title, names }: NamesProps) {
  const { actions } = useServices();
  if (names.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={styles.row}
              onClick={() => void actions.sources.showDefinition(session.id, name, here)}
            >
              <code>{name}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
