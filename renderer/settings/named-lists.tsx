/** Lists of names in the settings: redaction patterns, projects, servers and containers. */
import { type FormEvent, useState } from 'react';
import { FieldError, Input, TextField } from 'react-aria-components';
import type { ServerAddress } from '../../electron/contract/server';
import { Button } from '../parts/button';
import fields from '../parts/field.module.css';
import { engineTitle, shortenPath } from '../parts/format';
import { NamedList } from '../parts/list';
import { useCommand, useServices, useWords } from '../services';
import styles from './settings-view.module.css';

/** Folders that the user approved. The one in which new sessions start is marked. */
export function Projects({
  projects,
  current,
}: {
  projects: readonly string[];
  current: string | undefined;
}) {
  const words = useWords();
  const { actions } = useServices();
  const choose = useCommand('project:choose');
  const items = projects.map((project) => ({
    key: project,
    name: project,
    text: shortenPath(project, 56),
    mark: project === current ? words.settings.newSessions : undefined,
    onRemove: () =>
      void actions.changeSettings({
        projects: projects.filter((other) => other !== project),
        ...(project === current && { project: undefined }),
      }),
  }));
  return (
    <>
      <NamedList label={words.settings.projects} items={items} />
      <Button onPress={choose.run}>{choose.title}</Button>
    </>
  );
}

/** Servers that the user named. Sessions can be attached to them, by agents too. */
export function Servers({ servers }: { servers: readonly ServerAddress[] }) {
  const words = useWords();
  const { actions } = useServices();
  if (servers.length === 0) return <p>{words.settings.noServers}</p>;
  const items = servers.map((server) => {
    const address = `${server.host}:${server.port}`;
    return {
      key: `${server.kind} ${address}`,
      name: address,
      mark: engineTitle(server.kind),
      onRemove: () => void actions.changeSettings({ servers: servers.filter((other) => other !== server) }),
    };
  });
  return <NamedList label={words.settings.servers} items={items} />;
}

/** Patterns of text that is removed before a record is saved in the history, with a field that adds one. */
export function RedactionRules({ patterns }: { patterns: readonly string[] }) {
  const words = useWords();
  const { actions } = useServices();
  const change = (redact: readonly string[]) => void actions.changeSettings({ redact: [...redact] });
  const items = patterns.map((pattern) => ({
    key: pattern,
    name: pattern,
    onRemove: () => change(patterns.filter((other) => other !== pattern)),
  }));
  return (
    <>
      <NamedList label={words.settings.redaction} items={items} />
      <NewPattern onAdd={(pattern) => change([...patterns.filter((other) => other !== pattern), pattern])} />
    </>
  );
}

function NewPattern({ onAdd }: { onAdd: (pattern: string) => void }) {
  const words = useWords();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const pattern = typed.trim();
    setWrong(!isPattern(pattern));
    if (!isPattern(pattern)) return;
    setTyped('');
    onAdd(pattern);
  };
  return (
    <form onSubmit={add}>
      <TextField
        aria-label={words.settings.redactText}
        value={typed}
        isInvalid={isWrong}
        validationBehavior="aria"
        onChange={(text) => {
          setTyped(text);
          setWrong(false);
        }}
        className={styles.line ?? ''}
      >
        <Input
          className={fields.text ?? ''}
          placeholder={words.settings.redactPlaceholder}
          spellCheck={false}
          autoComplete="off"
        />
        <FieldError className={styles.error ?? ''}>{words.settings.redactWrong}</FieldError>
      </TextField>
    </form>
  );
}

/** Reports whether a pattern is valid, as contract/settings.ts defines it. */
function isPattern(text: string): boolean {
  return text.replaceAll('*', '').trim().length >= 3 && text.split('*').length <= 4;
}
