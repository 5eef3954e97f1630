/** `test-eval`: evaluates a form through MCP, as any client would, and prints its values. */
import { HarborError } from '../contract/errors';
import { isRecord } from '../endpoints/mcp/json-rpc';
import { runningHarbor, type Subcommand } from './subcommand';

const USUAL_FORM = '(+ 1 2)';

export const testEval: Subcommand = {
  usage: '[CODE] [--data DIR] [--engine NAME]',
  about: `evaluates CODE, or ${USUAL_FORM}, through MCP and prints the values; exits with 1 on an error`,
  positionals: 1,
  async run({ folder, options: { engine }, positionals: [code = USUAL_FORM], say }) {
    const mcp = await runningHarbor(folder).mcp({ profile: 'default', ...(engine && { engine }) });
    try {
      const result = await mcp.ask('tools/call', { name: 'eval', arguments: { code } });
      if (!isRecord(result)) throw new HarborError('internal', 'The harbor answered with something else.');
      const { structuredContent, isError, content } = result;
      if (isError === true) throw new HarborError('internal', textOf(content));
      const values: unknown = isRecord(structuredContent) ? structuredContent.values : [];
      if (Array.isArray(values)) for (const value of values) say(String(value));
      return 0;
    } finally {
      mcp.close();
    }
  },
};

function textOf(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => (isRecord(part) ? String(part.text) : '')).join('\n');
}
