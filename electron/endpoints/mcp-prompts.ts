/** The prompts of an MCP server (MCP server/prompts): the same for every profile and both protocol eras. */
import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { HarborError } from '../contract/errors';
import { type Prompt, promptText } from '../tools/prompts/prompt';
import { PROMPTS } from '../tools/prompts/prompts';

export function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => LISTED);
  server.setRequestHandler('prompts/get', ({ params }) => get(params.name, params.arguments ?? {}));
}

const LISTED: ListPromptsResult = {
  prompts: PROMPTS.map(({ name, title, description, arguments: all }) => ({
    name,
    title,
    description,
    arguments: all.map((argument) => ({ ...argument })),
  })),
};

function get(name: string, given: Record<string, string>): GetPromptResult {
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (!prompt) {
    const known = PROMPTS.map((candidate) => candidate.name).join(', ');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}. There are: ${known}.`);
  }
  return { description: prompt.description, messages: [message(prompt, given)] };
}

/** Arguments that do not fit are the client's error (MCP server/prompts: invalid params). */
function message(prompt: Prompt, given: Record<string, string>): GetPromptResult['messages'][number] {
  try {
    return { role: 'user', content: { type: 'text', text: promptText(prompt, given) } };
  } catch (error) {
    if (!(error instanceof HarborError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  }
}
