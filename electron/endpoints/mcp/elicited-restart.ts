/**
 * The debugger's restarts, offered to the person behind a client that can ask one. There are three ways: a request to the
 * client (MCP 2025-06-18 on, `elicitation/create`); a result that requires input, with which the client calls again
 * (2026-07-28, `input_required`); and the task that the call has become. What the client then says is checked: its state
 * is signed, and a restart counts only if the evaluation still offers it.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  isInputRequiredResult,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CallContext, ChosenRestart, HeldOffer, ToolResult } from '../../tools/tool';
import type { OpenCall } from './call-task';
import type { McpCaller } from './mcp-conversation';

/** How long a person may take. */
const PATIENCE_MS = 30 * 60_000;
/** Under which the client's answer comes back. */
const KEY = 'restart';

/** What a call that requires input is told again when the client calls anew. */
const State = z.object({ tool: z.string(), evaluation: z.int() });
type State = z.infer<typeof State>;

/** Capabilities of a client with ways to ask a person. */
const Declared = z.object({ elicitation: z.object({ form: z.unknown(), url: z.unknown() }).partial() });

const Content = z.object({ restart: z.string(), values: z.string().optional() });

/** The offers made to one client. */
export class RestartOffers {
  readonly #caller: McpCaller;
  readonly #codec: RequestStateCodec<State>;

  /** @param key signs what clients carry from call to call; that of one start of the harbor */
  constructor(caller: McpCaller, key: Uint8Array) {
    this.#caller = caller;
    this.#codec = createRequestStateCodec<State>({
      key,
      ttlSeconds: PATIENCE_MS / 1000,
      bind: ({ mcpReq }) => JSON.stringify([mcpReq.method, caller.client.key]),
    });
  }

  /** @throws for a state that is not of this client and this start, or too old */
  verify(state: string, context: ServerContext): Promise<State> {
    return this.#codec.verify(state, context);
  }

  during(server: Server, context: ServerContext): OffersDuringCall {
    return new OffersDuringCall(this.#caller.era, this.#codec, server, context);
  }
}

/** The offers made while one request is answered. */
export class OffersDuringCall {
  readonly #era: McpCaller['era'];
  readonly #codec: RequestStateCodec<State>;
  readonly #server: Server;
  readonly #context: ServerContext;

  constructor(
    era: McpCaller['era'],
    codec: RequestStateCodec<State>,
    server: Server,
    context: ServerContext,
  ) {
    this.#era = era;
    this.#codec = codec;
    this.#server = server;
    this.#context = context;
  }

  /** What `run` answers in the end: as long as something is held, it goes on as the person chooses. */
  async answer(
    tool: string,
    call: OpenCall,
    run: (call: CallContext) => Promise<ToolResult>,
  ): Promise<ToolResult | InputRequiredResult> {
    let chosen = this.#chosenBefore(tool);
    for (;;) {
      const result = await run(chosen ? { ...call, chosen } : call);
      // Nobody is asked again who has just declined.
      if (!result.held || !this.#canAsk) return result;
      const asked = await this.#ask(tool, result.held, call);
      if (isInputRequiredResult(asked)) return asked;
      if (asked.restart === null) return result;
      chosen = asked;
    }
  }

  /** What the client chose that calls again with the state of an earlier call; undefined for a first call. */
  #chosenBefore(tool: string): ChosenRestart | undefined {
    const { requestState, inputResponses } = this.#context.mcpReq;
    const state = State.safeParse(requestState());
    if (!state.success || state.data.tool !== tool) return undefined;
    const given = inputResponse(inputResponses, KEY);
    const accepted = given.kind === 'elicit' && given.action === 'accept';
    return chosenFrom(state.data.evaluation, accepted ? given.content : null);
  }

  /** Whether the client said that it can show a form to a person. */
  get #canAsk(): boolean {
    const envelope: Readonly<Record<string, unknown>> = this.#context.mcpReq.envelope ?? {};
    const capabilities =
      this.#era === 'modern' ? envelope[CLIENT_CAPABILITIES_META_KEY] : this.#server.getClientCapabilities();
    const declared = Declared.safeParse(capabilities);
    if (!declared.success) return false;
    const { form, url } = declared.data.elicitation;
    // Before there were other ways than forms, nobody named them.
    return form !== undefined || url === undefined;
  }

  async #ask(
    tool: string,
    held: HeldOffer,
    { askInTask }: OpenCall,
  ): Promise<ChosenRestart | InputRequiredResult> {
    const form = restartForm(held);
    const { evaluation } = held;
    const answering = askInTask(form);
    if (answering !== null) return chosenFrom(evaluation, await answering);
    if (this.#era === 'legacy') return chosenFrom(evaluation, await this.#elicited(form));
    const requestState = await this.#codec.mint({ tool, evaluation }, this.#context);
    return inputRequired({ inputRequests: { [KEY]: inputRequired.elicit(form) }, requestState });
  }

  /** null when the person did not choose, or the client failed to ask. */
  async #elicited(params: ElicitRequestFormParams): Promise<unknown> {
    const { send, signal } = this.#context.mcpReq;
    try {
      const request = { method: 'elicitation/create' as const, params: { ...params } };
      const { action, content } = await send(request, { timeout: PATIENCE_MS, signal });
      return action === 'accept' ? content : null;
    } catch {
      // The evaluation is held whatever became of the question, and its record says so.
      return null;
    }
  }
}

/** Whatever fits no answer counts as none: nothing is let go on by mistake. */
function chosenFrom(evaluation: number, content: unknown): ChosenRestart {
  const chosen = Content.safeParse(content);
  const { restart = null, values = '' } = chosen.success ? chosen.data : {};
  const forms = values.split('\n').filter((form) => form.trim() !== '');
  return { evaluation, restart, arguments: forms };
}

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
