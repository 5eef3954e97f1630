/** Conversations of MCP in lines, byte by byte, over each way that there is; a harbor needs `--tcp-port` for the last. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Lines } from './integration/endpoint-lines';
import type { StartedHarbor } from './started-harbor';
import { StdioLines } from './stdio-client';

export const LINE_WAYS = ['stdio', 'TCP'] as const;
export type LineWay = (typeof LINE_WAYS)[number];

export interface LineConversation {
  lines: Lines;
  /** Says that nothing more will come, and waits for the other side to end: by its exit code, 0 where there is none. */
  end(): Promise<number | null>;
}

export function linesOver(way: LineWay, harbor: StartedHarbor): LineConversation {
  return way === 'stdio' ? overStdio(harbor) : overTcp(harbor);
}

function overStdio(harbor: StartedHarbor): LineConversation {
  const stdio = new StdioLines(harbor);
  return { lines: new Lines(stdio.child.stdout, stdio.child.stdin), end: () => stdio.end() };
}

function overTcp({ ready }: StartedHarbor): LineConversation {
  if (ready.tcp === undefined) throw new Error('the harbor was started without --tcp-port');
  const socket = connect(ready.tcp, '127.0.0.1');
  const lines = new Lines(socket, socket);
  const end = async () => {
    const closed = once(socket, 'close');
    socket.end();
    await closed;
    return 0;
  };
  return { lines, end };
}
