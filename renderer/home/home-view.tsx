/**
 * Home: open requests, activity and recent projects; and the state of the harbor: endpoint, engines and
 * sandbox.
 */

import { Cable, CircleCheck, CircleSlash, ShieldCheck } from 'lucide-react';
import { useEffect } from 'react';
import type { HarborStatus } from '../../electron/contract/harbor-status';
import type { EngineFound } from '../../electron/contract/model';
import { pathOf } from '../bridge';
import { Button, CopyButton } from '../parts/button';
import { engineTitle, shortenPath } from '../parts/format';
import { LinkButton, Rows } from '../parts/list';
import { NewSession } from '../parts/new-session';
import { ScrollArea } from '../parts/scroll-area';
import { Unavailable, useNow } from '../parts/text';
import { Part, Problem, View } from '../parts/view';
import { NotSandboxed, sandboxReason } from '../sandbox/sandbox-notices';
import { useLive, useServices, useWords } from '../services';
import { AtWork } from './activity';
import { Applications } from './applications';
import { FirstSteps } from './first-steps';
import styles from './home-view.module.css';
import { NeedsYou, NewVersion } from './needs-you';
import { OpenPorts } from './open-ports';
import { GoOn, RecentEvaluations } from './recent';

export function Home() {
  const words = useWords();
  const now = useNow(10_000);
  useFolderDrop();
  const status = useLive((state) => state.status);
  return (
    <View title={words.home.title} tools={<Tools />}>
      <ScrollArea label={words.home.overview} className={styles.page} rememberAs="home">
        {status?.notices.map((notice) => (
          <Problem key={notice} tone="warn">
            {notice}
          </Problem>
        ))}
        <div className={styles.columns}>
          <div>
            <NewVersion />
            <FirstSteps />
            <NeedsYou now={now} />
            <AtWork now={now} />
            <GoOn now={now} />
            <Rows title={words.home.lastEvaluations}>
              <RecentEvaluations />
            </Rows>
          </div>
          <aside className={styles.corner} aria-label={words.home.harbor}>
            {status ? <Overview status={status} /> : <p className={styles.aside}>{words.home.starting}</p>}
          </aside>
        </div>
      </ScrollArea>
    </View>
  );
}

function Tools() {
  const words = useWords();
  return (
    <>
      <LinkButton href="#/clients" label={words.home.connectAgent}>
        {words.home.connectAgent}
      </LinkButton>
      <NewSession />
    </>
  );
}

function Overview({
  status: { endpoint, ports, applications, project, engines, defaultEngine, sandbox },
}: {
  status: HarborStatus;
}) {
  const words = useWords();
  return (
    <>
      <Part title={words.home.endpoint}>
        <Endpoint endpoint={endpoint} />
      </Part>
      <OpenPorts ports={ports} />
      <Part title={words.home.project}>
        <div className={styles.line}>
          <code title={project}>{shortenPath(project, 60)}</code>
        </div>
        <p className={styles.aside}>{words.home.projectAbout}</p>
      </Part>
      <Applications applications={applications} project={project} />
      <Part title={words.home.sandbox}>
        <Confined sandbox={sandbox} />
      </Part>
      <Part title={words.home.engines}>
        <ul>
          {engines.map((engine) => (
            <Engine key={engine.engine} found={engine} standard={engine.engine === defaultEngine} />
          ))}
        </ul>
      </Part>
    </>
  );
}

function Confined({ sandbox }: Pick<HarborStatus, 'sandbox'>) {
  const words = useWords();
  if (!sandbox.confined) return <NotSandboxed reason={sandboxReason(sandbox)} />;
  return (
    <>
      <p className={styles.mark} data-tone="good">
        <ShieldCheck size={15} aria-hidden />
        <span>{words.home.confinedBy(sandbox.launcher)}</span>
      </p>
      <p className={styles.aside}>
        {sandbox.reason ? <span lang="en">{sandbox.reason}</span> : words.home.confinedAbout}
      </p>
    </>
  );
}

function Endpoint({ endpoint: { url, httpsUrl, problem } }: { endpoint: HarborStatus['endpoint'] }) {
  const words = useWords();
  const { actions } = useServices();
  if (url === null) {
    const anywhere = (
      <Button onPress={() => void actions.harbor.harbor.listen()}>{words.home.listenAnywhere}</Button>
    );
    return <Problem action={anywhere}>{problem ?? words.home.notListening}</Problem>;
  }
  return (
    <>
      <div className={styles.line}>
        <code>{url}</code>
        <CopyButton text={url} what={words.copying.address} />
      </div>
      {httpsUrl !== null && (
        <div className={styles.line}>
          <code>{httpsUrl}</code>
          <CopyButton text={httpsUrl} what={words.copying.address} />
          <span>{words.home.overTls}</span>
        </div>
      )}
      <p className={styles.aside}>
        {words.home.endpointAbout} <a href="#/clients">{words.home.connectOrIssue}</a>
      </p>
    </>
  );
}

function Engine({ found, standard }: { found: EngineFound; standard: boolean }) {
  const words = useWords();
  const { engine, available, version, path, reason, servers } = found;
  if (servers) {
    return (
      <li className={styles.engine}>
        <Cable size={14} aria-hidden />
        <span className={styles.name}>{engineTitle(engine)}</span>
        <span>
          {servers.length > 0
            ? servers
                .map(({ host, port, listens }) => words.home.server(`${host}:${port}`, listens !== false))
                .join(' · ')
            : words.home.attachedTo}
        </span>
      </li>
    );
  }
  return (
    <li className={styles.engine} data-available={available || undefined}>
      {available ? <CircleCheck size={14} aria-hidden /> : <CircleSlash size={14} aria-hidden />}
      <span className={styles.name}>{engineTitle(engine)}</span>
      <span title={path}>
        {available ? version : reason ? <Unavailable reason={reason} /> : words.home.notFound}
        {standard && <span className={styles.standard}> {words.home.isDefault}</span>}
      </span>
    </li>
  );
}

/** Opens a new session in a folder that is dropped on the window. */
function useFolderDrop(): void {
  const { actions } = useServices();
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const [file] = event.dataTransfer?.files ?? [];
      const folder = file ? pathOf(file) : '';
      if (folder === '') return;
      event.preventDefault();
      void actions.opener.openProject(folder);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, [actions]);
}
