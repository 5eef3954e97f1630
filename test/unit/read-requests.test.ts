/**
 * Files that an image claims for its systems: who is asked about which folder, and how long an answer is
 * valid.
 */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Approvals } from '../../electron/access/approvals';
import { partsOf } from '../../electron/access/shown-parts';
import type { ApprovalQuestion } from '../../electron/contract/approvals';
import { phraseText } from '../../electron/contract/phrase';
import type { AllowEntry } from '../../electron/contract/sandbox';
import { AllowList } from '../../electron/sandbox/allow-list';
import type { ClaimedSystem } from '../../electron/sandbox/file-policy';
import { FileGuard } from '../../electron/sandbox/guarded-files';
import { ReadRequests } from '../../electron/sandbox/read-requests';
import { PATIENT } from '../started-harbor';

let root: string;
let project: string;
let entries: AllowEntry[];
let claims: ClaimedSystem[];
let open: Set<string>;
let attended: boolean;
let approvals: Approvals;
let asked: ReadRequests;
let guard: FileGuard;

const at = (...parts: string[]) => path.join(root, ...parts);
const text = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();
const refusal = (code: string) => expect.objectContaining({ code });
const claim = (folder: string, name = 'fives') => claims.push({ name, folder, session: 'sbcl-1' });
const read = (file: string, client = 'codex') => guard.read(project, file, { client, tool: 'read_file' });
const questions = () => approvals.state.questions;

/** Answers the next question. */
async function answer(reply: 'once' | 'always' | 'no'): Promise<void> {
  await expect.poll(() => questions().length, PATIENT).toBe(1);
  approvals.answer(questions()[0] as ApprovalQuestion, reply);
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-asked-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['home/fives/src', 'home/sixes', 'home/.ssh', 'home/code', 'data'])
    mkdirSync(at(folder), { recursive: true });
  for (const file of ['home/fives/f.lisp', 'home/fives/src/g.lisp', 'home/sixes/s.lisp', 'home/.ssh/key'])
    writeFileSync(at(file), file);
  writeFileSync(at('data/settings.json'), '{}');
  project = at('home/code');
  entries = [];
  claims = [];
  open = new Set(['sbcl-1']);
  attended = true;
  const list = new AllowList({
    ...{ entries: () => entries, withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...{ home: at('home'), dataFolder: at('data'), temporaryFolders: [tmpdir()] },
  });
  approvals = new Approvals({
    ...{ rules: () => [], addRule: () => undefined, isAttended: () => attended, clock: () => 7 },
  });
  asked = new ReadRequests({
    confirm: ({ code, ...question }) =>
      approvals.prompt({ ...question, parts: partsOf({ code }), class: 'read' }),
    isAttended: () => attended,
    isOpen: (session) => open.has(session),
    problem: (folder) => list.claimProblem(folder),
    add: (entry) => entries.push(entry),
    clock: () => 7,
  });
  guard = new FileGuard({
    rules: (of, systems) => {
      const rules = list.rules(of, systems);
      return { ...rules, rows: [...rules.rows, ...asked.rows(of)] };
    },
    systems: async () => claims,
    readRequests: asked,
  });
});

describe('a file claimed for a loaded system', () => {
  it('is asked about with its path, the folder, the system and the claiming session', async () => {
    claim(at('home/fives'));
    const reading = read('../fives/f.lisp');
    await expect.poll(questions, PATIENT).toMatchObject([
      {
        ...{ client: 'codex', tool: 'read_file', class: 'read' },
        parts: [{ kind: 'code', name: '', code: at('home/fives/f.lisp') }],
        explanation: {
          wish: 'read',
          meaning: expect.arrayContaining([
            { outside: at('home/fives') },
            { outside: 'sbcl-1' },
            { outside: 'fives' },
          ]),
        },
        rule: expect.stringContaining('outside the allow-list'),
      },
    ]);
    await answer('once');
    expect(text(await reading)).toBe('home/fives/f.lisp');
  });

  it('is open to the project with its folder until the session ends, for reading only', async () => {
    claim(at('home/fives'));
    const reading = read(at('home/fives/f.lisp'));
    await answer('once');
    await reading;
    expect(text(await read(at('home/fives/src/g.lisp'), 'cursor'))).toBe('home/fives/src/g.lisp');
    expect((await guard.list(project, at('home/fives'))).entries).toHaveLength(2);
    const write = guard.write(project, at('home/fives/new.lisp'), Buffer.from('x'), null);
    await expect(write).rejects.toThrow(refusal('path_not_allowed'));
    const elsewhere = guard.read(at('home/sixes'), at('home/fives/f.lisp'));
    await expect(elsewhere).rejects.toThrow(refusal('path_not_allowed'));
    open.clear();
    claims = [];
    await expect(read(at('home/fives/f.lisp'))).rejects.toThrow(refusal('path_not_allowed'));
    expect(entries).toEqual([]);
  });

  it('is closed when the user revokes the approval', async () => {
    claim(at('home/fives'));
    const reading = read(at('home/fives/f.lisp'));
    await answer('once');
    await reading;
    expect(asked.rows(project)).toMatchObject([{ folder: at('home/fives'), power: 'read', project }]);
    expect(asked.close(project, at('home/sixes'))).toBe(false);
    expect(asked.close(project, at('home/fives'))).toBe(true);
    await expect(guard.read(project, at('home/fives/f.lisp'))).rejects.toThrow(refusal('path_not_allowed'));
  });

  it('is on the allow-list after "always", for the project', async () => {
    claim(at('home/fives'));
    const reading = read(at('home/fives/f.lisp'));
    await answer('always');
    await reading;
    expect(entries).toEqual([
      {
        ...{ folder: at('home/fives'), power: 'read', project, addedBy: 'window', addedAt: 7 },
        reason: 'sources of the system fives, requested by codex',
      },
    ]);
    open.clear();
    claims = [];
    expect(text(await read(at('home/fives/src/g.lisp')))).toBe('home/fives/src/g.lisp');
  });

  it('is refused after a denial, without asking again until the session ends', async () => {
    claim(at('home/fives'));
    const reading = read(at('home/fives/f.lisp'));
    const told = expect(reading).rejects.toThrow(refusal('not_approved'));
    await answer('no');
    await told;
    await expect(read(at('home/fives/src/g.lisp'))).rejects.toThrow(/denied reading .*Add to the allow-list/);
    expect(questions()).toEqual([]);
    const other = read(at('home/fives/f.lisp'), 'cursor');
    await answer('once');
    await other;
  });

  it('is asked about once for all concurrent callers', async () => {
    claim(at('home/fives'));
    const readings = ['f.lisp', 'src/g.lisp'].map((file) => read(at('home/fives', file)));
    await answer('once');
    expect((await Promise.all(readings)).map(text)).toEqual(['home/fives/f.lisp', 'home/fives/src/g.lisp']);
  });

  it('is asked about by the nearest folder that may be opened at all', async () => {
    claim('/');
    claim(at('home'));
    claim(at('home/fives'), `fives\u202e\n${'x'.repeat(200)}`);
    const reading = read(at('home/fives/f.lisp'));
    const meaning = () => phraseText(questions()[0]?.explanation?.meaning ?? []);
    await expect.poll(meaning, PATIENT).toContain(`folder ${at('home/fives')} for`);
    expect(meaning()).toMatch(/“fives⟨U\+202E⟩⟨U\+000A⟩x{93}”/);
    await answer('once');
    await reading;
  });

  it('stays closed when a link replaces its folder meanwhile', async () => {
    claim(at('home/fives'));
    const reading = read(at('home/fives/f.lisp'));
    await expect.poll(() => questions().length, PATIENT).toBe(1);
    renameSync(at('home/fives'), at('home/old'));
    symlinkSync(at('home/sixes'), at('home/fives'));
    writeFileSync(at('home/sixes/f.lisp'), 'swapped');
    claims = [];
    const told = expect(reading).rejects.toThrow(refusal('path_not_allowed'));
    await answer('once');
    await told;
  });
});

describe('the user is not asked', () => {
  it.each(['/', '/etc', tmpdir()])('about %s, whatever an image claims', async (folder) => {
    claim(folder);
    await expect(read('/etc/passwd')).rejects.toThrow(refusal('path_not_allowed'));
    expect(questions()).toEqual([]);
  });

  it('about secrets, the data folder and the home folder', async () => {
    for (const folder of ['', 'home', 'home/.ssh', 'data']) claim(at(folder));
    await expect(read(at('home/.ssh/key'))).rejects.toThrow(refusal('secret_path'));
    await expect(read(at('data/settings.json'))).rejects.toThrow(refusal('secret_path'));
    claims = claims.filter(({ folder }) => folder !== root);
    await expect(read(at('home/sixes/s.lisp'))).rejects.toThrow(refusal('path_not_allowed'));
    expect(questions()).toEqual([]);
  });

  it('about a file that belongs to no system', async () => {
    claim(at('home/fives'));
    await expect(read(at('home/sixes/s.lisp'))).rejects.toThrow(/"allowList" in settings.json/);
    expect(questions()).toEqual([]);
  });

  it('for a write, and for a read without a caller', async () => {
    claim(at('home/fives'));
    const file = at('home/fives/f.lisp');
    await expect(guard.read(project, file)).rejects.toThrow(refusal('path_not_allowed'));
    await expect(guard.write(project, file, Buffer.from(''), null)).rejects.toThrow(
      refusal('path_not_allowed'),
    );
    expect(questions()).toEqual([]);
  });

  it('without a window: the error says what to add', async () => {
    attended = false;
    claim(at('home/fives'));
    const entry = JSON.stringify({ folder: at('home/fives'), power: 'read', reason: '…' });
    await expect(read(at('home/fives/f.lisp'))).rejects.toThrow(
      `under "allowList" in settings.json: ${entry}`,
    );
    expect(questions()).toEqual([]);
  });
});
