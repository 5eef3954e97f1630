/** What images and file tools may touch: how images are confined, the allow-list with its reasons, what is secret. */
import { FolderPlus } from 'lucide-react';
import { useState } from 'react';
import type { SandboxView } from '../../electron/contract/allow-list';
import { useSandbox } from '../bridge-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { shortenPath } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { Disclosure, View } from '../parts/view';
import { AllowDialog } from './allow-dialog';
import { AllowTable } from './allow-table';
import { ApprovalRules } from './approval-rules';
import { SandboxState } from './sandbox-state';

import styles from './sandbox-view.module.css';
import { Waiting } from './waiting';
import { WouldItBe } from './would-it-be';

export function Sandbox() {
  const { data, error } = useSandbox();
  return (
    <View title="Sandbox">
      <ScrollArea label="Sandbox" className={styles.page} rememberAs="sandbox">
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
  const [adding, setAdding] = useState(false);
  return (
    <section className={styles.part}>
      <header>
        <h2>Allow-list</h2>
        <Button icon={FolderPlus} onPress={() => setAdding(true)}>
          Add to the allow-list…
        </Button>
      </header>
      <p className={styles.about}>
        For the project <code title={project}>{shortenPath(project, 48)}</code>.{' '}
        {report.confined
          ? 'Images and file tools reach nothing else of yours.'
          : 'File tools reach nothing else of yours. Images are not sandboxed: what they evaluate reaches everything that you do.'}{' '}
        <b>Read</b> lets images and file tools read, <b>Write</b> lets them write as well; of a <b>Library</b>{' '}
        images read everything, and file tools the systems that are loaded.
      </p>
      <AllowTable rows={rows} />
      {adding && <AllowDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function Secrets({ view: { secrets } }: { view: SandboxView }) {
  return (
    <section className={styles.part}>
      <header>
        <h2>Secrets</h2>
      </header>
      <p className={styles.about}>
        These stay closed inside an allowed folder too. An entry that names one, or something in it, opens
        just that; Lisp Harbor’s own data is never opened.
      </p>
      <Disclosure
        title={
          secrets.length === 1 ? '1 place on this computer' : `${secrets.length} places on this computer`
        }
      >
        <ul className={styles.secrets} aria-label="Secrets">
          {secrets.map(({ path, holds }) => (
            <li key={path}>
              <code title={path}>{shortenPath(path, 56)}</code>
              <span>{holds}</span>
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}
