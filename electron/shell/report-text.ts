/** What a person gives to who helps: what runs where, as text, without what looks like a secret. */
import { arch, homedir, platform, release } from 'node:os';
import type { HarborStatus } from '../contract/harbor-status';
import type { LogLine } from '../contract/log';
import type { SessionView } from '../contract/model';
import { Redaction } from '../history/redaction';

interface Reported {
  status: HarborStatus;
  sessions: readonly Pick<SessionView, 'engine' | 'state'>[];
  lines: readonly LogLine[];
  /** What the person wants in no history; it is in no report either. */
  patterns: readonly string[];
}

/** Tokens of the harbor's own begin so. */
const OWN_TOKENS = 'lh_*';

export function reportText({ status, sessions, lines, patterns }: Reported): string {
  const { version, engines, sandbox, endpoint, ports, settingsProblems, notices } = status;
  const text = [
    `Lisp Harbor ${version}`,
    `${platform()} ${release()} ${arch()}, ${runtime()}`,
    '',
    'Engines',
    ...engines.map(({ engine, available, version: its, reason }) => {
      const found = available ? (its ?? 'found') : 'not found';
      return `- ${engine}: ${found}${reason === undefined ? '' : ` (${reason})`}`;
    }),
    '',
    `Sandbox: ${sandbox.confined ? sandbox.launcher : `none (${sandbox.reason ?? 'nobody knows why'})`}`,
    `Endpoint: ${endpoint.url ?? endpoint.problem ?? 'none'}`,
    ...Object.entries(ports).flatMap(([name, port]) =>
      port === null ? [] : [`- ${name}: ${JSON.stringify(port)}`],
    ),
    `Sessions: ${sessions.map(({ engine, state }) => `${engine} ${state}`).join(', ') || 'none'}`,
    ...[...settingsProblems, ...notices].map((line) => `Notice: ${line}`),
    '',
    'Log',
    ...lines.map(({ at, level, text: said }) => `${new Date(at).toISOString()} ${level} ${said}`),
  ].join('\n');
  const redaction = new Redaction({ redact: [OWN_TOKENS, ...patterns], redactWellKnown: true });
  return redaction.text(text).replaceAll(homedir(), '~');
}

function runtime(): string {
  const { electron, chrome, node } = process.versions as Readonly<Record<string, string | undefined>>;
  return `Electron ${electron ?? 'none'}, Chromium ${chrome ?? 'none'}, Node ${node ?? 'none'}`;
}
