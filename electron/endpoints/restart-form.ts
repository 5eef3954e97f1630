/** The form in which a person chooses a restart (MCP client/elicitation). Pure. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { cut } from '../history/text';
import type { HeldOffer } from '../tools/offered-restart';
import { restartText } from '../tools/record-text';

/** Characters of the condition's message; the record has it whole. */
const LONGEST_MESSAGE = 1_000;

/** Restarts go by the texts by which the record tells them, which every revision of the protocol can show. */
export function restartForm({ evaluation, session, condition }: HeldOffer): ElicitRequestFormParams {
  const { type, message, level, restarts } = condition;
  const asking = restarts.some((restart) => restart.arguments.length > 0);
  return {
    message: `Evaluation ${evaluation} is held at debugger level ${level} of session ${session}.\n[${type}] ${cut(message, LONGEST_MESSAGE)}\nHow should it go on? Decline to leave it held.`,
    requestedSchema: {
      type: 'object',
      properties: {
        restart: { type: 'string', title: 'Restart', enum: restarts.map(restartText) },
        ...(asking
          ? {
              values: {
                type: 'string' as const,
                title: 'Values',
                description: 'For a restart that asks for values: Lisp forms, one a line',
              },
            }
          : {}),
      },
      required: ['restart'],
    },
  };
}
