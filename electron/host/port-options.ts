/** Which ports a start asks for beside that of MCP over HTTP: each by its option, or by the pair of variables that Lisply has for it. */
import path from 'node:path';
import { HarborError } from '../contract/errors';

/** The ports of protocols that know no client, by the beginnings of their options. */
export const PORT_NAMES = ['swank', 'bridge', 'lisply', 'tcp', 'telnet'] as const;
export type PortName = (typeof PORT_NAMES)[number];

/** undefined opens none, 0 takes any free one. */
export type Ports = Readonly<Record<PortName, number | undefined>>;

/** A port of HTTP over TLS; `cert` and `key` are files in PEM. */
export interface HttpsOptions {
  port: number;
  cert: string;
  key: string;
}

/** The variables `START_…` and `…_PORT` of each port that Lisply knows as well. */
const VARIABLES: Partial<Record<PortName | 'https', string>> = {
  swank: 'SWANK',
  lisply: 'HTTP',
  telnet: 'TELNET',
  https: 'HTTPS',
};

/** Of the command line, as given. */
type Asked = Readonly<Partial<Record<`${PortName | 'https'}-port` | 'cert' | 'key', string>>>;

/** @throws HarborError `bad_arguments` naming the option */
export function portsOf(asked: Asked, env: NodeJS.ProcessEnv): Ports {
  const port = (name: PortName) => portOf(name, asked, env);
  return {
    swank: port('swank'),
    bridge: port('bridge'),
    lisply: port('lisply'),
    tcp: port('tcp'),
    telnet: port('telnet'),
  };
}

/** @throws HarborError `bad_arguments` when one of the three is given without the others */
export function httpsOf(asked: Asked, env: NodeJS.ProcessEnv): HttpsOptions | undefined {
  const port = portOf('https', asked, env);
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
function portOf(name: PortName | 'https', asked: Asked, env: NodeJS.ProcessEnv): number | undefined {
  const variable = VARIABLES[name];
  const started = variable !== undefined && env[`START_${variable}`] === 'true';
  const text = asked[`${name}-port`] ?? (started ? env[`${variable}_PORT`] || undefined : undefined);
  return text === undefined ? undefined : portNumber(text, `--${name}-port`);
}
