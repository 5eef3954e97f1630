/** nbb as an image: its start, its behavior under each launcher, and its end. */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { encode } from '../../electron/host/bencode';
import { NbbEngine } from '../../electron/images/nbb/engine';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { sampled } from '../rounds';
import { evaluate, folder, IMAGE_FILE, LOOP, newForEachTest, project, start } from './nbb-fixture';

newForEachTest();

const LAUNCHERS: Record<string, () => Promise<Launcher>> = {
  local: async () => new LocalLauncher('a test'),
  bubblewrap: async () => new BubblewrapLauncher(readHostLayout()),
};

describe.each(sampled('nbb-image', Object.entries(LAUNCHERS), 1))(
  'nbb by the %s launcher',
  (name, launcher) => {
    it('evaluates forms, each with its values, its output apart', async () => {
      const image = await start(await launcher());
      const result = await evaluate(image, '(defn f [x] (* 2 x)) ; twice\n(println "λ €") (f 21) "a\\nb"');
      expect(result).toMatchObject({
        outcome: 'ok',
        package: 'user',
        forms: [
          { code: '(defn f [x] (* 2 x))', values: ["#'user/f"] },
          { code: '(println "λ €")', values: ['nil'] },
          { code: '(f 21)', values: ['42'] },
          { code: '"a\\nb"', values: ['"a\\nb"'] },
        ],
        stdout: 'λ €\n',
        stderr: '',
        condition: null,
        notes: [],
        warnings: [],
      });
      expect(image.sandbox.confined).toBe(name === 'bubblewrap');
    });

    it('tells pid and memory of the engine itself', async () => {
      const usage = await (await start(await launcher())).usage();
      expect(await readFile(`/proc/${usage?.pid}/cmdline`, 'utf8')).toContain(
        `${process.execPath}\0${IMAGE_FILE}\0`,
      );
      expect(usage?.memoryBytes).toBeGreaterThan(10_000_000);
    });

    it('notices that the engine was killed', async () => {
      const image = await start(await launcher());
      const usage = await image.usage();
      const running = evaluate(image, '(println "on") (js/Promise. (fn [_]))');
      process.kill(usage?.pid ?? 0, 'SIGKILL');
      expect(await running).toMatchObject({
        outcome: 'crashed',
        notes: [{ text: 'nbb was killed by SIGKILL.' }],
      });
      expect(await image.ended).toEqual({ description: 'nbb was killed by SIGKILL', expected: false });
      expect(await evaluate(image, '1')).toMatchObject({ outcome: 'crashed', forms: [] });
      expect(await image.usage()).toBeNull();
    });

    it('notices that code ended the process', async () => {
      const image = await start(await launcher());
      const result = await evaluate(image, '1 (println "bye") (js/process.exit 3) 4');
      expect(result).toMatchObject({ outcome: 'crashed', values: ['1', 'nil'], stdout: 'bye\n' });
      expect(noteTexts(result.notes)).toEqual(['nbb exited with code 3.']);
    });

    it('ends while a loop blocks it, and has no interrupt', async () => {
      const image = await start(await launcher());
      let printed: () => void = () => undefined;
      const looping = new Promise<void>((resolve) => {
        printed = resolve;
      });
      const running = image.evaluate({ id: 1, code: `1 ${LOOP}` }, () => printed());
      await looping;
      expect(await image.interrupt(1, 'cooperative')).toBe(false);
      expect(await image.interrupt(1, 'insistent')).toBe(false);
      await image.end();
      expect(await running).toMatchObject({ outcome: 'crashed', forms: [{ code: '1', values: ['1'] }] });
      expect(await image.ended).toMatchObject({ expected: true });
    });
  },
);

/** Whether this process is an nbb image; a zombie has no command line. */
function runsImage(pid: number): Promise<boolean> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (command) => command.includes(IMAGE_FILE),
    () => false,
  );
}

describe('nbb ends', () => {
  it('in a loop too, when the harbor was killed', async () => {
    const nbb = path.resolve(import.meta.dirname, '../../node_modules/nbb');
    // The pid is printed before the loop runs, so that the image can always be ended.
    const harbor = `
      const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([IMAGE_FILE, nbb])},
        { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
      console.log(child.pid);
      child.stdio[3].once('data', () => console.log('loops'));
      child.stdio[3].write(${JSON.stringify(encode({ op: 'eval', id: '1', code: LOOP }))});`;
    const killed = spawn(process.execPath, ['-e', harbor], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void killed.kill('SIGKILL'));
    const said = createInterface(killed.stdout)[Symbol.asyncIterator]();
    const pid = Number((await said.next()).value);
    const running = () => runsImage(pid);
    onTestFinished(async () => {
      if (await running()) process.kill(pid, 'SIGKILL');
    });
    expect(await said.next()).toMatchObject({ value: 'loops' });
    expect(await running()).toBe(true);
    killed.kill('SIGKILL');
    await expect.poll(running, { timeout: 20_000 }).toBe(false);
  });
});

describe('nbb starts', () => {
  it('without a port, a port file or a word', async () => {
    const image = await start();
    const usage = await image.usage();
    expect(await evaluate(image, '1')).toMatchObject({ stdout: '', stderr: '', notes: [] });
    expect(await readdir(project)).toEqual([]);
    const sockets = await readdir(`/proc/${usage?.pid}/fd`);
    expect(sockets).toContain('3');
    const code = '(count (filter #(= "TCPServerWrap" %) (js/process.getActiveResourcesInfo)))';
    expect((await evaluate(image, code)).values).toEqual(['0']);
  });

  it('leaves net as it was for the code', async () => {
    const image = await start();
    const code = `(require '["node:net" :as net])
      (js/Promise. (fn [resolve] (let [s (net/createServer)] (.listen s 0 "127.0.0.1" #(do (.close s) (resolve "listened"))))))`;
    expect((await evaluate(image, code)).values.at(-1)).toBe('"listened"');
  });

  it('with an environment of its own', async () => {
    process.env.HARBOR_SECRET = 'in the harbor only';
    const image = await start();
    delete process.env.HARBOR_SECRET;
    const { values } = await evaluate(
      image,
      '(.-HOME js/process.env) (.-HARBOR_SECRET js/process.env) (js/process.cwd)',
    );
    expect(values).toEqual([`"${folder}/home"`, 'nil', `"${project}"`]);
  });

  it('or says why not', async () => {
    const engine = new NbbEngine(IMAGE_FILE, { packageFolder: path.join(folder, 'gone') });
    expect(await engine.discover()).toMatchObject({
      available: false,
      reason: expect.stringContaining('npm ci'),
    });
    const request = {
      launcher: new LocalLauncher('a test'),
      confinement: { writable: [project], readable: [], network: false },
      project,
      home: project,
      checkpoints: project,
    };
    await expect(engine.start(request)).rejects.toThrow(
      /exited with code 1 before it was ready: [\s\S]*gone/,
    );
    const runtime = { command: '/no/such/node', args: [], env: {}, needs: [] };
    await expect(new NbbEngine(IMAGE_FILE, { runtime }).start(request)).rejects.toThrow(
      'could not be started',
    );
  });

  it('is found with its version', async () => {
    const found = await new NbbEngine(IMAGE_FILE).discover();
    expect(found).toMatchObject({
      engine: 'nbb',
      available: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });
});
