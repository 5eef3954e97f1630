/** Issues a token in two steps: its name and scopes, then its secret, shown this once. */
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import type { Scope } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Checkbox } from '../parts/checkbox';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { useServices, useWords } from '../services';
import styles from './clients-view.module.css';
import { TokenSecret } from './token-secret';

const SCOPES: readonly Scope[] = ['read', 'evaluate', 'admin'];

const FORM = 'issue-token';

interface Issued {
  name: string;
  token: string;
}

interface IssueTokenProps {
  taken: readonly string[];
  onClose: () => void;
}

/** One dialog for both steps: a second one would not know whom to give the focus back to. */
export function IssueToken({ taken, onClose }: IssueTokenProps) {
  const words = useWords();
  const [scopes, setScopes] = useState<readonly Scope[]>(['read', 'evaluate']);
  const [issued, setIssued] = useState<Issued | null>(null);
  if (issued) {
    const done = (
      <Button kind="primary" onPress={onClose}>
        {words.clients.done}
      </Button>
    );
    return (
      <Dialog title={words.clients.token(issued.name)} onClose={onClose} buttons={done}>
        <TokenSecret token={issued.token} />
      </Dialog>
    );
  }
  const buttons = (
    <>
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={scopes.length === 0}>
        {words.clients.issue}
      </Button>
    </>
  );
  return (
    <Dialog title={words.clients.issueToken} onClose={onClose} buttons={buttons}>
      <Request taken={taken} scopes={scopes} onScopes={setScopes} onIssued={setIssued} />
    </Dialog>
  );
}

interface RequestProps {
  taken: readonly string[];
  scopes: readonly Scope[];
  onScopes: (scopes: readonly Scope[]) => void;
  onIssued: (issued: Issued) => void;
}

function Request({ taken, scopes, onScopes, onIssued }: RequestProps) {
  const words = useWords();
  const { actions } = useServices();
  const [name, setName] = useState('');
  const issue = async () => {
    const issued = await actions.clients.issueToken({ name: name.trim(), scopes: [...scopes] });
    if (issued) onIssued({ name: issued.view.name, token: issued.token });
  };
  return (
    <Form
      id={FORM}
      className={form.fields ?? ''}
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
        className={form.field ?? ''}
        validate={(value) => (taken.includes(value.trim()) ? words.clients.taken : null)}
      >
        <Label className={form.label ?? ''}>{words.clients.name}</Label>
        <Input className={fields.text ?? ''} />
        <FieldError className={styles.error ?? ''} />
      </TextField>
      <fieldset className={styles.choices}>
        <legend className={form.label}>{words.clients.scopesTitle}</legend>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={words.clients.scopes[scope].title}
            about={words.clients.scopes[scope].about}
            checked={scopes.includes(scope)}
            onChange={(on) => onScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
          />
        ))}
      </fieldset>
    </Form>
  );
}
