/** The tab that browses the names of a session's image: packages, functions, classes and their uses. */

import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { useDescription, useFindings } from '../image-queries';
import { IconButton } from '../parts/button';
import fields from '../parts/field.module.css';
import { noteFacts } from '../parts/note-facts';
import { ScrollArea } from '../parts/scroll-area';
import { Disclosure, Problem } from '../parts/view';

import { useServices, useViewState, useWords } from '../services';
import styles from './browse.module.css';
import { DefinitionView, SourceLine } from './definition-view';

const NOWHERE: readonly string[] = [];

export function BrowseTab({ session }: { session: SessionView }) {
  const words = useWords();
  const { actions, viewState } = useServices();
  const way = useViewState((state) => state.browsed[session.id]) ?? NOWHERE;
  const name = way.at(-1) ?? session.package;
  const back = () =>
    viewState.setState(({ browsed }) => ({ browsed: { ...browsed, [session.id]: way.slice(0, -1) } }));
  return (
    <section aria-label={words.browse.title} className={styles.browse}>
      <header className={styles.bar}>
        <IconButton icon={ArrowLeft} label={words.browse.back} isDisabled={way.length === 0} onPress={back} />
        <NameField onSubmit={(typed) => actions.browse(session.id, typed)} />
      </header>
      <Described key={name} session={session} name={name} />
    </section>
  );
}

function NameField({ onSubmit }: { onSubmit: (name: string) => void }) {
  const words = useWords();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '') onSubmit(typed.trim());
  };
  return (
    <form aria-label={words.browse.browseName} className={styles.field} onSubmit={submit}>
      <TextField aria-label={words.browse.nameToBrowse} value={typed} onChange={setTyped}>
        <Input className={fields.text ?? ''} placeholder={words.browse.hint} spellCheck={false} />
      </TextField>
    </form>
  );
}

function Described({ session, name }: { session: SessionView; name: string }) {
  const words = useWords();
  const { data, error } = useDescription(session.id, name);
  if (error)
    return (
      <ScrollArea label={words.browse.description} className={styles.area}>
        <Problem tone="warn">{error.message}</Problem>
        <NamesWith session={session} part={name} />
      </ScrollArea>
    );
  if (!data) return null;
  return (
    <ScrollArea label={words.browse.description} className={styles.area}>
      <header className={styles.head}>
        <h2>{data.symbol}</h2>
        <p lang="en">{data.status}</p>
      </header>
      {data.definitions.map((definition) => (
        <DefinitionView
          key={`${definition.kind} ${definition.name}`}
          session={session}
          definition={definition}
        />
      ))}
      {data.definitions.some(({ kind }) => !/package|namespace/.test(kind)) && (
        <>
          <Uses session={session} name={name} kind="callers" title={words.browse.callers} />
          <Uses session={session} name={name} kind="references" title={words.browse.references} />
        </>
      )}
      <NamesWith session={session} part={name} />
    </ScrollArea>
  );
}

/** Names that contain a string, those of the user's own package first. */
function NamesWith({ session, part }: { session: SessionView; part: string }) {
  const words = useWords();
  const bare = part.replace(/^.*(?:::?|\/)(?=.)/, '');
  return (
    <div className={styles.uses}>
      <Disclosure title={words.browse.namesWith(bare)}>
        <FoundNames session={session} part={bare} />
      </Disclosure>
    </div>
  );
}

function FoundNames({ session, part }: { session: SessionView; part: string }) {
  const words = useWords();
  const { actions } = useServices();
  const { data, error } = useFindings(session.id, 'apropos', part);
  if (error) return <p className={styles.hint}>{error.message}</p>;
  if (!data) return <p className={styles.hint}>{words.browse.looking}</p>;
  return (
    <>
      <ul aria-label={words.browse.names}>
        {data.results.map(({ kind, text, documentation }) => (
          <li key={`${kind} ${text}`}>
            <button type="button" onClick={() => actions.browse(session.id, text)}>
              <code>{text}</code>
            </button>
            <span lang="en" title={documentation}>
              {kind}
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{words.browse.nameCount(data.total)}</p>
    </>
  );
}

// The uses of a name, fetched when the user opens the section.

interface UsesProps {
  session: SessionView;
  name: string;
  kind: 'callers' | 'references';
  title: string;
}

function Uses({ title, ...use }: UsesProps) {
  return (
    <div className={styles.uses}>
      <Disclosure title={title}>
        <FoundUses {...use} />
      </Disclosure>
    </div>
  );
}

function FoundUses({ session, name, kind }: Omit<UsesProps, 'title'>) {
  const words = useWords();
  const { actions } = useServices();
  const { data, error } = useFindings(session.id, kind, name);
  if (error) return <Problem tone="warn">{error.message}</Problem>;
  if (!data) return <p className={styles.hint}>{words.browse.looking}</p>;
  return (
    <>
      <ul aria-label={words.browse.uses[kind]}>
        {data.results.map(({ kind: use, text, source }) => (
          <li key={`${use} ${text} ${source?.line ?? ''}`}>
            <button type="button" onClick={() => actions.browse(session.id, text)}>
              <code>{text}</code>
            </button>
            <span lang="en">{use}</span>
            {source && <SourceLine session={session} source={source} />}
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        {data.total === 0 ? words.browse.noneKnown : words.browse.inImage(words.formats.number(data.total))}
        <span lang="en">{noteFacts(data.notes).join(' ')}</span>
      </p>
    </>
  );
}
