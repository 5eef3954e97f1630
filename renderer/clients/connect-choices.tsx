/** What is chosen when a program is connected: how it reaches the harbor, and what it is served and may do there. */
import type { ClientChoice, ConnectAsked, ConnectView } from '../../electron/contract/connections';
import type { Scope } from '../../electron/contract/model';
import { useProfiles } from '../bridge-queries';
import { Checkbox } from '../parts/checkbox';
import { Select } from '../parts/field';
import { engineTitle } from '../parts/format';
import { useLive, useWords } from '../services';
import styles from './clients-view.module.css';

interface ChoicesProps {
  program: ConnectView;
  asked: ConnectAsked;
  onAsked: (asked: ConnectAsked) => void;
}

const USUAL_SCOPES: readonly Scope[] = ['read', 'evaluate'];
const SCOPES: readonly Scope[] = ['read', 'evaluate', 'admin'];

export function ConnectChoices({ program, asked, onAsked }: ChoicesProps) {
  const words = useWords();
  const { data: profiles } = useProfiles();
  const status = useLive((state) => state.status);
  const engines = status?.engines.filter(({ servers }) => servers === undefined) ?? [];
  const choice = { ...program.choice, ...asked.choice };
  const choose = (change: Partial<ClientChoice>) =>
    onAsked({ ...asked, choice: { ...asked.choice, ...change } });
  const scopes = choice.scopes ?? USUAL_SCOPES;
  return (
    <div className={styles.options}>
      {program.takesHttp && (
        <Select
          label={words.clients.reachedBy}
          value={asked.transport ?? program.transport ?? 'stdio'}
          options={[
            { value: 'stdio', title: words.clients.byCommand },
            { value: 'http', title: words.clients.byAddress },
          ]}
          onChange={(transport) => onAsked({ ...asked, transport })}
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
