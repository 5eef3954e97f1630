/** Tools that a person tries by hand, in one conversation with the harbor's own endpoint, and the report for who helps. */
import { z } from 'zod';
import { OfferedTool, type TriedCall } from '../contract/diagnostics';
import { HarborError } from '../contract/errors';
import { DIAGNOSTICS_KEY } from '../contract/known-clients';
import type { LocalMcp } from '../host/local-mcp';
import { lastLogLines } from '../host/log-lines';
import type { CallHandlers } from './answer';
import { reportText } from './report-text';
import type { WindowServices } from './window-services';

type DiagnosticsCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `diagnostics:${string}`>>;

const ToolList = z.object({ tools: z.array(OfferedTool) });

/** Lines of the log in a report. */
const TOLD_LINES = 200;

export function diagnosticsCalls(services: WindowServices): DiagnosticsCalls {
  let conversation: Promise<LocalMcp> | null = null;
  const end = async () => {
    const open = conversation;
    conversation = null;
    (await open?.catch(() => null))?.close();
  };
  /** A conversation that broke is begun anew. */
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
      inConversation(async (mcp) => ToolList.parse(await mcp.ask('tools/list')).tools),
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
        lastLogLines(services.logFolder, TOLD_LINES),
      ]);
      const sessions = await services.sessions.list(services.person);
      return reportText({ status, sessions, lines, patterns: services.settings.current.redact });
    },
  };
}

async function timed(work: () => Promise<Omit<TriedCall, 'ms'>>): Promise<TriedCall> {
  const began = performance.now();
  const exchanged = await work();
  return { ...exchanged, ms: performance.now() - began };
}

/** @throws HarborError `bad_arguments` */
function objectIn(json: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  } catch {
    throw new HarborError('bad_arguments', 'The arguments are no object of JSON.');
  }
}
