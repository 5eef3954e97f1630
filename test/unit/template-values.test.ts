/**
 * No text can say `undefined`, `null` or `[object Object]`: what stands in a template string of the harbor is by its type a
 * string or a number. The compiler knows the types, and has no rule for it.
 */
import path from 'node:path';
import type { Node } from 'typescript/unstable/ast';
import { isTaggedTemplateExpression, isTemplateExpression } from 'typescript/unstable/ast/is';
import { API, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';
import { expect, it } from 'vitest';
import { ROOT } from './setup-checkout';

/** What has a text of its own. */
const TEXT =
  TypeFlags.StringLike |
  TypeFlags.NumberLike |
  TypeFlags.BooleanLike |
  TypeFlags.BigIntLike |
  TypeFlags.Never;

it('whatever stands in a template string has a text', () => {
  const api = new API({ cwd: ROOT });
  try {
    const config = path.join(ROOT, 'tsconfig.json');
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (!project) throw new Error(`${config} is no project.`);
    const folder = `${path.join(ROOT, 'electron')}/`;
    const files = project.program.getSourceFileNames().filter((file) => file.startsWith(folder));
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => textless(file, project))).toEqual([]);
  } finally {
    api.close();
  }
});

/** The places in a file at which something without a text stands in a template string. */
function textless(file: string, { program, checker }: Project): string[] {
  const source = program.getSourceFile(file);
  if (!source) return [];
  const values = insertedIn(source);
  return checker.getTypeAtLocation(values).flatMap((type, index) => {
    const value = values[index];
    if (!value || !type || isText(checker.getBaseConstraintOfType(type) ?? type, checker)) return [];
    const line = source.text.slice(0, value.end).split('\n').length;
    const code = source.text.slice(value.pos, value.end).trim();
    return [`${path.relative(ROOT, file)}:${line} ${code}: ${checker.typeToString(type)}`];
  });
}

/** What is inserted in template strings, except those that a tag makes something else of. */
function insertedIn(node: Node): Node[] {
  const inserted: Node[] = [];
  const visit = (each: Node): void => {
    if (isTaggedTemplateExpression(each)) return;
    if (isTemplateExpression(each)) inserted.push(...each.templateSpans.map((span) => span.expression));
    each.forEachChild(visit);
  };
  visit(node);
  return inserted;
}

function isText(type: Type, checker: Project['checker']): boolean {
  if (type.isUnionType()) return type.getTypes().every((each) => isText(each, checker));
  // A string with a mark that only types know.
  if (type.isIntersectionType()) return type.getTypes().some((each) => isText(each, checker));
  return (type.flags & TEXT) !== 0 || isCode(type, checker);
}

/** Whether it is code, whose text is what it is for (source/code.ts). */
function isCode(type: Type, checker: Project['checker']): boolean {
  const own = checker.getPropertyOfType(type, 'toString');
  return own !== undefined && own.getParent()?.name === 'Code';
}
