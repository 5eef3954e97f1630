/** What is chosen when a program is connected: how it reaches the harbor, and what it is served and may do there. */
import type { ClientChoice, ConnectAsked, ConnectView } from '../../electron/contract/connections';
import type { Scope } from '../../electron/contract/model';
import { useProfiles } from '../bridge-queries';
import { Checkbox } from '../parts/checkbox';
import { Select } from '../parts/field';
import { engineTitle } from '../parts/format';
import { useLive } from '../services';
import styles from './clients-view.module.css';

interface ChoicesProps {
  program: ConnectView;
  asked: ConnectAsked;
  onAsked: (asked: ConnectAsked) => void;
}

const USUAL_SCOPES: readonly Scope[] = ['read', 'evaluate'];
const SCOPES: readonly { scope: Scope; title: string }[] = [
  { scope: 'read', title: 'Read' },
  { scope: 'evaluate', title: 'Evaluate' },
  { scope: 'admin', title: 'Admin' },
];

export function ConnectChoices({ program, asked, onAsked }: ChoicesProps) {
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
          label="Reached by"
          value={asked.transport ?? program.transport ?? 'stdio'}
          options={[
            { value: 'stdio', title: 'A command, which starts the harbor' },
            { value: 'http', title: 'The address, with a token of its own' },
          ]}
          onChange={(transport) => onAsked({ ...asked, transport })}
        />
      )}
      <Select
        label="Profile"
        value={choice.profile ?? ''}
        options={[
          { value: '', title: `Usual profile (${profiles?.usual ?? 'default'})` },
          ...(profiles?.known ?? []).map((name) => ({ value: name, title: name })),
        ]}
        onChange={(profile) => choose({ profile: profile || null })}
      />
      <Select
        label="Engine"
        value={choice.engine ?? ''}
        options={[
          { value: '', title: 'Usual engine' },
          ...engines.map(({ engine }) => ({ value: engine as string, title: engineTitle(engine) })),
        ]}
        onChange={(chosen) =>
          choose({ engine: engines.find(({ engine }) => engine === chosen)?.engine ?? null })
        }
      />
      <fieldset className={styles.scopes}>
        <legend>May</legend>
        {SCOPES.map(({ scope, title }) => (
          <Checkbox
            key={scope}
            label={title}
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
