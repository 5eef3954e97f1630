/** Calls of tools over the local socket, as commands make them: one for each connection. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ToolHello } from '../../electron/contract/local-socket';
import { SECRET, type SocketFixture, socketFixture } from './endpoint-fixture';
import { Lines } from './endpoint-lines';

let harbor: SocketFixture;
const open: Socket[] = [];

beforeEach(async () => {
  harbor = socketFixture();
  await harbor.start();
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await harbor.remove();
});

const HELLO: ToolHello = { secret: SECRET, kind: 'tool', folder: '/work', live: false };

/** What follows a hello is sent as it is. */
function enter(hello: Partial<ToolHello>, ...lines: readonly (string | object)[]): Lines {
  const socket = connect(harbor.socketPath);
  open.push(socket);
  const entered = new Lines(socket, socket);
  for (const line of [{ ...HELLO, ...hello }, ...lines]) entered.send(line);
  return entered;
}

const asking = (tool: string, args: object = {}) => ({ tool, arguments: args });

it('are taken, then answered with text and data, and close the connection', async () => {
  expect(await enter({}, asking('echo', { text: 'hello' })).rest()).toEqual([
    { taken: true },
    { ok: true, value: { text: 'hello', data: { text: 'hello' }, isError: false } },
  ]);
});

it('of one folder and engine share a connection, in the name of the command line', async () => {
  const who = async (hello: Partial<ToolHello>) => {
    const [, answer] = await enter(hello, asking('who')).rest();
    return (answer as { value: { text: string } }).value.text;
  };
  expect(await who({})).toBe('command-line 1');
  expect(await who({})).toBe('command-line 1');
  expect(await who({ folder: '/other' })).toBe('command-line 2');
  expect(await who({ project: '/work' })).toBe('command-line 1');
  expect(await who({ engine: 'nbb' })).toBe('command-line 3');
  expect(harbor.toolbox.connections).toMatchObject([
    { project: '/work', profile: 'default', conversation: 'at the command line' },
    { project: '/other' },
    { project: '/work', engine: 'nbb' },
  ]);
  expect(harbor.toolbox.live).toBe(3);
  await harbor.stop();
  expect(harbor.toolbox.live).toBe(0);
});

it('pass the gate, with the session that was asked for', async () => {
  const holding = harbor.toolbox.held();
  const lines = enter({ session: 'mine' }, asking('hold', { text: 'x' }));
  const { args, release } = await holding;
  expect(args).toEqual({ text: 'x', session: 'named mine' });
  release('done');
  expect((await lines.rest()).at(-1)).toMatchObject({ value: { text: 'done' } });
  expect(harbor.gate.calls).toMatchObject([
    {
      client: { key: 'command-line' },
      endpoint: 'socket',
      tool: 'hold',
      args: { text: 'x', session: 'mine' },
    },
  ]);
});

it('are refused whole when anything in them is wrong', async () => {
  const refusals = [
    [enter({ secret: 'wrong' }, asking('echo')), 'client_unknown'],
    [enter({ engine: 'cobol' }, asking('echo')), 'bad_arguments'],
    [enter({ folder: '/' }, asking('echo')), 'project_not_approved'],
    [enter({}, 'no JSON\n'), 'bad_arguments'],
    [enter({}, `${'['.repeat(5_000)}\n`), 'bad_arguments'],
    [enter({}, { tool: 'echo' }), 'bad_arguments'],
    [enter({}, asking('echo', { text: 'x'.repeat(17 * 1024 * 1024) })), 'bad_arguments'],
    [enter({}, asking('none')), 'unknown_tool'],
    [enter({}, asking('fail')), 'unknown_session'],
    [enter({}, asking('crash')), 'internal'],
  ] as const;
  for (const [lines, code] of refusals)
    expect((await lines.rest()).at(-1)).toMatchObject({ ok: false, code });
  // Whatever they sent, the harbor goes on.
  expect((await enter({}, asking('echo', { text: 'on' })).rest()).at(-1)).toMatchObject({ ok: true });
});

it.each([
  ['who leaves', () => open[0]?.end()],
  ['a second line', (lines: Lines) => lines.send({ interrupt: true })],
])('are aborted by %s, where they have begun no evaluation', async (_what, leave) => {
  const holding = harbor.toolbox.held();
  const lines = enter({}, asking('hold'));
  const { context } = await holding;
  const aborted = once(harbor.toolbox.events, 'aborted');
  leave(lines);
  await aborted;
  expect(context.signal.aborted).toBe(true);
});
