/** The application menu: the page tells it the commands, with the shortcuts of the moment, and runs what is chosen there. */

import { call, subscribe } from './bridge';
import { menuCommands } from './commands';
import type { Services } from './services';

export function followMenu({ commands, queries, language }: Services): void {
  let told = '';
  const tell = () => {
    const table = menuCommands(commands);
    if (JSON.stringify(table) === told) return;
    told = JSON.stringify(table);
    // A menu without them is no failure that anybody could act on.
    void call('window:commands', table).catch(() => undefined);
  };
  tell();
  queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === 'settings') tell();
  });
  language.subscribe(tell);
  subscribe('window:run', ({ id }) => {
    const command = commands.find((each) => each.id === id);
    if (command?.enabled()) command.run();
  });
}
