/** The least that an MCP server over stdio can do: reads a line, answers three. */
let begun = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (begun + chunk).split('\n');
  begun = lines.pop() ?? '';
  for (const line of lines) {
    const { id } = JSON.parse(line);
    const result = { content: [{ type: 'text', text: '3' }] };
    if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});
