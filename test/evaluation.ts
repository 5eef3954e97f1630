/** What tests ask of a harbor through an MCP client: tool calls and the record of an evaluation. */
import type { Client } from '@modelcontextprotocol/client';
import type { SentRecord } from '../electron/tools/evaluation/record';

/** Milliseconds for an answer: the test's own timeout ends the wait. The SDK's, a minute, is over before a busy machine has
 * started a few JVMs one in another. */
const ANSWER_MS = 600_000;

export interface CallResult<R> {
  structured: R;
  text: string;
  /** The first part of the text, which other systems' documents print; what else is to be told comes after it. */
  first: string;
  isError: boolean;
}

/** Calls a tool and answers its result, as data and as text. Nothing that is empty comes with the data of an evaluation: it is put back. */
export async function call<R = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallResult<R>> {
  const { content, structuredContent, isError } = await client.callTool(
    { name, arguments: args },
    { timeout: ANSWER_MS },
  );
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  const [first = ''] = texts;
  return {
    structured: wholeData(structuredContent) as R,
    text: texts.join('\n'),
    first,
    isError: isError === true,
  };
}

/** The record of an evaluation, with what it would have said if there were anything to say. */
export type WholeRecord = SentRecord & {
  /** Of the last form. */
  values: string[];
};

/** The data of a result with what was not sent because it was empty, and the values of the last form. */
export function wholeData(structured: unknown): unknown {
  if (typeof structured !== 'object' || structured === null) return structured;
  const { evaluation, ...data } = structured as Partial<WholeRecord> & { evaluation?: unknown };
  const told = {
    notes: [],
    ...data,
    ...(evaluation === undefined ? {} : { evaluation: wholeData(evaluation) }),
  };
  if (data.outcome === undefined || data.id === undefined) return told;
  const { forms = [], report } = data;
  const lists = { loaded: [], failures: [], runs: [] };
  return {
    ...{ stdout: '', stderr: '', warnings: [], forms, values: forms.at(-1)?.values ?? [] },
    ...told,
    ...(report === undefined ? {} : { report: { ...lists, ...report } }),
  };
}

export function evaluate(
  client: Client,
  code: string,
  args: Record<string, unknown> = {},
): Promise<CallResult<WholeRecord>> {
  return call<WholeRecord>(client, 'eval', { code, ...args });
}

/** The printed values of the last form. */
export async function values(
  client: Client,
  code: string,
  args: Record<string, unknown> = {},
): Promise<string[]> {
  return (await evaluate(client, code, args)).structured.values;
}

const COST = /(?:^; |\n; | · )\d[\d.]* m?s(?: · [\d.]+ (?:m?s (?:CPU|GC)|[KM]iB allocated))*(?=\n|$)/g;

/** A text without what it took, which is told where a busy machine made it long: a line of its own, or the end of one. */
export function withoutCost(text: string): string {
  return text.replaceAll(COST, '');
}
