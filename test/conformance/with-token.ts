/**
 * Loaded into the process of the conformance suite, which has no option for a token: every request carries the one in
 * MCP_TOKEN, unless it has one already.
 */
import http from 'node:http';
import process from 'node:process';
import { type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from 'undici';

const AUTHORIZATION = `Bearer ${process.env.MCP_TOKEN}`;

setGlobalDispatcher(
  getGlobalDispatcher().compose(
    (dispatch) => (options, handler) =>
      dispatch({ ...options, headers: withToken(options.headers) }, handler),
  ),
);

// Some scenarios send headers that fetch would not, with node:http.
const { request } = http;
http.request = ((...args: Parameters<typeof request>) => {
  const options = args.find((arg) => isOptions(arg));
  if (options) options.headers = { Authorization: AUTHORIZATION, ...options.headers };
  return request(...args);
}) as typeof request;

function isOptions(arg: unknown): arg is { headers?: Record<string, string> } {
  return typeof arg === 'object' && !(arg instanceof URL);
}

/** A list of names and values in turn, which is one of the forms that undici takes headers in; the others are made to it. */
function withToken(headers: Dispatcher.DispatchOptions['headers']): string[] {
  const list = Array.isArray(headers) ? [...headers] : [...pairs(headers ?? {})].flat(2);
  const named = list.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  return named ? list : [...list, 'authorization', AUTHORIZATION];
}

type Named = Exclude<Dispatcher.DispatchOptions['headers'], string[] | null | undefined>;

function pairs(headers: Named): Iterable<[string, string[]]> {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return entries.flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, [value]] as [string, string[]]),
  );
}
