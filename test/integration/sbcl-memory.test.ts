/** The memory report of SBCL. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Memory } from '../../electron/contract/model';
import { Settings } from '../../electron/contract/settings';
import { engine, startImage, startRequest } from './sbcl-fixture';
import { TestImage } from './test-image';

function read({ image }: TestImage, limit = 30): Promise<Memory> {
  if (!image.memory) throw new Error('an SBCL image knows its memory');
  return image.memory.read(limit);
}

/** Bytes of the core that a process has mapped, and how many of them it has changed, which it shares with no other. */
function mappedCore(pid: number): { mapped: number; changed: number } {
  const mappings = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const ofCore = mappings.filter((each) => /^.*\.core$/m.test(each));
  const sum = (field: string) =>
    ofCore.reduce((kB, each) => kB + Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(each)?.[1]), 0);
  return { mapped: sum('Size') * 1024, changed: sum('Anonymous') * 1024 };
}

describe('the memory of an image', () => {
  it('is that of the core, which all share, until its code changes it: with the heap that images get', async () => {
    const { sbclHeapMiB: heapMiB } = Settings.parse({});
    const image = new TestImage(await engine().start({ ...(await startRequest()), heapMiB }));
    onTestFinished(() => image.image.end());
    const [[pid]] = (await image.evaluate('(sb-posix:getpid)')).values as [[string]];
    const { mapped, changed } = mappedCore(Number(pid));
    expect(mapped).toBeGreaterThan(40_000_000);
    expect(changed / mapped).toBeLessThan(0.1);
  });

  it('is told by space and by type, the user’s own types by name', async () => {
    const sbcl = await startImage();
    await sbcl.evaluate(`(defstruct buoy name depth) (defclass chart () ((scale :initform 1)))
      (defvar *buoys* (loop repeat 40000 collect (make-buoy)))
      (defvar *charts* (loop repeat 30000 collect (make-instance 'chart)))
      (sb-ext:gc)`);
    const memory = await read(sbcl);
    const counts = new Map(memory.types.map(({ name, count }) => [name, count]));
    expect(counts.get('BUOY')).toBe(40_000);
    // Its class has a prototype.
    expect(counts.get('CHART')).toBeGreaterThanOrEqual(30_000);
    expect(counts.get('CONS')).toBeGreaterThan(70_000);
    expect(memory.types.map(({ bytes }) => bytes)).toEqual(
      memory.types.map(({ bytes }) => bytes).toSorted((one, other) => other - one),
    );
    const listed = memory.types.reduce((sum, { bytes }) => sum + bytes, memory.others.bytes);
    expect(listed).toBe(memory.counted);
    expect(memory.counted).toBeLessThanOrEqual(memory.used * 1.1);
    expect(memory.size).toBe(512 * 1024 * 1024);
    expect(memory.spaces.map(({ name }) => name)).toEqual(expect.arrayContaining(['dynamic', 'static']));
    expect(memory.complete).toBe(true);
    const short = await read(sbcl, 3);
    expect([short.types.length, short.others.types > 50]).toEqual([3, true]);
  });

  it('is told beside code that allocates in several threads and collects, again and again', async () => {
    const sbcl = await startImage();
    const { settled } = await sbcl.running(`
      (defvar *stop* nil)
      (let ((threads (loop repeat 3 collect
              (sb-thread:make-thread (lambda () (loop until *stop* do (make-array (random 20000))
                                                                      (loop repeat 100 collect (list 1))))))))
        (princ "ready") (finish-output)
        (unwind-protect (loop (make-string 1000) (sb-ext:gc))
          (setf *stop* t)
          (mapc #'sb-thread:join-thread threads)))`);
    for (let asked = 0; asked < 20; asked += 1) expect((await read(sbcl)).used).toBeGreaterThan(1e7);
    await sbcl.interrupt('cooperative');
    expect((await settled).outcome).toBe('interrupted');
    expect((await sbcl.evaluate('(sb-ext:gc :full t) (+ 1 2)')).values.at(-1)).toEqual(['3']);
  });
});
