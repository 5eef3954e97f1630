/** The source files of a project: the tree, the text of a file, its definitions, and what is known about one. */
import { FilePlus, PanelLeft, PanelRight } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { Form, Input, Label, TextField } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { Button, IconButton } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Select } from '../parts/field';
import fields from '../parts/field.module.css';
import { engineTitle } from '../parts/format';
import { useWiderThan } from '../parts/split-pane';
import { Empty } from '../parts/view';
import { useLive, useRoute, useServices, useViewState, useWords } from '../services';
import { DefinitionDetail } from './definition-detail';
import { FileTree } from './file-tree';
import type { Outline } from './forms';
import { SourceFile } from './source-file';
import styles from './source-view.module.css';

/** Minimum widths of the view in pixels for the tree, and for the definition detail the text. */
const WITH_TREE = 700;
const WITH_DETAIL = 1_080;

const NOTHING: Outline = { definitions: [], current: null };

export function Source() {
  const words = useWords();
  const { actions, viewState } = useServices();
  const whole = useRef<HTMLElement>(null);
  const session = useSourceSession();
  const file = useRoute((route) => route.file);
  const { files: wantsFiles, detail: wantsDetail } = useViewState(({ sourcePanes }) => sourcePanes);
  const hasTree = useWiderThan(whole, WITH_TREE);
  const hasDetail = useWiderThan(whole, WITH_DETAIL);
  const [outline, setOutline] = useState(NOTHING);
  const [naming, setNaming] = useState(false);
  const { current } = outline;
  const toggle = (pane: 'files' | 'detail') =>
    viewState.setState(({ sourcePanes }) => ({
      sourcePanes: { ...sourcePanes, [pane]: !sourcePanes[pane] },
    }));
  const open = (path: string) => {
    actions.sources.open(session?.id ?? null, path);
    // The tree covers the text of a narrow window.
    if (!hasTree) toggle('files');
  };
  // In a narrow window the panes open on request only.
  const showsFiles = hasTree ? wantsFiles : !wantsFiles || file === null;
  const showsDetail = current !== null && (hasDetail ? wantsDetail : !wantsDetail);
  return (
    <main
      ref={whole}
      className={styles.view}
      data-tree={hasTree || undefined}
      data-detail={hasDetail || undefined}
    >
      <header className={styles.head}>
        <IconButton
          icon={PanelLeft}
          label={words.source.hideFiles}
          aria-expanded={showsFiles}
          onPress={() => toggle('files')}
        />
        <h1>{words.source.title}</h1>
        <SessionChoice session={session} />
        <span className={styles.space} />
        <Button icon={FilePlus} onPress={() => setNaming(true)}>
          {words.source.newFile}
        </Button>
        <IconButton
          icon={PanelRight}
          label={words.source.hideDetail}
          aria-expanded={showsDetail}
          onPress={() => toggle('detail')}
        />
      </header>
      <div className={styles.body}>
        {showsFiles && (
          <nav className={styles.side} aria-label={words.source.files}>
            <FileTree session={session?.id ?? null} shown={file} onOpen={open} />
            {file !== null && (
              <DefinitionList
                outline={outline}
                onChoose={(offset) => {
                  viewState.setState({ sourceTarget: { path: file, offset } });
                  if (!hasTree) toggle('files');
                }}
              />
            )}
          </nav>
        )}
        {(hasTree || !showsFiles) && (
          <div className={styles.text}>
            {file === null ? (
              <Empty
                icon={FilePlus}
                title={words.source.nothingOpen}
                action={<NewFileButton onPress={() => setNaming(true)} />}
              >
                {words.source.chooseFile}
              </Empty>
            ) : (
              <SourceFile
                key={`${session?.project ?? ''} ${file}`}
                session={session}
                path={file}
                onOutline={setOutline}
              />
            )}
          </div>
        )}
        {showsDetail && session && <DefinitionDetail session={session} definition={current} />}
      </div>
      {naming && <NewFileDialog session={session} onClose={() => setNaming(false)} />}
    </main>
  );
}

function NewFileButton({ onPress }: { onPress: () => void }) {
  const words = useWords();
  return (
    <Button kind="primary" icon={FilePlus} onPress={onPress}>
      {words.source.newFile}
    </Button>
  );
}

/**
 * The session whose project is shown: the one that the user chose here, the one shown in Sessions, or the one used
 * last. null without any.
 */
function useSourceSession(): SessionView | null {
  const chosen = useViewState(({ sourceSession }) => sourceSession);
  const shown = useRoute(({ session }) => session);
  const sessions = useLive((state) => state.sessions);
  const isThere = (session: SessionView | undefined) => session !== undefined && session.state !== 'ended';
  for (const id of [chosen, shown]) {
    const session = id === null ? undefined : sessions.get(id);
    if (session && isThere(session)) return session;
  }
  const all = [...sessions.values()].filter(isThere);
  return all.toSorted((one, other) => other.lastUsedAt - one.lastUsedAt)[0] ?? null;
}

function SessionChoice({ session }: { session: SessionView | null }) {
  const words = useWords();
  const { viewState } = useServices();
  const sessions = useLive((state) => state.sessions);
  const there = [...sessions.values()].filter(({ state }) => state !== 'ended');
  if (session === null) return <span className={styles.hint}>{words.source.noSession}</span>;
  return (
    <Select
      label={words.source.session}
      value={session.id}
      options={there.map(({ id, name, engine }) => ({
        value: id,
        title: `${name} · ${engineTitle(engine)}`,
      }))}
      onChange={(sourceSession) => viewState.setState({ sourceSession })}
    />
  );
}

// The definitions of the open file, with their states in the image and in Git.

interface DefinitionListProps {
  outline: Outline;
  /** @param offset the start of the definition in the text */
  onChoose: (offset: number) => void;
}

function DefinitionList({ outline: { definitions, current }, onChoose }: DefinitionListProps) {
  const words = useWords();
  const hasImage = definitions.some(({ image }) => image !== null);
  const hasCommit = definitions.some(({ commit }) => commit !== null);
  return (
    <section className={styles.definitions} aria-label={words.source.definitions}>
      <header>
        <h2>{words.source.definitions}</h2>
        {hasImage && <span>{words.source.inImage}</span>}
        {hasCommit && <span>{words.source.inGit}</span>}
      </header>
      {definitions.length === 0 && <p className={styles.hint}>{words.source.noDefinitions}</p>}
      <ul>
        {definitions.map((definition) => {
          const { key, title, start, image, commit } = definition;
          return (
            // A file may define a name twice.
            <li key={`${key} ${start}`}>
              <button
                type="button"
                className={styles.row}
                aria-current={definition === current || undefined}
                title={title}
                onClick={() => onChoose(start)}
              >
                <code>{title.replace(/^\S+\s+/, '')}</code>
                {hasImage && (
                  <span className={styles.state} data-state={image}>
                    {image && words.source.imageShort[image]}
                  </span>
                )}
                {hasCommit && (
                  <span className={styles.state} data-state={commit}>
                    {commit && words.source.commitShort[commit]}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface NewFileProps {
  session: SessionView | null;
  onClose: () => void;
}

function NewFileDialog({ session, onClose }: NewFileProps) {
  const words = useWords();
  const { actions } = useServices();
  const [path, setPath] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (path.trim() === '' || isBusy) return;
    setBusy(true);
    const isCreated = await actions.sources.create(session?.id ?? null, path.trim());
    setBusy(false);
    if (isCreated) onClose();
  };
  return (
    <Dialog
      title={words.source.newFileTitle}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" isDisabled={path.trim() === '' || isBusy} onPress={() => void submit()}>
            {words.source.create}
          </Button>
        </>
      }
    >
      <Form onSubmit={(event) => void submit(event)}>
        <TextField value={path} onChange={setPath} autoFocus>
          <Label>{words.source.newFilePath}</Label>
          <Input className={fields.text ?? ''} placeholder={words.source.newFileHint} spellCheck={false} />
        </TextField>
      </Form>
    </Dialog>
  );
}
