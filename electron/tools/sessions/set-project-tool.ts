/** The tool `set_project`: has the connection work in another project that a person approved. Profiles offer it under their own
 * names. */
import { z } from 'zod';
import type { Tool } from '../tool';

const SetProjectArguments = z.strictObject({
  path: z.string().min(1).max(4000).describe('A folder that a person approved, or one below it'),
});

const SetProjectResult = z.object({
  project_root: z.string(),
  cwd: z.string(),
  previous_root: z.string(),
  notes: z.array(z.string()),
});

const ANOTHER_SESSION =
  'What you evaluate runs in another session there; what you defined before stays in the one of the project before.';

export function setProjectTool(): Tool<typeof SetProjectArguments, typeof SetProjectResult> {
  return {
    name: 'set_project',
    title: 'Set the project',
    description: 'Has the following calls work in another project. Only a person approves projects.',
    scope: 'evaluate',
    approval: null,
    args: SetProjectArguments,
    result: SetProjectResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path }, caller) {
      const previous = caller.project;
      const project = caller.workIn(path);
      const structured = {
        project_root: project,
        cwd: project,
        previous_root: previous,
        notes: project === previous ? [] : [ANOTHER_SESSION],
      };
      return { structured, text: `Project root set to ${project}`, isError: false };
    },
  };
}
