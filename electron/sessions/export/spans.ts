/**
 * Sends each evaluation that has ended as a span to an OpenTelemetry collector that the user names (OTLP over HTTP,
 * as JSON). A span has no code, values or output. A collector that does not answer loses spans and delays nothing.
 */

import { randomBytes } from 'node:crypto';
import { asFailure } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { parsedTraceParent, type TraceParent } from '../../contract/trace-context';

export interface SpanExportOptions {
  /** The address of the collector's traces, such as `http://127.0.0.1:4318/v1/traces`; undefined: none. */
  collector: () => string | undefined;
  version: string;
  log: { warn(message: string, ...details: unknown[]): void };
}

/** Maximum number of spans of one request, and of spans that wait. */
const BATCH = 100;
const MOST_WAITING = 1_000;
/** Milliseconds from the first span to its request. */
const DELAY_MS = 500;
/** Milliseconds for a request. */
const ANSWER_MS = 5_000;

export class SpanExport {
  readonly #options: SpanExportOptions;
  readonly #waiting: object[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(options: SpanExportOptions) {
    this.#options = options;
  }

  add(row: Evaluation): void {
    if (row.endedAt === null) return;
    const parent = row.trace === undefined ? null : parsedTraceParent(row.trace.traceparent);
    // The caller has decided not to record this trace.
    if (parent?.sampled === false || this.#waiting.length === MOST_WAITING) return;
    this.#waiting.push(spanOf(row, row.endedAt, parent));
    this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS);
  }

  /** Sends the waiting spans. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#sending.then(() => this.#sendAll());
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (
      let spans = this.#waiting.splice(0, BATCH);
      spans.length > 0;
      spans = this.#waiting.splice(0, BATCH)
    ) {
      const collector = this.#options.collector();
      if (collector === undefined) return;
      await this.#send(collector, spans);
    }
  }

  async #send(collector: string, spans: readonly object[]): Promise<void> {
    try {
      const response = await fetch(collector, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(requestOf(spans, this.#options.version)),
        signal: AbortSignal.timeout(ANSWER_MS),
        redirect: 'error',
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed)
        this.#options.log.warn(`Spans were not sent to ${collector}: ${asFailure(error).message}`);
      this.#hasFailed = true;
    }
  }
}

function requestOf(spans: readonly object[], version: string) {
  const resource = { attributes: attributes({ 'service.name': 'lisp-harbor', 'service.version': version }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'lisp-harbor', version }, spans }] }] };
}

/** Outcomes of a span that has failed. */
const FAILED: ReadonlySet<Evaluation['outcome']> = new Set(['error', 'crashed', 'refused', 'interrupted']);

function spanOf(row: Evaluation, endedAt: number, parent: TraceParent | null) {
  const { id, kind, session, engine, client, outcome, condition, trace } = row;
  const type = condition?.type;
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parent && { parentSpanId: parent.spanId }),
    ...(trace?.tracestate && { traceState: trace.tracestate }),
    name: `lisp ${kind}`,
    // SPAN_KIND_SERVER
    kind: 2,
    startTimeUnixNano: nanoseconds(row.startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributes({
      'lisp.engine': engine,
      'lisp.session': session,
      'lisp.client': client,
      'lisp.evaluation': id,
      'lisp.outcome': outcome,
      ...(type === undefined ? {} : { 'error.type': type }),
    }),
    // STATUS_CODE_ERROR or STATUS_CODE_UNSET
    status: { code: FAILED.has(outcome) ? 2 : 0 },
  };
}

/** Returns the text of a number that JSON cannot hold exactly. */
function nanoseconds(milliseconds: number): string {
  return (BigInt(Math.round(milliseconds * 1_000)) * 1_000n).toString();
}

function attributes(values: Readonly<Record<string, string | number>>) {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
