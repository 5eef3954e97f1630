/** Locating control groups from /proc files of several computers, and the files written into a group. */
import { expect, it } from 'vitest';
import { groupParents, groupSettings, ownGroups } from '../../electron/launchers/control-group';

const LIMITS = { tasks: 1024, memoryBytes: 4096 };

/** A virtual machine with one version 1 hierarchy per controller, and version 2 for the rest. */
const V1 = {
  cgroup: `9:name=systemd:/
8:pids:/
5:devices:/
4:memory:/process_api/becd56
2:cpuacct:/
1:cpu:/
0::/
`,
  mountinfo: `23 1 8:1 / / rw,relatime - ext4 /dev/root rw
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`,
};

/** A desktop of 2024: a terminal's scope. */
const V2 = {
  cgroup:
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.gnome.Terminal.slice/vte-spawn-1.scope\n',
  mountinfo: `26 25 0:6 / /sys/kernel/security rw,nosuid,nodev,noexec,relatime shared:8 - securityfs securityfs rw
27 25 0:24 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot
`,
};

it('version 1: a group in each hierarchy, below this process’s own', () => {
  const places = ownGroups(V1.cgroup, V1.mountinfo);
  expect(places).toEqual([
    { version: 1, controllers: ['pids'], own: '/sys/fs/cgroup/pids', mount: '/sys/fs/cgroup/pids' },
    {
      ...{ version: 1, controllers: ['memory'] },
      ...{ own: '/sys/fs/cgroup/memory/process_api/becd56', mount: '/sys/fs/cgroup/memory' },
    },
  ]);
  expect(places.flatMap(groupParents)).toEqual([
    '/sys/fs/cgroup/pids',
    '/sys/fs/cgroup/memory/process_api/becd56',
  ]);
});

it('version 2: below this process’s own, or next to it', () => {
  const [place, ...others] = ownGroups(V2.cgroup, V2.mountinfo);
  const slice =
    '/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.gnome.Terminal.slice';
  expect(place).toMatchObject({ version: 2, controllers: ['memory', 'pids'] });
  expect(others).toEqual([]);
  expect(place && groupParents(place)).toEqual([`${slice}/vte-spawn-1.scope`, slice]);
});

it('both: version 2 has the controllers that version 1 lacks', () => {
  const cgroup = '3:memory:/\n0::/some\\040where\n';
  const mountinfo = `1 2 0:1 / /cgroup1/memory rw - cgroup cgroup rw,memory
2 2 0:2 / /cgroup\\0402 rw master:3 - cgroup2 none rw
`;
  expect(ownGroups(cgroup, mountinfo)).toMatchObject([
    { version: 1, controllers: ['memory'], own: '/cgroup1/memory' },
    { version: 2, controllers: ['pids'], mount: '/cgroup 2' },
  ]);
});

it('in a container: below its own root', () => {
  const mount = (root: string) =>
    `36 35 0:31 ${root} /sys/fs/cgroup/memory ro,nosuid master:17 - cgroup cgroup rw,memory\n`;
  const own = '/sys/fs/cgroup/memory';
  expect(ownGroups('4:memory:/docker/0123\n', mount('/docker/0123'))).toMatchObject([{ own }]);
  expect(ownGroups('4:memory:/docker/0123/a\n', mount('/docker/0123'))).toMatchObject([{ own: `${own}/a` }]);
  expect(ownGroups('4:memory:/elsewhere\n', mount('/docker/0123'))).toEqual([]);
  const [root] = ownGroups('0::/\n', '1 2 0:3 / /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n');
  expect(root && groupParents(root)).toEqual(['/sys/fs/cgroup']);
});

it('several controllers in one hierarchy, as version 1 allows', () => {
  const mountinfo = '35 31 0:32 / /mnt rw - cgroup cgroup rw,memory,pids\n';
  expect(ownGroups('4:memory,pids:/a:b\n', mountinfo)).toEqual([
    { version: 1, controllers: ['memory', 'pids'], own: '/mnt/a:b', mount: '/mnt' },
  ]);
});

it('none without hierarchies, and on other systems than Linux', () => {
  expect(ownGroups('', '')).toEqual([]);
  expect(ownGroups('9:name=systemd:/\n', V1.mountinfo)).toEqual([]);
  expect(ownGroups(V1.cgroup, '')).toEqual([]);
});

it('the files of a group, by version and controllers', () => {
  const written = (version: 1 | 2, ...controllers: ('memory' | 'pids')[]) =>
    groupSettings({ version, controllers }, LIMITS).map(({ file, value }) => `${file}=${value}`);
  expect(written(1, 'memory')).toEqual(['memory.limit_in_bytes=4096', 'memory.memsw.limit_in_bytes=4096']);
  expect(written(1, 'pids')).toEqual(['pids.max=1024']);
  expect(written(2, 'memory', 'pids')).toEqual(['memory.max=4096', 'memory.swap.max=0', 'pids.max=1024']);
});
