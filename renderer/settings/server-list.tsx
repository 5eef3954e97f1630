/** The servers that a person named: sessions may be attached to them, by agents as well. */
import { X } from 'lucide-react';
import type { ServerAddress } from '../../electron/contract/server';
import { IconButton } from '../parts/button';
import { engineTitle } from '../parts/format';
import { useServices, useWords } from '../services';
import styles from './named-list.module.css';

export function Servers({ servers }: { servers: readonly ServerAddress[] }) {
  const words = useWords();
  const { actions } = useServices();
  if (servers.length === 0) return <p>{words.settings.noServers}</p>;
  return (
    <ul className={styles.list} aria-label={words.settings.servers}>
      {servers.map((server) => {
        const { kind, host, port } = server;
        const address = `${host}:${port}`;
        return (
          <li key={`${kind} ${address}`}>
            <code>{address}</code>
            <span className={styles.current}>{engineTitle(kind)}</span>
            <IconButton
              icon={X}
              label={words.common.remove(address)}
              onPress={() =>
                void actions.changeSettings({ servers: servers.filter((other) => other !== server) })
              }
            />
          </li>
        );
      })}
    </ul>
  );
}
