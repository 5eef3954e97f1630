/** The programs that Lisp Harbor keeps running in their projects: state, address, start and stop, and the form for the current project's. */
import { type ReactNode, useState } from 'react';
import { FieldError, Form, Input, Label, TextArea, TextField } from 'react-aria-components';
import type { Application, ApplicationView } from '../../electron/contract/application';
import { useSettings } from '../bridge-queries';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Checkbox } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { shortenPath } from '../parts/format';
import { Part, Problem } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './home-view.module.css';

interface ApplicationsProps {
  applications: readonly ApplicationView[];
  /** The current project. */
  project: string;
}

export function Applications({ applications, project }: ApplicationsProps) {
  const words = useWords().applications;
  const [isEditing, setEditing] = useState(false);
  const own = applications.find((each) => each.project === project);
  return (
    <Part title={words.title}>
      {applications.map((each) => (
        <Running key={each.project} application={each}>
          {each === own && <Button onPress={() => setEditing(true)}>{words.edit}</Button>}
        </Running>
      ))}
      {!own && (
        <div className={styles.line}>
          <Button onPress={() => setEditing(true)}>{words.add}</Button>
        </div>
      )}
      {applications.length === 0 && <p className={styles.aside}>{words.about}</p>}
      {isEditing && <Edit project={project} application={own} onClose={() => setEditing(false)} />}
    </Part>
  );
}

function Running({ application, children }: { application: ApplicationView; children: ReactNode }) {
  const words = useWords().applications;
  const { actions } = useServices();
  const { project, state, url, session, problem } = application;
  const name = shortenPath(project, 40);
  const isUp = state === 'running' || state === 'starting';
  return (
    <div>
      <div className={styles.line}>
        <code title={project}>{name}</code>
        <span>{words.states[state]}</span>
        {session !== null && <a href={`#/sessions/${session}`}>{session}</a>}
      </div>
      <div className={styles.line}>
        {url !== null && (
          <Button
            aria-label={words.showIn(url)}
            onPress={() => void actions.harbor.applications.show({ project })}
          >
            {url.replace('http://', '')}
          </Button>
        )}
        {isUp ? (
          <Button
            aria-label={words.stopOf(name)}
            onPress={() => void actions.harbor.applications.stop({ project })}
          >
            {words.stop}
          </Button>
        ) : (
          <Button
            aria-label={words.startOf(name)}
            onPress={() => void actions.harbor.applications.start({ project })}
          >
            {words.start}
          </Button>
        )}
        {children}
      </div>
      {problem !== null && <Problem tone="warn">{problem}</Problem>}
    </div>
  );
}

const FORM = 'application';

interface EditProps {
  project: string;
  application: Application | undefined;
  onClose: () => void;
}

function Edit({ project, application, onClose }: EditProps) {
  const words = useWords();
  const { actions } = useServices();
  const saved = useSettings().data?.applications ?? [];
  const [run, setRun] = useState(application?.run ?? '');
  const [end, setEnd] = useState(application?.end ?? '');
  const [port, setPort] = useState(application?.port === undefined ? '' : String(application.port));
  const [atStart, setAtStart] = useState(application?.atStart ?? true);
  const others = saved.filter((each) => each.project !== project);
  /** Ends the one that runs, which has the former settings. */
  const change = async (applications: Application[]): Promise<boolean> => {
    await actions.harbor.applications.stop({ project });
    const isChanged = await actions.changeSettings({ applications });
    if (isChanged) onClose();
    return isChanged;
  };
  const save = async () => {
    const optional = {
      ...(end.trim() !== '' && { end }),
      ...(port !== '' && { port: Number(port) }),
      ...(application?.engine && { engine: application.engine }),
    };
    if (await change([...others, { project, run, atStart, ...optional }]))
      await actions.harbor.applications.start({ project });
  };
  return (
    <Dialog
      title={words.applications.of(shortenPath(project, 40))}
      onClose={onClose}
      buttons={
        <>
          {application && <Button onPress={() => void change(others)}>{words.applications.remove}</Button>}
          <Button onPress={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form={FORM}>
            {words.applications.save}
          </Button>
        </>
      }
    >
      <Form
        id={FORM}
        className={form.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Code
          label={words.applications.run}
          value={run}
          onChange={setRun}
          placeholder={words.applications.runExample}
          required
        />
        <Code
          label={words.applications.end}
          value={end}
          onChange={setEnd}
          placeholder={words.applications.endExample}
        />
        <TextField
          className={form.field ?? ''}
          value={port}
          onChange={setPort}
          inputMode="numeric"
          validate={(text) => (text === '' || isPort(text) ? null : words.applications.noPort)}
        >
          <Label className={form.label ?? ''}>{words.applications.port}</Label>
          <Input className={fields.text ?? ''} placeholder="8080" />
          <FieldError />
        </TextField>
        <Checkbox label={words.applications.atStart} checked={atStart} onChange={setAtStart} />
        <p className={form.hint}>{words.applications.shared}</p>
      </Form>
    </Dialog>
  );
}

interface CodeProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  required?: boolean;
}

function Code({ label, value, onChange, placeholder, required = false }: CodeProps) {
  return (
    <TextField
      className={form.field ?? ''}
      value={value}
      onChange={onChange}
      isRequired={required}
      maxLength={10_000}
    >
      <Label className={form.label ?? ''}>{label}</Label>
      <TextArea
        className={`${fields.text} ${styles.code}`}
        rows={3}
        placeholder={placeholder}
        spellCheck="false"
      />
      <FieldError />
    </TextField>
  );
}

function isPort(text: string): boolean {
  const port = Number(text);
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}
