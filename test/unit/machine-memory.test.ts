/** How much memory there is, read from files as Linux writes them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { machineMemory } from '../../electron/launchers/machine-memory';
import { Memory } from '../../electron/sessions/memory-reserve';

const MIB = 1024 ** 2;

const MEMINFO = `MemTotal:        8388608 kB
MemFree:          524288 kB
MemAvailable:    4194304 kB
SwapFree:        1048576 kB
`;

/** A file system with these files in it. */
function rootWith(files: Record<string, string>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-memory-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(`${root}/${name}`), { recursive: true });
    writeFileSync(`${root}/${name}`, text);
  }
  return root;
}

it('is what the kernel calls available', () => {
  expect(machineMemory(rootWith({ 'proc/meminfo': MEMINFO }))).toEqual({
    totalBytes: 8192 * MIB,
    availableBytes: 4096 * MIB,
    swapBytes: 1024 * MIB,
  });
});

it('is what a control group of version 2 leaves, however far up it is, and its file cache is not taken', () => {
  const root = rootWith({
    'proc/meminfo': MEMINFO,
    'proc/self/cgroup': '0::/user.slice/app.scope\n',
    'sys/fs/cgroup/user.slice/app.scope/memory.max': 'max\n',
    'sys/fs/cgroup/user.slice/app.scope/memory.current': `${100 * MIB}\n`,
    'sys/fs/cgroup/user.slice/memory.max': `${1024 * MIB}\n`,
    'sys/fs/cgroup/user.slice/memory.current': `${900 * MIB}\n`,
    'sys/fs/cgroup/user.slice/memory.stat': `anon 7\ninactive_file ${400 * MIB}\nactive_file 1\n`,
  });
  expect(machineMemory(root)).toMatchObject({ totalBytes: 1024 * MIB, availableBytes: 524 * MIB });
});

it('is what a control group of version 1 leaves, also where its path is that of the host', () => {
  const root = rootWith({
    'proc/meminfo': MEMINFO,
    'proc/self/cgroup': '9:name=systemd:/x\n4:memory:/docker/0123\n0::/\n',
    'sys/fs/cgroup/memory/memory.limit_in_bytes': `${512 * MIB}\n`,
    'sys/fs/cgroup/memory/memory.usage_in_bytes': `${500 * MIB}\n`,
  });
  expect(machineMemory(root)).toMatchObject({ totalBytes: 512 * MIB, availableBytes: 12 * MIB });
});

it('is what Node says where there is no such file', () => {
  const { totalBytes, availableBytes } = machineMemory(rootWith({}));
  expect(totalBytes).toBe(totalmem());
  expect(Math.abs(availableBytes - freemem())).toBeLessThan(2048 * MIB);
});

it('is read anew for what depends on it, and otherwise once a second', () => {
  let reads = 0;
  const machine = { totalBytes: 8192 * MIB, availableBytes: 4096 * MIB, swapBytes: 0 };
  const memory = new Memory({
    read: () => ({ ...machine, availableBytes: ++reads * MIB }),
    reserveMiB: () => 2,
  });
  expect(memory.told()).toMatchObject({ availableBytes: MIB, short: true });
  expect(memory.told()).toMatchObject({ availableBytes: MIB });
  expect(memory.read()).toMatchObject({ availableBytes: 2 * MIB, short: false });
  expect(memory.told()).toMatchObject({ availableBytes: 2 * MIB });
});

it('is short below the reserve, and refused only when nothing could start', () => {
  const memory = (availableMiB: number, swapMiB = 0) =>
    new Memory({
      read: () => ({
        totalBytes: 8192 * MIB,
        availableBytes: availableMiB * MIB,
        swapBytes: swapMiB * MIB,
      }),
      reserveMiB: () => 512,
    });
  expect(memory(512).read()).toMatchObject({ short: false });
  expect(memory(511).read()).toMatchObject({ short: true });
  memory(24).requireRoomForOne();
  memory(3, 100).requireRoomForOne();
  expect(() => memory(23).requireRoomForOne()).toThrow(/^No image can start: 23 MiB .* End a session/);
});
