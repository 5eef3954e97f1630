/** What a conversation over MCP is made of, whatever carries it: the services behind it, and who speaks. */
import type { CallResult, GatedCall } from '../../access/gate';
import type { Client } from '../../contract/model';
import type { Log } from '../../host/log';
import type { Connection } from '../../tools/connection';
import type { Tasks } from './mcp-tasks';
import type { ResourceInterest } from './resource-interest';

/** Every call passes here: scopes, approvals and the row in `calls`. */
export interface CallGate {
  /** @throws HarborError `scope_missing` before `work` has begun; else whatever `work` throws. */
  run<T extends CallResult>(call: GatedCall, work: () => Promise<T>): Promise<T>;
}

/** What all MCP endpoints are built from. */
export interface McpServices {
  gate: CallGate;
  /** Signs what clients carry from one call to the next; made anew at each start. */
  stateKey: Uint8Array;
  tasks: Tasks;
  /** The app's version, told as `serverInfo.version`. */
  version: string;
  log: Log;
}

/** One side of a conversation. `endpoint` names it in the history's `calls`. */
export interface McpCaller {
  connection: Connection;
  client: Client;
  endpoint: string;
  /** `modern` is 2026-07-28. */
  era: 'legacy' | 'modern';
  /** What a client of the 2025 era wants to hear of, in a conversation that lasts; later the SDK keeps that. */
  interest?: ResourceInterest;
}
