/** `lisp://guide/{engine}`: what an agent must know of an engine before it works with it. The texts are files. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addressOf, type ResourceFamily, type ResourceTemplate } from './resource';

export const GUIDE_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://guide/{engine}',
  name: 'guide',
  title: 'Guide to an engine',
  description: 'How to work with an engine here: what counts, what to avoid, what its results mean.',
  mimeType: 'text/markdown',
};

/** @param folder holds a Markdown file for each engine that has a guide */
export function guideResource(folder: string): ResourceFamily {
  const engines = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.basename(file, '.md'))
    .sort();
  const { name, title, description, mimeType } = GUIDE_TEMPLATE;
  const listed = engines.map((engine) => ({
    uri: addressOf(GUIDE_TEMPLATE, { engine }),
    name: `${engine} ${name}`,
    title: title.replace('an engine', engine),
    description,
    mimeType,
  }));
  return {
    template: GUIDE_TEMPLATE,
    list: () => listed,
    exists: ({ engine = '' }) => engines.includes(engine),
    read: async ({ engine = '' }, { wording = (text) => text }) =>
      wording(await readFile(path.join(folder, `${engine}.md`), 'utf8')),
    values: () => engines,
  };
}
