/**
 * What the window's page does, in tasks: while one runs nothing is drawn and no key is heard. Each is told in the processor time
 * of its own, so that a machine that is busy with other things makes no difference to it.
 */
import { readFileSync, rmSync } from 'node:fs';
import type { CDPSession, ElectronApplication, Page } from '@playwright/test';

/** Milliseconds of a frame. */
export const FRAME_MS = 1000 / 60;

/** The milliseconds that the longest task of a page took, of all while `work` went on. */
export async function longestTask(
  app: ElectronApplication,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  const window = await app.browserWindow(page);
  const pid: number = await window.evaluate(({ webContents }) => webContents.getOSProcessId());
  await app.evaluate(({ contentTracing }) =>
    contentTracing.startRecording({ included_categories: ['toplevel'], excluded_categories: ['*'] }),
  );
  await work();
  const file = await app.evaluate(({ contentTracing }) => contentTracing.stopRecording());
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8')) as { traceEvents: readonly TraceEvent[] };
  rmSync(file);
  return longestOf(traceEvents.filter((event) => event.pid === pid));
}

/** As Chromium traces: times are in microseconds, `dur` on the clock and `tdur` of the thread itself. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

function longestOf(events: readonly TraceEvent[]): number {
  const main = events.find(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasks = events.filter(({ name, tid }) => tid === main?.tid && name.endsWith('RunTask'));
  if (tasks.length === 0) throw new Error('No task of the page was traced.');
  // The thread's clock goes by ticks, and so may tell more than the other.
  const took = tasks.map(({ dur = 0, tdur = 0 }) => Math.min(dur, tdur) / 1000);
  return took.reduce((one, other) => Math.max(one, other));
}

/** What is done next to a page is done when what was done before is on the screen. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** What a page has once what is not needed is gone. */
export class Kept {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async by(page: Page): Promise<Kept> {
    return new Kept(await page.context().newCDPSession(page));
  }

  /** Bytes of JavaScript, nodes of documents, and listeners. */
  async look(): Promise<{ bytes: number; nodes: number; listeners: number }> {
    for (let round = 0; round < 3; round += 1) await this.#session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await this.#session.send('Memory.getDOMCounters');
    return { bytes: usedSize, nodes, listeners: jsEventListeners };
  }
}

/** The memory of a page's process that is its own, in bytes. */
export async function ownMemory(app: ElectronApplication, page: Page): Promise<number> {
  const window = await app.browserWindow(page);
  const pid: number = await window.evaluate(({ webContents }) => webContents.getOSProcessId());
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** A page with nothing in it, in a window of its own before that of the app. */
export async function openBarePage(app: ElectronApplication): Promise<Page> {
  const opened = app.waitForEvent('window');
  await app.evaluate(async ({ BrowserWindow }) => {
    await new BrowserWindow({ width: 1200, height: 780 }).loadURL('about:blank');
  });
  return await opened;
}
