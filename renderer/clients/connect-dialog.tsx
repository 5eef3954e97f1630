/** Shows how connecting or disconnecting changes the file of a program, and applies the change. */

import { useState } from 'react';
import type { ClientChoice, ConnectRequest, ConnectView } from '../../electron/contract/clients';
import type { Scope } from '../../electron/contract/model';
import { useConnectPreview, useProfiles } from '../bridge-queries';
import { Button } from '../parts/button';
import { Diff } from '../parts/code';
import { Dialog } from '../parts/dialog';
import { Checkbox, Select } from '../parts/field';
import form from '../parts/form.module.css';
import { engineTitle } from '../parts/format';
import { Problem } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import styles from './clients-view.module.css';

interface ConnectDialogProps {
  program: ConnectView;
  action: 'add' | 'remove';
  onClose: () => void;
}

export function ConnectDialog({ program, action, onClose }: ConnectDialogProps) {
  const words = useWords();
  const { actions } = useServices();
  const [choices, setChoices] = useState<ConnectRequest>({});
  const { data, error, isPlaceholderData } = useConnectPreview(program.name, action, choices);
  const [writing, setWriting] = useState(false);

  const changes =
    data !== undefined && !error && !isPlaceholderData && (data.diff !== '' || choices.choice !== undefined);
  const write = async () => {
    setWriting(true);
    const written = await actions.clients.changeConnection(program.name, action, choices);
    setWriting(false);
    if (written) onClose();
  };
  const buttons = (
    <>
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" isDisabled={!changes || writing} onPress={() => void write()}>
        {action === 'add' ? words.clients.connect : words.clients.disconnect}
      </Button>
    </>
  );
  return (
    <Dialog
      title={(action === 'add' ? words.clients.connectOf : words.clients.disconnectOf)(program.title)}
      wide
      onClose={onClose}
      buttons={buttons}
    >
      {action === 'add' && <ConnectChoices program={program} choices={choices} onChange={setChoices} />}
      <p className={styles.file}>{data?.file ?? program.file}</p>
      {error && <Problem>{error.message}</Problem>}
      {data &&
        (data.diff === '' ? (
          <p>{words.clients.noChange}</p>
        ) : (
          <Diff diff={data.diff} label={words.clients.changeDiff} />
        ))}
      <p className={form.hint} lang="en">
        {program.afterwards}
      </p>
      <p className={form.hint} lang="en">
        {program.verified}
      </p>
    </Dialog>
  );
}

interface ChoicesProps {
  program: ConnectView;
  choices: ConnectRequest;
  onChange: (choices: ConnectRequest) => void;
}

const USUAL_SCOPES: readonly Scope[] = ['read', 'evaluate'];
const SCOPES: readonly Scope[] = ['read', 'evaluate', 'admin'];

function ConnectChoices({ program, choices, onChange }: ChoicesProps) {
  const words = useWords();
  const { data: profiles } = useProfiles();
  const status = useLive((state) => state.status);
  const engines = status?.engines.filter(({ servers }) => servers === undefined) ?? [];
  const choice = { ...program.choice, ...choices.choice };
  const choose = (change: Partial<ClientChoice>) =>
    onChange({ ...choices, choice: { ...choices.choice, ...change } });
  const scopes = choice.scopes ?? USUAL_SCOPES;
  return (
    <div className={styles.options}>
      {program.takesHttp && (
        <Select
          label={words.clients.reachedBy}
          value={choices.transport ?? program.transport ?? 'stdio'}
          options={[
            { value: 'stdio', title: words.clients.byCommand },
            { value: 'http', title: words.clients.byAddress },
          ]}
          onChange={(transport) => onChange({ ...choices, transport })}
        />
      )}
      <Select
        label={words.clients.profile}
        value={choice.profile ?? ''}
        options={[
          { value: '', title: words.clients.usualProfile(profiles?.usual ?? 'default') },
          ...(profiles?.known ?? []).map((name) => ({ value: name, title: name })),
        ]}
        onChange={(profile) => choose({ profile: profile || null })}
      />
      <Select
        label={words.clients.engine}
        value={choice.engine ?? ''}
        options={[
          { value: '', title: words.clients.usualEngine },
          ...engines.map(({ engine }) => ({ value: engine as string, title: engineTitle(engine) })),
        ]}
        onChange={(chosen) =>
          choose({ engine: engines.find(({ engine }) => engine === chosen)?.engine ?? null })
        }
      />
      <fieldset className={styles.scopes}>
        <legend>{words.clients.may}</legend>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={words.clients.scopes[scope].title}
            checked={scopes.includes(scope)}
            onChange={(on) => {
              const rest = scopes.filter((other) => other !== scope);
              if (on || rest.length > 0) choose({ scopes: on ? [...rest, scope] : rest });
            }}
          />
        ))}
      </fieldset>
    </div>
  );
}
