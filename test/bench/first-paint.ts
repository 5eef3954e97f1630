/**
 * A cold start as a person sees it: from the start of the process to the first text in the window, beside an Electron that
 * shows one line and nothing else. The page says when it painted (First Contentful Paint), on the clock of the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Display } from '../e2e/display.ts';
import { shareCores } from '../shared-cores.ts';
import { ROOT } from '../started-harbor.ts';
import type { Case } from './case.ts';

/** What Electron needs for any window at all. */
const BARE = `
const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => new BrowserWindow().loadURL('data:text/html,<p>Hello</p>'));
`;

/** Milliseconds since the epoch at which the page showed its first text; null before it has. */
const PAINTED = `(() => {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return paint ? performance.timeOrigin + paint.startTime : null;
})()`;

/** How often the page is asked, in milliseconds. The answer does not depend on it. */
const ASK_MS = 100;

export interface FirstPaint {
  cases: Case[];
  end: () => Promise<void>;
}

/** The cases, on a display of their own. */
export async function firstPaint(): Promise<FirstPaint> {
  const display = await Display.take(40);
  const folder = mkdtempSync(path.join(tmpdir(), 'first-paint-'));
  const bare = path.join(folder, 'bare.cjs');
  writeFileSync(bare, BARE);
  const [data, project] = [path.join(folder, 'data'), path.join(folder, 'project')];
  for (const each of [data, project]) mkdirSync(each);
  shareCores(data);
  const ours = [ROOT, '--data', data, '--project', project, '--port', '0'];
  return {
    cases: [
      {
        id: 'first-paint-bare',
        what: 'bare Electron from spawn to its first paint',
        run: () => painted([bare, `--user-data-dir=${path.join(folder, 'bare')}`]),
      },
      {
        id: 'first-paint',
        what: 'the app from spawn to its first paint',
        against: 'first-paint-bare',
        run: () => painted(ours),
      },
    ],
    end: async () => {
      await display?.leave();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Starts Electron with these arguments and ends it; answers the milliseconds until its first paint. */
async function painted(args: string[]): Promise<number> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const began = Date.now();
  const child = spawn(process.execPath, [...args, ...asRoot, '--remote-debugging-port=0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const page = await pageOf(await debuggerPort(child));
    return (await whenPainted(page)) - began;
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

/** Chromium says on stderr where it can be asked. */
async function debuggerPort({ stderr }: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of stderr ?? []) {
    said += chunk;
    const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return port;
  }
  throw new Error(`Electron ended without a window: ${said}`);
}

async function pageOf(port: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
    const targets = (await answer.json()) as { type: string; webSocketDebuggerUrl: string }[];
    const page = targets.find(({ type }) => type === 'page');
    if (page) return page.webSocketDebuggerUrl;
    await delay(ASK_MS);
  }
}

async function whenPainted(page: string): Promise<number> {
  const socket = new WebSocket(page);
  await once(socket, 'open');
  try {
    for (;;) {
      socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: PAINTED } }));
      const [{ data }] = (await once(socket, 'message')) as [MessageEvent<string>];
      const { result } = JSON.parse(data) as { result: { result: { value: number | null } } };
      if (result.result.value !== null) return result.result.value;
      await delay(ASK_MS);
    }
  } finally {
    socket.close();
  }
}
