/** The tool `debug` as an agent uses it, on a session of a started harbor. */
import type { Client } from '@modelcontextprotocol/client';
import type { DebuggerView, FrameContents } from '../../electron/contract/debugger';
import { type CallResult, call, evaluate, type WholeRecord } from '../evaluation';

export interface Debugged {
  session: string;
  state: string;
  level: number;
  debugger: DebuggerView & { next: number | null };
  frame: FrameContents;
  evaluation: WholeRecord;
}

/** One session of one client. */
export class DebuggedSession {
  readonly client: Client;
  readonly session: string;

  static async open(client: Client, engine = 'sbcl'): Promise<DebuggedSession> {
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
    return new DebuggedSession(client, structured.session);
  }

  constructor(client: Client, session: string) {
    this.client = client;
    this.session = session;
  }

  evaluate(code: string, args: Record<string, unknown> = {}): Promise<CallResult<WholeRecord>> {
    return evaluate(this.client, code, { session: this.session, ...args });
  }

  /** Evaluates what errs, and holds it. */
  async hold(code: string, args: Record<string, unknown> = {}): Promise<WholeRecord> {
    return (await this.evaluate(code, { on_error: 'debug', ...args })).structured;
  }

  async values(code: string, args: Record<string, unknown> = {}): Promise<string[]> {
    return (await this.evaluate(code, args)).structured.values;
  }

  debug(action: string, args: Record<string, unknown> = {}): Promise<CallResult<Debugged>> {
    return call<Debugged>(this.client, 'debug', { action, session: this.session, ...args });
  }

  job(
    evaluation: { id: number },
    action: string,
    args: Record<string, unknown> = {},
  ): Promise<CallResult<WholeRecord>> {
    return call<WholeRecord>(this.client, 'job', { job: `job-${evaluation.id}`, action, ...args });
  }

  async state(): Promise<string | undefined> {
    const { structured } = await call<{ sessions: { session: string; state: string; pid: number }[] }>(
      this.client,
      'images',
    );
    return structured.sessions.find((each) => each.session === this.session)?.state;
  }
}
