/** "Attach…": asks for a server that runs already, and opens a session of it. Asking names it, for agents as well. */
import { Cable } from 'lucide-react';
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import type { ServerKind } from '../../electron/contract/server';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { Chooser } from '../parts/field';
import fields from '../parts/field.module.css';
import { engineTitle } from '../parts/format';
import { useServices } from '../services';
import styles from './attach-server.module.css';

/** What a person has to do for each kind, and the port that is usual. */
const KINDS: Readonly<Record<ServerKind, { port: number; start: string }>> = {
  nrepl: { port: 7888, start: 'lein repl :headless :port 7888' },
  lisply: { port: 9081, start: 'lisp-harbor serve --lisply-port 9081' },
  swank: { port: 4005, start: '(swank:create-server :port 4005 :dont-close t)' },
};

const FORM = 'attach-server';

export function AttachServer() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button icon={Cable} onPress={() => setAsking(true)}>
        Attach…
      </Button>
      {asking && <AttachDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function AttachDialog({ onClose }: { onClose: () => void }) {
  const { actions } = useServices();
  const [kind, setKind] = useState<ServerKind>('swank');
  const [host, setHost] = useState('127.0.0.1');
  const [port, setPort] = useState(String(KINDS.swank.port));
  const [problem, setProblem] = useState<string | null>(null);
  const [attaching, setAttaching] = useState(false);
  const attach = async () => {
    setAttaching(true);
    const failure = await actions.attach({ kind, host: host.trim(), port: Number(port) });
    setAttaching(false);
    setProblem(failure);
    if (failure === null) onClose();
  };
  const buttons = (
    <>
      <Button onPress={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={attaching}>
        Attach
      </Button>
    </>
  );
  return (
    <Dialog title="Attach to a server" onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        className={styles.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void attach();
        }}
      >
        <div className={styles.field}>
          <span className={styles.label}>Kind</span>
          <Chooser
            label="Kind"
            value={kind}
            choices={Object.keys(KINDS).map((name) => ({
              value: name as ServerKind,
              title: engineTitle(name),
            }))}
            onChange={(chosen) => {
              setKind(chosen);
              setPort(String(KINDS[chosen].port));
            }}
          />
        </div>
        <TextField isRequired value={host} onChange={setHost} className={styles.field ?? ''}>
          <Label className={styles.label ?? ''}>Host</Label>
          <Input className={fields.text ?? ''} />
          <FieldError className={styles.error ?? ''} />
        </TextField>
        <TextField
          autoFocus
          isRequired
          inputMode="numeric"
          value={port}
          onChange={setPort}
          validate={portProblem}
          className={styles.field ?? ''}
        >
          <Label className={styles.label ?? ''}>Port</Label>
          <Input className={`${fields.text} ${styles.port}`} />
          <FieldError className={styles.error ?? ''} />
        </TextField>
      </Form>
      <p className={styles.hint}>
        The Lisp at that port runs already, for instance after <code>{KINDS[kind].start}</code>. Its state is
        shared with all who use it, nothing confines it, and agents may attach to it from then on.
      </p>
      {problem && <Problem>{problem}</Problem>}
    </Dialog>
  );
}

function portProblem(typed: string): string | null {
  const port = Number(typed);
  return /^\d+$/.test(typed) && port >= 1 && port <= 65_535 ? null : 'A number from 1 to 65535.';
}
