/** The files of lisp-mcp-server: its `fs` tools by their names, arguments and results. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';
import { temporaryFolder } from '../unit/history-folder';

let harbor: StartedHarbor;
let client: Client;

const inProject = (...parts: string[]) => path.join(harbor.project, ...parts);
const written = (file: string) => readFileSync(inProject(file), 'utf8');

/** The first text of an answer; what its reader must know beside it comes in others. */
async function told(name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  expect([isError ?? false, first]).toEqual([false, first]);
  return first?.type === 'text' ? first.text : '';
}

const refused = async (name: string, args: Record<string, unknown>) => {
  const { isError, text } = await call(client, name, args);
  expect([isError, text]).toEqual([true, text]);
  return text;
};

describe.each(sampled('s2-files ways', WAYS, 1))('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way, 'lisp-mcp-server');
    writeFileSync(inProject('README.md'), 'abcdef\n');
    writeFileSync(inProject('letters.txt'), 'aλ😀d\r\n');
  });
  afterAll(() => harbor.stop());

  describe('lisp-mcp-server: reading', () => {
    it('S2-19 S2-16 S2-20 S2-46 reads the whole text of a file in the project', async () => {
      expect(await told('fs-read-file', { path: 'README.md' })).toBe('abcdef\n');
      expect(await told('fs-read-file', { path: inProject('README.md') })).toBe('abcdef\n');
    });

    it('S2-19 S2-27 reads a Lisp file as it is, not collapsed', async () => {
      const source = '(defun f (x)\r\n  ;; λ\r\n  (list x))\r\n';
      writeFileSync(inProject('f.lisp'), source);
      expect(await told('fs-read-file', { path: 'f.lisp' })).toBe(source);
    });

    it('S2-21 begins at an offset', async () => {
      expect(await told('fs-read-file', { path: 'README.md', offset: 3 })).toBe('def\n');
    });

    it('S2-22 counts characters, not bytes', async () => {
      expect(await told('fs-read-file', { path: 'letters.txt', limit: 2 })).toBe('aλ');
      expect(await told('fs-read-file', { path: 'letters.txt', offset: 1, limit: 2 })).toBe('λ😀');
    });

    it('S2-15 S2-23 refuses what is in no folder that may be read', async () => {
      const outside = path.join(temporaryFolder(), 'a.lisp');
      writeFileSync(outside, '(secret)');
      for (const file of [outside, path.relative(harbor.project, outside), '/etc/passwd'])
        expect(await refused('fs-read-file', { path: file })).toMatch(/^(path_not_allowed|secret_path): /);
    });

    it('S2-24 refuses what is no text', async () => {
      writeFileSync(inProject('picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
      writeFileSync(inProject('a.fasl'), '# FASL\n  compiled\0\x01\x02');
      for (const file of ['picture.png', 'a.fasl'])
        expect(await refused('fs-read-file', { path: file })).toMatch(/^not_a_file: .*binary/);
    });

    it('S2-63 refuses offsets, limits and files beyond what it reads, and says how much that is', async () => {
      const read = (more: object) => refused('fs-read-file', { path: 'README.md', ...more });
      expect(await read({ offset: -1 })).toMatch(/must not be negative/);
      expect(await read({ limit: -1 })).toMatch(/must not be negative/);
      expect(await read({ limit: 1_048_577 })).toMatch(/1048576 characters \(1 MiB\)/);
      expect(await read({ offset: 1e12 })).toMatch(/67108864 characters \(64 MiB\)/);
      writeFileSync(inProject('large.lisp'), ';'.repeat(2_097_153));
      expect(await refused('fs-read-file', { path: 'large.lisp' })).toMatch(/at most 1048576 \(1 MiB\)/);
      expect(await refused('lisp-check-parens', { path: 'large.lisp' })).toMatch(/at most 2097152 \(2 MiB\)/);
      expect(await told('fs-read-file', { path: 'large.lisp', offset: 2_097_151 })).toBe(';;');
    });
  });

  describe('lisp-mcp-server: writing', () => {
    const write = (file: string, content: string) => told('fs-write-file', { path: file, content });

    it('S2-25 S2-13 S2-47 creates a file and overwrites it', async () => {
      await write('src/a.lisp', '(one)\n');
      expect(written('src/a.lisp')).toBe('(one)\n');
      await write('src/a.lisp', '(two)\n');
      expect(written('src/a.lisp')).toBe('(two)\n');
    });

    it('S2-27 writes what it was given, to the byte', async () => {
      for (const content of ['', 'a', '(λ "é")\r\n\r\n', 'x\n\n\n', '(not balanced\n']) {
        await write('bytes.lisp', content);
        expect(readFileSync(inProject('bytes.lisp'))).toEqual(Buffer.from(content));
      }
    });

    it('S2-28 makes the folders above', async () => {
      await write('a/b/c/d.lisp', '1');
      expect(written('a/b/c/d.lisp')).toBe('1');
    });

    it('S2-26 S2-13 S2-14 S2-58 refuses every way out of the project', async () => {
      const outside = temporaryFolder();
      symlinkSync(outside, inProject('linked'));
      writeFileSync(path.join(outside, 'there.lisp'), 'there');
      symlinkSync(path.join(outside, 'there.lisp'), inProject('there.lisp'));
      const ways = [
        inProject('absolute.lisp'),
        '/etc/x',
        '../x.lisp',
        'src/../../x.lisp',
        'linked/new.lisp',
        'linked/folder/new.lisp',
        'there.lisp',
        'C:\\x.lisp',
        '\\\\?\\C:\\x.lisp',
        'x.lisp\0.txt',
      ];
      for (const file of ways)
        expect(await refused('fs-write-file', { path: file, content: 'x' })).toMatch(/^path_not_allowed: /);
      expect(readFileSync(path.join(outside, 'there.lisp'), 'utf8')).toBe('there');
      expect(existsSync(path.join(outside, 'new.lisp'))).toBe(false);
      expect(existsSync(inProject('absolute.lisp'))).toBe(false);
    });

    it('S2-25 keeps the text that it overwrites', async () => {
      await write('kept.lisp', '(before)\n');
      const { text } = await call(client, 'fs-write-file', { path: 'kept.lisp', content: '(after)\n' });
      const kept = /history:\d+/.exec(text)?.[0];
      expect(await told('fs-read-file', { path: kept })).toBe('(before)\n');
    });
  });

  describe('lisp-mcp-server: listing', () => {
    it('S2-29 S2-31 S2-32 S2-48 lists names and types, without what is hidden or was built', async () => {
      for (const folder of ['.git', 'lib', 'node_modules', 'sub'])
        mkdirSync(inProject('listed', folder), { recursive: true });
      for (const file of ['foo.lisp', '.x', 'a.fasl', 'b.lisp~'])
        writeFileSync(inProject('listed', file), '');
      expect(await told('fs-list-directory', { path: 'listed' })).toBe(
        '3 entries in listed\n[dir]  lib\n[dir]  sub\n[file] foo.lisp',
      );
    });

    it('S2-30 takes the project itself, and names the folder that is not there', async () => {
      expect(await told('fs-list-directory', { path: '.' })).toMatch(/^\[file\] README\.md$/m);
      expect(await refused('fs-list-directory', { path: 'gone' })).toContain(inProject('gone'));
    });
  });

  describe('lisp-mcp-server: what users do wrong', () => {
    it('S2-52 is said with the path or the name, and without a stack', async () => {
      const answers = [
        [await refused('fs-read-file', { path: 'missing.lisp' }), 'missing.lisp'],
        [await refused('fs-write-file', { path: '../x', content: '' }), inProject('../x')],
        [await refused('code-find', { symbol: 'car', package: 'NOPE' }), 'NOPE'],
        [await refused('code-find', { symbol: '(' }), '('],
      ] as const;
      for (const [text, named] of answers) {
        expect(text).toContain(named);
        expect(text).not.toMatch(/Backtrace|\bat .*\.(js|ts):\d/);
      }
    });
  });
});
