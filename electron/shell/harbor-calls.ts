/** Window calls about the sandbox, approvals, diagnostics, logs and updates. */
import { arch, homedir, platform, release } from 'node:os';
import { z } from 'zod';
import { decideApproval } from '../access/grant';
import { asFailure, HarborError } from '../contract/errors';
import { type HarborStatus, type LogLine, OfferedTool, type ToolTrial } from '../contract/harbor-status';
import { DIAGNOSTICS_KEY } from '../contract/known-clients';
import type { SessionView } from '../contract/model';
import { Redaction } from '../history/redaction';
import { runAlone } from '../host/child-process';
import type { LocalMcp } from '../host/local-mcp';
import { lastLogLines } from '../host/log-lines';
import { systemCode } from '../host/opened-folder';
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type SandboxCall = Extract<keyof CallHandlers, `sandbox:${string}` | `approvals:${string}`>;

export function sandboxCalls(services: WindowServices): Pick<CallHandlers, SandboxCall> {
  const { sandbox, approvals, sessions, person, settings } = services;
  return {
    'sandbox:read': () => sandbox.read(),
    'sandbox:choose': () => services.chooseFolder(),
    'sandbox:allow': async (entry) => {
      await sandbox.allow(entry);
      return sandbox.read();
    },
    'sandbox:remove': (row) => {
      sandbox.remove(row);
      return sandbox.read();
    },
    'sandbox:network': ({ allowed }) => {
      sandbox.shareNetwork(allowed);
      return sandbox.read();
    },
    'sandbox:restart': async ({ session }) => {
      await sandbox.restart(await sessions.find(session, person, null));
      return sandbox.read();
    },
    'sandbox:wouldUse': (question) => sandbox.wouldUse(question),
    'sandbox:wouldCall': ({ client, class: act }) => {
      if (approvals.state.paused) return { answer: 'deny', rule: null };
      return decideApproval(client ?? '', act, settings.current.approvals);
    },
    'approvals:read': () => approvals.state,
    'approvals:answer': ({ reply, reason, ...question }) => {
      approvals.answer(question, reply, reason);
      return null;
    },
    'approvals:pause': ({ paused }) => {
      approvals.pause(paused);
      return null;
    },
  };
}

type GitCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `git:${string}`>>;

/** The user's own setting of Git, which decides whether it obeys a folder that only looks like a repository. */
const BARE_REPOSITORIES = 'safe.bareRepository';
const GIT_MS = 10_000;

export function gitCalls(): GitCalls {
  const git = (...args: string[]) => runAlone('git', ['config', '--global', ...args], { timeout: GIT_MS });
  const read = async () => {
    try {
      const { stdout } = await git('--get', BARE_REPOSITORIES);
      return stdout.trim() === 'explicit';
    } catch (error) {
      // Git ends with 1 if the setting is absent.
      return systemCode(error) === 'ENOENT' ? null : false;
    }
  };
  return {
    'git:read': read,
    'git:guard': async () => {
      try {
        await git(BARE_REPOSITORIES, 'explicit');
      } catch (error) {
        throw new HarborError('internal', `Git did not save its setting: ${asFailure(error).message}`);
      }
      return read();
    },
  };
}

type DiagnosticsCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `diagnostics:${string}`>>;

const ToolList = z.object({ tools: z.array(OfferedTool) });

/** Log lines in a report. */
const REPORTED_LINES = 200;

export function diagnosticsCalls(services: WindowServices): DiagnosticsCalls {
  let conversation: Promise<LocalMcp> | null = null;
  const end = async () => {
    const open = conversation;
    conversation = null;
    (await open?.catch(() => null))?.close();
  };
  /** Starts a new conversation after one has failed. */
  const inConversation = async <T>(work: (mcp: LocalMcp) => Promise<T>): Promise<T> => {
    conversation ??= services.converse(DIAGNOSTICS_KEY);
    try {
      return await work(await conversation);
    } catch (error) {
      await end();
      throw error;
    }
  };
  return {
    'diagnostics:tools': () =>
      inConversation(async (mcp) => ToolList.parse(await mcp.request('tools/list')).tools),
    'diagnostics:call': async ({ tool, arguments: json }) => {
      const params = { name: tool, arguments: objectIn(json) };
      return inConversation((mcp) => timed(() => mcp.exchange('tools/call', params)));
    },
    'diagnostics:end': async () => {
      await end();
      return null;
    },
    'diagnostics:report': async () => {
      const [status, { lines }] = await Promise.all([
        services.status(),
        lastLogLines(services.logFolder, REPORTED_LINES),
      ]);
      const sessions = await services.sessions.list(services.person);
      return reportText({ status, sessions, lines, patterns: services.settings.current.redact });
    },
  };
}

async function timed(work: () => Promise<Omit<ToolTrial, 'ms'>>): Promise<ToolTrial> {
  const began = performance.now();
  const exchanged = await work();
  return { ...exchanged, ms: performance.now() - began };
}

/** Parses JSON. @throws HarborError `bad_arguments` if it is no object */
function objectIn(json: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch {
    throw new HarborError('bad_arguments', 'The arguments must be a JSON object.');
  }
}

interface Reported {
  status: HarborStatus;
  sessions: readonly Pick<SessionView, 'engine' | 'state'>[];
  lines: readonly LogLine[];
  /** Redaction patterns of the settings, which apply to reports too. */
  patterns: readonly string[];
}

/** Pattern of the harbor's own tokens. */
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
    `Sandbox: ${sandbox.confined ? sandbox.launcher : `none (${sandbox.reason ?? 'reason unknown'})`}`,
    `Endpoint: ${endpoint.url ?? endpoint.problem ?? 'none'}`,
    ...Object.entries(ports).flatMap(([name, port]) =>
      port === null ? [] : [`- ${name}: ${JSON.stringify(port)}`],
    ),
    `Sessions: ${sessions.map(({ engine, state }) => `${engine} ${state}`).join(', ') || 'none'}`,
    ...[...settingsProblems, ...notices].map((line) => `Notice: ${line}`),
    '',
    'Log',
    ...lines.map(({ at, level, text: line }) => `${new Date(at).toISOString()} ${level} ${line}`),
  ].join('\n');
  const redaction = new Redaction({ redact: [OWN_TOKENS, ...patterns], redactWellKnown: true });
  return redaction.text(text).replaceAll(homedir(), '~');
}

function runtime(): string {
  const { electron, chrome, node } = process.versions as Readonly<Record<string, string | undefined>>;
  return `Electron ${electron ?? 'none'}, Chromium ${chrome ?? 'none'}, Node ${node ?? 'none'}`;
}

type LogCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `log:${string}`>>;

/** Number of log lines in the window. */
const MOST_LINES = 2_000;

export function logCalls({ sessions, person, sessionLogs, logFolder, openFolder }: WindowServices): LogCalls {
  return {
    'log:session': ({ session }) => [...sessionLogs.of(sessions.known(session, person).id)],
    'log:read': () => lastLogLines(logFolder, MOST_LINES),
    'log:openFolder': async () => {
      await openFolder(logFolder);
      return null;
    },
  };
}

type UpdateCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `updates:${string}`>>;

export function updateCalls({ updates }: WindowServices): UpdateCalls {
  return {
    'updates:read': () => updates.view,
    'updates:look': async () => {
      await updates.look();
      return updates.view;
    },
    'updates:get': () => {
      updates.get();
      return updates.view;
    },
    'updates:install': ({ wanted }) => {
      updates.install(wanted);
      return updates.view;
    },
  };
}
