/** Rows about where a symbol is defined and what it is, asked of a live image through `find` and `describe`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { type StartedHarbor, WAYS } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

const SOURCE = `(defpackage :shapes (:use :cl) (:nicknames :shp) (:export #:area))
(in-package :shapes)

(defun area (width height)
  "How large."
  (* width height))
`;

interface Found {
  results: { kind: string; source?: { path?: string; line?: number } }[];
}

interface Described {
  definitions: { kind: string; name: string; arglist?: string; documentation?: string }[];
}

const find = (query: string, more: object = {}) =>
  call<Found>(client, 'find', { kind: 'definition', query, ...more });
const describeName = (symbol: string, more: object = {}) =>
  call<Described>(client, 'describe', { symbol, ...more });

describe.each(sampled('s2-knowledge ways', WAYS, 1))('over %s', (way) => {
  beforeAll(async () => {
    harbor = await sharedHarbor();
    mkdirSync(path.join(harbor.project, 'src'));
    writeFileSync(path.join(harbor.project, 'src/shapes.lisp'), SOURCE);
    client = await harbor.over(way);
    const loaded = await evaluate(
      client,
      `(load "src/shapes.lisp")
     (with-open-file (out (merge-pathnames "elsewhere.lisp" (user-homedir-pathname)) :direction :output)
       (format out ";; one~%(in-package :shapes)~%(defun elsewhere () 1)~%"))
     (load (merge-pathnames "elsewhere.lisp" (user-homedir-pathname)))`,
    );
    expect(loaded.structured.outcome).toBe('ok');
  });
  afterAll(() => harbor.stop());

  describe('lisp-mcp-server: code.find', () => {
    it('S2-33 S2-34 finds path and line of a qualified symbol', async () => {
      const { structured, text } = await find('shapes:area');
      expect(structured.results).toMatchObject([
        { kind: 'function', source: { path: 'src/shapes.lisp', line: 4 } },
      ]);
      expect(text).toContain('src/shapes.lisp:4');
    });

    it('S2-35 takes a package, and names one that does not exist', async () => {
      expect((await find('area', { package: 'shapes' })).structured.results[0]?.source?.line).toBe(4);
      const { isError, text } = await find('area', { package: 'NOPE' });
      expect(isError).toBe(true);
      expect(text).toContain('NOPE');
    });

    it('S2-36 answers a path in the project as relative, another as absolute', async () => {
      expect((await find('shapes:area')).structured.results[0]?.source?.path).toBe('src/shapes.lisp');
      const source = (await find('shapes::elsewhere')).structured.results[0]?.source;
      expect(path.isAbsolute(source?.path ?? '')).toBe(true);
      expect(source).toMatchObject({ path: expect.stringMatching(/\/elsewhere\.lisp$/), line: 3 });
    });

    it('S2-37 takes a nickname', async () => {
      expect((await find('shp:area')).structured.results[0]?.source?.line).toBe(4);
    });

    it('S2-38 evaluates nothing while it looks a symbol up', async () => {
      for (const { isError, text } of [await find('#.(print 1)'), await describeName('#.(print 1)')]) {
        expect(isError).toBe(true);
        expect(text).toMatch(/^bad_arguments: /);
      }
      const { stdout, notes } = (await evaluate(client, '1')).structured;
      expect([stdout, notes.filter((note) => note.includes('printed'))]).toEqual(['', []]);
    });
  });

  describe('lisp-mcp-server: code.describe', () => {
    it('S2-39 S2-40 answers documentation and arglist, in a package too', async () => {
      for (const { structured } of [
        await describeName('shapes:area'),
        await describeName('area', { package: 'shapes' }),
      ])
        expect(structured.definitions).toMatchObject([
          { kind: 'function', arglist: '(WIDTH HEIGHT)', documentation: 'How large.' },
        ]);
      expect((await describeName('area', { package: 'NOPE' })).isError).toBe(true);
    });

    it('S2-41 tells functions, macros and variables apart, each with its name', async () => {
      const first = async (symbol: string) => (await describeName(symbol)).structured.definitions[0];
      expect(await first('mapcar')).toMatchObject({
        kind: 'function',
        name: 'MAPCAR',
        arglist: '(FUNCTION LIST &REST MORE-LISTS)',
      });
      expect(await first('when')).toMatchObject({ kind: 'macro', name: 'WHEN' });
      expect(await first('*package*')).toMatchObject({ kind: 'variable', name: '*PACKAGE*' });
    });

    it('S2-42 treats a symbol that stands for nothing as an error', async () => {
      await evaluate(client, "'stands-for-nothing");
      for (const symbol of ['stands-for-nothing', 'was-never-read']) {
        const { isError, text } = await describeName(symbol);
        expect(isError).toBe(true);
        expect(text).toMatch(/^unknown_symbol: /);
      }
    });
  });
});
