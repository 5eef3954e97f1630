/** Joyride, as a mock of its nREPL server, and nbb, whose server it uses. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { answering, MockNrepl, type Serve } from '../nrepl-mock';
import { NreplServer } from '../nrepl-server';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const string = (text: string) => `${Buffer.byteLength(text)}:${text}`;

/** Joyride's answer to `describe` in version 0.0.71: it calls itself nbb, with the version "TODO". */
const OPS = ['clone', 'close', 'complete', 'describe', 'eval', 'load-file']
  .map((op) => `${string(op)}de`)
  .join('');
const version = (text: string) => `d${string('version-string')}${string(text)}e`;
const VERSIONS = `${string('nbb-nrepl')}${version('TODO')}${string('node')}${version('v22.15.1')}`;
const DESCRIBED = `3:opsd${OPS}e6:statusl4:donee8:versionsd${VERSIONS}ee`;

/** @param serve answers evaluations; other ops are unknown, as in Joyride */
async function joyride(serve: Serve): Promise<MockNrepl> {
  const takes = ['describe', 'eval', 'interrupt', 'stdin'];
  const server = await MockNrepl.start((request, respond, socket) => {
    if (request.op === 'describe') respond(answering(request) + DESCRIBED);
    else if (request.op === 'eval') serve(request, respond, socket);
    else respond(`${answering(request)}6:statusl5:error10:unknown-op4:doneee`);
  }, takes);
  ends.push(() => server.stop());
  return server;
}

async function connected(port: number) {
  const harbor = await StartedHarbor.start({ env: { NREPL_PORT: String(port) } });
  ends.push(() => harbor.stop());
  return harbor.client('legacy', { profile: 'nrepl' });
}

describe('Joyride', () => {
  it('is known by its ops, and what it cannot do is told', async () => {
    const server = await joyride((request, respond) =>
      respond(`${answering(request)}5:value1:6e${answering(request)}6:statusl4:doneee`),
    );
    const client = await connected(server.port);
    const { text } = await call(client, 'nrepl-connect', { port: server.port });
    expect(text).toMatch(/attached to Joyride’s nREPL, Node v22\.15\.1 at 127\.0\.0\.1/);
    expect(text).toMatch(/sessions share everything.*inside VS Code.*cannot be interrupted/);
    expect((await call(client, 'nrepl-eval', { code: '(+ 1 2 3)' })).text).toMatch(/^6\b/);
    expect((await call(client, 'nrepl-test')).text).toContain('Server Description: 6 operations');
  });

  it('gives errors without a status of their own, and values of any length', async () => {
    const server = await joyride((request, respond) => {
      const begin = answering(request);
      if (request.code === 'long')
        respond(`${begin}5:value${string('x'.repeat(90_000))}e${begin}6:statusl4:doneee`);
      else respond(`${begin}3:err${string('boom\n')}e${begin}2:ex${string('Error: boom')}6:statusl4:doneee`);
    });
    const client = await connected(server.port);
    const failed = await call(client, 'nrepl-eval', { code: '(throw (js/Error. "boom"))' });
    expect(failed).toMatchObject({ isError: true, text: expect.stringContaining('boom') });
    const long = await call<{ values: string[]; notes: string[] }>(client, 'nrepl-eval', { code: 'long' });
    expect(long.structured.values[0]?.length).toBeLessThan(70_000);
    expect(long.structured.notes).toContain('This record was cut to fit.');
  });

  it('is left when its code does not come back, for it cannot be interrupted', async () => {
    const server = await joyride(() => undefined);
    const client = await connected(server.port);
    const looping = call(client, 'nrepl-eval', { code: '(loop [] (recur))' });
    await expect.poll(() => server.requests.some(({ op }) => op === 'eval'), PATIENT).toBe(true);
    await call(client, 'nrepl-interrupt');
    expect((await looping).text).toContain('may still be running');
  });
});

describe('JOYRIDE_WORKSPACE', () => {
  it('is where its own port file is looked for, of a server that nbb stands in for', async () => {
    const workspace = temporaryFolder('workspace');
    mkdirSync(path.join(workspace, '.joyride'));
    const server = await NreplServer.onNbb(path.join(workspace, '.joyride'));
    ends.push(() => server.stop());
    const harbor = await StartedHarbor.start({ env: { JOYRIDE_WORKSPACE: workspace } });
    ends.push(() => harbor.stop());
    const client = await harbor.client('legacy', { profile: 'nrepl' });
    const { content } = await client.callTool({ name: 'nrepl-status', arguments: {} });
    expect(JSON.parse(content[0]?.type === 'text' ? content[0].text : '')).toMatchObject({
      connected: true,
      port: server.port,
      workspace,
    });
    const { structured } = await evaluate(await harbor.client(), '1');
    expect(structured.engine).not.toBe('nrepl');
  });
});
