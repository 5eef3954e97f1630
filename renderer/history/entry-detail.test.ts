/** A history entry as an MCP request. */
import { expect, it } from 'vitest';
import { evalCall, mcpCall } from './entry-detail';

it('is a request of its protocol, with the arguments as they were', () => {
  expect(JSON.parse(mcpCall('find', '{"query":"dist","limit":3}'))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'find', arguments: { query: 'dist', limit: 3 } },
  });
  const { params } = JSON.parse(evalCall({ code: '(format t "~a%")', session: 'sbcl-1' }));
  expect(params).toEqual({ name: 'eval', arguments: { code: '(format t "~a%")', session: 'sbcl-1' } });
});
