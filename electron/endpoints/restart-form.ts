/** The form in which a person chooses a restart (MCP client/elicitation). Pure. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { HeldOffer } from '../tools/offered-restart';

const VALUES = {
  type: 'string',
  title: 'Values',
  description: 'For a restart that asks for values: Lisp forms, one a line',
} as const;

/** Restarts go by their texts, which every revision of the protocol can show. */
export function restartForm({ question, restarts, asksForValues }: HeldOffer): ElicitRequestFormParams {
  return {
    message: question,
    requestedSchema: {
      type: 'object',
      properties: {
        restart: { type: 'string', title: 'Restart', enum: [...restarts] },
        ...(asksForValues ? { values: VALUES } : {}),
      },
      required: ['restart'],
    },
  };
}
