/** How a harbor is found that somebody else may be starting at the same moment, over a real socket. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type EndedStart,
  type ReachOptions,
  reachHarbor,
  type StartedHarbor,
} from '../../electron/host/harbor-reach';

const YIELDED: EndedStart = { yielded: true, reason: 'The data folder is held.' };

let folder: string;
let harbor: Server;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'harbor-reach-'));
  harbor = createServer((socket) => socket.end());
});

afterEach(() => {
  harbor.close();
  rmSync(folder, { recursive: true, force: true });
});

const socketPath = (name = 'h.sock') => path.join(folder, name);

async function listen(at = socketPath()): Promise<void> {
  harbor.listen(at);
  await once(harbor, 'listening');
}

function started(ended: EndedStart | null): StartedHarbor {
  return { ended: () => ended };
}

/** Reaches for a harbor that is needed at once, and hangs up. */
async function reach(options: Partial<ReachOptions>, signal = new AbortController().signal): Promise<void> {
  const socket = await reachHarbor(
    {
      socketPath,
      isLocked: () => false,
      startHarbor: () => Promise.reject(new Error('started one')),
      ...options,
    },
    { signal },
  );
  socket.destroy();
}

describe('a harbor', () => {
  it('is looked for anew at each try, wherever it says that it listens', async () => {
    let place = socketPath('elsewhere.sock');
    await reach({
      socketPath: () => place,
      startHarbor: async () => {
        place = socketPath('here.sock');
        await listen(place);
        return started(null);
      },
    });
  });

  it('that somebody else is starting is waited for, and no other is started', async () => {
    let asked = 0;
    await reach({
      isLocked: () => {
        asked += 1;
        if (asked === 2) void listen();
        return true;
      },
    });
  });

  it('is not started again while the holder that a start yielded to lives', async () => {
    let starts = 0;
    await reach({
      isLocked: () => starts > 0,
      startHarbor: async () => {
        starts += 1;
        setImmediate(() => void listen());
        return started(YIELDED);
      },
    });
    expect(starts).toBe(1);
  });

  it('is started once more when that holder went away', async () => {
    const starts = [async () => undefined, listen];
    await reach({
      startHarbor: async () => {
        await starts.shift()?.();
        return started(YIELDED);
      },
    });
    expect(starts).toEqual([]);
  });

  it('that failed to start is told at once, also while another has the data folder', async () => {
    let held = false;
    const reason = 'The harbor ended with code 1 at its start.';
    const startHarbor = async () => {
      held = true;
      return started({ yielded: false, reason });
    };
    await expect(reach({ isLocked: () => held, startHarbor })).rejects.toThrow(reason);
  });

  it('that answers when nobody wants it any more is left again', async () => {
    harbor = createServer();
    await listen();
    const left = once(harbor, 'connection').then(([socket]) => once(socket.resume(), 'end'));
    const gone = new AbortController();
    const going = () => {
      gone.abort();
      return socketPath();
    };
    await expect(reach({ socketPath: going }, gone.signal)).rejects.toThrow('abort');
    await left;
  });
});
