/** Rows for changed definitions and files. */

import {
  ChevronRight,
  CircleDashed,
  FilePlus,
  FileWarning,
  type LucideIcon,
  Minus,
  Pencil,
  Plus,
  Trash2,
} from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { DefinitionChange, FileChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { FOCUS_PANE } from '../document-effects';
import { Button } from '../parts/button';
import { Diff } from '../parts/code';
import { ConfirmDialog } from '../parts/dialog';
import { nameInProject } from '../parts/format';
import { CHANGE_HEIGHT, type Fold, type PlacedRow, RowGroup } from '../parts/list';
import { type Mark, StateMark } from '../parts/state-mark';
import { RelativeTime, Sentence } from '../parts/text';
import { formatRoute, START_ROUTE } from '../route';
import { useServices, useWords } from '../services';
import { sinceOf } from './changes';
import styles from './changes.module.css';

/**
 * Maximum number of changes whose diffs are loaded at once; of more changes, each diff is loaded on request.
 */
const SHOWN_OPEN = 12;

interface DefinitionRowsProps {
  session: SessionView;
  definitions: readonly DefinitionChange[];
  since: string;
  now: number;
  onWrite: (definition: DefinitionChange) => void;
}

export function DefinitionRows({ definitions, onWrite, ...shared }: DefinitionRowsProps) {
  const words = useWords();
  const isOpenAtFirst = ({ what }: DefinitionChange) =>
    what === 'redefined' && definitions.length <= SHOWN_OPEN;
  return (
    <RowGroup
      title={words.changes.definitions}
      items={definitions}
      keyOf={({ key }) => key}
      usualHeight={CHANGE_HEIGHT}
    >
      {(change, placed, { isOpen = isOpenAtFirst(change), onFold }) => (
        <DefinitionRow
          {...shared}
          change={change}
          isOpen={isOpen}
          onFold={onFold}
          placed={placed}
          onWrite={() => onWrite(change)}
        />
      )}
    </RowGroup>
  );
}

// A definition that was added, redefined or removed. It can be written to a file, reverted and browsed.

const MARKS: Readonly<Record<DefinitionChange['what'], { icon: LucideIcon; tone: 'good' | 'warn' | 'bad' }>> =
  {
    added: { icon: Plus, tone: 'good' },
    redefined: { icon: Pencil, tone: 'warn' },
    removed: { icon: Minus, tone: 'bad' },
  };

/** Reports whether the definition is not saved in its current form and can be written to a file. */
export function isWritable({ saved, writeAs }: DefinitionChange): boolean {
  return saved === false && writeAs !== null;
}

interface DefinitionRowProps {
  session: SessionView;
  change: DefinitionChange;
  since: string;
  now: number;
  isOpen: boolean;
  onFold: Fold['onFold'];
  placed: PlacedRow;
  /** Called to choose the file to write to. */
  onWrite: () => void;
}

function DefinitionRow({ session, change, since, now, isOpen, onFold, placed, onWrite }: DefinitionRowProps) {
  const words = useWords();
  const { actions } = useServices();
  const [asking, setAsking] = useState<'revert' | 'write' | null>(null);
  const { title, what, file, saved, revertible, evaluation, client, at, diff } = change;
  const shown = file && nameInProject(file.path, session.project);
  const fileName = shown?.slice(shown.lastIndexOf('/') + 1) ?? '';
  const write = (over: string | null) =>
    file && void actions.changes.write(session, [{ path: file.path, definitions: [change] }], over);
  return (
    <ChangeRow
      name={title}
      mark={
        <>
          <StateMark {...MARKS[what]} word={words.changes.marks[what]} />
          {saved === false && (
            <StateMark
              icon={CircleDashed}
              tone="quiet"
              word={file ? words.changes.notInItsFile : words.changes.inNoFile}
            />
          )}
          {file?.newer && <StateMark icon={FileWarning} tone="warn" word={words.changes.fileIsNewer} />}
        </>
      }
      below={<Difference name={title} diff={diff} />}
      isOpen={isOpen}
      onFold={onFold}
      placed={placed}
      about={
        <>
          {file && <span title={file.path}>{`${shown}:${file.line}`}</span>}
          <span>
            <Sentence
              of={words.changes.by(words.common.client(client), <EvaluationLink evaluation={evaluation} />)}
            />
          </span>
          <RelativeTime at={at} now={now} />
        </>
      }
    >
      {file?.newer && (
        <Button
          aria-label={words.changes.loadOf(fileName, title)}
          onPress={() => void actions.changes.load(session, change, sinceOf(since, Date.now()))}
        >
          {words.changes.load}
        </Button>
      )}
      {isWritable(change) && file && (
        <Button
          aria-label={(file.newer ? words.changes.writeOverOf : words.changes.writeToOf)(fileName, title)}
          onPress={() => (file.newer ? setAsking('write') : write(null))}
        >
          {(file.newer ? words.changes.writeOver : words.changes.writeTo)(fileName)}
        </Button>
      )}
      {isWritable(change) && !file && (
        <Button aria-label={words.changes.writeOf(title)} onPress={onWrite}>
          {words.changes.write}
        </Button>
      )}
      {revertible && (
        <Button aria-label={words.changes.revertOf(title)} onPress={() => setAsking('revert')}>
          {words.changes.revert}
        </Button>
      )}
      {asking === 'write' && file && (
        <ConfirmDialog
          title={words.changes.overQuestion(title, fileName)}
          confirm={words.changes.overNow(fileName)}
          onConfirm={() => write(file.hash)}
          onClose={() => setAsking(null)}
        >
          {words.changes.overAbout}
          <Difference name={title} diff={file.newer?.diff ?? null} />
        </ConfirmDialog>
      )}
      {asking === 'revert' && (
        <ConfirmDialog
          title={(what === 'added' ? words.changes.removeQuestion : words.changes.restoreQuestion)(title)}
          confirm={words.changes.revertNow(title)}
          onConfirm={() => void actions.changes.revert(session, change, sinceOf(since, Date.now()))}
          onClose={() => setAsking(null)}
        >
          {what === 'added' ? words.changes.removeAbout : words.changes.restoreDefinitionAbout}
          {file && words.changes.noFileChanged}
        </ConfirmDialog>
      )}
    </ChangeRow>
  );
}

interface FileRowProps {
  session: SessionView;
  change: FileChange;
  now: number;
  placed: PlacedRow;
  fold: Fold;
}

export function FileRow({ session, change, now, placed, fold }: FileRowProps) {
  const words = useWords();
  // The question is about the version that was shown: one that is read while it is open is not reverted.
  const [reverting, setReverting] = useState<FileChange>();
  const { path, client, at, writes, earlierContent, hash, diff } = change;
  const shown = nameInProject(path, session.project);
  return (
    <ChangeRow
      {...fold}
      placed={placed}
      name={shown}
      mark={<StateMark {...markOf(change, words)} />}
      below={<Difference name={shown} diff={diff} />}
      about={
        <>
          <span title={path}>{words.changes.writes(writes)}</span>
          <span>{words.common.client(client)}</span>
          <RelativeTime at={at} now={now} />
        </>
      }
    >
      {hash !== null && (
        <Button
          aria-label={earlierContent === null ? words.changes.deleteOf(shown) : words.changes.revertOf(shown)}
          onPress={() => setReverting(change)}
        >
          {earlierContent === null ? words.changes.delete : words.changes.revert}
        </Button>
      )}
      {reverting && (
        <RevertFile session={session} change={reverting} onClose={() => setReverting(undefined)} />
      )}
    </ChangeRow>
  );
}

function RevertFile({
  session,
  change,
  onClose,
}: {
  session: SessionView;
  change: FileChange;
  onClose: () => void;
}) {
  const words = useWords();
  const { actions } = useServices();
  const shown = nameInProject(change.path, session.project);
  const deletes = change.earlierContent === null;
  return (
    <ConfirmDialog
      title={deletes ? words.changes.deleteQuestion(shown) : words.changes.restoreQuestion(shown)}
      confirm={deletes ? words.changes.deleteNow(shown) : words.changes.revertNow(shown)}
      onConfirm={() => void actions.changes.revertFile(session, change)}
      onClose={onClose}
    >
      {deletes ? words.changes.deleteAbout : words.changes.restoreFileAbout}
    </ConfirmDialog>
  );
}

function markOf({ earlierContent, hash }: FileChange, { changes: { fileMarks } }: Words): Mark {
  const mark = (icon: LucideIcon, tone: Mark['tone'], word: string): Mark => ({ icon, tone, word });
  if (hash === null) return mark(Trash2, 'bad', fileMarks.deleted);
  return earlierContent === null
    ? mark(FilePlus, 'good', fileMarks.new)
    : mark(Pencil, 'warn', fileMarks.edited);
}

// A row: what changed, where, the possible actions, and details that unfold below.

interface ChangeRowProps {
  /** Name of the changed thing, as in code. */
  name: string;
  mark: ReactNode;
  /** Location, author and time. */
  about: ReactNode;
  children?: ReactNode;
  /** Details that unfold; absent if there are none. */
  below?: ReactNode;
  isOpen?: boolean | undefined;
  /** Called when the row is folded or unfolded. */
  onFold: (open: boolean) => void;
  placed: PlacedRow;
}

export function ChangeRow({
  name,
  mark,
  about,
  children,
  below,
  isOpen = false,
  onFold,
  placed,
}: ChangeRowProps) {
  const [open, setOpen] = useState(isOpen);
  const belowId = useId();
  const fold = () => {
    setOpen(!open);
    onFold(!open);
  };
  return (
    <li className={styles.row} aria-label={name} {...FOCUS_PANE} {...placed}>
      <div className={styles.line}>
        {below === undefined ? (
          <span className={styles.name} translate="no">
            {name}
          </span>
        ) : (
          <button
            type="button"
            translate="no"
            className={styles.name}
            aria-expanded={open}
            aria-controls={belowId}
            onClick={fold}
          >
            <ChevronRight size={12} aria-hidden />
            {name}
          </button>
        )}
        {mark}
      </div>
      <div className={styles.foot}>
        <p className={styles.about}>{about}</p>
        <span className={styles.buttons}>{children}</span>
      </div>
      <div id={belowId} hidden={!open}>
        {open && below}
      </div>
    </li>
  );
}

/** @param diff null if the texts cannot be compared */
function Difference({ name, diff }: { name: string; diff: string | null }) {
  const words = useWords();
  if (diff === null) return <p className={styles.about}>{words.changes.incomparable}</p>;
  return <Diff diff={diff} label={words.changes.differenceOf(name)} />;
}

export function EvaluationLink({ evaluation }: { evaluation: number }) {
  return <a href={formatRoute({ ...START_ROUTE, view: 'history', evaluation })}>#{evaluation}</a>;
}
