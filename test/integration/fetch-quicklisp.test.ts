/**
 * Fetching systems with a mock of Quicklisp (test/quicklisp): its layout and formats are real, as are SBCL,
 * the sandbox, the archives and the connections.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { PATIENT, ROOT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { WebFolder } from '../web-folder';
import { writeFiles } from './loading-fixture';

const ALLOWED = { client: null, class: 'network', answer: 'allow' };

const DIST = 'quicklisp/dists/quicklisp';

let home: string;
let web: WebFolder;
let archives: string;
/** An archive whose download starts and never ends. */
let held: string;

/** A system of one file, which defines a package with a function of the same name. */
const system = (name: string, needs = '', code = '') => ({
  [`${name}.asd`]: `(defsystem "${name}" :depends-on (${needs}) :components ((:file "${name}")))`,
  [`${name}.lisp`]: `(defpackage :${name} (:use :cl) (:export #:${name}))
(in-package :${name})
(defun ${name} () :${name})
${code}`,
});

beforeEach(async () => {
  [home, archives, held] = [temporaryFolder('home'), temporaryFolder('archives'), ''];
  web = await WebFolder.start([archives], (name) => name === `/${held}`);
  onTestFinished(() => web.stop());
  mkdirSync(path.join(home, 'quicklisp'));
  cpSync(path.join(ROOT, 'test/quicklisp/setup.lisp'), path.join(home, 'quicklisp/setup.lisp'));
  writeFiles(home, {
    [`${DIST}/releases.txt`]:
      '# project url size file-md5 content-sha1 prefix [system-file1..system-fileN]\n',
    [`${DIST}/systems.txt`]: '# project system-file system-name [dependency1..dependencyN]\n',
  });
  for (const [name, text] of Object.entries(system('near')))
    writeFiles(home, { [`${DIST}/software/near-1/${name}`]: text });
});

/** Adds a release to the dist's index and server. */
function release(name: string, needs: readonly string[] = [], code = ''): void {
  const folder = temporaryFolder('release');
  const quoted = needs.map((each) => `"${each}"`).join(' ');
  const files = Object.entries(system(name, quoted, code));
  writeFiles(folder, Object.fromEntries(files.map(([file, text]) => [`${name}-1/${file}`, text])));
  execFileSync('tar', ['czf', path.join(archives, `${name}-1.tgz`), `${name}-1`], { cwd: folder });
  const line = (file: string, text: string) =>
    writeFileSync(path.join(home, DIST, file), `${text}\n`, { flag: 'a' });
  line('releases.txt', `${name} ${web.url}${name}-1.tgz 0 md5 sha1 ${name}-1 ${name}.asd`);
  line('systems.txt', [name, name, name, ...needs].join(' '));
}

async function harbor(files: Readonly<Record<string, string>> = {}, settings: object = {}) {
  const [project, data] = [temporaryFolder('project'), temporaryFolder('data')];
  writeFiles(project, files);
  writeFileSync(
    path.join(data, 'settings.json'),
    JSON.stringify({ approvals: [ALLOWED], loopbackPorts: [web.port], ...settings }),
  );
  const started = await StartedHarbor.start({ project, data, env: { HOME: home } });
  onTestFinished(async () => void (await started.stop()));
  return { started, client: await started.client(), project };
}

const fetchSystem = (client: Client, name: string) => call(client, 'load', { system: name, fetch: true });
const loadSystem = (client: Client, name: string) => call(client, 'load', { system: name });
const ownFiles = () => readdirSync(home, { recursive: true }).map(String).sort();

describe('fetching a system with Quicklisp', { timeout: 120_000 }, () => {
  it('is what quickload of cl-mcp-server does before it loads', async () => {
    release('far', ['near']);
    const { started } = await harbor();
    const client = await started.client('legacy', { profile: 'cl-mcp-server' });
    const loaded = await call(client, 'quickload', { system: 'far' });
    expect(loaded.text).toMatch(/^loaded far near\b/);
    const { text } = await call(client, 'evaluate-lisp', { code: '(far:far)' });
    expect(text).toBe('=> :FAR');
    expect((await call(client, 'quickload', { system: 'farthest' })).isError).toBe(true);
  });

  it('brings it with what it needs, into the session that is open, and leaves the person’s own alone', async () => {
    release('farther');
    release('far', ['near', 'farther']);
    const { client } = await harbor(system('shop', '"far"'));
    const before = ownFiles();
    const missing = await loadSystem(client, 'shop');
    expect(missing.isError).toBe(true);
    expect(missing.text).toMatch(
      /There is no system far\..*fetch: true fetches others, when a person agrees/,
    );
    const { text, isError } = await fetchSystem(client, 'shop');
    expect(isError, text).toBe(false);
    expect(text).toContain('Fetched: far-1, farther-1. `load` with system: "shop" loads it');
    expect(web.served).toEqual(['/far-1.tgz', '/farther-1.tgz']);
    expect(ownFiles()).toEqual(before);
    const loaded = await loadSystem(client, 'shop');
    expect(loaded.isError, loaded.text).toBe(false);
    expect(await values(client, '(list (far:far) (near:near))')).toEqual(['(:FAR :NEAR)']);
    const { structured } = await call<{ session: string }>(client, 'open_session', {});
    const again = await call(client, 'load', { system: 'farther', session: structured.session });
    expect(again.isError, again.text).toBe(false);
  });

  it('is another project’s only when it is fetched for that', async () => {
    release('far');
    const first = await harbor();
    await fetchSystem(first.client, 'far');
    const other = await harbor();
    expect((await loadSystem(other.client, 'far')).isError).toBe(true);
  });

  it('runs what it fetched where it sees no project that does not define the system, and writes into the copy only', async () => {
    const own = path.join(home, 'quicklisp/evil');
    const { client, project } = await harbor({ 'secret.txt': 'unseen', '.git/config': 'unseen' });
    release(
      'far',
      [],
      `(print (list :saw (probe-file "${project}/secret.txt") (probe-file "${project}/.git/config")
                    :wrote (ignore-errors (with-open-file (out "${own}" :direction :output) (print 1 out)))))`,
    );
    const { text, isError } = await fetchSystem(client, 'far');
    expect(isError, text).toBe(false);
    expect(text).toContain('(:SAW NIL NIL :WROTE NIL)');
    expect(existsSync(own)).toBe(false);
  });

  it('that takes long is a job, one for each project, which ends with the process when it is cancelled or its session closed', async () => {
    release('far');
    held = 'far-1.tgz';
    const { client } = await harbor({}, { softLimitMs: 100 });
    const begun = await call<{ outcome: string; job: string }>(client, 'load', {
      system: 'far',
      fetch: true,
    });
    expect(begun.structured.outcome, begun.text).toBe('running');
    expect((await fetchSystem(client, 'far')).text).toContain('already running');
    await expect.poll(() => web.held.length, PATIENT).toBe(1);
    const { text } = await call(client, 'job', { job: begun.structured.job, action: 'cancel' });
    expect(text).toContain('The fetch was cancelled; nothing was fetched');
    await expect.poll(() => web.held[0]?.closed, PATIENT).toBe(true);
    expect(await values(client, '(+ 1 2)', { wait_ms: PATIENT.timeout })).toEqual(['3']);
    const again = await call<{ session: string }>(client, 'load', { system: 'far', fetch: true });
    await expect.poll(() => web.held.length, PATIENT).toBe(2);
    await call(client, 'close_session', { session: again.structured.session });
    await expect.poll(() => web.held[1]?.closed, PATIENT).toBe(true);
  });

  it('is a person’s to allow, and says what is wrong where it fails', async () => {
    const { client } = await harbor({}, { approvals: [] });
    const refused = await fetchSystem(client, 'far');
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('{"client":"serve","class":"network","answer":"allow"}');
    const allowed = await harbor();
    const failed = await fetchSystem(allowed.client, 'nowhere');
    expect(failed.isError).toBe(true);
    expect(failed.text).toMatch(
      /`\(ql:quickload "nowhere"\)` exited with code 1[\s\S]*System "nowhere" not found/,
    );
    const unnamed = await call(allowed.client, 'load', { fetch: true });
    expect(unnamed.text).toContain('Name the system');
    expect((await evaluate(allowed.client, '(+ 1 2)')).structured.values).toEqual(['3']);
  });
});
