/** What Lisply's `tools/list` answers, as its document prints it: a backend has these two tools and names no others. */

export const LISPLY_TOOLS = {
  tools: [
    {
      name: 'lisp_eval',
      description: 'Evaluates Lisp code directly within the Lisply environment',
      inputSchema: {
        type: 'object',
        properties: {
          code: { type: 'string', description: 'The Lisp code to evaluate' },
          package: { type: 'string', description: 'The package to use for the evaluation (optional)' },
        },
        required: ['code'],
      },
    },
    {
      name: 'ping_lisp',
      description: 'Checks if the Lisply backend is available',
      inputSchema: { type: 'object', properties: {} },
    },
  ],
} as const;
