/** A program that writes evaluations without end, to be killed in the middle of it. Says when there is something to lose. */
import { pathToFileURL } from 'node:url';
import { History } from '../../electron/history/history';
import { closed, opened } from '../unit/history-rows';

const [file = ''] = process.argv.slice(2);
const { evaluations, sessions } = new History(file, pathToFileURL('unused.js'));
sessions.open(
  {
    id: 'sbcl-1',
    engine: 'sbcl',
    name: 'geometry',
    client: 'codex',
    project: '/srv',
    openedAt: 1,
  },
  null,
);
const open = evaluations.open(opened({ code: '(left-open)' }));
evaluations.appendOutput(open, 'stdout', 'printed before the end');
evaluations.flush();

for (let i = 1; ; i += 1) {
  const id = evaluations.open(opened({ code: `(written ${i})` }));
  evaluations.appendOutput(id, 'stdout', `${i}\n`.repeat(500));
  evaluations.close(id, closed());
  if (i === 300) process.stdout.write('writing\n');
}
