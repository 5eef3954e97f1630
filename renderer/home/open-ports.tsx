/** Ports that are open in addition to the MCP endpoint: their addresses and who can connect. */
import type { ReactNode } from 'react';
import type {
  Acl2BridgeView,
  EditorPortView,
  EditorProtocol,
  LisplyView,
  OpenPorts as Ports,
  TcpView,
  TelnetView,
} from '../../electron/contract/harbor-status';
import { CopyButton } from '../parts/button';
import { Part } from '../parts/view';
import { useWords } from '../services';
import styles from './home-view.module.css';

export function OpenPorts({
  ports: { swank, slynk, nrepl, acl2Bridge, lisply, tcp, telnet },
}: {
  ports: Ports;
}) {
  return (
    <>
      <EditorPorts protocol="swank" ports={swank} />
      <EditorPorts protocol="slynk" ports={slynk} />
      <EditorPorts protocol="nrepl" ports={nrepl} />
      {acl2Bridge && <BridgePort port={acl2Bridge} />}
      {lisply && <LisplyPort port={lisply} />}
      {tcp && <TcpPort port={tcp} />}
      {telnet && <TelnetPort port={telnet} />}
    </>
  );
}

interface EditorPortsProps {
  protocol: EditorProtocol;
  ports: readonly EditorPortView[];
}

function EditorPorts({ protocol, ports }: EditorPortsProps) {
  const words = useWords();
  const { title, about } = words.ports.editors[protocol];
  if (ports.length === 0) return null;
  return (
    <Part title={title}>
      {ports.map(({ host, port, session, connections }) => (
        <div key={port} className={styles.line}>
          <code>{`${host}:${port}`}</code>
          {session === null ? (
            <span>{words.ports.opensSession}</span>
          ) : (
            <a href={`#/sessions/${session}`}>{session}</a>
          )}
          <span>{words.common.connections(connections)}</span>
        </div>
      ))}
      <p className={styles.aside}>{about}</p>
    </Part>
  );
}

function BridgePort({ port: { host, port, socket, connections } }: { port: Acl2BridgeView }) {
  const words = useWords();

  return (
    <Part title={words.ports.bridge}>
      {port !== null && <Reached by={`${host}:${port}`} what={words.copying.address} />}
      {socket !== null && <Reached by={socket} what={words.copying.path} />}
      <p className={styles.aside}>
        {words.ports.bridgeAbout(words.common.connections(connections), port === null)}
      </p>
    </Part>
  );
}

function LisplyPort({ port: { url } }: { port: LisplyView }) {
  const words = useWords();
  return (
    <Part title={words.ports.lisply}>
      <Reached by={url} what={words.copying.address} />
      <p className={styles.aside}>{words.ports.lisplyAbout}</p>
    </Part>
  );
}

function TcpPort({ port: { host, port, profile, connections } }: { port: TcpView }) {
  const words = useWords();
  return (
    <Part title={words.ports.tcp}>
      <Reached by={`${host}:${port}`} what={words.copying.address}>
        <span>{words.ports.profile(profile)}</span>
        <span>{words.common.connections(connections)}</span>
      </Reached>
      <p className={styles.aside}>{words.ports.tcpAbout}</p>
    </Part>
  );
}

function TelnetPort({ port: { host, port, code, connections } }: { port: TelnetView }) {
  const words = useWords();
  return (
    <Part title={words.ports.telnet}>
      <Reached by={`telnet ${host} ${port}`} what={words.copying.command}>
        <span>{words.common.connections(connections)}</span>
      </Reached>
      <Reached by={code} what={words.copying.code}>
        <span>{words.ports.onceOnly}</span>
      </Reached>
      <p className={styles.aside}>{words.ports.telnetAbout}</p>
    </Part>
  );
}

/** An address or code to paste into another program. */
function Reached({ by, what, children }: { by: string; what: string; children?: ReactNode }) {
  return (
    <div className={styles.line}>
      <code>{by}</code>
      <CopyButton text={by} what={what} />
      {children}
    </div>
  );
}
