/** Images kept ready, on real SBCL images: who gets one, who must not, and that none is left behind. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { readlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { noteTexts } from '../../electron/contract/note';
import { Engines } from '../../electron/images/discovery';
import type { Engine } from '../../electron/images/image';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import { acl2Sessions, names, run } from './acl2-sessions';
import { engine } from './sbcl-fixture';
import { evaluate, pidOf, type SessionsFixture, sessionsFixture } from './sessions-fixture';

/** Saving compacts and writes 50 MB: seconds of a core. */
const SAVING_MS = 120_000;

/** Whether a process runs; a zombie does not. */
const alive = (pid: number) => existsSync(`/proc/${pid}/exe`);

const ready = async ({ sessions }: SessionsFixture) => (await sessions.memory()).ready.images;

/** Folders of images that belong to no session yet. */
const spare = ({ folders }: SessionsFixture, ...sessions: Session[]) =>
  readdirSync(folders).filter((handle) => sessions.every(({ id }) => id !== handle));

/** The processes that use a folder as their home: the images of sessions, and those that are ready. */
const processesOf = (folder: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && homeOf(name).startsWith(folder))
    .map(Number);

function homeOf(pid: string): string {
  try {
    return /(?:^|\0)HOME=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1] ?? '';
  } catch {
    return '';
  }
}

async function withOneReady(options: Parameters<typeof sessionsFixture>[0] = {}) {
  const fixture = sessionsFixture({ keepReady: true, ...options });
  const first = await fixture.open();
  await expect.poll(() => ready(fixture), PATIENT).toBe(1);
  return { fixture, first };
}

describe('an image that is ready', () => {
  it('becomes the image of the next session, folder and all, and another one takes its place', async () => {
    const { fixture, first } = await withOneReady();
    const [handle] = spare(fixture, first);
    const [pid] = processesOf(`${fixture.folders}/${handle}`);
    const second = await fixture.open();
    expect(second.id).toBe(handle);
    expect(await pidOf(second)).toBe(pid);
    expect(second.view()).toMatchObject({ generation: 1, state: 'idle', package: 'CL-USER' });
    const { forms } = await evaluate(second, '(sb-posix:getenv "HOME") *default-pathname-defaults*').settled;
    expect(forms[0]?.values).toEqual([`"${fixture.folders}/${handle}/home"`]);
    expect(forms[1]?.values).toEqual([`#P"${fixture.project}/"`]);
    await expect.poll(() => ready(fixture), PATIENT).toBe(1);
    await fixture.open();
    await expect.poll(() => ready(fixture), PATIENT).toBe(2);
    expect(second.view().startedAt).toBeGreaterThan(first.view().startedAt);
  });

  it('of ACL2 has a world in which nothing is', async () => {
    const fixture = acl2Sessions({ keepReady: true });
    const first = await fixture.open();
    await run(first, '(defun twice (x) (* 2 x))');
    await expect.poll(() => ready(fixture), PATIENT).toBe(1);
    const [handle] = spare(fixture, first);
    const second = await fixture.open();
    expect(second.id).toBe(handle);
    expect(await names(second)).toEqual([]);
    expect(await names(first)).toEqual(['TWICE']);
    expect(await run(second, '(+ 1 2)')).toMatchObject({ outcome: 'ok', forms: [{ values: ['3'] }] });
  });

  it('is one for exactly what is asked: another project, package or heap gets a fresh one', async () => {
    const { fixture, first } = await withOneReady();
    const [handle] = spare(fixture, first);
    mkdirSync(`${fixture.project}/other`);
    const ask = { client: 'tester', project: fixture.project };
    const others = [
      await fixture.open(`${fixture.project}/other`),
      await fixture.sessions.open({ ...ask, package: 'ELSEWHERE' }),
      await fixture.sessions.open({ ...ask, limits: { heapMiB: 300 } }),
    ];
    expect(others.map(({ id }) => id)).not.toContain(handle);
    const limited = await fixture.sessions.open({ ...ask, limits: { cpuSeconds: 60, outputChars: 10_000 } });
    expect(limited.id).toBe(handle);
  });

  it(
    'is not one for a saved state',
    async () => {
      const { fixture, first } = await withOneReady();
      const [handle] = spare(fixture, first);
      await evaluate(first, '(defvar *kept* 7)').settled;
      const tester = { key: 'tester', scopes: new Set(['read', 'evaluate'] as const) };
      const from = fixture.checkpoints.origin(
        await fixture.checkpoints.save(first, { client: tester, grant: null }, 'state'),
      );
      const ask = { client: 'tester', project: fixture.project };
      const session = await fixture.sessions.open({ ...ask, from });
      expect(session.id).not.toBe(handle);
      expect((await evaluate(session, '*kept*').settled).forms[0]?.values).toEqual(['7']);
    },
    SAVING_MS,
  );

  it('does not serve a project in whose place another folder has come', async () => {
    const { fixture, first } = await withOneReady();
    const [handle] = spare(fixture, first);
    const [pid] = processesOf(`${fixture.folders}/${handle}`);
    renameSync(fixture.project, `${fixture.project}-moved`);
    mkdirSync(fixture.project);
    const session = await fixture.open();
    rmSync(`${fixture.project}-moved`, { recursive: true });
    expect(session.id).not.toBe(handle);
    expect(realpathSync(await readlink(`/proc/${await pidOf(session)}/cwd`))).toBe(
      realpathSync(fixture.project),
    );
    await expect.poll(() => alive(pid ?? 0), PATIENT).toBe(false);
    await expect.poll(() => existsSync(`${fixture.folders}/${handle}`), PATIENT).toBe(false);
  });

  it('does not serve a project of which Git’s own was replaced, under the very number of what was there', async () => {
    const confine = (project: string) => ({
      ...{ writable: [project], readable: [], network: false },
      protectedPaths: [`${project}/.git`],
    });
    const fixture = sessionsFixture({ keepReady: true, instead: { confine } });
    mkdirSync(`${fixture.project}/.git`);
    const first = await fixture.open();
    await expect.poll(() => ready(fixture), PATIENT).toBe(1);
    const [handle] = spare(fixture, first);
    rmdirSync(`${fixture.project}/.git`);
    mkdirSync(`${fixture.project}/.git`);
    expect((await fixture.open()).id).not.toBe(handle);
  });

  it('that dies is dropped, and the session after it has a fresh one', async () => {
    const { fixture, first } = await withOneReady();
    const [handle] = spare(fixture, first);
    for (const pid of processesOf(`${fixture.folders}/${handle}`)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => existsSync(`${fixture.folders}/${handle}`), PATIENT).toBe(false);
    const session = await fixture.open();
    expect(session.id).not.toBe(handle);
    expect(noteTexts((await evaluate(session, '(+ 1 2)').settled).notes).join()).not.toContain('fresh');
  });

  it('ends with the harbor, and so does one that is just being started', async () => {
    const { fixture, first } = await withOneReady();
    const second = await fixture.open();
    await expect.poll(() => spare(fixture, first, second), { ...PATIENT, interval: 1 }).toHaveLength(1);
    await fixture.sessions.closeAll();
    // What sessions have of their own waits for the next harbor.
    expect(readdirSync(fixture.folders).toSorted()).toEqual([first.id, second.id].toSorted());
    await expect.poll(() => processesOf(fixture.folders), PATIENT).toEqual([]);
    expect(await ready(fixture)).toBe(0);
  });
});

/** Its first images are SBCL's, those after them start and never get ready. */
function stuckAfter(count: number): Engine {
  const sbcl = engine();
  let starts = 0;
  return {
    name: 'sbcl',
    startsAhead: true,
    limits: sbcl.limits,
    discover: () => sbcl.discover(),
    async start(request) {
      starts += 1;
      if (starts <= count) return sbcl.start(request);
      const { launcher, project, home, confinement } = request;
      const program = { command: '/bin/sleep', args: ['3600'], cwd: project, env: { HOME: home }, needs: [] };
      const { signal } = await launcher.launch(program, confinement).ended;
      throw new HarborError('engine_failed', `It was ended by ${signal} before it was ready.`);
    },
  };
}

describe('an image that does not get ready', () => {
  const stuck = (count: number, keepReady: boolean) =>
    sessionsFixture({ keepReady, instead: { engines: new Engines([stuckAfter(count)], () => undefined) } });

  it('does not keep the harbor from ending when it was to be kept ready', async () => {
    const fixture = stuck(1, true);
    const session = await fixture.open();
    await expect.poll(() => processesOf(fixture.folders).length, PATIENT).toBe(2);
    await fixture.sessions.closeAll();
    expect(session.state).toBe('ended');
    expect(readdirSync(fixture.folders)).toEqual([session.id]);
    expect(fixture.told).toEqual([]);
  });

  it('nor when a session is being opened', async () => {
    const fixture = stuck(0, false);
    const opening = expect(fixture.open()).rejects.toThrow('SIGKILL');
    await expect.poll(() => processesOf(fixture.folders).length, PATIENT).toBe(1);
    await fixture.sessions.closeAll();
    await opening;
    await expect(fixture.open()).rejects.toMatchObject({ code: 'session_ended' });
  });
});

describe('no image is ready', () => {
  it('for what cannot be started: that is told once, and not tried again', async () => {
    const fixture = sessionsFixture({ keepReady: true });
    const session = await fixture.open();
    renameSync(fixture.project, `${fixture.project}-gone`);
    await expect.poll(() => fixture.told, PATIENT).toEqual(['An image could not be started in advance']);
    rmSync(`${fixture.project}-gone`, { recursive: true });
    expect(spare(fixture, session)).toEqual([]);
  });

  it('before a session was opened, and where a person wants none', async () => {
    const fixture = sessionsFixture({ keepReady: false });
    expect(await ready(fixture)).toBe(0);
    const sessions = [await fixture.open(), await fixture.open(), await fixture.open()];
    expect(spare(fixture, ...sessions)).toEqual([]);
    expect(await ready(fixture)).toBe(0);
  });
});
