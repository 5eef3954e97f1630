/**
 * Offers the restarts of the debugger to the user of an MCP client. There are three ways: a request to the
 * client (from MCP 2025-06-18, `elicitation/create`); a result that requires input, after which the client
 * repeats the call (2026-07-28, `input_required`); and the task of the call. The answer is verified: its
 * state is signed, and the evaluation must still offer the chosen restart.
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
import type { RenderedResult } from '../../tools/rendering';
import type { CallContext, ChosenRestart, SuspendedOffer } from '../../tools/tool';
import type { McpCaller } from './caller';
import type { OpenCall } from './tasks';

/** Time that the user may take to answer. */
const ANSWER_TIMEOUT_MS = 30 * 60_000;
/** Key of the client’s answer. */
const KEY = 'restart';

/** State that the client returns when it repeats a call that required input. */
const State = z.object({ tool: z.string(), evaluation: z.int() });
type State = z.infer<typeof State>;

/** Capabilities of a client that supports elicitation. */
const Declared = z.object({ elicitation: z.object({ form: z.unknown(), url: z.unknown() }).partial() });

const Content = z.object({ restart: z.string(), values: z.string().optional() });

/** Restart offers of one client. */
export class RestartOffers {
  readonly #caller: McpCaller;
  readonly #codec: RequestStateCodec<State>;

  /** @param key signs the state that clients return; generated at each start of the harbor */
  constructor(caller: McpCaller, key: Uint8Array) {
    this.#caller = caller;
    this.#codec = createRequestStateCodec<State>({
      key,
      ttlSeconds: ANSWER_TIMEOUT_MS / 1000,
      bind: ({ mcpReq }) => JSON.stringify([mcpReq.method, caller.client.key]),
    });
  }

  /** @throws if the state is from another client or start, or is too old */
  verify(state: string, context: ServerContext): Promise<State> {
    return this.#codec.verify(state, context);
  }

  during(server: Server, context: ServerContext): OffersDuringCall {
    return new OffersDuringCall(this.#caller.era, this.#codec, server, context);
  }
}

/** Restart offers during one request. */
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

  /**
   * Returns the final result of `run`. While the evaluation is suspended, it continues with the restart that
   * the user chooses.
   */
  async answer(
    tool: string,
    call: OpenCall,
    run: (call: Omit<CallContext, 'grant'>) => Promise<RenderedResult>,
  ): Promise<RenderedResult | InputRequiredResult> {
    let chosen = this.#chosenBefore(tool);
    for (;;) {
      const result = await run(chosen ? { ...call, chosen } : call);
      // The user who just declined is not asked again.
      if (!result.suspended || !this.#supportsForms) return result;
      const choice = await this.#request(tool, result.suspended, call);
      if (isInputRequiredResult(choice)) return choice;
      if (choice.restart === null) return result;
      chosen = choice;
    }
  }

  /**
   * Returns the choice of a client that repeats the call with the state of an earlier one; undefined for a
   * first call.
   */
  #chosenBefore(tool: string): ChosenRestart | undefined {
    const { requestState, inputResponses } = this.#context.mcpReq;
    const state = State.safeParse(requestState());
    if (!state.success || state.data.tool !== tool) return undefined;
    const response = inputResponse(inputResponses, KEY);
    const accepted = response.kind === 'elicit' && response.action === 'accept';
    return chosenFrom(state.data.evaluation, accepted ? response.content : null);
  }

  /** Reports whether the client can show a form. */
  get #supportsForms(): boolean {
    const envelope: Readonly<Record<string, unknown>> = this.#context.mcpReq.envelope ?? {};
    const capabilities =
      this.#era === 'modern' ? envelope[CLIENT_CAPABILITIES_META_KEY] : this.#server.getClientCapabilities();
    const declared = Declared.safeParse(capabilities);
    if (!declared.success) return false;
    const { form, url } = declared.data.elicitation;
    // Early revisions had forms only and did not name them.
    return form !== undefined || url === undefined;
  }

  async #request(
    tool: string,
    offer: SuspendedOffer,
    { requestInTask }: OpenCall,
  ): Promise<ChosenRestart | InputRequiredResult> {
    const form = restartForm(offer);
    const { evaluation } = offer;
    const answering = requestInTask(form);
    if (answering !== null) return chosenFrom(evaluation, await answering);
    if (this.#era === 'legacy') return chosenFrom(evaluation, await this.#elicited(form));
    const requestState = await this.#codec.mint({ tool, evaluation }, this.#context);
    return inputRequired({ inputRequests: { [KEY]: inputRequired.elicit(form) }, requestState });
  }

  /** Resolves with null if the user declined or the client failed to show the form. */
  async #elicited(params: ElicitRequestFormParams): Promise<unknown> {
    const { send, signal } = this.#context.mcpReq;
    try {
      const request = { method: 'elicitation/create' as const, params: { ...params } };
      const { action, content } = await send(request, { timeout: ANSWER_TIMEOUT_MS, signal });
      return action === 'accept' ? content : null;
    } catch {
      // The evaluation stays suspended, and its record says so.
      return null;
    }
  }
}

/** Parses the answer. An invalid one chooses no restart, so nothing continues by mistake. */
function chosenFrom(evaluation: number, content: unknown): ChosenRestart {
  const chosen = Content.safeParse(content);
  const { restart = null, values = '' } = chosen.success ? chosen.data : {};
  const forms = values.split('\n').filter((form) => form.trim() !== '');
  return { evaluation, restart, arguments: forms };
}

const VALUES = {
  type: 'string',
  title: 'Values',
  description: 'Lisp forms, one per line, for a restart that needs values',
} as const;

/** Identifies restarts by their text, which every protocol revision can show. */
export function restartForm({ question, restarts, needsValues }: SuspendedOffer): ElicitRequestFormParams {
  return {
    message: question,
    requestedSchema: {
      type: 'object',
      properties: {
        restart: { type: 'string', title: 'Restart', enum: [...restarts] },
        ...(needsValues ? { values: VALUES } : {}),
      },
      required: ['restart'],
    },
  };
}
