/** The harbor at a glance: where it listens, which engines it has, how they are confined, what happened last. */
import { Cable, CircleCheck, CircleSlash, ShieldCheck } from 'lucide-react';
import type { HarborStatus } from '../../electron/contract/contract';
import type { EngineFound } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Problem } from '../parts/feedback';
import { engineTitle, shortenPath } from '../parts/format';
import { NewSession } from '../parts/new-session';
import { NotSandboxed, sandboxReason } from '../parts/not-sandboxed';
import { ScrollArea } from '../parts/scroll-area';
import { Part, View } from '../parts/view';
import { useCommand, useLive } from '../services';
import styles from './home-view.module.css';
import { OpenPorts } from './open-ports';
import { RecentEvaluations } from './recent-evaluations';

export function Home() {
  const status = useLive((state) => state.status);
  return (
    <View title="Home" tools={<NewSession />}>
      <ScrollArea label="Overview" className={styles.page} rememberAs="home">
        {status?.notices.map((notice) => (
          <Problem key={notice} tone="warn">
            {notice}
          </Problem>
        ))}
        {status && <Overview status={status} />}
        <Part title="Last evaluations">
          <RecentEvaluations />
        </Part>
      </ScrollArea>
    </View>
  );
}

function Overview({
  status: { endpoint, ports, project, engines, defaultEngine, sandbox },
}: {
  status: HarborStatus;
}) {
  const choose = useCommand('project:choose');
  return (
    <>
      <Part title="Endpoint">
        <Endpoint endpoint={endpoint} />
      </Part>
      <OpenPorts ports={ports} />
      <Part title="Project">
        <div className={styles.line}>
          <code title={project}>{shortenPath(project, 60)}</code>
          <Button onPress={choose.run}>{choose.title}</Button>
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
