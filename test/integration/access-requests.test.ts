/** What sessions may reach, without a window: refused with what to do, allowed by rules of the settings file, and held by images. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ApprovalRule } from '../../electron/contract/approvals';
import { StandInDocker } from '../containers';
import { call, evaluate, values } from '../evaluation';
import { freePort } from '../free-port';
import { Greeter } from '../greeter';
import { PATIENT, StartedHarbor, temporaryFolder, WAYS } from '../started-harbor';
import { COMPILING_MS, SwankServer } from '../swank-server';

let greeter: Greeter;
let asking: StartedHarbor;
beforeAll(async () => {
  greeter = await Greeter.listen();
  asking = await StartedHarbor.start({ args: ['--lisply-port', '0'] });
});
afterAll(async () => {
  await asking.stop();
  await greeter.close();
});

const ANYONE = { client: null, answer: 'allow' } as const;

/** A harbor without a window whose settings have these rules, and which keeps images ready however busy the machine is. */
async function harborWith(approvals: readonly ApprovalRule[], env: NodeJS.ProcessEnv = {}) {
  const data = temporaryFolder('data');
  const settings = { approvals, memoryReserveMiB: 0, loopbackPorts: [greeter.port] };
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify(settings));
  const harbor = await StartedHarbor.start({ data, env });
  onTestFinished(async () => {
    await harbor.stop();
    rmSync(data, { recursive: true, force: true });
  });
  return harbor;
}

/** Saving compacts and writes 50 MB: seconds of a core. */
const SAVING = { timeout: 120_000 };

const open = (client: Client, args: Record<string, unknown>) =>
  call<{ session: string; sandbox: string; notes: string[] }>(client, 'open_session', args);

const opened = async (client: Client, args: Record<string, unknown>) => {
  const { structured, text, isError } = await open(client, args);
  expect(isError, text).toBe(false);
  return structured;
};

describe.each(WAYS)('without a window, over %s', (way) => {
  it('attaching to what nobody named is refused, with both ways to allow it', async () => {
    const client = await asking.over(way);
    const { text, isError } = await open(client, { attach: { kind: 'lisply', url: asking.ready.lisply } });
    const port = Number(new URL(asking.ready.lisply ?? '').port);
    expect(isError).toBe(true);
    expect(text).toMatch(/^not_approved: The user has not named the lisply server at 127\.0\.0\.1:/);
    expect(text).toMatch(
      /"approvals" in settings\.json: \{"client":"[^"]+","class":"attach","answer":"allow"}/,
    );
    expect(text).toContain(`"servers" in settings.json: {"kind":"lisply","host":"127.0.0.1","port":${port}}`);
  });

  it('a network is refused, with both ways to allow it, and what opens without one', async () => {
    const client = await asking.over(way);
    const { text, isError } = await open(client, { network: true });
    expect(isError).toBe(true);
    expect(text).toMatch(/^not_approved: Images of this project have no network/);
    expect(text).toMatch(
      /"approvals" in settings\.json: \{"client":"[^"]+","class":"network","answer":"allow"}/,
    );
    expect(text).toContain(`"networkProjects" in settings.json: ["${asking.project}"]`);
    const { session, sandbox } = await opened(client, { network: false });
    expect(sandbox).not.toContain('network');
    expect(await values(client, greeter.form, { session })).toEqual([':UNREACHED']);
  });
});

describe('with a rule that allows it', () => {
  it('a session attaches to a server of this computer, and to none of another', async () => {
    const harbor = await harborWith([{ ...ANYONE, class: 'attach' }]);
    const client = await harbor.client('modern');
    const { session } = await opened(client, { attach: { kind: 'lisply', url: asking.ready.lisply } });
    expect(await values(client, '(+ 1 2)', { session })).toEqual(['3']);
    const elsewhere = await open(client, { attach: { kind: 'swank', host: '192.0.2.1', port: 4005 } });
    expect(elsewhere.text).toMatch(/^not_approved: 192\.0\.2\.1 is not this computer/);
  });

  it(
    'a session that was attached finds its server again when that was started anew',
    async () => {
      const harbor = await harborWith([{ ...ANYONE, class: 'attach' }]);
      const client = await harbor.client('modern');
      const port = await freePort();
      const first = await SwankServer.start({ port });
      const { session } = await opened(client, { attach: { kind: 'swank', port } });
      await first.stop();
      const second = await SwankServer.start({ port, setup: '(defvar *anew* 7)' });
      onTestFinished(() => second.stop());
      const state = async () => (await evaluate(client, '*anew*', { session })).structured.values;
      await expect.poll(state, PATIENT).toEqual(['7']);
    },
    COMPILING_MS,
  );

  it('a container starts that nobody named, and sees no folder', async () => {
    const docker = new StandInDocker();
    const harbor = await harborWith([{ ...ANYONE, class: 'attach' }], { PATH: docker.searchPath });
    const client = await harbor.client('modern');
    const attach = { kind: 'lisply', image: 'genworks/gendl:latest' };
    const { sandbox } = await opened(client, { attach });
    expect(sandbox).toBe('confined by container, with network');
    expect(docker.asked.flat()).not.toContain('--volume');
    const named = await open(client, { attach: { ...attach, image: '--privileged' } });
    expect(named.text).toMatch(/^bad_arguments: "--privileged" .*container image/);
  });

  it('a rule that denies comes before the window is asked', async () => {
    const harbor = await harborWith([{ client: null, class: 'network', answer: 'deny' }]);
    const { text } = await open(await harbor.client(), { network: true });
    expect(text).toMatch(/^not_approved: .*A user rule denies .* \(network: deny, for every client\)/);
  });
});

describe('a session with a network', () => {
  const harborWithNetwork = () => harborWith([{ ...ANYONE, class: 'network' }]);

  it('has it alone, says so, and keeps it through crashes and checkpoints', SAVING, async () => {
    const harbor = await harborWithNetwork();
    const client = await harbor.client('modern');
    const plain = await opened(client, {});
    const { session, sandbox } = await opened(client, { name: 'online', network: true });
    const greeted = () => values(client, greeter.form, { session });
    expect(sandbox).toMatch(/^confined by .*, with network$/);
    expect(await greeted()).toEqual(['"hello"']);
    expect(await values(client, greeter.form, { session: plain.session })).toEqual([':UNREACHED']);
    const { sessions } = (await call<{ sessions: { sandbox: string }[] }>(client, 'images')).structured;
    expect(sessions.map((each) => each.sandbox)).toEqual([plain.sandbox, sandbox]);

    const died = await evaluate(client, '(sb-ext:exit :code 3 :abort t)', { session });
    expect(died.structured.outcome).toBe('crashed');
    expect(await greeted()).toEqual(['"hello"']);
    await call(client, 'checkpoint', { action: 'save', name: 'kept', session });
    await call(client, 'checkpoint', { action: 'restore', name: 'kept', session });
    expect(await greeted()).toEqual(['"hello"']);
    const branch = await call<{ session: string }>(client, 'checkpoint', { action: 'branch', session });
    const own = branch.structured.session;
    expect(await values(client, greeter.form, { session: own })).toEqual([':UNREACHED']);
    const begun = await opened(client, { checkpoint: 'kept', network: true });
    expect(await values(client, greeter.form, { session: begun.session })).toEqual(['"hello"']);
  });

  it('is given no image that was kept ready without one, nor leaves one with it behind', async () => {
    const harbor = await harborWithNetwork();
    const client = await harbor.client('modern');
    await opened(client, {});
    await expect.poll(() => readyImages(client), PATIENT).toBeGreaterThan(0);
    const { session } = await opened(client, { network: true });
    expect(await values(client, greeter.form, { session })).toEqual(['"hello"']);
    const next = await opened(client, {});
    expect(await values(client, greeter.form, { session: next.session })).toEqual([':UNREACHED']);
  });

  it('has it from its project without a word, where that has one', async () => {
    const [data, project] = [temporaryFolder('data'), temporaryFolder('project')];
    writeFileSync(
      path.join(data, 'settings.json'),
      JSON.stringify({ networkProjects: [project], loopbackPorts: [greeter.port] }),
    );
    const harbor = await StartedHarbor.start({ data, project });
    onTestFinished(async () => {
      await harbor.stop();
      for (const folder of [data, project]) rmSync(folder, { recursive: true, force: true });
    });
    const client = await harbor.client();
    for (const args of [{}, { network: true }]) {
      const { session, sandbox } = await opened(client, args);
      expect(sandbox).toMatch(/, with network$/);
      expect(await values(client, greeter.form, { session })).toEqual(['"hello"']);
    }
  });
});

async function readyImages(client: Client): Promise<number> {
  const { structured } = await call<{ memory: { ready_images: number } }>(client, 'images');
  return structured.memory.ready_images;
}
