/** The smallest agent of the AI SDK: one prompt, the tools of one server. */
import process from 'node:process';

const { prompt, baseURL, apiKey, server } = JSON.parse(process.argv[2] ?? '{}');

// It is copied to where the SDK is installed: here nobody knows its types.
const imported = (/** @type {string} */ name) => import(name);
const { isStepCount, streamText } = await imported('ai');
const { createMCPClient } = await imported('@ai-sdk/mcp');
const { StdioMCPTransport } = await imported('@ai-sdk/mcp/mcp-stdio');
const { createOpenAICompatible } = await imported('@ai-sdk/openai-compatible');

const client = await createMCPClient({ transport: new StdioMCPTransport(server) });
const answer = streamText({
  model: createOpenAICompatible({ name: 'scripted', baseURL, apiKey })('scripted'),
  tools: await client.tools(),
  stopWhen: isStepCount(9),
  prompt,
});
await answer.consumeStream();
await client.close();
