/** The tool `new_project`: a folder with a system whose tests run. Profiles offer it under their own names. */
import path from 'node:path';
import { z } from 'zod';
import { lispString } from '../../contract/knowledge';
import type { Session } from '../../sessions/session/session';
import { code, stringCode } from '../../source/code';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import { valuesFor } from '../evaluation/own-evaluation';
import { shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';
import { FRAMEWORK_NAMES, projectFiles, type TestFramework } from './project-files';
import { type FileToolOptions, rowOf } from './text-files';

const line = z
  .string()
  .max(500)
  .regex(/^[^\n\r]*$/, 'must be one line')
  .optional();

export const NewProjectArguments = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9-]*$/, 'must match ^[a-z][a-z0-9-]*$'),
  description: line,
  author: line,
  license: line,
  destination: z
    .string()
    .min(1)
    .max(1000)
    .refine((folder) => !isBeyond(folder), "must be a relative path without '..'")
    .describe('Folder of the project in which `name` is made'),
});
type NewProjectArguments = z.output<typeof NewProjectArguments>;

const NewProjectResult = z.object({
  created: z.boolean(),
  path: z.string(),
  absolute_path: z.string(),
  files: z.array(z.string()),
  framework: z.string().nullable().describe('Of its tests; null: none was found'),
  notes: z.array(z.string()),
});

export type NewProjectToolOptions = EvaluateToolOptions & FileToolOptions;

export function newProjectTool(
  options: NewProjectToolOptions,
): Tool<typeof NewProjectArguments, typeof NewProjectResult> {
  return {
    name: 'new_project',
    title: 'Begin a project',
    description: 'Makes a folder with a Common Lisp system and tests that run. Replaces nothing.',
    scope: 'evaluate',
    approval: 'write',
    args: NewProjectArguments,
    result: NewProjectResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await caller.defaultSession();
      const framework = await frameworkFor(session, caller, options);
      const texts = projectFiles({ ...describedBy(args), framework });
      const bytes = new Map([...texts].map(([file, text]) => [file, Buffer.from(text, 'utf8')]));
      const folder = path.join(args.destination, args.name);
      const made = await options.files.create(caller.project, folder, bytes);
      for (const file of texts.keys())
        options.history.replacedFiles.add(rowOf(caller, path.join(made, file), null));
      const structured = {
        created: true,
        path: `${shortPath(made, caller.project)}/`,
        absolute_path: `${made}${path.sep}`,
        files: [...texts.keys()],
        framework,
        notes,
      };
      return { structured, text: `Created ${structured.path}`, isError: false };
    },
  };
}

function describedBy({ name, description, author, license }: NewProjectArguments) {
  return {
    name,
    description: description ?? 'A Common Lisp project.',
    author: author ?? 'Unknown',
    license: license ?? 'MIT',
  };
}

/** The one that the session can load. */
async function frameworkFor(
  session: Session,
  caller: Caller,
  options: NewProjectToolOptions,
): Promise<TestFramework> {
  const names = FRAMEWORK_NAMES.map(stringCode);
  const found = code`(find-if (lambda (name) (asdf:find-system name nil)) '(${names}))`;
  const [value] = await valuesFor(caller, session, { kind: 'inspect', code: String(found) }, options);
  return FRAMEWORK_NAMES.find((name) => value === lispString(name)) ?? null;
}

function isBeyond(folder: string): boolean {
  return path.isAbsolute(folder) || path.win32.isAbsolute(folder) || folder.split(/[/\\]/).includes('..');
}
