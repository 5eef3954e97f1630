/** Finding SBCL, building its core, starting and ending images, with and without confinement. */
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SbclEngine } from '../../electron/images/sbcl/engine';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import { LocalLauncher } from '../../electron/launchers/local';
import { CORES } from '../shared-cores';
import { engine, HEAP_MIB, recordedLog, SOURCES, startImage, startRequest } from './sbcl-fixture';
import { TestImage } from './test-image';

/** Maximum milliseconds to build a core. */
const BUILDING_MS = 120_000;

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-sbcl-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** A program named `sbcl` that runs `script`. */
async function impostor(script: string): Promise<string> {
  const bin = await folder();
  await writeFile(path.join(bin, 'sbcl'), `#!/bin/sh\n${script}\n`);
  await chmod(path.join(bin, 'sbcl'), 0o755);
  return bin;
}

function engineWith(options: { searchPath?: string; sources?: string; cores: string }): SbclEngine {
  return new SbclEngine({ sources: SOURCES, heapMiB: () => HEAP_MIB, log: recordedLog(), ...options });
}

describe('discovery', () => {
  it('finds SBCL with its version and path', async () => {
    const found = await engine().discover();
    expect(found).toMatchObject({
      engine: 'sbcl',
      available: true,
      version: expect.stringMatching(/^\d+\.\d+/),
    });
    expect(path.isAbsolute(found.path ?? '')).toBe(true);
  });

  it('tells what a broken SBCL printed', async () => {
    const searchPath = await impostor('echo "sbcl: cannot map the heap" >&2; exit 1');
    const broken = engineWith({ searchPath, cores: await folder() });
    const found = await broken.discover();
    expect(found).toMatchObject({ available: false, reason: expect.stringContaining('cannot map the heap') });
    await expect(broken.start(await startRequest())).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('cannot map the heap'),
    });
  });

  it('is not taken in by another program of that name', async () => {
    const searchPath = await impostor('echo hello');
    const { available, reason } = await engineWith({ searchPath, cores: await folder() }).discover();
    expect({ available, reason }).toEqual({
      available: false,
      reason: expect.stringContaining('it printed: hello'),
    });
  });
});

describe('the core', { timeout: BUILDING_MS }, () => {
  it('is built once, also when several images start at the same time', async () => {
    const cores = await folder();
    const shared = engineWith({ cores });
    const images = await Promise.all([1, 2, 3].map(async () => shared.start(await startRequest())));
    onTestFinished(async () => void (await Promise.all(images.map((image) => image.end()))));
    expect(await readdir(cores)).toEqual([expect.stringMatching(/^sbcl-[\w.-]+-[0-9a-f]{16}\.core$/)]);
  });

  it('that cannot be built is an error with what the build printed', async () => {
    const sources = await folder();
    await cp(SOURCES, sources, { recursive: true });
    await writeFile(path.join(sources, 'json.lisp'), '(error "this file is broken")');
    const cores = await folder();
    await expect(engineWith({ sources, cores }).start(await startRequest())).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('this file is broken'),
    });
    expect(await readdir(cores)).toEqual([]);
  });
});

describe('an image', () => {
  it('that dies at start is an error with what it printed', async () => {
    const request = await startRequest();
    const tooBig = new SbclEngine({
      sources: SOURCES,
      cores: CORES,
      heapMiB: () => 900_000_000,
      log: recordedLog(),
    });
    await expect(tooBig.start(request)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringMatching(/^SBCL exited with code 1.*It printed:\n.+/s),
    });
  });

  it('has a clean environment, its project as folder and its own heap', async () => {
    const request = await startRequest();
    const image = new TestImage(await engine().start(request));
    onTestFinished(() => image.image.end());
    const { values } = await image.evaluate(`
      (sort (remove "SHLVL" (mapcar (lambda (entry) (subseq entry 0 (position #\\= entry))) (sb-ext:posix-environ)) :test #'string=) #'string<)
      (namestring *default-pathname-defaults*)
      (namestring (user-homedir-pathname))
      (ash (sb-ext:dynamic-space-size) -20)`);
    expect(values).toEqual([
      ['("CL_SOURCE_REGISTRY" "HOME" "LANG" "PATH" "SBCL_HOME" "TMPDIR")'],
      [`"${request.project}/"`],
      [`"${request.home}/"`],
      [String(HEAP_MIB)],
    ]);
  });

  it("has SBCL's libraries, and compiles into its home", async () => {
    const request = await startRequest();
    await mkdir(path.join(request.project, 'demo'));
    await writeFile(
      path.join(request.project, 'demo/demo.asd'),
      '(defsystem "demo" :components ((:file "demo")))',
    );
    await writeFile(path.join(request.project, 'demo/demo.lisp'), '(defun demo () :loaded)');
    const image = new TestImage(await engine().start(request));
    onTestFinished(() => image.image.end());
    const { outcome, values } = await image.evaluate(
      '(require :sb-posix) (asdf:load-asd (merge-pathnames "demo/demo.asd")) (asdf:load-system "demo") (demo)',
    );
    expect(outcome).toBe('ok');
    expect(values.at(-1)).toEqual([':LOADED']);
    expect(await readdir(path.join(request.project, 'demo'))).toEqual(['demo.asd', 'demo.lisp']);
    const compiled = await readdir(path.join(request.home, '.cache'), { recursive: true });
    expect(compiled.some((file) => file.endsWith('demo.fasl'))).toBe(true);
  });

  it('tells its process and memory until it ends, and closes when asked to', async () => {
    const { image } = await startImage();
    expect(await image.usage()).toMatchObject({ pid: expect.any(Number), memoryBytes: expect.any(Number) });
    await image.end();
    expect(await image.ended).toMatchObject({ expected: true });
    expect(await image.usage()).toBeNull();
  });

  it('answers also what is asked of it when it is gone', async () => {
    const image = await startImage();
    await image.evaluate('(sb-ext:exit :code 7)');
    expect(await image.image.ended).toEqual({ description: 'SBCL exited with code 7', expected: false });
    expect(await image.evaluate('(+ 1 2)')).toMatchObject({ outcome: 'crashed', forms: [] });
  });

  it('ignores what user code writes to the wire that is no event', async () => {
    const log = recordedLog();
    const image = await startImage({ log });
    const { outcome, values } = await image.evaluate(`
      (flet ((forge (text) (sb-unix:unix-write 3 (sb-ext:string-to-octets (format nil "~A~%" text)) 0 (1+ (length text)))))
        (forge "not json") (forge "{\\"event\\":\\"done\\",\\"id\\":\\"1\\"}") (forge "[]") :forged)`);
    expect({ outcome, values }).toEqual({ outcome: 'ok', values: [[':FORGED']] });
    expect(log.warnings).toHaveLength(3);
  });

  it('runs confined: its project writable, the rest of the host absent', async () => {
    const launcher = new BubblewrapLauncher(readHostLayout());
    const request = await startRequest({ launcher });
    const image = new TestImage(await engine().start(request));
    onTestFinished(() => image.image.end());
    expect(image.image.sandbox.confined).toBe(true);
    const { values } = await image.evaluate(`
      (with-open-file (out "made" :direction :output) (write-string "here" out))
      (probe-file "/etc/passwd")
      (handler-case (open "/usr/made" :direction :output) (file-error () :refused))
      (sb-thread:join-thread (sb-thread:make-thread (lambda () :thread)))`);
    expect(values).toEqual([['"here"'], ['NIL'], [':REFUSED'], [':THREAD']]);
    expect(await readFile(path.join(request.project, 'made'), 'utf8')).toBe('here');
    const { settled } = await image.running('(progn (write-line "ready") (finish-output) (loop))');
    expect(await image.interrupt('cooperative')).toBe(true);
    expect((await settled).outcome).toBe('interrupted');
  });

  it('confined or not, tells the signal that killed it', async () => {
    for (const launcher of [new LocalLauncher('a test'), new BubblewrapLauncher(readHostLayout())]) {
      const image = await startImage({ launcher });
      const { outcome, notes } = await image.evaluate(
        '(sb-ext:run-program "/bin/sh" (list "-c" (format nil "kill -9 ~D" (sb-unix:unix-getpid))) :wait t)',
      );
      expect(outcome).toBe('crashed');
      expect(notes[0]).toBe('SBCL was killed by SIGKILL.');
    }
  });
});
