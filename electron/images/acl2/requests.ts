/** Requests to the helper in an ACL2 process, as resources/lisp/acl2/requests.lisp reads them. */
import { lispString } from '../../contract/knowledge';
import type { AllowedTag } from './system-trust-tags';

/** What a query says beside its text. */
export type QueryOptions = Readonly<Record<string, OptionValue | undefined>>;

type OptionValue = string | number | boolean | readonly OptionValue[];

/**
 * One request; `limit` is the longest printed value in characters, `asData` that of `EvaluateRequest`, `about` names a
 * query of queries.lisp.
 */
export type Acl2Request =
  | {
      op: 'evaluate';
      code: string;
      package?: string | undefined;
      limit: number;
      asData: boolean;
      /** Whether it may use trust tags, and with them raw Lisp, which stays so; or tags by name, with the books that may. */
      trustTags: true | readonly AllowedTag[];
    }
  | { op: 'query'; about: string; text: string; options: QueryOptions };

/** The request on the wire: a line that is a Lisp list, and exactly as many bytes of text as it says. */
export function framed(request: Acl2Request, id: number, nonce: string): Buffer {
  const body = Buffer.from(request.op === 'query' ? request.text : request.code, 'utf8');
  const header = [
    `:id ${id} :op :${request.op} :nonce ${lispString(nonce)} :bytes ${body.length}`,
    ...(request.op === 'query' ? [`:about :${request.about}`] : []),
    ...Object.entries(optionsOf(request)).flatMap(([name, value]) =>
      value === undefined ? [] : [`:${name} ${lispValue(value)}`],
    ),
  ];
  return Buffer.concat([Buffer.from(`(${header.join(' ')})\n`, 'utf8'), body]);
}

function optionsOf(request: Acl2Request): QueryOptions {
  if (request.op === 'query') return request.options;
  const { limit, package: packageName, asData, trustTags } = request;
  return { limit, package: packageName, 'as-data': asData, 'trust-tags': trustTags };
}

/** The header is one line and read in package KEYWORD: symbols are keywords there. */
function lispValue(value: OptionValue): string {
  if (typeof value === 'string') return lispString(value.replaceAll('\n', ' '));
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? ':true' : 'common-lisp:nil';
  return `(${value.map(lispValue).join(' ')})`;
}

/** As the helper names them; what becomes of `certify`, and of `restore` with a name, is the image's own affair. */
type HarborForm =
  | 'undo'
  | 'undo-one'
  | 'load'
  | 'portcullis'
  | 'replay'
  | 'restore'
  | 'certify'
  | 'observe'
  | 'verify'
  | 'check-syntax';

/** @param argument Lisp code of what is no form: a number, a string, a list of those */
export function harborForm(name: HarborForm, argument: string): string {
  return `(acl2::harbor-${name} ${argument})`;
}

/** The string that `code` gives to the form `name`, if it is nothing else. */
export function stringGivenTo(name: HarborForm, code: string): string | null {
  const given = new RegExp(
    `^\\s*\\((?:acl2::)?harbor-${name}\\s+"((?:[^"\\\\]|\\\\.)*)"\\s*\\)\\s*$`,
    'is',
  ).exec(code);
  return given?.[1]?.replace(/\\(.)/gs, '$1') ?? null;
}
