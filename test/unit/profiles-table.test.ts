/** The table of other systems' profiles in docs/profiles.md: a line for each, with exactly the tools that it has. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { profiles } from '../../electron/compat/compat';
import { listTools } from '../../electron/tools/profile';
import { ROOT } from './setup-checkout';

type Options = Parameters<typeof profiles>[0];

/** Tools ask for services only when they run. */
const offered = profiles({} as Options).filter(({ name }) => name !== 'default');

interface Line {
  profile: string;
  follows: string;
  tools: string;
  leftOut: string;
}

/** Its cells have no `|`. */
const lines = readFileSync(path.join(ROOT, 'docs/profiles.md'), 'utf8')
  .split('\n')
  .flatMap((line): Line[] => {
    const [, profile, follows, tools, leftOut] =
      /^\| `([\w-]+)` \| (.*?) \| (<details>.*?<\/details>) \| (.*?) \|$/.exec(line) ?? [];
    if (!profile || !follows || !tools || !leftOut) return [];
    return [{ profile, follows, tools, leftOut }];
  });

const namesIn = (text: string) => [...text.matchAll(/`([\w.-]+)`/g)].map(([, name = '']) => name);

describe('the table of profiles', () => {
  it('has a line for each profile, in their order', () => {
    expect(lines.map(({ profile }) => profile)).toEqual(offered.map(({ name }) => name));
  });

  it('is listed in README', () => {
    const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
    const row = /^\| \[[^\]]*\]\(docs\/profiles\.md\) \| (.*) \|$/m.exec(readme)?.[1] ?? '';
    expect(namesIn(row)).toEqual(offered.map(({ name }) => name));
  });

  it.each(offered)('has the tools of $name, and as many, as it should read', ({ name, tools }) => {
    const names = tools.map((tool) => `\`${tool.name}\``).join(' ');
    const cell = `<details><summary>${tools.length}</summary>${names}</details>`;
    expect(lines.find(({ profile }) => profile === name)?.tools).toBe(cell);
  });

  it.each(lines)('says which version $profile follows, and leaves out nothing that is there', (line) => {
    expect(line.follows).toMatch(/^\[[^\]]+\]\(https:\/\/\S+\) \S/);
    const there = offered.find(({ name }) => name === line.profile)?.tools.map(({ name }) => name);
    expect(namesIn(line.leftOut).filter((name) => there?.includes(name))).toEqual([]);
  });
});

describe.each(offered)('what $name lists', (profile) => {
  const listed = listTools(profile).map(({ tool }) => tool);

  it('has names of its own, which every client takes', () => {
    const names = listed.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z][\w.-]{0,63}$/);
  });

  it('has schemas of objects whose required members are there', () => {
    for (const { name, inputSchema } of listed) {
      const { properties = {}, required = [] } = inputSchema as Schema;
      expect(inputSchema.type, name).toBe('object');
      expect(Array.isArray(required), name).toBe(true);
      for (const member of required) expect(Object.keys(properties), name).toContain(member);
      // What has no type is taken by some clients for a mistake.
      for (const [member, schema] of Object.entries(properties))
        expect(Object.keys(schema), `${name} ${member}`).toEqual(
          expect.arrayContaining([expect.stringMatching(/^(?:type|anyOf|enum|const)$/)]),
        );
    }
  });

  it('describes each tool in a sentence or a few', () => {
    for (const { name, description } of listed) {
      expect(description, name).toMatch(/^[A-Z][\s\S]{10,}[.)]$/);
      expect(description.split(/\s+/).length, name).toBeLessThan(60);
    }
  });
});

interface Schema {
  properties?: Record<string, object>;
  required?: unknown[];
}
