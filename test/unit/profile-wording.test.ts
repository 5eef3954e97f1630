/**
 * No client is referred to a tool that its profile does not have: a profile names its own tools in its instructions, and errors
 * and notes name ours only as mentions, which each profile renders in its words.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { profiles } from '../../electron/compat/compat';
import { HarborError } from '../../electron/contract/errors';
import { instead, mention, messageText, OUR_TOOLS, ours } from '../../electron/contract/mention';
import { note } from '../../electron/contract/note';
import { instructionsOf, listTools, MAX_INSTRUCTIONS, SAFETY } from '../../electron/tools/profile';
import { namesOf, renderError, renderResult } from '../../electron/tools/rendering';
import { templateText } from '../../electron/tools/resources/resources';

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

  it('begins its instructions with the sentence about safety, and no program cuts them', () => {
    const instructions = instructionsOf(profile);
    expect(instructions.startsWith(SAFETY)).toBe(true);
    expect(instructions.split(SAFETY)).toHaveLength(2);
    expect(instructions.length).toBeLessThan(MAX_INSTRUCTIONS);
  });

  // Texts say how an evaluation goes on without asking for whom.
  it('has the tool job', () => expect(own).toContain('job'));

  it('names its own tools in every guide', () => {
    for (const guide of GUIDES)
      expect(
        named(templateText(guide, namesOf(profile)), true).filter((name) => !own.includes(name)),
      ).toEqual([]);
  });
});

/** What agents read of an engine, a text each. */
const GUIDES = globSync('resources/guides/*.md', { cwd: ROOT }).map((file) =>
  readFileSync(path.join(ROOT, file), 'utf8'),
);

/** Sources that know nothing of profiles, without their comments. */
const SOURCES = [
  ...globSync('electron/**/*.ts', { cwd: ROOT }),
  ...globSync('resources/{lisp,clojure,nbb}/**/*.{lisp,clj,cljs}', { cwd: ROOT }),
]
  .filter(
    (file) =>
      !/^electron\/(?:compat\/(?:acl2|cl-mcp-server|lisp-mcp-server|lisply|nrepl)|tools\/prompts|command-line|connect|words)\//.test(
        file,
      ),
  )
  .map((file) => ({
    file,
    code: readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*(?:\/\/|;).*$/gm, ''),
  }));

/** Texts of results of our own profile, which tools make themselves. */
const OWN_RESULTS = new Set([
  'electron/tools/default-profile.ts',
  'electron/tools/evaluation/history-tool.ts',
  'electron/tools/knowledge/describe-tool.ts',
  'electron/tools/prover/proof-result.ts',
  'electron/tools/sessions/images-tool.ts',
]);

it('texts of ours name tools only in mentions', () => {
  const quoted = new RegExp(`\\\\?\`(?:${OUR_TOOLS.join('|')})\\\\?\``);
  // Docstrings of Lisp name queries, which are called as tools are.
  const called = new RegExp(`${quoted.source} (?:with|takes|looks|shows)`);
  const found = SOURCES.filter(({ file }) => !OWN_RESULTS.has(file)).flatMap(({ file, code }) =>
    code
      .split('\n')
      .flatMap((line) =>
        (file.endsWith('.ts') ? quoted : called).test(line) ? [`${file}: ${line.trim()}`] : [],
      ),
  );
  expect(found).toEqual([]);
});

it('mentions pass arguments that the tool has', () => {
  const ourTools = all.find(({ name }) => name === 'default')?.tools ?? [];
  const mentioned = SOURCES.flatMap(({ code }) => [...code.matchAll(/\bours\('(\w+)'((?:, '\w+')*)\)/g)]).map(
    ([, tool, takes = '']) => ({ tool, takes: [...takes.matchAll(/\w+/g)].map(([name]) => name) }),
  );
  expect(mentioned.length).toBeGreaterThan(40);
  const ofGuides = GUIDES.flatMap((guide) => [...guide.matchAll(/\{(\w+)((?: \w+)*)\}/g)]).map(
    ([, tool, takes = '']) => ({ tool, takes: [...takes.matchAll(/\w+/g)].map(([name]) => name) }),
  );
  expect(ofGuides.length).toBeGreaterThan(10);
  for (const { tool, takes } of [...mentioned, ...ofGuides]) {
    const found = ourTools.find(({ name }) => name === tool);
    expect([tool, found && takes.filter((each) => !(each in found.args.shape))]).toEqual([tool, []]);
  }
});

describe('a profile with tools of its own', () => {
  const tool = (name: string, args: Record<string, z.ZodType>, of?: string) =>
    ({ name, args: z.strictObject(args), ...(of ? { of } : {}) }) as unknown as Tool;
  const text = z.string();
  const names = namesOf({ tools: [tool('look-up', { query: text }, 'find'), tool('job', {})] });

  it.each([
    [
      note('cut', 'There is no F.', mention`${ours('find')} looks further.`),
      'There is no F. `look-up` looks further.',
    ],
    [
      note('cut', 'There is no F.', mention`${ours('find', 'kind')} with kind apropos looks further.`),
      'There is no F.',
    ],
    [
      note('cut', 'Cut.', mention`${ours('job')} pages.`, mention`${ours('history')} has all.`),
      'Cut. `job` pages.',
    ],
    [note('cut', 'A fact.', instead(mention`A fact (${ours('history')} has it).`)), 'A fact.'],
    [note('cut', 'A fact.', instead(mention`A fact (${ours('job')} has it).`)), 'A fact (`job` has it).'],
    [note('cut', '', mention`${ours('history')} has it.`), ''],
  ])('renders %j as %j', (said, shown) => expect(messageText(said, names)).toBe(shown));

  it('renders our own names by default', () => {
    expect(messageText(note('cut', 'Cut.', mention`${ours('history', 'id')} with id ${7} has it.`))).toBe(
      'Cut. `history` with id 7 has it.',
    );
  });

  it('states the fact of an error in any case, and renders its notes', () => {
    const error = renderError(
      new HarborError('not_supported', 'It does not offer this.', {
        mentions: [mention`${ours('history')} does.`],
        notes: [note('cut', '', mention`${ours('find')}!`)],
      }),
      names,
    );
    expect(error).toMatchObject({
      message: 'It does not offer this.',
      notes: [{ kind: 'cut', text: '`look-up`!' }],
    });
  });

  it('leaves what code printed as it is, and renders notes in data, text and asides', () => {
    const cut = note('cut', 'It is cut.', mention`${ours('history')} has all.`);
    const printed = messageText(cut);
    const result = renderResult(
      {
        structured: {
          stdout: printed,
          notes: [cut, note('image', 'other')],
          evaluation: { id: 1, notes: [cut] },
        },
        text: `[stdout]\n${printed}`,
        notes: [cut, note('image', 'other')],
        asides: [cut, note('image', '', mention`${ours('history')} has it.`), 'of another system'],
        isError: false,
      },
      names,
    );
    expect(result).toEqual({
      structured: {
        stdout: printed,
        notes: ['It is cut.', 'other'],
        evaluation: { id: 1, notes: ['It is cut.'] },
      },
      text: `[stdout]\n${printed}\n; note: It is cut.\n; note: other`,
      asides: ['note: It is cut.', 'of another system'],
      isError: false,
    });
  });
});
