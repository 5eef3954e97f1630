/**
 * Nobody is sent to a tool that their profile does not have: what a profile says of itself names its own tools, and the texts
 * of errors and notes name ours in backticks, so that each profile says them in its way.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { profiles } from '../../electron/compat/compat';
import { asFailure, HarborError } from '../../electron/contract/errors';
import { errorIn, listTools, resultIn, type Wording, wordingOf } from '../../electron/tools/profile';

import type { Tool } from '../../electron/tools/tool';
import { ROOT } from './setup-checkout';

// No tool runs here, so none needs a service.
const all = profiles({} as Parameters<typeof profiles>[0]);
const tools = all.flatMap((profile) => profile.tools);
const names = new Set(tools.map(({ name }) => name));

/** Names of tools in a text: those in backticks, and those that no other word looks like. */
function named(text: string, backticksOnly = false): string[] {
  const quoted = [...text.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
  const bare = backticksOnly ? [] : [...text.matchAll(/\b\w+(?:[_-]\w+)+\b/g)].map(([name]) => name);
  return [...quoted, ...bare].filter((name) => names.has(name));
}

describe.each(all.map((profile) => [profile.name, profile] as const))('the profile %s', (_name, profile) => {
  const own = profile.tools.map(({ name }) => name);

  it('speaks of its own tools in its instructions and its list of tools', () => {
    const told = named([profile.instructions, JSON.stringify(listTools(profile))].join('\n'));
    expect(told.filter((name) => !own.includes(name))).toEqual([]);
  });

  // Texts say how an evaluation goes on without asking for whom.
  it('has the tool job', () => expect(own).toContain('job'));

  it('says every text of ours without a tool that it does not have, and what happened in any case', () => {
    const wording = wordingOf(profile, tools);
    for (const { text, isError } of [...TEXTS, ...GUIDES]) {
      const said = isError ? messageIn(wording, text) : wording(text);
      expect(named(said, true).filter((name) => !own.includes(name))).toEqual([]);
      if (isError) expect(said).not.toBe('');
    }
  });
});

function messageIn(wording: Wording, message: string): string {
  return asFailure(errorIn(wording, new HarborError('busy', message))).message;
}

/** What agents read of an engine, a text each. */
const GUIDES = globSync('resources/guides/*.md', { cwd: ROOT }).map((file) => ({
  ...{ file, text: readFileSync(path.join(ROOT, file), 'utf8') },
  ...{ isDescription: false, isError: false },
}));

/** Sentences in quotes, of sources that know nothing of profiles; what is inserted in them is an x. */
const TEXTS = [
  ...globSync('electron/**/*.ts', { cwd: ROOT }),
  ...globSync('resources/{lisp,clojure,nbb}/**/*.{lisp,clj,cljs}', { cwd: ROOT }),
]
  .filter(
    (file) =>
      !/^electron\/(?:compat\/(?:acl2|cl-mcp-server|lisp-mcp-server|lisply|nrepl)|tools\/prompts|command-line)\//.test(
        file,
      ),
  )
  .flatMap((file) => sentencesOf(file, readFileSync(path.join(ROOT, file), 'utf8')));

function sentencesOf(file: string, source: string) {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*(?:\/\/|;).*$/gm, '');
  const quoted = file.endsWith('.ts') ? /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g : /"((?:[^"\\]|\\.)*)"/g;
  return [...code.matchAll(quoted)]
    .filter(([, one, other]) => (one ?? other ?? '').includes(' '))
    .map(({ 1: one, 2: other, index }) => {
      const text = (one ?? other ?? '').replaceAll(/\$\{[^}]*\}/g, 'x').replaceAll('\\', '');
      const before = code.slice(0, index);
      const isDescription = /describe\(\s*$|description:\s*$/.test(before);
      return { file, text, isDescription, isError: /new HarborError\(\s*'\w+',\s*$/.test(before) };
    });
}

it('texts of ours name tools in backticks only', () => {
  expect(TEXTS.length).toBeGreaterThan(1_000);
  expect(TEXTS.filter(({ text }) => named(text, true).length > 0).length).toBeGreaterThan(20);
  const long = [...names].filter((name) => /[_-]/.test(name)).join('|');
  const short = 'images|history|find|load|debug|inspect|describe|checkpoint|eval';
  const bare = new RegExp(
    [
      `(?<![\`\\w/:-])(?:${long})(?![\`\\w/-])`,
      `\\bthe (?:${short}) tool\\b|\\bthe tool (?:${short})\\b`,
      `(?<![\`\\w])(?:${short}) with (?:id|kind|path|fetch|fresh|a session)`,
    ].join('|'),
  );
  const found = TEXTS.filter(({ text, isDescription }) => !isDescription && bare.test(text));
  expect(found.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

describe('a profile with tools of its own', () => {
  const tool = (name: string, args: Record<string, z.ZodType>, of?: string) =>
    ({ name, args: z.strictObject(args), ...(of ? { of } : {}) }) as unknown as Tool;
  const text = z.string();
  const wording = wordingOf({ tools: [tool('look-up', { query: text }, 'find'), tool('job', {})] }, [
    tool('find', { query: text, kind: text }),
    tool('job', {}),
    tool('history', {}),
  ]);

  it.each([
    ['There is no F. `find` looks further.', 'There is no F. `look-up` looks further.'],
    ['There is no F. `find` with kind apropos looks further. So.', 'There is no F. So.'],
    ['Ask later (`history` tells when), or wait.', 'Ask later, or wait.'],
    ['Cut. `job` job-1 pages.\n`history` has all.\nDone.', 'Cut. `job` job-1 pages.\nDone.'],
    ['A file a.b of `find-me`; `mv x` stays.  ', 'A file a.b of `find-me`; `mv x` stays.  '],
    ['`history` has it.', ''],
  ])('says %j as %j', (said, told) => expect(wording(said)).toBe(told));

  it('says what happened also where only a tool can be named', () => {
    const error = errorIn(
      wording,
      new HarborError('not_supported', 'It does not offer `history`.', ['`find`!']),
    );
    expect(error).toMatchObject({ message: 'It does not offer that.', notes: ['`look-up`!'] });
  });

  it('leaves what code printed as it is, and says notes in data, text and beside', () => {
    const note = 'It is cut. `history` has all.';
    const result = resultIn(wording, {
      structured: { stdout: note, notes: [note, 'other'] },
      text: `[stdout]\n${note}\n; note: ${note}\n; note: other`,
      asides: [`note: ${note}`, 'note: `history` has it.'],
      isError: false,
    });
    expect(result).toMatchObject({
      structured: { stdout: note, notes: ['It is cut.', 'other'] },
      text: `[stdout]\n${note}\n; note: It is cut.\n; note: other`,
      asides: ['note: It is cut.'],
    });
  });
});
