/**
 * Files of a project that code in an image can write, and that `clients` and `agent` read: an entry that
 * resembles ours is never started and nothing of it remains; a link leads to no other file.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AgentInstall } from '../../electron/connect/agent/agent-install';
import type { ClientProgram } from '../../electron/connect/programs/client-program';
import { CLIENT_PROGRAMS } from '../../electron/connect/programs/table';
import { connect, newForEachTest, root } from '../integration/connect-fixture';

newForEachTest();

const project = path.join(root, 'project');
const outside = path.join(root, 'outside');
const marker = path.join(root, 'ran');
const evil = path.join(project, 'evil.sh');
const PROGRAMS = CLIENT_PROGRAMS.flatMap((program) => (program.project ? [program] : []));
const STDIO = '/src/harbor/resources/setup/stdio.mjs';

const fileOf = ({ project: kind }: ClientProgram) => path.join(project, kind?.file ?? '');

beforeEach(() => {
  mkdirSync(project);
  mkdirSync(outside);
  writeFileSync(evil, `#!/bin/sh\ntouch '${marker}'\n`);
  chmodSync(evil, 0o755);
});

interface Planted {
  what: string;
  /** Makes the entry from the one that we write. */
  entry: (ours: Record<string, unknown>, program: ClientProgram) => Record<string, unknown>;
}

const stdio = (
  program: ClientProgram,
  command: string,
  args: string[],
  env: Record<string, string> = {},
) => ({
  ...program.project?.notation.stdio({ command, args, env }),
});

const PLANTED: readonly Planted[] = [
  {
    what: 'another command with our arguments',
    entry: (_, program) => stdio(program, evil, [STDIO, '--client', program.name]),
  },
  {
    what: 'another command that calls itself the app',
    entry: (_, program) => stdio(program, evil, ['--mcp-stdio', '--client', program.name]),
  },
  {
    what: 'our command with another script',
    entry: (_, program) =>
      stdio(program, '/bin/sh', [path.join(project, 'resources/setup/stdio.mjs'), '--client', program.name]),
  },
  {
    what: 'our command with an environment',
    entry: (_, program) =>
      stdio(program, '/usr/bin/node', [STDIO, '--client', program.name], {
        NODE_OPTIONS: `--require=${evil}`,
      }),
  },
  {
    what: 'our command with another data folder',
    entry: (_, program) =>
      stdio(program, '/usr/bin/node', [STDIO, '--client', program.name, '--data', project]),
  },
  { what: 'our entry with a file of variables', entry: (ours) => ({ ...ours, envFile: evil }) },
  { what: 'our entry with a folder to start in', entry: (ours) => ({ ...ours, cwd: project }) },
  {
    what: 'an address and a token',
    entry: () => ({ url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer lh_x' } }),
  },
];

describe.each(PROGRAMS)('an entry of $name in a project', (program) => {
  const { name, project: kind } = program;
  const spot = () => ({ file: fileOf(program), keyPath: kind?.keyPath ?? [], name: 'lisp' });
  const textWith = (entry: Record<string, unknown>) => kind?.format.upsert('', spot(), entry) ?? '';
  const entryIn = (file: string) => kind?.format.read(readFileSync(file, 'utf8'), spot());

  it.each(PLANTED)('that is $what is not started, and nothing of it remains', async ({ entry }) => {
    await connect().add(name, { project });
    const file = fileOf(program);
    const ours = entryIn(file) as Record<string, unknown>;
    mkdirSync(path.join(project, 'resources/setup'), { recursive: true });
    writeFileSync(path.join(project, 'resources/setup/stdio.mjs'), readFileSync(evil));
    writeFileSync(file, textWith(entry(ours, program)));
    const { ok, lines } = await connect().diagnose(name, project);
    expect(ok).toBe(false);
    expect(lines.join()).toContain('not what Lisp Harbor wrote');
    expect(existsSync(marker)).toBe(false);
    const { diff } = await connect().preview(name, 'add', { project });
    await connect().add(name, { project });
    expect(entryIn(file)).toEqual(ours);
    expect(diff).not.toBe('');
    expect(readFileSync(file, 'utf8')).not.toContain('lh_');
  });

  it('is started if we wrote it', async () => {
    const ours = connect({ stdioCommand: () => ({ command: evil, args: [], env: {} }) });
    await ours.add(name, { project });
    await ours.diagnose(name, project);
    expect(existsSync(marker)).toBe(true);
  });
});

const LINKS: readonly [string, (file: string) => void][] = [
  [
    'a link in the place of the file',
    (file) => {
      mkdirSync(path.dirname(file), { recursive: true });
      symlinkSync(path.join(outside, path.basename(file)), file);
    },
  ],
  [
    'a link to a file that is not there',
    (file) => {
      mkdirSync(path.dirname(file), { recursive: true });
      symlinkSync(path.join(outside, 'made'), file);
    },
  ],
  [
    'a link in the place of its folder',
    (file) => {
      const [first = ''] = path.relative(project, file).split(path.sep);
      symlinkSync(outside, path.join(project, first));
    },
  ],
];

describe.each(LINKS)('%s', (_, plant) => {
  it.each(PROGRAMS)('of $name leads nowhere', async (program) => {
    const file = fileOf(program);
    writeFileSync(path.join(outside, path.basename(file)), '{}');
    plant(file);
    await expect(connect().add(program.name, { project })).rejects.toMatchObject({
      code: expect.stringMatching(/^config_un(readable|writable)$/),
    });
    const view = (await connect().list(project)).find(({ name }) => name === program.name);
    expect(view?.state).toBe('unreadable');
    expect(readdirSync(outside)).toEqual([path.basename(file)]);
    expect(readFileSync(path.join(outside, path.basename(file)), 'utf8')).toBe('{}');
  });

  it.each(['claude-code', 'codex', 'opencode'])('of the agent of %s leads nowhere', async (name) => {
    const install = () =>
      new AgentInstall(path.join(root, 'data'), {
        computer: { platform: 'linux', home: root, env: {} },
        launcher: ['/bin/lisp-harbor'],
        project,
      });
    const pieces = (await install().list()).find((view) => view.name === name)?.pieces ?? [];
    expect(pieces.length).toBeGreaterThan(1);
    for (const { file } of pieces) {
      plant(file);
      await expect(install().install(name)).rejects.toMatchObject({
        code: expect.stringMatching(/^config_un(readable|writable)$/),
      });
      expect(readdirSync(outside)).toEqual([]);
      const [first = ''] = path.relative(project, file).split(path.sep);
      rmSync(path.join(project, first), { recursive: true });
    }
    await install().install(name);
    expect((await install().list()).find((view) => view.name === name)?.pieces).toMatchObject(
      pieces.map(() => ({ state: 'installed' })),
    );
  });
});

it('a folder that becomes a link between reading and writing leads nowhere', async () => {
  const [program] = PROGRAMS.filter((each) => path.dirname(fileOf(each)) !== project);
  if (!program) throw new Error('no program has its file in a folder');
  const folder = path.dirname(fileOf(program));
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(program), '{}');
  const racing = connect({
    stdioCommand: () => {
      if (existsSync(path.join(project, 'moved'))) return { command: '/x', args: [], env: {} };
      renameSync(folder, path.join(project, 'moved'));
      symlinkSync(outside, folder);
      writeFileSync(path.join(outside, path.basename(fileOf(program))), '{}');
      return { command: '/x', args: [], env: {} };
    },
  });
  await expect(racing.add(program.name, { project })).rejects.toMatchObject({ code: 'config_unwritable' });
  expect(readFileSync(path.join(outside, path.basename(fileOf(program))), 'utf8')).toBe('{}');
});
