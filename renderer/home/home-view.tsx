/**
 * Home answers three questions: what needs me, what goes on, what can I do next. In the corner is how the harbor stands:
 * where it listens, which engines it has, how they are confined.
 */
import { Cable, CircleCheck, CircleSlash, ShieldCheck } from 'lucide-react';
import type { HarborStatus } from '../../electron/contract/harbor-status';
import type { EngineFound } from '../../electron/contract/model';
import { CopyButton } from '../parts/copy-button';
import { Problem } from '../parts/feedback';
import { engineTitle, shortenPath } from '../parts/format';
import { NewSession } from '../parts/new-session';
import { NotSandboxed, sandboxReason } from '../parts/not-sandboxed';
import { LinkButton, Rows } from '../parts/rows';
import { ScrollArea } from '../parts/scroll-area';
import { useNow } from '../parts/time';
import { Part, View } from '../parts/view';
import { useLive } from '../services';
import { AtWork } from './at-work';
import { GoOn } from './go-on';
import styles from './home-view.module.css';
import { NeedsYou } from './needs-you';
import { OpenPorts } from './open-ports';
import { RecentEvaluations } from './recent-evaluations';
import { useFolderDrop } from './use-folder-drop';

export function Home() {
  const now = useNow(10_000);
  useFolderDrop();
  const status = useLive((state) => state.status);
  return (
    <View title="Home" tools={<Tools />}>
      <ScrollArea label="Overview" className={styles.page} rememberAs="home">
        {status?.notices.map((notice) => (
          <Problem key={notice} tone="warn">
            {notice}
          </Problem>
        ))}
        <div className={styles.columns}>
          <div>
            <NeedsYou now={now} />
            <AtWork now={now} />
            <GoOn now={now} />
            <Rows title="Last evaluations">
              <RecentEvaluations />
            </Rows>
          </div>
          <aside className={styles.corner} aria-label="The harbor">
            {status ? <Overview status={status} /> : <p className={styles.aside}>The harbor is starting…</p>}
          </aside>
        </div>
      </ScrollArea>
    </View>
  );
}

function Tools() {
  return (
    <>
      <LinkButton href="#/clients" label="Connect an agent">
        Connect an agent
      </LinkButton>
      <NewSession />
    </>
  );
}

function Overview({
  status: { endpoint, ports, project, engines, defaultEngine, sandbox },
}: {
  status: HarborStatus;
}) {
  return (
    <>
      <Part title="Endpoint">
        <Endpoint endpoint={endpoint} />
      </Part>
      <OpenPorts ports={ports} />
      <Part title="Project">
        <div className={styles.line}>
          <code title={project}>{shortenPath(project, 60)}</code>
        </div>
        <p className={styles.aside}>New sessions work in this folder and may write to it.</p>
      </Part>
      <Part title="Sandbox">
        <Confined sandbox={sandbox} />
      </Part>
      <Part title="Engines">
        <ul className={styles.engines}>
          {engines.map((engine) => (
            <Engine key={engine.engine} found={engine} standard={engine.engine === defaultEngine} />
          ))}
        </ul>
      </Part>
    </>
  );
}

function Confined({ sandbox }: Pick<HarborStatus, 'sandbox'>) {
  if (!sandbox.confined) return <NotSandboxed reason={sandboxReason(sandbox)} />;
  return (
    <>
      <p className={styles.mark} data-tone="good">
        <ShieldCheck size={15} aria-hidden />
        <span>Confined by {sandbox.launcher}</span>
      </p>
      <p className={styles.aside}>
        {sandbox.reason ?? 'Evaluated code sees its project and what its engine needs, and little else.'}
      </p>
    </>
  );
}

function Endpoint({ endpoint: { url, httpsUrl, problem } }: { endpoint: HarborStatus['endpoint'] }) {
  if (url === null) return <Problem>{problem ?? 'The endpoint does not listen.'}</Problem>;
  return (
    <>
      <div className={styles.line}>
        <code>{url}</code>
        <CopyButton text={url} what="address" />
      </div>
      {httpsUrl !== null && (
        <div className={styles.line}>
          <code>{httpsUrl}</code>
          <CopyButton text={httpsUrl} what="address" />
          <span>over TLS</span>
        </div>
      )}
      <p className={styles.aside}>
        MCP clients speak to this address with a token.{' '}
        <a href="#/clients">Connect a program or issue a token</a>
      </p>
    </>
  );
}

function Engine({ found, standard }: { found: EngineFound; standard: boolean }) {
  const { engine, available, version, path, reason, servers } = found;
  if (servers) {
    return (
      <li className={styles.engine}>
        <Cable size={14} aria-hidden />
        <span className={styles.name}>{engineTitle(engine)}</span>
        <span className={styles.about}>
          {servers.length > 0 ? servers.map(serverText).join(' · ') : 'attached to: “Attach…” under Sessions'}
        </span>
      </li>
    );
  }
  return (
    <li className={styles.engine} data-available={available || undefined}>
      {available ? <CircleCheck size={14} aria-hidden /> : <CircleSlash size={14} aria-hidden />}
      <span className={styles.name}>{engineTitle(engine)}</span>
      <span className={styles.about} title={path}>
        {available ? version : (reason ?? 'not found')}
        {standard && <span className={styles.standard}> · default</span>}
      </span>
    </li>
  );
}

function serverText({ host, port, listens }: NonNullable<EngineFound['servers']>[number]): string {
  return `${host}:${port}${listens === false ? ' does not listen' : ''}`;
}
