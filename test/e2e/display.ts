/**
 * A display and a session bus for a worker of Playwright's: of windows on one display each takes the focus from the others, and a
 * session bus has one tray.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Says its environment, each variable ended by a zero, and then stays until its input ends, as it does when the worker is gone. */
const HOLD = 'env -0; exec cat > /dev/null';

const WANTED = ['DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'];

export class Display {
  readonly #child: ChildProcess;

  /**
   * Moves this process to a display of its own. Elsewhere than on Linux there is one for all, and one worker.
   * @param number of the worker: two that look for a free one from the same number on at the same time find the same one
   */
  static async take(number: number): Promise<Display | undefined> {
    if (process.platform !== 'linux') return undefined;
    const args = ['-a', '-n', String(99 + 100 * number), '-s', '-screen 0 1600x1000x24'];
    const command = [...args, 'dbus-run-session', '--', 'sh', '-c', HOLD];
    const child = spawn('xvfb-run', command, { stdio: ['pipe', 'pipe', 'ignore'] });
    for (const [name, value] of await said(child)) process.env[name] = value;
    return new Display(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  async leave(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }
}

/** The variables by which windows find the display and the bus, once all are told. */
async function said(child: ChildProcess): Promise<Map<string, string>> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const over = once(child, 'exit').then(([code]) => {
    throw new Error(`There is no display for the tests: xvfb-run ended with exit code ${code}.`);
  });
  for (;;) {
    const complete = text.slice(0, text.lastIndexOf('\0')).split('\0');
    const all = new Map(complete.map((line) => line.split(/=(.*)/s) as [string, string]));
    const wanted = new Map([...all].filter(([name]) => WANTED.includes(name)));
    if (wanted.size === WANTED.length) {
      over.catch(() => undefined);
      return wanted;
    }
    await Promise.race([once(child.stdout ?? child, 'data'), over]);
  }
}
