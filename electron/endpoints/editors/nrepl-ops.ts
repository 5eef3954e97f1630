/** The ops of nREPL, by what an editor port does with them, and what it knows about names for those it answers. */

import type { SymbolDescription } from '../../contract/knowledge';
import type { EngineName } from '../../contract/model';
import { type BencodeDictionary, textOf } from '../../host/bencode';
import { type Dialect, dialectOf } from '../../source/dialect';
import { formsIn } from '../../source/reader';

/** Ops that run no code of the image, so that they work while no client may evaluate. */
export const NEVER_EVALUATES: ReadonlySet<string> = new Set([
  ...['clone', 'close', 'describe', 'ls-sessions', 'interrupt', 'stdin', 'completions', 'complete'],
  ...['lookup', 'info', 'eldoc', 'ls-middleware', 'classpath', 'ns-path', 'ns-list', 'ns-vars', 'ns-aliases'],
  ...['resource', 'resources-list', 'cider-version', 'apropos', 'content-type-buffer', 'stacktrace'],
  ...['out-subscribe', 'out-unsubscribe', 'init-debugger', 'track-state-middleware'],
]);

/** Ops other than `eval` and `load-file` that evaluate code or load some: rows of the history have them. */
export const EVALUATES: ReadonlySet<string> = new Set([
  ...['add-middleware', 'swap-middleware', 'test', 'test-all', 'test-ns', 'test-var-query', 'retest'],
  ...['refresh', 'refresh-all', 'refresh-clear', 'undef', 'undef-all', 'hotload-dependency'],
]);

/**
 * Ops that give the image a way to the editor's machine: a server with a sideloader reads files through the
 * editor.
 */
export const STOPPED: ReadonlySet<string> = new Set(['sideloader-start', 'sideloader-provide']);

/** The status with which a server requests a file through the sideloader. */
export const SIDELOADER_LOOKUP = 'sideloader-lookup';

/** Ops that the session answers if the image's server does not. */
export const OWN_OPS = ['completions', 'complete', 'lookup', 'info', 'eldoc'] as const;

/** Ops of an image without a server. */
export const ALL_OPS = [
  ...['clone', 'close', 'describe', 'ls-sessions', 'eval', 'load-file', 'interrupt', 'stdin'],
  ...OWN_OPS,
];

/** Returns the code of a request that evaluates; for the ops of middleware, a comment that describes them. */
export function codeIn(request: BencodeDictionary): string | undefined {
  if (request.op === 'eval') return textOf(request, 'code');
  if (request.op === 'load-file') return textOf(request, 'file');
  const parameters = Object.entries(request).filter(
    ([key, value]) => typeof value === 'string' && !['op', 'id', 'session'].includes(key),
  );
  return `;; nREPL ${String(request.op)} ${JSON.stringify(Object.fromEntries(parameters))}`;
}

/** Returns the name of an op without its library: newer versions of cider-nrepl have `cider/test`. */
export function unqualified(op: string): string {
  return op.slice(op.lastIndexOf('/') + 1);
}

/** The knowledge of a session about names. */
export interface KnownNames {
  readonly engine: EngineName;
  readonly package: string;
  completions(prefix: string, packageName?: string): Promise<{ name: string; kind: string }[]>;
  lookup(symbol: string, packageName?: string): Promise<SymbolDescription | null>;
}

/** Answers one of `OWN_OPS`; returns a status word for a failure. */
export async function knownAnswer(
  request: BencodeDictionary,
  names: KnownNames,
): Promise<BencodeDictionary | string> {
  const { op } = request;
  const inPackage = textOf(request, 'ns');
  const name = textOf(request, 'sym') ?? textOf(request, 'symbol') ?? '';
  if (op === 'completions' || op === 'complete') {
    const found = await names.completions(textOf(request, 'prefix') ?? name, inPackage);
    return { completions: found.map((each) => ({ candidate: each.name, type: each.kind })) };
  }
  if (op !== 'lookup' && op !== 'info' && op !== 'eldoc') return 'unknown-op';
  const found = name === '' ? null : await names.lookup(name, inPackage);
  const info = found && infoOf(found, inPackage ?? names.package);
  if (op === 'eldoc') return info ? eldocOf(info, dialectOf(names.engine)) : 'no-eldoc';
  if (op === 'info') return info ?? 'no-info';
  return info ? { info } : 'lookup-error';
}

/** Returns the answer of nREPL's `lookup` for a name; null if it has no definition. */
function infoOf(
  { symbol, definitions }: SymbolDescription,
  inPackage: string,
): Record<string, string | number> | null {
  const found = definitions.find(({ arglist }) => arglist !== undefined) ?? definitions[0];
  if (!found) return null;
  const { arglist, documentation, source, kind } = found;
  return {
    name: symbol,
    ns: inPackage,
    type: kind,
    ...(arglist === undefined ? {} : { 'arglists-str': arglist }),
    ...(documentation === undefined ? {} : { doc: documentation }),
    ...(source?.file === undefined ? {} : { file: source.file }),
    ...(source?.line === undefined ? {} : { line: source.line }),
  };
}

/** Returns the argument lists as editors show them: a list of names for each. */
function eldocOf(info: Record<string, string | number>, dialect: Dialect): BencodeDictionary {
  const { name = '', ns = '', doc = '' } = info;
  const lists = argumentLists(String(info['arglists-str'] ?? '').trim(), dialect);
  return { name, ns, docstring: doc, type: lists.length > 0 ? 'function' : 'variable', eldoc: lists };
}

/** Splits `(a &optional (b 1))`, or `([a] [a b])`, into the names of each list. */
function argumentLists(text: string, dialect: Dialect): string[][] {
  if (!/^[([]/.test(text)) return [];
  const namesIn = (list: string) => formsIn(list.slice(1, -1), dialect) ?? [];
  const items = namesIn(text);
  const isOfLists = text.startsWith('(') && items.length > 0 && items.every((item) => item.startsWith('['));
  return isOfLists ? items.map(namesIn) : [items];
}
