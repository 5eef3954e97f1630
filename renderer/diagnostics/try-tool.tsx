/** Calls a tool as a client does, with a form or JSON arguments, and shows the messages. */

import { useQuery } from '@tanstack/react-query';
import { ClipboardList, FlaskConical } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import type { OfferedTool, ToolTrial } from '../../electron/contract/harbor-status';
import { call, messageOf, tryCall } from '../bridge';
import { Button, CopyButton } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Checkbox, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { Problem } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './diagnostics.module.css';
import { type ArgumentField, argumentsOf, fieldsOf, indented } from './tool-form';

/** Buttons that open the tool dialog or copy the diagnostics report. */
export function DiagnosticsButtons() {
  const { diagnostics: words, copying } = useWords();
  const { actions, toasts } = useServices();
  const [trying, setTrying] = useState(false);
  const copyReport = async () => {
    const report = await tryCall(toasts, 'diagnostics:report', null);
    if (report !== undefined && (await actions.copy(report, words.report))) toasts.done(copying.copied);
  };
  return (
    <div className={styles.buttons}>
      <Button icon={FlaskConical} onPress={() => setTrying(true)}>
        {words.tryTool}
      </Button>
      <Button icon={ClipboardList} onPress={() => void copyReport()}>
        {words.copyReport}
      </Button>
      {trying && <TryTool onClose={() => setTrying(false)} />}
    </div>
  );
}

const FORM = 'try-tool';

function TryTool({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { data: tools, error } = useQuery({
    queryKey: ['diagnostics', 'tools'],
    queryFn: () => call('diagnostics:tools', null),
    gcTime: 0,
  });
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => () => void call('diagnostics:end', null).catch(() => null), []);
  const tool = tools?.find(({ name }) => name === chosen) ?? tools?.[0];
  const buttons = (
    <>
      <Button onPress={onClose}>{words.common.close}</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={tool === undefined}>
        {words.diagnostics.call}
      </Button>
    </>
  );
  return (
    <Dialog title={words.diagnostics.trying} wide onClose={onClose} buttons={buttons}>
      {error && <Problem>{error.message}</Problem>}
      {tools && tool && (
        <div className={styles.trying}>
          <Select
            label={words.diagnostics.tool}
            value={tool.name}
            options={tools.map(({ name }) => ({ value: name, title: name }))}
            onChange={setChosen}
          />
          <p className={styles.about}>{tool.description}</p>
          <Trial key={tool.name} tool={tool} />
        </div>
      )}
    </Dialog>
  );
}

/** State of the call: not sent, pending, answered, or failed. */
type Came =
  | { is: 'nothing' | 'pending' }
  | { is: 'tried'; tried: ToolTrial }
  | { is: 'failed'; problem: string };

function Trial({ tool }: { tool: OfferedTool }) {
  const words = useWords().diagnostics;
  const argumentFields = fieldsOf(tool);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [json, setJson] = useState<string | null>(null);
  const [came, setCame] = useState<Came>({ is: 'nothing' });
  const filled = argumentsOf(argumentFields, typed);
  const submit = async () => {
    if (json === null && 'problem' in filled) {
      setCame({ is: 'failed', problem: words.unread(filled.problem) });
      return;
    }
    setCame({ is: 'pending' });
    const args = json ?? ('json' in filled ? filled.json : '{}');
    try {
      setCame({ is: 'tried', tried: await call('diagnostics:call', { tool: tool.name, arguments: args }) });
    } catch (error) {
      setCame({ is: 'failed', problem: messageOf(error) });
    }
  };
  return (
    <form
      id={FORM}
      className={styles.trying}
      aria-busy={came.is === 'pending'}
      onSubmit={(event) => {
        event.preventDefault();
        if (came.is !== 'pending') void submit();
      }}
    >
      <Checkbox
        label={words.json}
        checked={json !== null}
        onChange={(as) => setJson(as ? ('json' in filled ? filled.json : '{}') : null)}
      />
      {json === null ? (
        <ArgumentFields fields={argumentFields} typed={typed} onType={setTyped} />
      ) : (
        <TextField aria-label={words.json} value={json} onChange={setJson}>
          <TextArea className={`${fields.text} ${styles.code}`} rows={8} spellCheck={false} />
        </TextField>
      )}
      <div role="status">
        {came.is === 'pending' && words.calling}
        {came.is === 'failed' && <Problem>{came.problem}</Problem>}
        {came.is === 'tried' && <Exchanged tried={came.tried} />}
      </div>
      <p className={styles.about}>{words.end}</p>
    </form>
  );
}

interface ArgumentFieldsProps {
  fields: readonly ArgumentField[];
  typed: Readonly<Record<string, string>>;
  onType: (typed: Readonly<Record<string, string>>) => void;
}

function ArgumentFields({ fields, typed, onType }: ArgumentFieldsProps) {
  return (
    <div className={form.fields}>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          onChange={(value) => onType({ ...typed, [field.name]: value })}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  field: ArgumentField;
  value: string;
  onChange: (value: string) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const words = useWords().diagnostics;
  const { name, kind, isRequired, about, options } = field;
  const title = isRequired ? `${name} (${words.required})` : name;
  if (kind === 'choice')
    return (
      <div className={form.field}>
        <span className={form.label}>{title}</span>
        <Select
          label={name}
          value={value}
          options={[
            { value: '', title: words.usual },
            ...options.map((option) => ({ value: option, title: option })),
          ]}
          onChange={onChange}
        />
        {about !== '' && <span className={form.hint}>{about}</span>}
      </div>
    );
  const look = `${fields.text} ${styles.code}`;
  return (
    <TextField value={value} onChange={onChange} className={form.field ?? ''}>
      <Label className={form.label ?? ''}>{title}</Label>
      {kind === 'text' || kind === 'json' ? (
        <TextArea className={look} rows={kind === 'text' ? 3 : 1} spellCheck={false} />
      ) : (
        <Input className={look} inputMode={kind === 'number' ? 'decimal' : 'text'} spellCheck={false} />
      )}
      {about !== '' && (
        <Text slot="description" className={form.hint ?? ''}>
          {about}
        </Text>
      )}
    </TextField>
  );
}

/** Request and reply as sent. */
function Exchanged({ tried: { request, reply, ms } }: { tried: ToolTrial }) {
  const { diagnostics: words, formats } = useWords();
  return (
    <>
      <Message title={words.request} text={request} />
      <Message title={words.reply} text={reply} note={words.took(formats.duration(ms))} />
    </>
  );
}

function Message({ title, text, note = '' }: { title: string; text: string; note?: string }) {
  return (
    <section aria-label={title} className={styles.message}>
      <header>
        <h3>{title}</h3>
        <span>{note}</span>
        <CopyButton text={text} what={title} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be focusable */}
      <pre tabIndex={0}>{indented(text)}</pre>
    </section>
  );
}
