/** A toolbox for endpoint tests whose tools show how they were called, with a gate and a log that keep what they saw. */

import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { GatedCall } from '../../electron/access/gate';
import { grantFor } from '../../electron/access/grant';
import type { Grant } from '../../electron/contract/approvals';
import { HarborError } from '../../electron/contract/errors';
import type { Client, Scope } from '../../electron/contract/model';
import type { CallGate, McpServices } from '../../electron/endpoints/mcp/caller';
import { Tasks } from '../../electron/endpoints/mcp/tasks';
import type { Log } from '../../electron/host/log';
import { OfferedPrompts, type Prompt } from '../../electron/tools/prompts/prompt';
import type { RenderedResult } from '../../electron/tools/rendering';
import { OfferedResources, type ResourceFamily } from '../../electron/tools/resources/resource';
import type { Change } from '../../electron/tools/resources/resources';
import type { CallContext, ToolListing } from '../../electron/tools/tool';
import type { Connection, ConnectOptions, Toolbox } from '../../electron/tools/toolbox';

export const VERSION = '1.2.3';

/** A call of the tool `hold`, which answers when the test says so. */
export interface Held {
  args: unknown;
  context: CallContext;
  release(text: string): void;
}

function listing(name: string, scope: Scope): ToolListing {
  return {
    scope,
    tool: {
      name,
      title: name,
      description: `The tool ${name}.`,
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  };
}

const TOOLS = [
  listing('echo', 'read'),
  listing('big', 'read'),
  listing('fail', 'read'),
  listing('crash', 'read'),
  listing('who', 'read'),
  listing('hold', 'evaluate'),
];

/** Tools that show what reached them; `events` tells of `held` calls and of connections that `ended`. */
export class TestToolbox implements Toolbox {
  readonly profiles = ['default', 'other'];
  readonly events = new EventEmitter().setMaxListeners(0);
  readonly connections: (ConnectOptions & { client: string })[] = [];
  readonly echoed: unknown[] = [];
  /** The resources of connections that begin from now on. */
  families: readonly ResourceFamily[] = [];
  /** Their prompts. */
  prompts: readonly Prompt[] = [];
  live = 0;

  requireServed(): void {}

  takesPlainCalls(): boolean {
    return false;
  }

  connect(client: Client, options: ConnectOptions): Connection {
    if (!this.profiles.includes(options.profile ?? 'default'))
      throw new HarborError('bad_arguments', 'No such profile.');
    if (options.project === '/' || client.key === 'homeless') {
      throw new HarborError('project_not_approved', 'The folder / is no project.');
    }
    this.connections.push({ ...options, client: client.key });
    this.live += 1;
    const number = this.connections.length;
    return {
      profile: options.profile ?? 'default',
      instructions: 'Use echo.',
      tools: TOOLS,
      resources: new OfferedResources(this.families, () => ({ client, project: options.project ?? '/' })),
      prompts: new OfferedPrompts(this.prompts, () => ({ client, project: options.project ?? '/' })),
      watch: (listener) => {
        this.events.on('change', listener);
        return () => this.events.off('change', listener);
      },
      needs: (name) => TOOLS.find(({ tool }) => tool.name === name),
      accept: (_name, args) => ({ args: Object(args) }),
      check: () => undefined,
      call: (name, args, context) => this.#call(name, args, context, { client, number }),
      session: async () => {
        throw new HarborError('engine_unavailable', 'There is no Lisp.');
      },
      end: async () => {
        this.live -= 1;
        this.events.emit('ended', number);
      },
    };
  }

  /** Tells everyone who watches. */
  change(change: Change): void {
    this.events.emit('change', change);
  }

  /** The next call of `hold`. */
  async held(): Promise<Held> {
    const [held] = await once(this.events, 'held');
    return held;
  }

  async #call(
    name: string,
    args: unknown,
    context: CallContext,
    caller: { client: Client; number: number },
  ): Promise<RenderedResult> {
    const text = typeof args === 'object' && args !== null && 'text' in args ? String(args.text) : '';
    switch (name) {
      case 'echo':
        this.echoed.push(text);
        return result(text);
      case 'big':
        return result('λ'.repeat(Number(text)));
      case 'who':
        return result(`${caller.client.key} ${caller.number}`);
      case 'fail':
        throw new HarborError('unknown_session', 'There is no session x. Open one.');
      case 'crash':
        throw new TypeError('a defect');
      case 'hold':
        return this.#hold(args, context);
      default:
        throw new HarborError('unknown_tool', `No tool ${name}.`);
    }
  }

  #hold(args: unknown, context: CallContext): Promise<RenderedResult> {
    return new Promise((resolve, reject) => {
      const release = (text: string): void => resolve(result(text));
      context.signal.addEventListener('abort', () => {
        this.events.emit('aborted');
        reject(new Error('aborted'));
      });
      this.events.emit('held', { args, context, release } satisfies Held);
    });
  }
}

function result(text: string): RenderedResult {
  return { structured: { text }, text, asides: [], isError: false };
}

/** Checks scopes as the harbor's gate does, and keeps what passed. */
export class TestGate implements CallGate {
  readonly calls: GatedCall[] = [];

  async run<T>(call: GatedCall, work: (grant: Grant) => Promise<T>): Promise<T> {
    if (call.scope !== null && !call.client.scopes.has(call.scope))
      throw new HarborError('scope_missing', `${call.tool} needs ${call.scope}.`);
    this.calls.push(call);
    return work(grantFor(call.client.key, null));
  }
}

export class TestLog implements Log {
  readonly errors: string[] = [];
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(message: string): void {
    this.errors.push(message);
  }
}

export interface Fixture {
  toolbox: TestToolbox;
  gate: TestGate;
  log: TestLog;
  services: McpServices;
}

export function fixture(): Fixture {
  const [toolbox, gate, log] = [new TestToolbox(), new TestGate(), new TestLog()];
  const services = { gate, tasks: new Tasks(), stateKey: randomBytes(32), log, version: VERSION };
  return { toolbox, gate, log, services };
}
