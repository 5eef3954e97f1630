/** What images and file tools may touch: how images are confined, the allow-list with its reasons, what is secret. */
import { FolderPlus } from 'lucide-react';
import { useState } from 'react';
import type { SandboxView } from '../../electron/contract/allow-list';
import { useSandbox } from '../bridge-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { shortenPath } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { Sentence } from '../parts/sentence';
import { Disclosure, View } from '../parts/view';
import { useWords } from '../services';
import { AllowDialog } from './allow-dialog';
import { AllowTable } from './allow-table';
import { ApprovalRules } from './approval-rules';
import { SandboxState } from './sandbox-state';
import styles from './sandbox-view.module.css';
import { Waiting } from './waiting';
import { WouldItBe } from './would-it-be';

export function Sandbox() {
  const words = useWords();
  const { data, error } = useSandbox();
  return (
    <View title={words.sandbox.title}>
      <ScrollArea label={words.sandbox.title} className={styles.page} rememberAs="sandbox">
        {error && <Problem>{error.message}</Problem>}
        {data && <Parts view={data} />}
      </ScrollArea>
    </View>
  );
}

function Parts({ view }: { view: SandboxView }) {
  return (
    <>
      <Waiting />
      <SandboxState view={view} />
      <WouldItBe />
      <AllowList view={view} />
      <Secrets view={view} />
      <ApprovalRules />
    </>
  );
}

function AllowList({ view: { rows, project, report } }: { view: SandboxView }) {
  const words = useWords();
  const { powers } = words.sandbox;
  const [adding, setAdding] = useState(false);
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.sandbox.allowList}</h2>
        <Button icon={FolderPlus} onPress={() => setAdding(true)}>
          {words.sandbox.addMore}
        </Button>
      </header>
      <p className={styles.about}>
        <Sentence of={words.sandbox.forProject(<code title={project}>{shortenPath(project, 48)}</code>)} />
        {report.confined ? words.sandbox.closed : words.sandbox.closedToTools}
        <Sentence
          of={words.sandbox.powersAbout(<b>{powers.read}</b>, <b>{powers.write}</b>, <b>{powers.library}</b>)}
        />
      </p>
      <AllowTable rows={rows} />
      {adding && <AllowDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function Secrets({ view: { secrets } }: { view: SandboxView }) {
  const words = useWords();
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.sandbox.secrets}</h2>
      </header>
      <p className={styles.about}>{words.sandbox.secretsAbout}</p>
      <Disclosure title={words.sandbox.places(secrets.length)}>
        <ul className={styles.secrets} aria-label={words.sandbox.secrets}>
          {secrets.map(({ path, holds }) => (
            <li key={path}>
              <code title={path}>{shortenPath(path, 56)}</code>
              <span lang="en">{holds}</span>
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}
