/** The tab with the changes of a session, where the user reviews, saves or reverts the work of an agent. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Braces, FileDiff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Form, Input, Label, Text, TextField } from 'react-aria-components';
import type { ChangesView, DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { CallError, call, subscribe } from '../bridge';
import { useCheckpoints } from '../bridge-queries';
import { FOCUS_PANE } from '../document-effects';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { SearchField, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { engineTitle, nameInProject } from '../parts/format';
import { CHANGE_HEIGHT, DEFINED_HEIGHT, RowGroup } from '../parts/list';
import { ScrollArea } from '../parts/scroll-area';
import { useNow } from '../parts/text';
import { Empty, Problem } from '../parts/view';
import { useServices, useViewState, useWords } from '../services';
import { DefinitionRows, EvaluationLink, FileRow, isWritable } from './change-rows';
import { BEGINNING, definitionGroups, filesToWrite, sinceOf, sinceOptions, suggestedFile } from './changes';
import styles from './changes.module.css';
import { DefinedRow, Loaded } from './loaded';

export function ChangesTab({ session }: { session: SessionView }) {
  const words = useWords();
  const [since, chooseSince] = useSince(session.id);
  const { data, error } = useChanges(session, since);
  const [writing, setWriting] = useState<readonly DefinitionChange[] | null>(null);
  // A definition over a newer one of its file is written alone, after a question.
  const unsaved = (data?.definitions ?? []).filter((each) => isWritable(each) && !each.file?.newer);
  return (
    <section aria-label={words.changes.title} className={styles.whole} {...FOCUS_PANE}>
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
  const { definitions, files, loads, systems, fromEvaluations } = changes;
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
      {fromEvaluations && (
        <p className={styles.note}>{words.changes.fromEvaluations(engineTitle(session.engine))}</p>
      )}
      <p className={styles.note}>{words.changes.filesAbout}</p>
    </ScrollArea>
  );
}

/**
 * The tab with all definitions of a session, grouped by file, with links to their source and documentation.
 */
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

/** Whether the file is outdated, the line in it, and the evaluation. */
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

/** Delay in milliseconds before refreshing while an agent is working. */
const REFRESH_MS = 1_000;

/** Number of retries while a prover is evaluating; the delay starts at one second. */
const BUSY_RETRIES = 20;

/** The start of the shown period, and a function that changes it. */
function useSince(session: string): [string, (choice: string) => void] {
  const { viewState } = useServices();
  const choice = useViewState(({ changesSince }) => changesSince[session]) ?? BEGINNING;
  return [
    choice,
    (chosen) =>
      viewState.setState(({ changesSince }) => ({ changesSince: { ...changesSince, [session]: chosen } })),
  ];
}

function useChanges({ id, generation }: SessionView, choice: string) {
  useRefreshedChanges(id);
  return useQuery({
    queryKey: ['image', id, 'changes', generation, choice],
    queryFn: () => call('changes:view', { session: id, since: sinceOf(choice, Date.now()) }),
    placeholderData: (earlier, query) => (query?.queryKey[1] === id ? keepPreviousData(earlier) : undefined),
    staleTime: 0,
    retry: (failures, error) =>
      failures < BUSY_RETRIES && error instanceof CallError && error.code === 'busy',
  });
}

/** Refreshes shortly after an evaluation or a write; several events cause one refresh. */
function useRefreshedChanges(session: string): void {
  const { queries } = useServices();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      timer = undefined;
      void queries.invalidateQueries({ queryKey: ['image', session, 'changes'] });
    };
    const stop = subscribe('history:changed', () => {
      timer ??= setTimeout(ask, REFRESH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queries, session]);
}

// Chooses a file for definitions that have none; other definitions go to their own files.

const FORM = 'write-definitions';

interface WriteDialogProps {
  session: SessionView;
  definitions: readonly DefinitionChange[];
  /** All changed definitions. */
  known: readonly DefinitionChange[];
  onClose: () => void;
}

function WriteDialog({ session, definitions, known, onClose }: WriteDialogProps) {
  const words = useWords();
  const { actions } = useServices();
  const { project } = session;
  const [path, setPath] = useState(() => nameInProject(suggestedFile(definitions, known, session), project));
  const needsPath = definitions.some(({ file }) => file === null);
  const groups = filesToWrite(definitions, path.trim(), project);
  const [only] = definitions.length === 1 ? definitions : [];
  const what = only ? only.title : words.common.definitions(definitions.length);
  const buttons = (
    <>
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={needsPath && path.trim() === ''}>
        {words.changes.writeWhat(what)}
      </Button>
    </>
  );
  return (
    <Dialog title={words.changes.writeWhatOf(what, session.name)} onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        className={form.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void actions.changes.write(session, groups);
        }}
      >
        {needsPath && (
          <TextField autoFocus value={path} onChange={setPath} className={form.field ?? ''}>
            <Label className={form.label ?? ''}>{words.changes.fileForOthers}</Label>
            <Input className={fields.text ?? ''} spellCheck={false} />
            <Text slot="description" className={form.hint ?? ''}>
              {words.changes.fileForOthersAbout(project)}
            </Text>
          </TextField>
        )}
        <ul className={styles.targets} aria-label={words.changes.whatGoesWhere}>
          {groups.map((group) => (
            <li key={group.path}>
              <code>{group.path || '…'}</code>
              <span>{group.definitions.map(({ title }) => title).join(words.common.comma)}</span>
            </li>
          ))}
        </ul>
      </Form>
    </Dialog>
  );
}
