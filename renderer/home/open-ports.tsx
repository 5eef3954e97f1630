/** The ports that are open besides the MCP endpoint: how each is reached, and who else can reach it. */
import type { ReactNode } from 'react';
import type {
  Acl2BridgeView,
  LisplyView,
  OpenPorts as Ports,
  SwankView,
  TcpView,
  TelnetView,
} from '../../electron/contract/ports';
import { CopyButton } from '../parts/copy-button';
import { count } from '../parts/format';
import { Part } from '../parts/view';
import styles from './home-view.module.css';

export function OpenPorts({ ports: { swank, acl2Bridge, lisply, tcp, telnet } }: { ports: Ports }) {
  return (
    <>
      {swank.length > 0 && <EmacsPorts ports={swank} />}
      {acl2Bridge && <BridgePort port={acl2Bridge} />}
      {lisply && <LisplyPort port={lisply} />}
      {tcp && <TcpPort port={tcp} />}
      {telnet && <TelnetPort port={telnet} />}
    </>
  );
}

function EmacsPorts({ ports }: { ports: readonly SwankView[] }) {
  return (
    <Part title="Emacs">
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
    </Part>
  );
}

function BridgePort({ port: { host, port, socket, connections } }: { port: Acl2BridgeView }) {
  const who = port === null ? 'Every program of yours' : 'Every program on this computer';
  return (
    <Part title="ACL2 Bridge">
      {port !== null && <Reached by={`${host}:${port}`} what="address" />}
      {socket !== null && <Reached by={socket} what="path" />}
      <p className={styles.aside}>
        {count(connections, 'connection')}. Each connection gets a session of ACL2 of its own, which ends with
        it. {who} can connect, without a token.
      </p>
    </Part>
  );
}

function LisplyPort({ port: { url } }: { port: LisplyView }) {
  return (
    <Part title="Lisply">
      <Reached by={url} what="address" />
      <p className={styles.aside}>
        Wrappers of Lisply share one session here. Every program on this computer can evaluate in it, without
        a token.
      </p>
    </Part>
  );
}

function TcpPort({ port: { host, port, profile, connections } }: { port: TcpView }) {
  return (
    <Part title="MCP over TCP">
      <Reached by={`${host}:${port}`} what="address">
        <span>profile {profile}</span>
        <span>{count(connections, 'connection')}</span>
      </Reached>
      <p className={styles.aside}>
        Messages are lines of JSON. Each connection gets a session of its own, which ends with it. Every
        program on this computer can connect, without a token.
      </p>
    </Part>
  );
}

function TelnetPort({ port: { host, port, code, connections } }: { port: TelnetView }) {
  return (
    <Part title="Telnet">
      <Reached by={`telnet ${host} ${port}`} what="command">
        <span>{count(connections, 'connection')}</span>
      </Reached>
      <Reached by={code} what="code">
        <span>lets one connection in, once</span>
      </Reached>
      <p className={styles.aside}>
        Each connection that gives the code gets a REPL and a session of its own, which ends with it. What is
        typed goes over the connection unencrypted, as telnet has it.
      </p>
    </Part>
  );
}

/** What a person types or pastes elsewhere to get in, with what there is to know of it. */
function Reached({ by, what, children }: { by: string; what: string; children?: ReactNode }) {
  return (
    <div className={styles.line}>
      <code>{by}</code>
      <CopyButton text={by} what={what} />
      {children}
    </div>
  );
}
