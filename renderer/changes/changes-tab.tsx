/** The tab with what a session did to the world: how a person reviews an agent's work, keeps it, or takes it back. */
import { FileDiff } from 'lucide-react';
import { useState } from 'react';
import type { ChangesView, DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { useCheckpoints } from '../bridge-queries';
import { KEEPS_FOCUS } from '../kept-focus';
import { Button } from '../parts/button';
import { Empty, Problem } from '../parts/feedback';
import { Select } from '../parts/field';
import { engineTitle } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { useNow } from '../parts/time';
import { useWords } from '../services';
import styles from './changes.module.css';
import { isWritable } from './definition-row';
import { DefinitionRows } from './definition-rows';
import { FileRow } from './file-row';
import { Loaded } from './loaded';
import { CHANGE_HEIGHT, RowGroup } from './row-group';
import { sinceOptions } from './since';
import { useChanges, useSince } from './use-changes';
import { WriteDialog } from './write-dialog';

export function ChangesTab({ session }: { session: SessionView }) {
  const words = useWords();
  const [since, chooseSince] = useSince(session.id);
  const { data, error } = useChanges(session, since);
  const [writing, setWriting] = useState<readonly DefinitionChange[] | null>(null);
  const unsaved = (data?.definitions ?? []).filter(isWritable);
  return (
    <section aria-label={words.changes.title} className={styles.whole} {...KEEPS_FOCUS}>
      <header className={styles.head}>
        <Since session={session} value={since} onChange={chooseSince} />
        {unsaved.length > 0 && (
          <Button kind="primary" onPress={() => setWriting(unsaved)}>
            {words.changes.writeAll}
          </Button>
        )}
      </header>
      {error && <Problem>{error.message}</Problem>}
      {data && <Found session={session} changes={data} since={since} onWrite={(one) => setWriting([one])} />}
      {writing && data && (
        <WriteDialog
          session={session}
          definitions={writing}
          known={data.definitions}
          onClose={() => setWriting(null)}
        />
      )}
    </section>
  );
}

interface SinceProps {
  session: SessionView;
  value: string;
  onChange: (value: string) => void;
}

function Since({ session, value, onChange }: SinceProps) {
  const words = useWords();
  const now = useNow(30_000);
  const { data: checkpoints = [] } = useCheckpoints();
  const own = checkpoints.filter((checkpoint) => checkpoint.session === session.id);
  return (
    <div className={styles.since}>
      <span aria-hidden>{words.changes.since}</span>
      <Select
        label={words.changes.changesSince}
        value={value}
        options={sinceOptions(session.startedAt, own, now, words)}
        onChange={onChange}
      />
    </div>
  );
}

interface FoundProps {
  session: SessionView;
  changes: ChangesView;
  since: string;
  onWrite: (definition: DefinitionChange) => void;
}

function Found({ session, changes, since, onWrite }: FoundProps) {
  const words = useWords();
  const { definitions, files, loads, systems, asTold } = changes;
  const now = useNow(10_000);
  const total = definitions.length + files.length + loads.length + systems.length;
  if (total === 0)
    return (
      <Empty icon={FileDiff} title={words.changes.nothing}>
        {words.changes.nothingAbout}
      </Empty>
    );
  const shared = { session, now };
  return (
    <ScrollArea
      label={words.changes.whatChanged}
      className={styles.area}
      rememberAs={`changes of ${session.id}`}
    >
      {definitions.length > 0 && (
        <DefinitionRows {...shared} definitions={definitions} since={since} onWrite={onWrite} />
      )}
      {files.length > 0 && (
        <RowGroup
          title={words.changes.files}
          items={files}
          keyOf={({ path }) => path}
          usualHeight={CHANGE_HEIGHT}
        >
          {(change, placed, fold) => <FileRow {...shared} change={change} placed={placed} fold={fold} />}
        </RowGroup>
      )}
      <Loaded {...shared} changes={changes} />
      {asTold && <p className={styles.note}>{words.changes.asTold(engineTitle(session.engine))}</p>}
      <p className={styles.note}>{words.changes.filesAbout}</p>
    </ScrollArea>
  );
}
