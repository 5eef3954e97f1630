/** Which ports a start asks for beside that of MCP over HTTP: each by its option, or by the pair of variables that Lisply has for it. */
import path from 'node:path';
import { HarborError } from '../contract/errors';

interface PortOption {
  /** What the port does, for the list of options. */
  does: string;
  /** What its variables `START_…` and `…_PORT` have in place of the dots; null where Lisply has none for it. */
  variable: string | null;
}

/** The protocol ports, by the beginnings of their options: `--swank-port N`. */
const PORTS = {
  swank: { does: 'lets Emacs attach to an SBCL session with SLIME', variable: 'SWANK' },
  bridge: { does: 'serves the ACL2 Bridge, a world for each connection', variable: null },
  lisply: { does: 'serves Lisply without a token, one session for all', variable: 'HTTP' },
  tcp: { does: 'MCP in lines over TCP without a token', variable: null },
  telnet: { does: 'a REPL over telnet, for who has the code of the ready line', variable: 'TELNET' },
} satisfies Record<string, PortOption>;

export type PortName = keyof typeof PORTS;
export const PORT_NAMES = Object.keys(PORTS) as PortName[];

/** Their rows in the table of options. */
export const PORT_OPTIONS = Object.fromEntries(
  PORT_NAMES.map((name) => {
    const does = `${PORTS[name].does} (default: off; 0 = any free port)`;
    return [`${name}-port`, { type: 'string', takes: 'N', does }];
  }),
) as Record<`${PortName}-port`, { type: 'string'; takes: string; does: string }>;

/** undefined opens none, 0 takes any free one. */
export type Ports = Readonly<Record<PortName, number | undefined>>;

/** A port of HTTP over TLS; `cert` and `key` are files in PEM. */
export interface HttpsOptions {
  port: number;
  cert: string;
  key: string;
}

/** Of the command line, as given. */
type Asked = Readonly<Partial<Record<`${PortName | 'https'}-port` | 'cert' | 'key', string>>>;

/** @throws HarborError `bad_arguments` naming the option */
export function portsOf(asked: Asked, env: NodeJS.ProcessEnv): Ports {
  const ports = PORT_NAMES.map((name) => [name, portOf(name, PORTS[name].variable, asked, env)]);
  return Object.fromEntries(ports) as Ports;
}

/** @throws HarborError `bad_arguments` when one of the three is given without the others */
export function httpsOf(asked: Asked, env: NodeJS.ProcessEnv): HttpsOptions | undefined {
  const port = portOf('https', 'HTTPS', asked, env);
  const { cert, key } = asked;
  if (port === undefined && cert === undefined && key === undefined) return undefined;
  if (port === undefined || cert === undefined || key === undefined)
    throw new HarborError(
      'bad_arguments',
      'HTTPS needs all three: --https-port N, --cert FILE with the certificate and --key FILE with its key, both in PEM.',
    );
  return { port, cert: path.resolve(cert), key: path.resolve(key) };
}

/** @throws HarborError `bad_arguments` */
export function portNumber(text: string, option: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new HarborError('bad_arguments', `${option} ${text} is not a port number between 0 and 65535.`);
}

/** A variable that names a port opens it only where the other one of the pair says so. */
function portOf(
  name: PortName | 'https',
  variable: string | null,
  asked: Asked,
  env: NodeJS.ProcessEnv,
): number | undefined {
  const started = variable !== null && env[`START_${variable}`] === 'true';
  const text = asked[`${name}-port`] ?? (started ? env[`${variable}_PORT`] || undefined : undefined);
  return text === undefined ? undefined : portNumber(text, `--${name}-port`);
}
