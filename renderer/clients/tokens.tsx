/** Tokens: their scopes, and issuing, rotating and revoking them. */

import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import type { ConnectView } from '../../electron/contract/clients';
import type { Scope, TokenView } from '../../electron/contract/model';
import { useConnections, useConnectPreview, useProfiles, useTokens } from '../bridge-queries';
import { Button, CopyButton } from '../parts/button';
import { Diff } from '../parts/code';
import { ConfirmDialog, Dialog } from '../parts/dialog';
import { Checkbox, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { RelativeTime, Sentence, useNow } from '../parts/text';
import { Problem } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import styles from './clients-view.module.css';

export function Tokens() {
  const words = useWords();
  const { data, error } = useTokens();
  const [issuing, setIssuing] = useState(false);
  // Not inside its row, which disappears with the old token.
  const [rotating, setRotating] = useState<TokenView | null>(null);
  const now = useNow(10_000);
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.clients.tokens}</h2>
        <Button icon={KeyRound} onPress={() => setIssuing(true)}>
          {words.clients.issueTokenMore}
        </Button>
      </header>
      <p className={styles.about}>{words.clients.tokensAbout}</p>
      {error && <Problem>{error.message}</Problem>}
      {data?.length === 0 && <p className={styles.empty}>{words.clients.noTokens}</p>}
      <ul aria-label={words.clients.tokens}>
        {data?.map((token) => (
          <Token key={token.id} token={token} now={now} onRotate={() => setRotating(token)} />
        ))}
      </ul>
      {rotating && <RotateToken token={rotating} onClose={() => setRotating(null)} />}
      {issuing && (
        <IssueToken taken={data?.map(({ name }) => name) ?? []} onClose={() => setIssuing(false)} />
      )}
    </section>
  );
}

interface TokenProps {
  token: TokenView;
  now: number;
  onRotate: () => void;
}

function Token({ token, now, onRotate }: TokenProps) {
  const words = useWords();
  const { rotation } = words;
  const { actions } = useServices();
  const [revoking, setRevoking] = useState(false);
  const { id, name, scopes, issuedAt, lastUsedAt } = token;
  const may = scopes.map((scope) => words.clients.scopes[scope].verb);
  const issued = <RelativeTime at={issuedAt} now={now} />;
  return (
    <li className={styles.row} aria-label={name}>
      <h3>{name}</h3>
      <p>
        <Sentence
          of={
            lastUsedAt === null
              ? words.clients.unused(may, issued)
              : words.clients.used(may, issued, <RelativeTime at={lastUsedAt} now={now} />)
          }
        />
      </p>
      <div className={styles.buttons}>
        <ProfileSelect client={name} title={name} />
        <Button aria-label={rotation.rotateToken(name)} onPress={onRotate}>
          {rotation.rotate}
        </Button>
        <Button aria-label={words.clients.revokeOf(name)} onPress={() => setRevoking(true)}>
          {words.clients.revoke}
        </Button>
      </div>
      {revoking && (
        <ConfirmDialog
          title={words.clients.revokeQuestion(name)}
          confirm={words.clients.revokeOf(name)}
          onConfirm={() => void actions.clients.revokeToken(id, name)}
          onClose={() => setRevoking(false)}
        >
          {words.clients.revokeAbout}
        </ConfirmDialog>
      )}
    </li>
  );
}

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

/**
 * Issues a token: name and scopes first, then the secret, shown once. Both steps are one dialog, so that the
 * focus returns to the button.
 */
function IssueToken({ taken, onClose }: IssueTokenProps) {
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

// Replaces a token: in the file of the program that uses it, after the change was shown, or shows the new one
// once.

interface RotateProps {
  token: TokenView;
  onClose: () => void;
}

function RotateToken({ token, onClose }: RotateProps) {
  const { data } = useConnections();
  if (data === undefined) return null;
  const holder = data.find((program) => isHolder(program, token));
  return holder ? <InFile holder={holder} onClose={onClose} /> : <ByHand token={token} onClose={onClose} />;
}

/**
 * Reports whether the file of this program contains the token, so that rewriting it keeps the client
 * connected.
 */
function isHolder({ name, transport, state }: ConnectView, token: TokenView): boolean {
  return name === token.name && transport === 'http' && (state === 'connected' || state === 'moved');
}

function InFile({ holder, onClose }: { holder: ConnectView; onClose: () => void }) {
  const { rotation: words } = useWords();
  const { actions } = useServices();
  const { data, error } = useConnectPreview(holder.name, 'add', { newToken: true });
  const rotate = async () => {
    if (await actions.clients.changeConnection(holder.name, 'add', { newToken: true })) onClose();
  };
  return (
    <Dialog
      title={words.question(holder.name)}
      wide
      onClose={onClose}
      buttons={<Buttons name={holder.name} ready={data !== undefined} onRotate={rotate} onClose={onClose} />}
    >
      <p>{words.inFile(holder.title)}</p>
      <p className={styles.file}>{data?.file ?? holder.file}</p>
      {error && <Problem>{error.message}</Problem>}
      {data && <Diff diff={data.diff} label={words.change} />}
    </Dialog>
  );
}

function ByHand({ token: { id, name }, onClose }: RotateProps) {
  const { rotation: words } = useWords();
  const { actions } = useServices();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) {
    const done = (
      <Button kind="primary" onPress={onClose}>
        {words.done}
      </Button>
    );
    return (
      <Dialog title={words.issued(name)} onClose={onClose} buttons={done}>
        <TokenSecret token={secret} />
      </Dialog>
    );
  }
  const rotate = async () => {
    const issued = await actions.clients.rotateToken(id);
    if (issued) setSecret(issued.token);
  };
  return (
    <Dialog
      title={words.question(name)}
      onClose={onClose}
      buttons={<Buttons name={name} ready onRotate={rotate} onClose={onClose} />}
    >
      <p>{words.byHand}</p>
    </Dialog>
  );
}

interface ButtonsProps {
  name: string;
  ready: boolean;
  onRotate: () => Promise<void>;
  onClose: () => void;
}

function Buttons({ name, ready, onRotate, onClose }: ButtonsProps) {
  const { rotation: words } = useWords();
  const [rotating, setRotating] = useState(false);
  const rotate = () => {
    setRotating(true);
    void onRotate().finally(() => setRotating(false));
  };
  return (
    <>
      <Button onPress={onClose} autoFocus>
        {words.cancel}
      </Button>
      <Button kind="danger" isDisabled={!ready || rotating} onPress={rotate}>
        {words.rotateToken(name)}
      </Button>
    </>
  );
}

const HEADER = <code>Authorization: Bearer …</code>;
function TokenSecret({ token }: { token: string }) {
  const words = useWords();
  const url = useLive((state) => state.status?.endpoint.url ?? null);
  return (
    <>
      <p>{words.clients.shownOnce}</p>
      <div className={styles.secret}>
        <code data-secret>{token}</code>
        <CopyButton text={token} what={words.copying.token} autoFocus />
      </div>
      <p className={form.hint}>
        <Sentence
          of={
            url === null ? words.clients.sendAs(HEADER) : words.clients.sendAsTo(HEADER, <code>{url}</code>)
          }
        />
      </p>
    </>
  );
}

interface ProfileSelectProps {
  /** Name in the history. */
  client: string;
  /** Name in the view. */
  title: string;
}

export function ProfileSelect({ client, title }: ProfileSelectProps) {
  const words = useWords();
  const { actions } = useServices();
  const { data } = useProfiles();
  if (!data) return null;
  const { usual, known, chosen } = data;
  const options = [
    { value: '', title: words.clients.usualProfile(usual) },
    ...known.map((profile) => ({ value: profile, title: profile })),
  ];
  return (
    <Select
      label={words.clients.profileOf(title)}
      value={chosen[client] ?? ''}
      options={options}
      onChange={(profile) => void actions.clients.chooseProfile(client, profile || null)}
    />
  );
}
