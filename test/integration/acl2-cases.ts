/** Cases of the corpus (test/corpus/acl2), as data. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const CORPUS = path.resolve(import.meta.dirname, '../corpus/acl2');

/** What a case does, in order: it writes a file of the project, or evaluates forms. */
export type Step = { file: string; text: string } | { code: string };

/** A case begins with a line ";;; name => what is expected". A line ";;> file" begins the text of a file, one with nothing
 * but ";;>" forms again. */
export interface Case {
  name: string;
  expected: string;
  steps: Step[];
}

/** The files of a folder of the corpus, relative to it. */
export function corpusFiles(folder: string): string[] {
  const names = readdirSync(path.join(CORPUS, folder)).filter((name) => name.endsWith('.lisp'));
  return names.map((name) => path.join(folder, name)).sort();
}

export function casesIn(file: string): Case[] {
  const [, ...parts] = readFileSync(path.join(CORPUS, file), 'utf8').split(/^;;; /m);
  return parts.map((part) => {
    const [heading, body] = cut(part);
    const [, name = '', expected = ''] = /^(.*) => (.*)$/.exec(heading) ?? [];
    return { name, expected, steps: stepsIn(body) };
  });
}

function stepsIn(body: string): Step[] {
  const [code = '', ...parts] = body.split(/^;;>/m);
  const steps = parts.map((part) => {
    const [heading, text] = cut(part);
    const file = heading.trim();
    return file === '' ? { code: text } : { file, text };
  });
  return [...(code.trim() === '' ? [] : [{ code }]), ...steps];
}

/** The first line and what comes after it. */
function cut(text: string): [string, string] {
  const end = text.indexOf('\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

export function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}
