/** Issues a token in two steps: its name and scopes, then its secret, shown this once. */
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import type { Scope } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import { Tick } from '../parts/tick';
import { useLive, useServices } from '../services';
import styles from './clients.module.css';

const SCOPES: readonly { scope: Scope; title: string; about: string }[] = [
  { scope: 'read', title: 'Read', about: 'see engines, its sessions and the history' },
  { scope: 'evaluate', title: 'Evaluate', about: 'open sessions and evaluate in them' },
  { scope: 'admin', title: 'Admin', about: 'end sessions of other clients' },
];

const FORM = 'issue-token';

interface IssueTokenProps {
  taken: readonly string[];
  onClose: () => void;
}

export function IssueToken({ taken, onClose }: IssueTokenProps) {
  const [secret, setSecret] = useState<{ name: string; token: string } | null>(null);
  if (secret) return <Secret name={secret.name} token={secret.token} onClose={onClose} />;
  return <Request taken={taken} onClose={onClose} onIssued={(name, token) => setSecret({ name, token })} />;
}

interface RequestProps extends IssueTokenProps {
  onIssued: (name: string, token: string) => void;
}

function Request({ taken, onClose, onIssued }: RequestProps) {
  const { actions } = useServices();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read', 'evaluate']);
  const issue = async () => {
    const issued = await actions.issueToken({ name: name.trim(), scopes: [...scopes] });
    if (issued) onIssued(issued.view.name, issued.token);
  };
  const buttons = (
    <>
      <Button onPress={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={scopes.length === 0}>
        Issue
      </Button>
    </>
  );
  return (
    <Dialog title="Issue token" onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        className={styles.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void issue();
        }}
      >
        <TextField
          autoFocus
          isRequired
          maxLength={64}
          value={name}
          onChange={setName}
          className={styles.field ?? ''}
          validate={(value) => (taken.includes(value.trim()) ? 'There is a token of that name.' : null)}
        >
          <Label className={styles.label ?? ''}>Name</Label>
          <Input className={fields.text ?? ''} />
          <FieldError className={styles.error ?? ''} />
        </TextField>
        <fieldset className={styles.choices}>
          <legend className={styles.label}>Scopes</legend>
          {SCOPES.map(({ scope, title, about }) => (
            <Tick
              key={scope}
              label={title}
              about={about}
              checked={scopes.includes(scope)}
              onChange={(on) =>
                setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))
              }
            />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  );
}

function Secret({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  const url = useLive((state) => state.status?.endpoint.url ?? null);
  return (
    <Dialog
      title={`Token “${name}”`}
      onClose={onClose}
      buttons={
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <p>This is shown once: only its hash is kept.</p>
      <div className={styles.secret}>
        <code data-secret>{token}</code>
        <CopyButton text={token} what="token" />
      </div>
      <p className={styles.hint}>
        Send it as <code>Authorization: Bearer …</code>
        {url && (
          <>
            {' '}
            to <code>{url}</code>
          </>
        )}
        .
      </p>
    </Dialog>
  );
}
