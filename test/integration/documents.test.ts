/**
 * The shell blocks of README and docs/ are run as they are written, in one harbor. Where a block shows output, it is the output.
 * Numbers, session names and whatever `…` replaces may differ.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, StartedHarbor } from '../started-harbor';

interface Step {
  command: string;
  /** Null if the document does not show it. */
  output: string | null;
}

/** Commands that a reader of the page has run before its blocks. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  'docs/acl2.md': [
    `lisp-harbor eval --engine acl2 '(defun app2 (x y) (if (consp x) (cons (car x) (app2 (cdr x) y)) y)) (defthm app2-app2 (equal (app2 (app2 x y) z) (app2 x (app2 y z))))'`,
  ],
  'docs/engines.md': ['lisp-harbor eval 1'],
  'docs/editors.md': ['lisp-harbor call open_session \'{"engine": "sbcl", "name": "sbcl-3"}\''],
};

/** Commands that install, or that need what no test has: the clone itself, a display, SLY. */
const NOT_HERE = /^(?:git clone|npm (?:start|test)$|apt |lisp-harbor editor --protocol slynk)/;

/** Ends the sessions of a page, which the next one would show. */
const CLOSE_ALL =
  'for session in $(lisp-harbor images | sed -n "s/^- \\([a-z0-9]*-[a-z0-9]*\\) .*/\\1/p"); do lisp-harbor call close_session "{\\"session\\": \\"$session\\"}"; done';

/** Runs until it is stopped, with a data folder of its own. */
const SERVER = /^npm run -s serve /;

const PAGES = ['README.md', ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md'),
);
const DOCUMENTS = PAGES.map((page) => ({ page, steps: stepsOf(page) })).filter(
  ({ steps }) => steps.length > 0,
);

function stepsOf(page: string): Step[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(sh)?\n([\s\S]*?)^```/gm)].flatMap(([, kind, block = '']) =>
    kind === 'sh' ? commandsOf(block) : transcriptOf(block),
  );
}

function commandsOf(block: string): Step[] {
  const lines = block.replaceAll('\\\n', ' ').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !NOT_HERE.test(line))
    .map((command) => ({ command, output: null }));
}

function transcriptOf(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.trimEnd().split('\n');
      return { command, output: lines.join('\n') };
    });
}

let harbor: StartedHarbor;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'reader-'));
  const program = path.join(home, 'bin/lisp-harbor');
  mkdirSync(path.dirname(program));
  for (const folder of ['.codex', 'code/api', 'p']) mkdirSync(path.join(home, folder), { recursive: true });
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${ROOT}/resources/setup/lisp-harbor.mjs" "$@"\n`,
  );
  chmodSync(program, 0o755);
  const data = path.join(home, 'share/lisp-harbor');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  harbor = await StartedHarbor.start({ data, project: path.join(home, 'p'), env: { HOME: home } });
});
afterAll(async () => {
  await harbor.stop();
  rmSync(home, { recursive: true });
});

afterEach(() => typed(CLOSE_ALL));

describe.each(DOCUMENTS)('$page', ({ page, steps }) => {
  it('shows commands that work', async () => {
    for (const command of BEFORE[page] ?? []) await typed(command);
    for (const { command, output } of steps) {
      const result = await (SERVER.test(command) ? served(command) : typed(command));
      if (output === null) expect(result.code, `${command}\n${result.text}`).toBe(0);
      else expect(result.text, command).toMatch(patternOf(output));
    }
  });
});

function typed(command: string): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', here(command)], placeOf(command), (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, text: stdout + stderr }),
    );
  });
}

/** Starts a server, waits for its ready line, and stops it. */
async function served(command: string): Promise<{ code: number | null; text: string }> {
  const place = placeOf(command);
  const child = spawn('sh', ['-c', `exec ${here(command)}`], {
    ...place,
    env: { ...place.env, XDG_DATA_HOME: path.join(home, 'other') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [text] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  child.kill('SIGTERM');
  const [code] = await ended;
  expect(JSON.parse(String(text))).toMatchObject({ ready: true });
  return { code, text: String(text) };
}

function placeOf(command: string) {
  const env = {
    ...process.env,
    ELECTRON_RUN_AS_NODE: '1',
    HOME: home,
    PATH: `${path.join(home, 'bin')}:${process.env.PATH}`,
    XDG_DATA_HOME: path.join(home, 'share'),
    TOKEN: harbor.ready.token,
    // Where npm was started, which is not where the reader is.
    INIT_CWD: undefined,
  };
  return { cwd: command.startsWith('npm ') ? ROOT : harbor.project, env };
}

function here(command: string): string {
  return command.replace('http://127.0.0.1:4617', new URL(harbor.ready.mcp).origin);
}

function patternOf(output: string): RegExp {
  const literal = output.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const loose = literal
    .replaceAll(/\b(sbcl|acl2)-[a-z0-9]{6}\b/g, '$1-\\w+')
    .replaceAll(/(?<![\w'])\d+(?![\w'])/g, '\\d+')
    .replaceAll('…', '[\\s\\S]*');
  return new RegExp(loose);
}
