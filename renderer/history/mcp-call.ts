/** What was asked as a client asks it over MCP, to be sent again by hand or shown to an agent. Pure. */

/** The request of a call of a tool. @param json its arguments */
export function mcpCall(tool: string, json: string): string {
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: JSON.parse(json) as unknown },
  };
  return JSON.stringify(request, null, 2);
}

/** The call that evaluates this code in this session. */
export function evalCall({ code, session }: { code: string; session: string }): string {
  return mcpCall('eval', JSON.stringify({ code, session }));
}
