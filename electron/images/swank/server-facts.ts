/** What a Swank server says of itself (`connection-info` in swank.lisp). */
import { isSymbol, propertyOf, type Sexp, textOf } from './sexp';

export interface ServerFacts {
  /** `SBCL 2.2.9`. */
  implementation: string;
  /** As the server says it: on another host, or in another name space, it means nothing here. */
  pid: number | null;
  /** Whether it evaluates in threads, and so hears us meanwhile. */
  threads: boolean;
  package: string;
}

/** @throws Error for what is no answer of Swank */
export function serverFacts(info: Sexp): ServerFacts {
  const lisp = propertyOf(info, 'lisp-implementation');
  const type = textOf(propertyOf(lisp, 'type'));
  if (type === undefined) throw new Error('what answers there does not say which Lisp it is');
  const version = textOf(propertyOf(lisp, 'version'));
  const pid = propertyOf(info, 'pid');
  return {
    implementation: version === undefined ? type : `${type} ${version}`,
    pid: typeof pid === 'number' ? pid : null,
    threads: isSymbol(propertyOf(info, 'style'), ':spawn'),
    package: textOf(propertyOf(propertyOf(info, 'package'), 'name')) ?? 'CL-USER',
  };
}

export function describeServer({ implementation, pid, threads }: ServerFacts, address: string): string {
  const process = pid === null ? '' : `, process ${pid}`;
  const deaf = threads ? '' : ' It has no threads: what runs cannot be interrupted from here.';
  return `This session is attached to ${implementation} at ${address}${process}, which somebody else started.${deaf}`;
}
