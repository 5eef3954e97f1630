/** What a file that was loaded defines, as it is now: each leads to what the image knows of it. */
import { useQuery } from '@tanstack/react-query';
import type { FileLoad } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { call } from '../bridge';
import { Problem } from '../parts/feedback';
import { useWords } from '../services';
import styles from './changes.module.css';
import { DefinedRow } from './defined-row';
import { withTitle } from './definition-groups';

/** More are found by a part of their titles. */
const MOST_SHOWN = 200;

interface DefinitionsInFileProps {
  session: SessionView;
  load: FileLoad;
  part: string;
}

export function DefinitionsInFile({ session, load: { path, evaluation }, part }: DefinitionsInFileProps) {
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
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may define the same twice, and its list stays as it is
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
