/** The tab in which the names of a session's image are browsed: packages, functions, classes, and who uses them. */
import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { useDescription } from '../image-queries';
import { IconButton } from '../parts/button';
import { Problem } from '../parts/feedback';
import fields from '../parts/field.module.css';
import { ScrollArea } from '../parts/scroll-area';
import { useServices, useViewState, useWords } from '../services';
import styles from './browse.module.css';
import { DefinitionView } from './definition-view';
import { NamesWith } from './names-with';
import { Uses } from './uses';

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
