/** lisp-mcp-server’s first promise: reading the definitions of a library that is loaded, and working with them. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';

/** A library is compiled meanwhile. */
const COMPILING_MS = 120_000;

let harbor: StartedHarbor;
let client: Client;

async function text(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

const evaluated = (code: string) => text('repl-eval', { code });

describe.each(WAYS)('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    client = await harbor.over(way, 'lisp-mcp-server');
  });
  afterAll(() => harbor.stop());

  it(
    'S2-17 S2-18 S2-20 reads a file of a library once that is loaded, not before',
    async () => {
      const located = await evaluated(
        '(namestring (asdf:system-relative-pathname "alexandria" "alexandria-1/lists.lisp"))',
      );
      const file = JSON.parse(located) as string;
      const before = await call(client, 'fs-read-file', { path: file });
      expect([before.isError, before.text]).toEqual([true, expect.stringMatching(/^path_not_allowed: /)]);
      expect((await call(client, 'load-system', { system: 'alexandria' })).isError).toBe(false);
      expect(await text('fs-read-file', { path: file })).toContain('(defun flatten');
    },
    COMPILING_MS,
  );

  it(
    'S2-1 S2-4 S2-36 reads where a library defines something, and uses it in the project',
    async () => {
      expect((await call(client, 'load-system', { system: 'alexandria' })).isError).toBe(false);
      const found = await text('code-find', { symbol: 'alexandria:flatten' });
      const [, file, line] =
        /^alexandria:flatten defined in (\/.*\/lists\.lisp) at line (\d+)$/m.exec(found) ?? [];
      const source = await text('fs-read-file', { path: file });
      expect(source.split('\n')[Number(line) - 1]).toContain('(defun flatten');
      const code = '(defun leaves (tree)\n  (length (alexandria:flatten tree)))\n';
      expect(await text('fs-write-file', { path: 'src/leaves.lisp', content: code })).toMatch(
        /src\/leaves\.lisp/,
      );
      expect(await evaluated('(load "src/leaves.lisp") (leaves \'(1 (2 (3)) 4))')).toBe('4');
      const written = await call(client, 'fs-write-file', { path: file, content: '' });
      expect([written.isError, written.text]).toEqual([true, expect.stringMatching(/^path_not_allowed: /)]);
    },
    COMPILING_MS,
  );
});
