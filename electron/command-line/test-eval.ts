/** `test-eval`: evaluates a form through MCP, as any client would, and prints its values. */
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { runningHarbor, type Subcommand } from './subcommand';

const USUAL_FORM = '(+ 1 2)';

const Result = z.object({
  isError: z.boolean().default(false),
  content: z.array(z.object({ text: z.string().default('') })).default([]),
  structuredContent: z
    .object({
      forms: z.array(z.object({ values: z.array(z.unknown()) })).default([]),
      notes: z.array(z.string()).default([]),
    })
    .optional(),
});

export const testEval: Subcommand = {
  usage: '[CODE] [--data DIR] [--engine NAME]',
  about: `evaluates CODE, or ${USUAL_FORM}, through MCP and prints the values and notes; exits with 1 on an error`,
  positionals: 1,
  takes: ['data', 'engine'],
  async run({ folder, options: { engine }, positionals: [code = USUAL_FORM], say }) {
    const mcp = await runningHarbor(folder).mcp({ profile: 'default', ...(engine && { engine }) });
    try {
      const answer = await mcp.ask('tools/call', { name: 'eval', arguments: { code } });
      const { isError, content, structuredContent } = Result.parse(answer);
      if (isError) throw new HarborError('internal', content.map(({ text }) => text).join('\n'));
      for (const value of structuredContent?.forms.at(-1)?.values ?? []) say(String(value));
      for (const note of structuredContent?.notes ?? []) say(`; ${note}`);
      return 0;
    } finally {
      mcp.close();
    }
  },
};
