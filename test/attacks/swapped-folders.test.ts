/**
 * Replacing an allowed folder by a link while the sandbox is built opens nothing: neither by swapping all the
 * time, nor exactly between two steps. Decoys only.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AllowEntry } from '../../electron/contract/sandbox';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import { LandlockLauncher, prepareLandlock } from '../../electron/launchers/landlock';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';

import { type ImageLimits, limitByCommand, UNLIMITED } from '../../electron/launchers/process-limits';
import { AllowList } from '../../electron/sandbox/allow-list';
import { Projects } from '../../electron/sandbox/projects';
import { outcome } from '../integration/launch-place';
import { LANDLOCK } from '../landlock-launcher';

const OPENS = 12;

/** Launchers whose `limits` put words before the sandbox command. */
const SANDBOXES: readonly { name: string; launcher: (limits?: ImageLimits) => Promise<Launcher> }[] = [
  {
    name: 'bubblewrap',
    launcher: async (limits = UNLIMITED) => new BubblewrapLauncher(readHostLayout(), limits),
  },
  {
    name: 'Landlock',
    launcher: async (limits = UNLIMITED) => {
      const [ready, host] = await Promise.all([prepared, readHostLayout()]);
      if (!ready.ok) throw new Error(ready.reason);
      return new LandlockLauncher({
        ...ready,
        host,
        limits,
        searchPath: SEARCH_PATH,
        reason: 'it is tested',
      });
    },
  },
];

const SEARCH_PATH = process.env.PATH ?? '';
const prepared = prepareLandlock(LANDLOCK, SEARCH_PATH);

interface Swap {
  name: string;
  /** Runs in the parent of the project, which also contains `secret`. */
  script: string;
  /** Runs in the project in an image; prints what it reached. */
  attempt: string;
}

const SWAPS: readonly Swap[] = [
  {
    name: 'the project',
    script: 'mv work/project work/own && ln -s ../secret work/project',
    attempt: 'cat "$PROJECT/key"; echo ESCAPED > "$PROJECT/made"',
  },
  {
    name: 'the folder above it',
    script:
      'mkdir secret/project && cp -r secret/key secret/vendor secret/project && mv work own && ln -s secret work',
    attempt: 'cat "$PROJECT/key"; echo ESCAPED > "$PROJECT/made"',
  },
  {
    name: 'a folder that may be read',
    script: 'mv shared own && ln -s secret shared',
    attempt: 'cat "$SHARED/key"',
  },
  {
    name: 'a folder around what is closed',
    script:
      'cp -r work/project/vendor work/project/v2 && mv work/project/vendor kept && ln -s v2 work/project/vendor',
    attempt: 'echo ESCAPED > vendor/lib/code && cat vendor/lib/code',
  },
];

/** Opens a project as sessions do: checks it, computes its confinement, starts an image. */
function place() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'swapped-folders-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = {
    'work/project/vendor/lib/code': 'kept',
    'work/project/own/file': 'own',
    'shared/file': 'shared',
    'secret/key': 'ESCAPED',
    // The closed paths of the project also exist in its replacement.
    'secret/vendor/lib/code': 'kept',
  };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  const [project, shared] = [path.join(root, 'work/project'), path.join(root, 'shared')];
  const places = {
    home: path.join(root, 'home'),
    dataFolder: path.join(root, 'data'),
    temporaryFolders: [tmpdir()],
  };
  const list = new AllowList({
    entries: () =>
      [shared, path.join(project, 'vendor/lib')].map((folder) => AllowEntry.parse({ folder, power: 'read' })),
    ...{ withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...places,
  });
  const projects = new Projects({ approved: () => [project], ...places });
  const confinement = () => {
    projects.check(project);
    return list.confinement(project);
  };
  const program = (script: string) => ({
    command: '/bin/sh',
    args: ['-c', script],
    env: { PATH: '/usr/bin:/bin', PROJECT: project, SHARED: shared },
    cwd: '/',
    needs: [],
  });
  const reached = () => readdirSync(path.join(root, 'secret')).filter((name) => name === 'made');
  return {
    root,
    project,
    confinement,
    program: (script: string) => program(`cd "$PROJECT"; ${script}`),
    reached,
  };
}

/** The output of the image, or why there was none. */
async function opened(launch: () => ReturnType<Launcher['launch']>): Promise<string> {
  try {
    const { stdout, stderr, end } = await outcome(launch());
    return `${stdout}${stderr}${end.error ?? ''}`;
  } catch (error) {
    return String(error);
  }
}

const RENAMEAT2 = process.arch === 'arm64' ? 276 : 316;

/** Swaps the project and a link to the secret continuously. */
async function swapping(root: string): Promise<ChildProcess> {
  const script = `symlink("../secret", "work/link") or die; $| = 1; print "begun\\n";
    my ($p, $l) = ("work/project", "work/link");
    while (getppid() == ${process.pid}) { syscall(${RENAMEAT2}, -100, $p, -100, $l, 2) }`;
  const child = spawn('perl', ['-e', script], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

describe.each(SANDBOXES)('$name', ({ launcher: make }) => {
  let launcher: Launcher;

  beforeAll(async () => {
    launcher = await make();
  });

  it('opens what was allowed', async () => {
    const { confinement, program } = place();
    const said = await opened(() =>
      launcher.launch(
        program('cat vendor/lib/code "$SHARED/file"; echo made > own/made; cat own/made'),
        confinement(),
      ),
    );
    expect(said).toBe('keptsharedmade\n');
  });

  it('opens nothing to who swaps the project and a link all the time', async () => {
    const { root, confinement, program, reached } = place();
    await swapping(root);
    const attempt = program(SWAPS[0]?.attempt ?? '');
    let begun = 0;
    const open = () =>
      opened(() => {
        const launched = launcher.launch(attempt, confinement());
        begun++;
        return launched;
      });
    // Most attempts are refused before anything starts.
    while (begun < OPENS) expect(await open()).not.toContain('ESCAPED');
    expect(reached()).toEqual([]);
  });

  it.each(SWAPS)(
    'opens nothing when a link takes the place of $name once the rules are asked',
    async (swap) => {
      const { root, confinement, program, reached } = place();
      const allowed = confinement();
      execFileSync('/bin/sh', ['-c', swap.script], { cwd: root });
      expect(await opened(() => launcher.launch(program(swap.attempt), allowed))).not.toContain('ESCAPED');
      expect(reached()).toEqual([]);
    },
  );

  it.each(SWAPS)('opens nothing when a link takes the place of $name once all is checked', async (swap) => {
    const { root, confinement, program, reached } = place();
    const outside = ['/bin/sh', '-c', `(cd ${root} && ${swap.script}); exec "$@"`, 'sh'];
    const swapped = await make({
      ...UNLIMITED,
      forImage: () => limitByCommand({ outside, env: {}, inside: [] }),
    });
    const said = await opened(() => swapped.launch(program(swap.attempt), confinement()));
    expect(said).not.toContain('ESCAPED');
    expect(said).toContain('a link');
    expect(reached()).toEqual([]);
    expect(existsSync(path.join(root, 'secret'))).toBe(true);
  });
});

it.each(SWAPS)('not confined, code reaches it when $name is swapped', async (swap) => {
  const { root, confinement, program } = place();
  const allowed = confinement();
  execFileSync('/bin/sh', ['-c', swap.script], { cwd: root });
  const launcher = new LocalLauncher('for the proof');
  expect(await opened(() => launcher.launch(program(swap.attempt), allowed))).toContain('ESCAPED');
});
