/**
 * Requests of a person's editor, which reach the image's nREPL server as they were sent, so that each op and
 * middleware of the server works. Evaluations are also read here, for their rows in the history.
 */

import { textOf } from '../../host/bencode';
import type { OutputSink } from '../image';
import type { NreplServer, RelayedRequest } from '../optional-groups';
import type { NreplClient, NreplMessage } from './client';
import {
  BoundedTexts,
  type FormOutcome,
  type Interrupted,
  interruptRequest,
  outcomeOf,
} from './nrepl-session';

export class NreplRelay implements NreplServer {
  readonly ended: Promise<unknown>;
  readonly #client: NreplClient;

  constructor(client: NreplClient) {
    this.#client = client;
    this.ended = client.ended;
  }

  async send({ message, receive }: RelayedRequest): Promise<boolean> {
    return (await this.#client.begin(message, receive, true).reply).done;
  }

  /** Begins an evaluation. Its output also goes to `sink`. */
  evaluation(request: RelayedRequest, sink: OutputSink): RelayedEvaluation {
    return new RelayedEvaluation(this.#client, request, sink);
  }
}

/** The request of middleware that prints a value in several messages, which its last message has no part of. */
const STREAMS = 'nrepl.middleware.print/stream?';

export class RelayedEvaluation {
  readonly #client: NreplClient;
  /** Its session of the server. */
  readonly session: string;
  readonly #id: string;
  readonly #outcome: Promise<{ last: FormOutcome; values: string[] }>;

  constructor(client: NreplClient, { message, receive }: RelayedRequest, sink: OutputSink) {
    const values = new PrintedValues(message[STREAMS] !== undefined);
    const failures = new BoundedTexts();
    const stderr = new BoundedTexts();
    let isOver = false;
    const { id, reply } = client.begin(
      message,
      (answer) => {
        receive(answer);
        if (isOver) return;
        values.receive(answer);
        failures.add(textOf(answer, 'ex'));
        const [out, err] = [textOf(answer, 'out'), textOf(answer, 'err')];
        stderr.add(err);
        if (out !== undefined) sink('stdout', out);
        if (err !== undefined) sink('stderr', err);
      },
      true,
    );
    this.#client = client;
    this.session = textOf(message, 'session') ?? '';
    this.#id = id;
    this.#outcome = reply.then((ended) => {
      isOver = true;
      const printed = { failure: failures.texts[0], stderr: stderr.texts.join('').trim() };
      return { last: outcomeOf(ended, values.texts, printed), values: values.texts };
    });
  }

  outcome(): Promise<{ last: FormOutcome; values: string[] }> {
    return this.#outcome;
  }

  interrupt(): Promise<Interrupted> {
    return interruptRequest(this.#client, this.session, this.#id);
  }
}

/** The values of a reply. If they are streamed, a message with `ns` and no `value` ends each. */
class PrintedValues {
  readonly #streamed: boolean;
  readonly #texts = new BoundedTexts();
  #part: string | null = null;

  constructor(streamed: boolean) {
    this.#streamed = streamed;
  }

  get texts(): string[] {
    return this.#texts.texts;
  }

  receive(message: NreplMessage): void {
    const value = textOf(message, 'value');
    if (!this.#streamed) {
      this.#texts.add(value);
      return;
    }
    if (value !== undefined) this.#part = (this.#part ?? '') + value;
    else if (this.#part !== null && textOf(message, 'ns') !== undefined) {
      this.#texts.add(this.#part);
      this.#part = null;
    }
  }
}
