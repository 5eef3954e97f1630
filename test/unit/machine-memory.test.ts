/** Available memory, read from files as Linux writes them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { machineMemory } from '../../electron/launchers/machine-memory';
import { Memory } from '../../electron/sessions/memory';

const MIB = 1024 ** 2;

const MEMINFO = `MemTotal:        8388608 kB
MemFree:          524288 kB
MemAvailable:    4194304 kB
SwapFree:        1048576 kB
`;

/** A file system with these files. */
function rootWith(files: Record<string, string>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-memory-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(`${root}/${name}`), { recursive: true });
    writeFileSync(`${root}/${name}`, text);
  }
  return root;
}

it('is what the kernel reports as available', () => {
  expect(machineMemory(rootWith({ 'proc/meminfo': MEMINFO }))).toEqual({
    totalBytes: 8192 * MIB,
    availableBytes: 4096 * MIB,
    swapBytes: 1024 * MIB,
  });
});

it('is limited by a version 2 control group at any level, not counting its file cache', () => {
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

it("is limited by a version 1 control group, also if its path is the host's", () => {
  const root = rootWith({
    'proc/meminfo': MEMINFO,
    'proc/self/cgroup': '9:name=systemd:/x\n4:memory:/docker/0123\n0::/\n',
    'sys/fs/cgroup/memory/memory.limit_in_bytes': `${512 * MIB}\n`,
    'sys/fs/cgroup/memory/memory.usage_in_bytes': `${500 * MIB}\n`,
  });
  expect(machineMemory(root)).toMatchObject({ totalBytes: 512 * MIB, availableBytes: 12 * MIB });
});

it('comes from Node if there is no such file', () => {
  const { totalBytes, availableBytes } = machineMemory(rootWith({}));
  expect(totalBytes).toBe(totalmem());
  expect(Math.abs(availableBytes - freemem())).toBeLessThan(2048 * MIB);
});

it('is read again for decisions, and otherwise once a second', () => {
  let reads = 0;
  const machine = { totalBytes: 8192 * MIB, availableBytes: 4096 * MIB, swapBytes: 0 };
  const memory = new Memory({
    read: () => ({ ...machine, availableBytes: ++reads * MIB }),
    reserveMiB: () => 2,
  });
  expect(memory.recent()).toMatchObject({ availableBytes: MIB, short: true });
  expect(memory.recent()).toMatchObject({ availableBytes: MIB });
  expect(memory.read()).toMatchObject({ availableBytes: 2 * MIB, short: false });
  expect(memory.recent()).toMatchObject({ availableBytes: 2 * MIB });
});

it('is low below the reserve, and refused only if nothing could start', () => {
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
  expect(() => memory(23).requireRoomForOne()).toThrow(/^No image can start: 23 MiB .* Close a session/);
});
