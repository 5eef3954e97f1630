/** Every program that can be connected, on files as they are found: with either transport, and not a byte of others lost. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { findConfigFile } from '../../electron/connect/client-installation';
import { json, jsonc } from '../../electron/connect/formats/json-format';
import { sexp } from '../../electron/connect/formats/sexp-format';
import { toml } from '../../electron/connect/formats/toml-format';
import { yamlList } from '../../electron/connect/formats/yaml-format';
import type { ClientProgram } from '../../electron/connect/programs/client-program';
import { CLIENT_PROGRAMS } from '../../electron/connect/programs/table';
import { stdioCommand } from '../../electron/connect/transport';
import { sampled } from '../rounds';
import { alone, connect, everything, newForEachTest, root, write } from './connect-fixture';

newForEachTest();

const PROGRAMS = CLIENT_PROGRAMS.filter(({ paths: places }) => places);
const SECRET = 'sk-another-servers-secret';

/** Files with other servers, settings beside them, and whatever notes the language allows. */
function others({ format, keyPath: [key = ''] }: ClientProgram): string {
  if (format === toml)
    return `# mine\nmodel = "x" # why\n\n[${key}.files]\ncommand = "npx"\nenv = { KEY = "${SECRET}" }\n\n[tui]\ntheme = 'dark'\n`;
  if (format === yamlList)
    return `# mine\nname: x # why\n${key}:\n  - name: files\n    command: npx\n    env: { KEY: ${SECRET} }\nmodels: []\n`;
  if (format === sexp)
    return `;; mine\n(:version 1 ; why\n :${key}\n ((:name "files" :transport (:type :stdio :command "npx" :arguments ("${SECRET}")))))\n`;
  if (format !== json && format !== jsonc)
    return `# mine\na: x # why\n${key}:\n  files:\n    cmd: npx\n    envs: { KEY: ${SECRET} }\nb: []\n`;
  const note = format === jsonc ? '  // mine\n' : '';
  const comma = format === jsonc ? ',' : '';
  return `{\n${note}  "theme": "dark",\n  "${key}": {\n    "files": { "command": "npx", "env": { "KEY": "${SECRET}" } }${comma}\n  }${comma}\n}\n`;
}

function foreign({ format, keyPath: [key = ''] }: ClientProgram): string {
  if (format === toml) return `[${key}.lisp]\ncommand = "their-lisp"\n`;
  if (format === yamlList) return `${key}:\n  - name: lisp\n    command: their-lisp\n`;
  if (format === sexp)
    return `(:version 1 :${key} ((:name "lisp" :transport (:type :stdio :command "their-lisp"))))\n`;
  if (format === json || format === jsonc)
    return JSON.stringify({ [key]: { lisp: { command: 'their-lisp' } } });
  return `${key}:\n  lisp:\n    cmd: their-lisp\n`;
}

/** What parses in no format. */
function invalid({ format }: ClientProgram): string {
  if (format === toml) return 'a = 1\nb = = 2\n';
  if (format === sexp) return '(:version 1\n :servers (\n';
  return format === json || format === jsonc ? '{\n  "a": 1\n  "b": 2\n}\n' : 'a: 1\nb: [1\n';
}

function huge(program: ClientProgram): string {
  const { format } = program;
  const many = Array.from(
    { length: isJson(program) ? 4_000 : 500 },
    (_, at) => [`key-${at}`, `value ${at} ${'x'.repeat(40)}`] as const,
  );
  if (format === toml)
    return `${many.map(([key, value]) => `${key} = "${value}"`).join('\n')}\n${others(program)}`;
  if (format === json || format === jsonc)
    return others(program).replace(
      '{\n',
      `{\n${many.map(([key, value]) => `  "${key}": "${value}",`).join('\n')}\n`,
    );
  if (format === sexp)
    return others(program).replace(
      ' ((',
      ` (${many.map(([key, value]) => `(:name "${key}" :note "${value}")`).join('\n  ')}\n  (`,
    );
  return `${stringify(Object.fromEntries(many))}${others(program)}`;
}

const STATES: readonly [string, (program: ClientProgram) => string][] = [
  ['that is empty', () => ''],
  ['with other servers', others],
  ['with CRLF', (program) => others(program).replaceAll('\n', '\r\n')],
  ['with a byte order mark', (program) => `\uFEFF${others(program)}`],
  [
    'with tabs',
    (program) =>
      isJson(program) ? others(program).replaceAll('  ', '\t') : others(program).replaceAll(' #', '\t#'),
  ],
  ['without a last line break', (program) => others(program).trimEnd()],
  ['that is huge', huge],
];

function isJson({ format }: ClientProgram): boolean {
  return format === json || format === jsonc;
}

async function fileOf(program: ClientProgram): Promise<string> {
  const { path: place } = await findConfigFile(
    program,
    { platform: 'linux', home: root, env: {} },
    undefined,
  );
  return place.file;
}

describe.each(PROGRAMS)('$name', (program) => {
  const { name } = program;
  const transports = program.notation.http ? (['stdio', 'http'] as const) : (['stdio'] as const);

  it.each(sampled(`${name} connected`, STATES, 3))(
    'a file %s is connected, shown without secrets, and as it was afterwards',
    async (_, textOf) => {
      const [file, text, harbor] = [await fileOf(program), textOf(program), alone()];
      write(text, file);
      for (const transport of transports) {
        const { diff } = await connect({ harbor }).preview(name, 'add', { transport });
        expect(diff).not.toContain(SECRET);
        const view = await connect({ harbor }).add(name, { transport });
        expect(view).toMatchObject({ state: 'connected', transport });
        const written = readFileSync(file, 'utf8');
        expect(program.format.rest(written, spotIn(program, file))).toBe(
          program.format.rest(text, spotIn(program, file)),
        );
        if (text.includes(SECRET)) expect(written).toContain(SECRET);
        expect((await connect({ harbor }).preview(name, 'remove')).diff).not.toMatch(
          /sk-another|lh_[\w-]{20}/,
        );
      }
      await connect({ harbor }).remove(name);
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(harbor.inForce.size).toBe(0);
    },
  );

  it.each(
    sampled(
      `${name} changed`,
      STATES.filter(([, text]) => text !== huge),
      2,
    ),
  )('a file %s that the program changed meanwhile loses our entry alone', async (_, textOf) => {
    const [file, text] = [await fileOf(program), textOf(program)];
    write(text, file);
    await connect().add(name);
    const spot = spotIn(program, file);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const changed = `${readFileSync(file, 'utf8')}${eol}`;
    write(changed, file);
    await connect().remove(name);
    const left = readFileSync(file, 'utf8');
    expect(program.format.read(left, spot)).toBeUndefined();
    expect(program.format.rest(left, spot)).toBe(program.format.rest(changed, spot));
  });

  it('a file that is not there is made, and goes again', async () => {
    const file = await fileOf(program);
    await connect().add(name);
    expect(existsSync(file)).toBe(true);
    await connect().remove(name);
    expect(Object.keys(everything())).toEqual([path.join(root, 'data'), path.join(root, 'data/connect')]);
  });

  it.each([
    ['that does not parse', invalid, 'config_unreadable', /line \d+, column \d+/],
    ['with an entry of our name that is not ours', foreign, 'config_foreign', /rename or remove/i],
  ] as const)('a file %s is refused and left alone', async (_, textOf, code, message) => {
    const [file, text] = [await fileOf(program), textOf(program)];
    write(text, file);
    for (const work of [
      () => connect().add(name),
      () => connect().remove(name),
      () => connect().preview(name, 'add'),
    ])
      await expect(work()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('a file that another program changes in that moment is left to it', async () => {
    const file = await fileOf(program);
    write(others(program), file);
    const racing = connect({
      stdioCommand: (client) => {
        writeFileSync(file, '');
        return stdioCommand({ kind: 'app', executable: '/app' }, client);
      },
    });
    await expect(racing.add(name)).rejects.toMatchObject({ code: 'config_unwritable' });
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('a file behind a link is written where it is', async () => {
    const file = await fileOf(program);
    const real = path.join(root, 'dotfiles', 'config');
    write(others(program), real);
    mkdirSync(path.dirname(file), { recursive: true });
    symlinkSync(real, file);
    await connect().add(name);
    expect(readFileSync(real, 'utf8')).toContain('/src/harbor/resources/setup/stdio.mjs');
    await connect().remove(name);
    expect(readFileSync(real, 'utf8')).toBe(others(program));
  });

  it('a file that may not be written is left alone', async () => {
    const file = await fileOf(program);
    write(others(program), file);
    chmodSync(file, 0o400);
    await expect(connect().add(name)).rejects.toMatchObject({ code: 'config_unwritable' });
    expect(readFileSync(file, 'utf8')).toBe(others(program));
  });

  it('an entry that was changed is shown, and replaced as a whole', async () => {
    const file = await fileOf(program);
    await connect({ stdioCommand: (c) => stdioCommand({ kind: 'app', executable: '/old/app' }, c) }).add(
      name,
    );
    const spot = spotIn(program, file);
    const mine = { ...(program.format.read(readFileSync(file, 'utf8'), spot) as object), mine: ['a'] };
    write(program.format.upsert(readFileSync(file, 'utf8'), spot, mine), file);
    expect((await connect().preview(name, 'add')).diff).toContain('mine');
    expect((await connect().add(name)).state).toBe('connected');
    const entry = program.format.read(readFileSync(file, 'utf8'), spot);
    expect(entry).not.toHaveProperty('mine');
    expect(JSON.stringify(entry)).not.toContain('/old/app');
  });

  it('an entry that another data folder’s harbor wrote is taken away', async () => {
    const file = await fileOf(program);
    write(others(program), file);
    const other = connect({
      folder: path.join(root, 'elsewhere'),
      stdioCommand: (c) => stdioCommand({ kind: 'clone', node: '/n', folder: '/other' }, c, '/other/data'),
    });
    await other.add(name);
    await connect().remove(name);
    expect(readFileSync(file, 'utf8')).toBe(others(program));
  });
});

function spotIn({ keyPath }: ClientProgram, file: string) {
  return { file, keyPath, name: 'lisp' };
}
