/** The harbor at a glance: where it listens, what it can run and how that is confined, what happened last. */
import { Cable, CircleCheck, CircleSlash, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Acl2BridgeView, HarborStatus, LisplyView, SwankView } from '../../electron/contract/contract';
import type { EngineFound } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Problem } from '../parts/feedback';
import { count, engineTitle, shortenPath } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { useCommand, useLive } from '../services';
import styles from './home.module.css';
import { NewSession } from './new-session';
import { RecentEvaluations } from './recent-evaluations';
import { View } from './view';

export function Home() {
  const status = useLive((state) => state.status);
  return (
    <View title="Home" tools={<NewSession />}>
      <ScrollArea label="Overview" className={styles.page} keep="home">
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
  status: { endpoint, swank, acl2Bridge, lisply, project, engines, defaultEngine, sandbox },
}: {
  status: HarborStatus;
}) {
  const choose = useCommand('project:choose');
  return (
    <>
      <Part title="Endpoint">
        <Endpoint url={endpoint.url} problem={endpoint.problem} />
      </Part>
      {swank.length > 0 && (
        <Part title="Emacs">
          <EmacsPorts ports={swank} />
        </Part>
      )}
      {acl2Bridge && (
        <Part title="ACL2 Bridge">
          <BridgePort port={acl2Bridge} />
        </Part>
      )}
      {lisply && (
        <Part title="Lisply">
          <LisplyPort port={lisply} />
        </Part>
      )}
      <Part title="Project">
        <div className={styles.line}>
          <code title={project}>{shortenPath(project, 60)}</code>
          <Button onPress={choose.run}>{choose.title}</Button>
        </div>
        <p className={styles.aside}>New sessions work in this folder and may write to it.</p>
      </Part>
      <Part title="Sandbox">
        <p className={styles.mark} data-tone={sandbox.confined ? 'good' : 'warn'}>
          {sandbox.confined ? <ShieldCheck size={15} aria-hidden /> : <ShieldAlert size={15} aria-hidden />}
          <span>{sandbox.confined ? `Confined by ${sandbox.launcher}` : 'Not sandboxed'}</span>
        </p>
        <p className={styles.aside}>
          {sandbox.reason ??
            (sandbox.confined
              ? 'Evaluated code sees its project and what its engine needs, and little else.'
              : 'Evaluated code can do whatever you can. Every result says so.')}
        </p>
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

function Endpoint({ url, problem }: { url: string | null; problem: string | null }) {
  if (url === null) return <Problem>{problem ?? 'The endpoint does not listen.'}</Problem>;
  return (
    <>
      <div className={styles.line}>
        <code>{url}</code>
        <CopyButton text={url} what="address" />
      </div>
      <p className={styles.aside}>
        MCP clients speak to this address with a token.{' '}
        <a href="#/clients">Connect a program or issue a token</a>
      </p>
    </>
  );
}

function EmacsPorts({ ports }: { ports: readonly SwankView[] }) {
  return (
    <>
      {ports.map(({ host, port, session, connections }) => (
        <div key={port} className={styles.line}>
          <code>{`${host}:${port}`}</code>
          {session === null ? (
            <span>opens a session when Emacs connects</span>
          ) : (
            <a href={`#/sessions/${session}`}>{session}</a>
          )}
          <span>{count(connections, 'connection')}</span>
        </div>
      ))}
      <p className={styles.aside}>
        Emacs attaches here with M-x slime-connect. Every program on this computer can, without a token.
      </p>
    </>
  );
}

function BridgePort({ port: { host, port, connections } }: { port: Acl2BridgeView }) {
  return (
    <>
      <div className={styles.line}>
        <code>{`${host}:${port}`}</code>
        <CopyButton text={`${host}:${port}`} what="address" />
        <span>{count(connections, 'connection')}</span>
      </div>
      <p className={styles.aside}>
        Each connection gets a session of ACL2 of its own, which ends with it. Every program on this computer
        can connect, without a token.
      </p>
    </>
  );
}

function LisplyPort({ port: { url } }: { port: LisplyView }) {
  return (
    <>
      <div className={styles.line}>
        <code>{url}</code>
        <CopyButton text={url} what="address" />
      </div>
      <p className={styles.aside}>
        Wrappers of Lisply share one session here. Every program on this computer can evaluate in it, without
        a token.
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

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2>{title}</h2>
      <div className={styles.content}>{children}</div>
    </section>
  );
}
