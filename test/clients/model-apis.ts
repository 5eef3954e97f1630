/** The APIs of models' providers, as far as programs need them that call tools: what a request shows the model, and answers. */
import { z } from 'zod';

/** What a request shows the model: the tools that it may call, and what those answered that it called, in order. */
export interface Shown {
  tools: Tool[];
  results: string[];
}

export interface Tool {
  name: string;
  /** Codex keeps the tools of a server together. */
  namespace?: string | undefined;
  /** Of Codex: it takes text, the argument `input`. */
  takesText?: boolean;
}

/** What the model does next. */
export type Turn = { call: Tool; args: Record<string, unknown> } | { say: string };

/** An event of a stream: its name, where the API has such, and its data. */
export type StreamEvent = readonly [name: string | null, data: object | string];

export interface ModelApi {
  /** Whether a request for the model's next turn comes to this path. */
  takes(path: string): boolean;
  /** @throws for a request that is none of this API */
  shown(body: unknown): Shown;
  /** @param id of this answer and of what it holds */
  events(turn: Turn, id: string): StreamEvent[];
}

/** Text as it stands; anything else as a program sent it. */
const asText = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

const Named = z.looseObject({ name: z.string() });
const Role = z.looseObject({ role: z.string(), content: z.unknown().optional() });

const AnthropicRequest = z.object({
  tools: z.array(Named).default([]),
  messages: z.array(z.object({ content: z.unknown().optional() })),
});
const ToolResult = z.object({ type: z.literal('tool_result'), content: z.unknown().optional() });

const anthropic: ModelApi = {
  takes: (path) => path.endsWith('/messages'),
  shown(body) {
    const { tools, messages } = AnthropicRequest.parse(body);
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const results = blocks.map((block) => ToolResult.safeParse(block)).filter(({ success }) => success);
    return { tools, results: results.map(({ data }) => asText(data?.content)) };
  },
  events(turn, id) {
    const calls = 'call' in turn;
    const block = calls
      ? { type: 'tool_use', id, name: turn.call.name, input: {} }
      : { type: 'text', text: '' };
    const delta = calls
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) }
      : { type: 'text_delta', text: turn.say };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id, type: 'message', role: 'assistant', model: 'scripted', content: [], usage };
    const end = { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null };
    return [
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: end, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ].map((data) => [data.type, data]);
  },
};

const ChatRequest = z.object({
  tools: z.array(z.object({ function: Named })).default([]),
  messages: z.array(Role),
});

const openAiChat: ModelApi = {
  takes: (path) => path.endsWith('/chat/completions'),
  shown(body) {
    const { tools, messages } = ChatRequest.parse(body);
    const results = messages.filter(({ role }) => role === 'tool');
    return {
      tools: tools.map((tool) => tool.function),
      results: results.map(({ content }) => asText(content)),
    };
  },
  events(turn, id) {
    const chunk = (delta: object, finish_reason: string | null, more: object = {}): StreamEvent => [
      null,
      {
        ...{ id, object: 'chat.completion.chunk', created: 1, model: 'scripted' },
        choices: [{ index: 0, delta, finish_reason }],
        ...more,
      },
    ];
    const called = 'call' in turn && { name: turn.call.name, arguments: JSON.stringify(turn.args) };
    const delta = called
      ? { tool_calls: [{ index: 0, id, type: 'function', function: called }] }
      : { content: 'say' in turn && turn.say };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return [
      chunk({ role: 'assistant', ...delta }, null),
      chunk({}, called ? 'tool_calls' : 'stop', { usage }),
      [null, '[DONE]'],
    ];
  },
};

const ResponsesTool = z.looseObject({
  name: z.string().default(''),
  type: z.string(),
  tools: z.array(Named).default([]),
});
const ResponsesRequest = z.object({
  tools: z.array(ResponsesTool).default([]),
  input: z.array(z.looseObject({ type: z.string().optional(), output: z.unknown().optional() })),
});

const openAiResponses: ModelApi = {
  takes: (path) => path.endsWith('/responses'),
  shown(body) {
    const { tools, input } = ResponsesRequest.parse(body);
    const results = input.filter(({ type }) => /^(function|custom_tool)_call_output$/.test(type ?? ''));
    return {
      tools: tools.flatMap(({ type, name, tools: inner }): Tool | Tool[] =>
        type === 'namespace'
          ? inner.map((tool) => ({ name: tool.name, namespace: name }))
          : { name, ...(type === 'custom' && { takesText: true }) },
      ),
      results: results.map(({ output }) => asText(output)),
    };
  },
  events(turn, id) {
    const item =
      'call' in turn
        ? { id, call_id: id, ...responsesCall(turn) }
        : { type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text: turn.say }] };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const response = { id, object: 'response', created_at: 1, model: 'scripted', usage };
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [item] } },
    ].map((data) => [data.type, data]);
  },
};

function responsesCall({ call: { takesText, ...called }, args }: Extract<Turn, { call: Tool }>): object {
  return takesText
    ? { type: 'custom_tool_call', ...called, input: args.input }
    : { type: 'function_call', ...called, arguments: JSON.stringify(args) };
}

const GeminiRequest = z.object({
  tools: z.array(z.object({ functionDeclarations: z.array(Named).default([]) })).default([]),
  contents: z.array(
    z.object({
      parts: z.array(
        z.looseObject({ functionResponse: z.looseObject({ response: z.unknown().optional() }).optional() }),
      ),
    }),
  ),
});

const gemini: ModelApi = {
  takes: (path) => path.endsWith(':streamGenerateContent'),
  shown(body) {
    const { tools, contents } = GeminiRequest.parse(body);
    const answered = contents
      .flatMap(({ parts }) => parts)
      .filter((part) => part.functionResponse !== undefined);
    return {
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations),
      results: answered.map(({ functionResponse }) => asText(functionResponse?.response)),
    };
  },
  events(turn) {
    const part =
      'call' in turn ? { functionCall: { name: turn.call.name, args: turn.args } } : { text: turn.say };
    const candidate = { index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return [[null, { candidates: [candidate], usageMetadata }]];
  },
};

export const MODEL_APIS: readonly ModelApi[] = [anthropic, openAiChat, openAiResponses, gemini];
