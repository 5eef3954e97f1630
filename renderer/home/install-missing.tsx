/** The one command that installs what is missing, of which a person takes what they want. It is copied, never run. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Missing } from '../../electron/contract/installable';
import type { EngineFound } from '../../electron/contract/model';
import { call } from '../bridge';
import { Button } from '../parts/button';
import { Checkbox } from '../parts/checkbox';
import { CopyButton } from '../parts/copy-button';
import { engineTitle } from '../parts/format';
import { Unavailable } from '../parts/unavailable';
import { useWords } from '../services';
import styles from './install-missing.module.css';

/** Ticked from the beginning: what sessions run on, and what confines them. */
const USUAL: ReadonlySet<Missing['brings']> = new Set<Missing['brings']>(['sbcl', 'bubblewrap']);

export function InstallMissing({ engines }: { engines: readonly EngineFound[] }) {
  const { firstSteps: words } = useWords();
  const { data, refetch, isFetching } = useQuery({
    queryKey: ['installable'],
    queryFn: () => call('harbor:look', null),
    refetchOnWindowFocus: true,
  });
  const [changed, setChanged] = useState<ReadonlyMap<Missing['brings'], boolean>>(new Map());
  const wanted = ({ brings }: Missing) => changed.get(brings) ?? USUAL.has(brings);
  if (data === undefined) return null;
  const reason = engines.find(({ engine }) => engine === 'sbcl')?.reason;
  const look = (
    <Button isDisabled={isFetching} onPress={() => void refetch()}>
      {words.lookAgain}
    </Button>
  );
  if (data === null)
    return (
      <li className={styles.install}>
        {reason && (
          <p className={styles.about}>
            <Unavailable reason={reason} />
          </p>
        )}
        {look}
      </li>
    );
  const packages = data.missing.filter(wanted).flatMap((each) => each.packages);
  const command = [data.command, ...packages].join(' ');
  return (
    <li className={styles.install}>
      <fieldset className={styles.choices} aria-label={words.whatToInstall}>
        {data.missing.map((each) => (
          <Checkbox
            key={each.brings}
            label={each.brings === 'bubblewrap' ? words.bubblewrap : engineTitle(each.brings)}
            checked={wanted(each)}
            onChange={(on) => setChanged(new Map(changed).set(each.brings, on))}
          />
        ))}
      </fieldset>
      {packages.length > 0 && (
        <div className={styles.command}>
          <code>{command}</code>
          <CopyButton text={command} what={words.command} />
        </div>
      )}
      {look}
    </li>
  );
}
