/** Rows of Lisply about containers: started by a started harbor through Docker's command line, which a stand-in is here. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StandInDocker } from '../containers';
import { call, evaluate, values } from '../evaluation';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';

const docker = new StandInDocker();
const mounted = temporaryFolder('mounted');

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  const data = temporaryFolder('data');
  mkdirSync(path.join(mounted, 'inner'));
  writeFileSync(path.join(mounted, 'inner/gear.lisp'), '');
  const mounts = [{ from: mounted, to: '/mnt/project' }];
  const containers = [{ image: 'genworks/gendl:latest', mounts }, { image: 'no/such-image' }];
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ containers }));
  harbor = await StartedHarbor.start({ data, env: { PATH: docker.searchPath } });
  client = await harbor.client('modern');
});
afterAll(() => harbor.stop());

const open = (image: string) =>
  call<{ session: string; engine: string; sandbox: string; notes: string[] }>(client, 'open_session', {
    attach: { kind: 'lisply', image },
  });

describe('Lisply: a backend in a container', () => {
  it('S0-28 S0-29 S0-30 is started with its variables and mounts, evaluates, and ends with its session', async () => {
    const opened = await open('genworks/gendl:latest');
    const { session, engine, sandbox, notes } = opened.structured;
    expect({ engine, sandbox }).toEqual({
      engine: 'lisply',
      sandbox: 'confined by container, with network',
    });
    const [started = []] = docker.asked;
    expect(started.filter((each) => /^(START_|.*_PORT)/.test(each))).toEqual([
      'START_HTTP=true',
      'HTTP_PORT=9080',
      'START_HTTPS=false',
      'START_SWANK=false',
      'START_TELNET=false',
    ]);
    expect(started).toContain(`${mounted}:/mnt/project:ro`);
    expect(started.filter((_, at) => started[at - 1] === '--publish')).toEqual(['127.0.0.1::9080']);
    expect(notes[0]).toContain(`docker ${started.join(' ')}.`);

    expect(await values(client, '(file-exists-p "/mnt/project/inner/gear.lisp")', { session })).toEqual([
      't',
    ]);
    expect(await values(client, '(+ 1 2)', { session })).toEqual(['3']);
    const [name = ''] = docker.running;
    expect(started).toContain(name);
    await call(client, 'close_session', { session });
    expect(docker.running).toEqual([]);
    expect(docker.asked.at(-1)).toEqual(['stop', '--time', '2', name]);
  });

  it('whose container ended gets another one with the next evaluation, and is told', async () => {
    const { session } = (await open('genworks/gendl:latest')).structured;
    await evaluate(client, '(setq kept 1)', { session });
    const died = await evaluate(client, '(signal-process (emacs-pid) 9)', { session });
    expect(died.structured.outcome).toBe('crashed');
    await expect.poll(() => docker.running, PATIENT).toEqual([]);
    const after = await evaluate(client, "(boundp 'kept)", { session });
    expect(after.structured).toMatchObject({ outcome: 'ok', values: ['nil'] });
    await call(client, 'close_session', { session });
  });

  it('is refused unless a person named it, and says why it did not start', async () => {
    const refused = await open('some/other');
    expect(refused.text).toMatch(/^not_approved: The container image some\/other is not configured/);
    expect(refused.text).toContain('"containers" in settings.json: {"image":"some/other","mounts":[]}');
    expect((await open('no/such-image')).text).toMatch(
      /^engine_failed: The container did not start: Unable to find image/,
    );
    const beside = { kind: 'lisply', image: 'genworks/gendl:latest', port: 1 };
    expect((await call(client, 'open_session', { attach: beside })).text).toMatch(/^bad_arguments/);
  });

  it('ends with the harbor', async () => {
    await open('genworks/gendl:latest');
    expect(docker.running).toHaveLength(1);
    await harbor.stop();
    expect(docker.running).toEqual([]);
  });
});
