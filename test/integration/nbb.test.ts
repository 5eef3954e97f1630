import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import type { Stream } from '../../electron/contract/model';
import type { EvaluateRequest, Image, ImageOutcome } from '../../electron/images/image';
import { NbbEngine } from '../../electron/images/nbb/engine';
import { encode } from '../../electron/images/nrepl/bencode';
import { BubblewrapLauncher } from '../../electron/launchers/bubblewrap';
import { readHostLayout } from '../../electron/launchers/host-layout';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';

const IMAGE_FILE = path.resolve(import.meta.dirname, '../../resources/nbb/image.mjs');

/** Says that it runs, and never ends. */
const LOOP = '(do (println "in") (loop [] (recur)))';

let folder: string;
let project: string;
const started: Image[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'nbb-')));
  project = path.join(folder, 'project');
  await mkdir(project);
  await mkdir(path.join(folder, 'home'));
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((image) => image.end()));
  await rm(folder, { recursive: true, force: true });
});

async function start(launcher: Launcher = new LocalLauncher('a test'), namespace?: string): Promise<Image> {
  const home = path.join(folder, 'home');
  const image = await new NbbEngine(IMAGE_FILE).start({
    launcher,
    confinement: { writable: [project, home], readable: [], network: false },
    project,
    home,
    ...(namespace === undefined ? {} : { package: namespace }),
  });
  started.push(image);
  return image;
}

type Result = ImageOutcome & Record<Stream, string> & { values: string[] };

async function evaluate(image: Image, code: string, more: Partial<EvaluateRequest> = {}): Promise<Result> {
  const output = { stdout: '', stderr: '' };
  const outcome = await image.evaluate({ id: 1, code, ...more }, (stream, text) => {
    output[stream] += text;
  });
  return { ...outcome, ...output, values: outcome.forms.flatMap((form) => form.values) };
}

const LAUNCHERS: Record<string, () => Promise<Launcher>> = {
  local: async () => new LocalLauncher('a test'),
  bubblewrap: async () => new BubblewrapLauncher(await readHostLayout()),
};

describe.each(Object.entries(LAUNCHERS))('nbb by the %s launcher', (name, launcher) => {
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
    expect(await running).toMatchObject({ outcome: 'crashed', notes: ['nbb was killed by SIGKILL.'] });
    expect(await image.ended).toEqual({ description: 'nbb was killed by SIGKILL', expected: false });
    expect(await evaluate(image, '1')).toMatchObject({ outcome: 'crashed', forms: [] });
    expect(await image.usage()).toBeNull();
  });

  it('notices that code ended the process', async () => {
    const image = await start(await launcher());
    const result = await evaluate(image, '1 (println "bye") (js/process.exit 3) 4');
    expect(result).toMatchObject({ outcome: 'crashed', values: ['1', 'nil'], stdout: 'bye\n' });
    expect(result.notes).toEqual(['nbb exited with code 3.']);
  });

  it('ends while a loop blocks it, and has no interrupt', async () => {
    const image = await start(await launcher());
    let printed: () => void = () => undefined;
    const looping = new Promise<void>((resolve) => {
      printed = resolve;
    });
    const running = image.evaluate({ id: 1, code: `1 ${LOOP}` }, () => printed());
    await looping;
    expect(await image.interrupt('cooperative')).toBe(false);
    expect(await image.interrupt('insistent')).toBe(false);
    await image.end();
    expect(await running).toMatchObject({ outcome: 'crashed', forms: [{ code: '1', values: ['1'] }] });
    expect(await image.ended).toMatchObject({ expected: true });
  });
});

describe('nbb evaluates', () => {
  it('text outside ASCII of any length, cut anywhere on the wire', async () => {
    const image = await start();
    const text = 'aλ€𝒳'.repeat(50_000);
    const { values } = await evaluate(
      image,
      `(def λ "${text}") (count λ) (= λ (apply str (repeat 50000 "aλ€𝒳"))) λ`,
    );
    expect(values).toEqual(["#'user/λ", '250000', 'true', `"${text}"`]);
  });

  it('much output, in order and complete before the evaluation is over', async () => {
    const image = await start();
    const { stdout } = await evaluate(image, '(dotimes [i 20000] (println i))');
    expect(stdout).toBe(Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join(''));
  });

  it('console output and println as one stream, and errors apart', async () => {
    const image = await start();
    const code = `(js/console.log "a" #js {:b 1}) (println "c") (.write js/process.stdout "d") (js/console.log "€")
      (js/console.error "e") (.write js/process.stderr (js/Buffer.from "λ\\n"))`;
    expect(await evaluate(image, code)).toMatchObject({ stdout: 'a { b: 1 }\nc\nd€\n', stderr: 'e\nλ\n' });
  });

  it('programs, whose output is part of it', async () => {
    const image = await start();
    let stdout = '';
    const code = `(require '["node:child_process" :as cp]) (cp/execFileSync "echo" #js ["from echo"] #js {:stdio "inherit"})`;
    const { outcome } = await image.evaluate({ id: 1, code }, (_stream, text) => {
      stdout += text;
    });
    expect(outcome).toBe('ok');
    await expect.poll(() => stdout).toBe('from echo\n');
  });

  it('promises by waiting for them', async () => {
    const image = await start();
    const { values } = await evaluate(image, '(js/Promise. (fn [resolve] (js/setTimeout #(resolve 42) 10)))');
    expect(values).toEqual(['#<Promise 42>']);
  });

  it('a form that reads as nothing without losing count', async () => {
    const image = await start();
    expect((await evaluate(image, '1 #?(:clj 2) #?(:cljs 3) #_ 4 5')).forms).toEqual([
      { code: '1', values: ['1'] },
      { code: '#?(:cljs 3)', values: ['3'] },
      { code: '5', values: ['5'] },
    ]);
    expect(await evaluate(image, ' ; nothing')).toMatchObject({ outcome: 'ok', forms: [] });
  });

  it('keeping *1, *2, *3 and *e across forms and errors', async () => {
    const image = await start();
    await evaluate(image, '1 2 3');
    await evaluate(image, '(throw (ex-info "m" {:a 1}))');
    const { values } = await evaluate(image, '[*1 *2 *3 (ex-message *e) (ex-data (ex-cause *e))]');
    expect(values).toEqual(['[3 2 1 "m" {:a 1}]']);
  });

  it('cutting long values, and saying so', async () => {
    const image = await start();
    const result = await evaluate(image, '(range 100) 1', { maxChars: 10 });
    expect(result.values).toEqual(['(0 1 2 3 4', '1']);
    expect(result.notes).toEqual(['A value of 291 characters was cut to 10.']);
  });

  it('never at read time', async () => {
    const image = await start();
    const result = await evaluate(image, '#=(println "read") 2', { safeRead: true });
    expect(result).toMatchObject({
      outcome: 'error',
      values: [],
      stdout: '',
      condition: { type: 'sci.error/parse' },
    });
  });
});

describe('nbb errors', () => {
  it.each([
    ['(throw (ex-info "no λ" {:a 1}))', 'cljs.core.ExceptionInfo', 'no λ {:a 1}'],
    ['(.-x nil)', 'TypeError', "Cannot read properties of null (reading 'x')"],
    ['(js/Promise.reject (js/RangeError. "far"))', 'RangeError', 'far'],
    ['(unknown)', 'cljs.core.ExceptionInfo', 'Unable to resolve symbol: unknown'],
    ['unknown', 'cljs.core.ExceptionInfo', 'Unable to resolve symbol: unknown'],
    ['(throw 5)', 'thrown value', '5'],
    ['(+ 1', 'sci.error/parse', 'EOF while reading, expected ) to match ( at [1,3]'],
    [')', 'sci.error/parse', 'Unmatched delimiter: )'],
  ])('%s', async (code, type, message) => {
    const image = await start();
    const result = await evaluate(
      image,
      `1 ${code} (println "not reached")`.replace(/ \(println.*/, code === '(+ 1' ? '' : '$&'),
    );
    expect(result).toMatchObject({ outcome: 'error', stdout: '', stderr: '', notes: [] });
    expect(result.values).toEqual(['1']);
    expect(result.condition).toMatchObject({ type, message, level: 1, restarts: [] });
    expect((await evaluate(image, '(+ 1 1)')).values).toEqual(['2']);
  });

  it('with the calls that led there, innermost first, at their lines in the source', async () => {
    const image = await start();
    const code =
      '(defn inner [x]\n  (throw (js/Error. x)))\n\n(defn outer [x]\n  (inner x))\n\n  (outer "deep")';
    const { condition } = await evaluate(image, code);
    expect(condition?.frames.map((frame) => frame.call)).toEqual([
      'user (line 2, column 3)',
      'user/inner (line 5, column 3)',
      'user/outer (line 7, column 3)',
    ]);
    expect(condition?.frames.map((frame) => frame.index)).toEqual([0, 1, 2]);
  });

  it('in a timer leave the session alive, and are told with what follows', async () => {
    const image = await start();
    await evaluate(image, '(def x 1)');
    const first = await evaluate(
      image,
      '(js/setTimeout (fn [] (println "tick") (throw (js/Error. "late"))) 0)',
    );
    const result = await evaluate(image, '(js/Promise. (fn [resolve] (js/setTimeout #(resolve x) 20)))');
    expect(result.values).toEqual(['#<Promise 1>']);
    // Whichever evaluation was running when it came.
    expect(first.stdout + first.stderr + result.stdout + result.stderr).toBe('tick\nUncaught Error: late\n');
  });
});

describe('nbb namespaces', () => {
  it('persist when the code goes to one', async () => {
    const image = await start();
    expect(image.prompt()).toBe('user=> ');
    expect(await evaluate(image, '(ns app.core) (def x ::key)')).toMatchObject({
      outcome: 'ok',
      package: 'app.core',
    });
    expect(image.package).toBe('app.core');
    expect(image.prompt()).toBe('app.core=> ');
    expect((await evaluate(image, '[x ::other]')).values).toEqual(['[:app.core/key :app.core/other]']);
  });

  it('hold for one evaluation when it asks for one, with its history untouched', async () => {
    const image = await start();
    await evaluate(image, '(ns other) (def y 7) (ns user) 1 2 3');
    const asked = await evaluate(image, '[y ::k *1 *2 *3]', { package: 'other' });
    expect(asked).toMatchObject({ values: ['[7 :other/k 3 2 1]'], package: 'user' });
    expect(image.package).toBe('user');
    expect((await evaluate(image, '[::k *1 *2 *3]')).values).toEqual(['[:user/k [7 :other/k 3 2 1] 3 2]']);
  });

  it.each(['nowhere', 'a) (println 1', '1bad', ''])('%j is refused by name', async (namespace) => {
    const image = await start();
    const result = await evaluate(image, '(println "ran")', { package: namespace });
    expect(result).toMatchObject({ outcome: 'error', package: 'user', stdout: '', forms: [] });
    expect(result.condition?.message).toContain(`There is no namespace ${namespace}`);
    expect((await evaluate(image, '(str *ns*)')).values).toEqual(['"user"']);
  });

  it('to begin in', async () => {
    expect((await start(undefined, 'clojure.string')).package).toBe('clojure.string');
    await expect(start(undefined, 'nowhere')).rejects.toThrow(HarborError);
  });
});

describe('nbb in a sandbox', () => {
  it('reads and writes its project, and nothing else', async () => {
    const image = await start(new BubblewrapLauncher(await readHostLayout()));
    await writeFile(path.join(project, 'data.txt'), 'mine');
    await writeFile(path.join(folder, 'secret.txt'), 'secret');
    const allowed = await evaluate(
      image,
      `(require '["node:fs" :as fs]) (fs/writeFileSync "new.txt" "made") (str (fs/readFileSync "data.txt"))`,
    );
    expect(allowed).toMatchObject({ outcome: 'ok', condition: null });
    expect(allowed.values.at(-1)).toBe('"mine"');
    expect(await readFile(path.join(project, 'new.txt'), 'utf8')).toBe('made');
    for (const code of [
      '(fs/readFileSync "/etc/passwd")',
      `(fs/readFileSync "${folder}/secret.txt")`,
      `(fs/readdirSync "${process.env.HOME ?? '/root'}")`,
      '(fs/writeFileSync "/usr/made" "")',
      `(fs/writeFileSync "${IMAGE_FILE}" "")`,
    ]) {
      expect((await evaluate(image, code)).condition?.message, code).toMatch(/ENOENT|EROFS|EACCES/);
    }
  });

  it('reaches no network', async () => {
    const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const image = await start(new BubblewrapLauncher(await readHostLayout()));
    const code = `(require '["node:net" :as net])
      (js/Promise. (fn [resolve] (let [s (net/connect ${port} "127.0.0.1")]
        (.on s "connect" #(resolve "connected")) (.on s "error" #(resolve (.-code %))))))`;
    expect((await evaluate(image, code)).values.at(-1)).toBe('#<Promise "ECONNREFUSED">');
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('nbb ends', () => {
  it('in a loop too, when the harbor was killed', async () => {
    const nbb = path.resolve(import.meta.dirname, '../../node_modules/nbb');
    const harbor = `
      const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([IMAGE_FILE, nbb])},
        { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
      child.stdio[3].once('data', () => console.log(child.pid));
      child.stdio[3].write(${JSON.stringify(encode({ op: 'eval', id: '1', code: LOOP }))});`;
    const killed = spawn(process.execPath, ['-e', harbor], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void killed.kill('SIGKILL'));
    const pid = await new Promise<number>((resolve) =>
      killed.stdout.once('data', (line) => resolve(Number(line))),
    );
    expect(await readFile(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) [RS] /);
    killed.kill('SIGKILL');
    const running = () =>
      readFile(`/proc/${pid}/stat`, 'utf8').then(
        (stat) => !/\) Z /.test(stat),
        () => false,
      );
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
    expect((await evaluate(image, code)).values.at(-1)).toBe('#<Promise "listened">');
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
