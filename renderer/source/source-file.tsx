/** The text of one source file, with its commands, the notes of the compiler, and the states of its definitions. */
import { useQuery } from '@tanstack/react-query';
import { CircleStop, Ellipsis, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import { useStore } from 'zustand';
import type { SessionView } from '../../electron/contract/model';
import type { SourceText, SourceVersions } from '../../electron/contract/source-files';
import { type Dialect, dialectOf, dialectOfFile } from '../../electron/source/dialect';
import type { Words } from '../../electron/words/words';
import { harbor } from '../bridge';
import { lastEnded } from '../evaluations/evaluation-list';
import { Button, IconButton, Menu, MenuItem } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Problem } from '../parts/view';
import { Arglist } from '../repl/arglist';
import { callAt } from '../repl/structural-editing';
import { useLive, useServices, useViewState, useWords } from '../services';
import { hasImage } from '../session/session-actions';
import {
  definitionsOf,
  formAt,
  type Outline,
  type ParsedText,
  packageAt,
  parsedText,
  type TextDefinition,
} from './forms';
import { KeysDialog } from './keys-dialog';
import { type OpenFile, openFile, type ShownFile } from './open-file';
import { setStates, type TextNote } from './source-editor';
import styles from './source-view.module.css';

interface SourceFileProps {
  /** The session whose project contains the file. */
  session: SessionView | null;
  path: string;
  onOutline: (outline: Outline) => void;
}

/** Interval between looks at the file on the disk, in milliseconds. */
const LOOK_MS = 3_000;

export function SourceFile({ session, path, onOutline }: SourceFileProps) {
  const { data, error } = useQuery({
    queryKey: ['source', 'file', session?.project ?? null, path],
    queryFn: () => harbor.source.read({ session: session?.id ?? null, path }),
    refetchInterval: LOOK_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
  return (
    <>
      {error && <Problem>{error.message}</Problem>}
      {data && <FileEditor session={session} file={data} onOutline={onOutline} />}
    </>
  );
}

interface FileEditorProps {
  session: SessionView | null;
  /** The file as it is on the disk. */
  file: SourceText;
  onOutline: (outline: Outline) => void;
}

function FileEditor({ session, file, onOutline }: FileEditorProps) {
  const words = useWords();
  const { actions, toasts, queries } = useServices();
  const host = useRef<HTMLDivElement>(null);
  const open = openFile(file, words);
  const answering = useAnsweringSession(file, session);
  open.services = { session: answering, words, actions, toasts, queries };
  const shown = useStore(open.shown);
  useEffect(() => (host.current ? open.attach(host.current) : undefined), [open]);
  useEffect(() => open.compare(file), [open, file]);
  useStates(open, shown, answering, onOutline);
  useTarget(open, file.path);
  return (
    <section className={styles.file} aria-label={file.path}>
      <Bar open={open} shown={shown} session={answering} />
      {shown.conflict && <Conflict open={open} conflict={shown.conflict} text={shown.text} />}
      <div ref={host} className={styles.editor} data-code-of={answering?.id} />
      <NoteList shown={shown} onChoose={({ from, to }) => open.show(from, to)} />
      <Status shown={shown} dialect={open.dialect} session={answering} />
    </section>
  );
}

/**
 * The session that compiles the file and answers about its names: the chosen one if its engine reads the file, else
 * the one of the project that was used last.
 */
function useAnsweringSession({ path, project }: SourceText, chosen: SessionView | null): SessionView | null {
  const sessions = useLive((state) => state.sessions);
  const dialect = dialectOfFile(path);
  const fits = ({ engine, state, project: own }: SessionView) =>
    dialectOf(engine) === dialect && own === project && state !== 'ended';
  if (chosen && fits(chosen)) return chosen;
  const all = [...sessions.values()].filter(fits);
  return all.toSorted((one, other) => other.lastUsedAt - one.lastUsedAt)[0] ?? null;
}

interface BarProps {
  open: OpenFile;
  shown: ShownFile;
  session: SessionView | null;
}

function Bar({ open, shown: { base, conflict, isUnsaved, isBusy }, session }: BarProps) {
  const words = useWords();
  const [dialog, setDialog] = useState<'keys' | 'discard' | null>(null);
  const close = () => setDialog(null);
  return (
    <header className={styles.bar}>
      <h2 translate="no">{base.path}</h2>
      {isUnsaved && <span className={styles.mark}>{words.source.unsaved}</span>}
      <span className={styles.space} />
      {isBusy && session && (
        <Button icon={CircleStop} onPress={() => void harbor.sessions.interrupt({ session: session.id })}>
          {words.source.stop}
        </Button>
      )}
      {open.dialect !== null && (
        <Button kind="primary" shortcut="Mod+Enter" isDisabled={isBusy} onPress={() => void open.compile()}>
          {words.source.compile}
        </Button>
      )}
      <Button shortcut="Mod+S" isDisabled={!isUnsaved || conflict !== null} onPress={() => void open.save()}>
        {words.source.save}
      </Button>
      {open.dialect !== null && (
        <Button shortcut="Mod+L" isDisabled={isBusy} onPress={() => void open.load()}>
          {words.source.load}
        </Button>
      )}
      <MenuTrigger>
        <IconButton icon={Ellipsis} label={words.source.more} />
        <Menu label={words.source.more}>
          <MenuItem title={words.source.openInEditor} about="" onChoose={() => void open.edit()} />
          <MenuItem title={words.source.keys} about="" onChoose={() => setDialog('keys')} />
          <MenuItem
            title={words.source.discard}
            about=""
            isDisabled={!isUnsaved}
            onChoose={() => setDialog('discard')}
          />
        </Menu>
      </MenuTrigger>
      {dialog === 'keys' && <KeysDialog onClose={close} />}
      {dialog === 'discard' && (
        <ConfirmDialog
          title={words.source.discardTitle(base.path)}
          confirm={words.source.discard}
          onConfirm={() => open.take(conflict ?? base, (conflict ?? base).text)}
          onClose={close}
        >
          {words.source.discardAbout}
        </ConfirmDialog>
      )}
    </header>
  );
}

interface ConflictProps {
  open: OpenFile;
  conflict: SourceText;
  text: string;
}

function Conflict({ open, conflict, text }: ConflictProps) {
  const words = useWords();
  const choices = (
    <>
      <Button onPress={() => open.take(conflict, conflict.text)}>{words.source.takeFile}</Button>
      <Button onPress={() => open.take(conflict, text)}>{words.source.keepMine}</Button>
    </>
  );
  return (
    <Problem tone="warn" action={choices}>
      {words.source.changedOutside(conflict.path)}
    </Problem>
  );
}

interface NoteListProps {
  shown: ShownFile;
  onChoose: (note: TextNote) => void;
}

function NoteList({ shown: { notes, text }, onChoose }: NoteListProps) {
  const words = useWords();
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label={words.source.notes}>
      {notes.map((note) => (
        <li key={`${note.from} ${note.message}`}>
          <button
            type="button"
            className={styles.row}
            data-severity={note.severity}
            title={note.message}
            onClick={() => onChoose(note)}
          >
            <span className={styles.severity}>{words.source.severities[note.severity]}</span>
            <span lang="en">{note.message.split('\n', 1)[0]}</span>
            <span className={styles.place}>{words.source.noteAt(lineOf(text, note.from))}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface StatusProps {
  shown: ShownFile;
  dialect: Dialect | null;
  session: SessionView | null;
}

function Status({ shown: { text, at, notes, status }, dialect, session }: StatusProps) {
  const words = useWords();
  const call = useMemo(() => (dialect === null ? null : callIn(text, at, dialect)), [text, at, dialect]);
  const column = at - text.lastIndexOf('\n', at - 1);
  return (
    <footer className={styles.status}>
      <span>{words.source.position(lineOf(text, at), column)}</span>
      {notes.length > 0 && (
        <span>
          <TriangleAlert size={12} aria-hidden /> {words.source.noteCount(notes.length)}
        </span>
      )}
      {call && session && hasImage(session) && <Arglist session={session} call={call} here={call.here} />}
      <output>{status}</output>
    </footer>
  );
}

/** Returns the call at the cursor, and the package in which its operator is read. */
function callIn(text: string, at: number, dialect: Dialect) {
  const parsed = parsedText(text, dialect);
  const form = formAt(parsed, at);
  const call =
    form && at <= form.end ? callAt(text.slice(form.start, form.end), at - form.start, dialect) : null;
  return call && form && { ...call, here: packageAt(parsed, form.start) };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Computes the definitions with their states, and shows the states in the text. */
function useStates(
  open: OpenFile,
  { base, text, at }: ShownFile,
  answering: SessionView | null,
  onOutline: (outline: Outline) => void,
): void {
  const words = useWords();
  const { viewState } = useServices();
  const versions = useVersions(base, answering && hasImage(answering) ? answering : null);
  const parsed = useMemo<ParsedText | null>(
    () => (open.dialect === null ? null : parsedText(text, open.dialect)),
    [text, open],
  );
  const definitions = useMemo(
    () => (parsed ? definitionsOf(parsed, base, versions) : []),
    [parsed, base, versions],
  );
  useEffect(() => {
    const isThere = definitions.some(({ image }) => image !== null && image !== 'missing');
    const marks = definitions.flatMap((definition) => {
      const mark = differenceOf(definition, isThere, words);
      return mark === null ? [] : [{ at: definition.start, text: mark }];
    });
    if (open.view?.state.doc.toString() === text) open.view.dispatch({ effects: setStates.of(marks) });
  }, [open, definitions, text, words]);
  useEffect(() => viewState.setState({ sourceCursor: at }), [viewState, at]);
  useEffect(() => {
    const current = definitions.findLast(({ start, end }) => start <= at && at <= end) ?? null;
    onOutline({ definitions, current });
  }, [definitions, at, onOutline]);
}

/**
 * Says where image and Git differ from the text; null where they do not.
 * @param isThere whether the image has any definition of the file
 */
function differenceOf({ image, commit }: TextDefinition, isThere: boolean, { source }: Words): string | null {
  if (image === 'older' || image === 'newer' || (image === 'missing' && isThere)) return source.image[image];
  return commit === 'changed' || commit === 'new' ? source.commit[commit] : null;
}

function useVersions({ path, hash }: SourceText, session: SessionView | null): SourceVersions | null {
  // A query that begins while an evaluation runs may miss what it defines.
  const ended = useLive(({ evaluations }) => (session ? lastEnded(evaluations.values(), session.id) : 0));
  const { data } = useQuery({
    queryKey: ['image', session?.id ?? null, 'versions', path, hash, ended],
    queryFn: () => harbor.source.versions({ session: session?.id ?? null, path }),
    placeholderData: (earlier, query) => (query?.queryKey[3] === path ? earlier : undefined),
  });
  return data ?? null;
}

/** Shows the place that another view or the list of definitions requested. */
function useTarget(open: OpenFile, path: string): void {
  const { viewState } = useServices();
  const target = useViewState(({ sourceTarget }) => sourceTarget);
  useEffect(() => {
    if (!open.view || target?.path !== path) return;
    const { doc } = open.view.state;
    open.show(
      'offset' in target ? target.offset : doc.line(Math.min(Math.max(target.line, 1), doc.lines)).from,
    );
    viewState.setState({ sourceTarget: null });
  }, [open, target, path, viewState]);
}
