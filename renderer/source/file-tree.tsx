/** The files of the project as a tree: by folders, which are read when they are opened, by systems or by packages. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useStore } from 'zustand';
import type { SessionId } from '../../electron/contract/model';
import type { SourceFolder } from '../../electron/contract/source-files';
import { dialectOfFile } from '../../electron/source/dialect';
import { harbor } from '../bridge';
import { Select } from '../parts/field';
import { Problem } from '../parts/view';
import { useServices, useViewState, useWords } from '../services';
import type { SourceGrouping } from '../view-state';
import { fileKey, unsavedFiles } from './open-file';
import styles from './source-view.module.css';

interface FileTreeProps {
  /** The session whose project is shown; null for the project of new sessions. */
  session: SessionId | null;
  /** The path of the open file. */
  shown: string | null;
  onOpen: (path: string) => void;
}

/** A file, or a folder or group of files. */
interface TreeRow {
  /** Identifies the row: a file may be in several groups. */
  key: string;
  name: string;
  path: string;
  isFolder: boolean;
  level: number;
  isOpen: boolean;
}

export function FileTree(props: FileTreeProps) {
  const words = useWords();
  const { viewState } = useServices();
  const grouping = useViewState(({ sourceGrouping }) => sourceGrouping);
  const groupings: readonly SourceGrouping[] = ['files', 'systems', 'packages'];
  return (
    <>
      <div className={styles.grouping}>
        <Select
          label={words.source.grouping}
          value={grouping}
          options={groupings.map((value) => ({ value, title: words.source.groupings[value] }))}
          onChange={(sourceGrouping) => viewState.setState({ sourceGrouping })}
        />
      </div>
      {grouping === 'files' ? <Folders {...props} /> : <Groups {...props} grouping={grouping} />}
    </>
  );
}

/** The root folder of the project. */
const ROOT = '.';

function Folders({ session, ...props }: FileTreeProps) {
  const words = useWords();
  const opened = useViewState(({ openFolders }) => openFolders);
  const folders = [ROOT, ...opened];
  const answers = useQueries({
    queries: folders.map((path) => ({
      queryKey: ['source', 'folder', session, path],
      queryFn: () => harbor.source.folder({ session, path }),
      refetchOnMount: 'always' as const,
      refetchOnWindowFocus: true,
    })),
  });
  const read = new Map(folders.map((path, index) => [path, answers[index]?.data]));
  const root = read.get(ROOT);
  const error = answers[0]?.error;
  return (
    <>
      {error && <Problem>{error.message}</Problem>}
      {root?.entries.length === 0 && <p className={styles.hint}>{words.source.emptyFolder}</p>}
      {root && <Rows {...props} project={root.project} rows={rowsBelow(root, read, opened, 1)} />}
      {root && !root.complete && <p className={styles.hint}>{words.source.incomplete}</p>}
    </>
  );
}

function rowsBelow(
  folder: SourceFolder,
  read: ReadonlyMap<string, SourceFolder | undefined>,
  opened: readonly string[],
  level: number,
): TreeRow[] {
  return folder.entries.flatMap((entry) => {
    const isOpen = entry.isFolder && opened.includes(entry.path);
    const inside = isOpen ? read.get(entry.path) : undefined;
    const row = { ...entry, key: entry.path, level, isOpen };
    return [row, ...(inside ? rowsBelow(inside, read, opened, level + 1) : [])];
  });
}

interface GroupsProps extends FileTreeProps {
  grouping: Exclude<SourceGrouping, 'files'>;
}

function Groups({ session, grouping, ...props }: GroupsProps) {
  const words = useWords();
  const opened = useViewState(({ openFolders }) => openFolders);
  const { data, error } = useQuery({
    queryKey: ['source', 'groups', session],
    queryFn: () => harbor.source.groups({ session }),
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
  const rows = (data?.[grouping] ?? []).flatMap(({ name, files }) => {
    const key = `${grouping} ${name}`;
    const isOpen = opened.includes(key);
    const group = { key, name, path: key, isFolder: true, level: 1, isOpen };
    const inside = files.map((path) => ({
      ...{ key: `${key} ${path}`, name: path, path, isFolder: false, level: 2, isOpen: false },
    }));
    return isOpen ? [group, ...inside] : [group];
  });
  return (
    <>
      {error && <Problem>{error.message}</Problem>}
      {data && rows.length === 0 && <p className={styles.hint}>{words.source.noGroups}</p>}
      {data && <Rows {...props} project={data.project} rows={rows} />}
    </>
  );
}

interface RowsProps extends Omit<FileTreeProps, 'session'> {
  project: string;
  rows: readonly TreeRow[];
}

function Rows({ project, rows, shown, onOpen }: RowsProps) {
  const words = useWords();
  const { viewState } = useServices();
  const tree = useRef<HTMLDivElement>(null);
  const unsaved = useStore(unsavedFiles);
  const toggle = ({ path, isOpen }: TreeRow) =>
    viewState.setState(({ openFolders }) => ({
      openFolders: isOpen ? openFolders.filter((each) => each !== path) : [...openFolders, path],
    }));
  const choose = (row: TreeRow) => (row.isFolder ? toggle(row) : onOpen(row.path));
  const press = (event: KeyboardEvent, row: TreeRow) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const folds = row.isFolder && event.key === (row.isOpen ? 'ArrowLeft' : 'ArrowRight');
    if (step !== undefined) focusNext(tree.current, event.currentTarget, step);
    else if (event.key === 'Enter' || event.key === ' ') choose(row);
    else if (folds) toggle(row);
    else return;
    event.preventDefault();
  };
  // One row is a tab stop; the arrow keys move between them.
  const stop = (rows.find(({ path }) => path === shown) ?? rows[0])?.key;
  return (
    <div ref={tree} role="tree" aria-label={words.source.files} className={styles.tree}>
      {rows.map((row) => (
        <div
          key={row.key}
          role="treeitem"
          tabIndex={row.key === stop ? 0 : -1}
          aria-level={row.level}
          aria-expanded={row.isFolder ? row.isOpen : undefined}
          aria-selected={row.path === shown}
          className={styles.row}
          style={{ paddingLeft: 8 + row.level * 14 }}
          data-quiet={!row.isFolder && dialectOfFile(row.name) === null ? true : undefined}
          title={row.path}
          onClick={() => choose(row)}
          onKeyDown={(event) => press(event, row)}
        >
          {row.isFolder &&
            (row.isOpen ? <ChevronDown size={13} aria-hidden /> : <ChevronRight size={13} aria-hidden />)}
          <span translate="no">{row.name}</span>
          {unsaved.has(fileKey({ project, path: row.path })) && (
            <span className={styles.mark}>{words.source.unsaved}</span>
          )}
        </div>
      ))}
    </div>
  );
}

function focusNext(tree: HTMLElement | null, from: Element, step: number): void {
  const items = [...(tree?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])];
  items[items.indexOf(from as HTMLElement) + step]?.focus();
}
