/** A tool called by hand, as a client calls it: chosen, filled in as a form or as JSON, with what went over the wire. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { TextArea, TextField } from 'react-aria-components';
import type { OfferedTool, TriedCall } from '../../electron/contract/diagnostics';
import { call, messageOf } from '../bridge';
import { Button } from '../parts/button';
import { Checkbox } from '../parts/checkbox';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { Select } from '../parts/field';
import fields from '../parts/field.module.css';
import { useWords } from '../services';
import { ArgumentFields } from './argument-fields';
import styles from './diagnostics.module.css';
import { Exchanged } from './exchanged';
import { argumentsOf, fieldsOf } from './tool-form';

const FORM = 'try-tool';

export function TryTool({ onClose }: { onClose: () => void }) {
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

/** What came of it: on its way, what went over the wire, or why nothing did. */
type Came =
  | { is: 'nothing' | 'asked' }
  | { is: 'tried'; tried: TriedCall }
  | { is: 'failed'; problem: string };

function Trial({ tool }: { tool: OfferedTool }) {
  const words = useWords().diagnostics;
  const asked = fieldsOf(tool);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [json, setJson] = useState<string | null>(null);
  const [came, setCame] = useState<Came>({ is: 'nothing' });
  const filled = argumentsOf(asked, typed);
  const submit = async () => {
    if (json === null && 'problem' in filled) {
      setCame({ is: 'failed', problem: words.unread(filled.problem) });
      return;
    }
    setCame({ is: 'asked' });
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
      aria-busy={came.is === 'asked'}
      onSubmit={(event) => {
        event.preventDefault();
        if (came.is !== 'asked') void submit();
      }}
    >
      <Checkbox
        label={words.json}
        checked={json !== null}
        onChange={(as) => setJson(as ? ('json' in filled ? filled.json : '{}') : null)}
      />
      {json === null ? (
        <ArgumentFields fields={asked} typed={typed} onType={setTyped} />
      ) : (
        <TextField aria-label={words.json} value={json} onChange={setJson}>
          <TextArea className={`${fields.text} ${styles.code}`} rows={8} spellCheck={false} />
        </TextField>
      )}
      <div role="status">
        {came.is === 'asked' && words.calling}
        {came.is === 'failed' && <Problem>{came.problem}</Problem>}
        {came.is === 'tried' && <Exchanged tried={came.tried} />}
      </div>
      <p className={styles.about}>{words.end}</p>
    </form>
  );
}
