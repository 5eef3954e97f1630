/** The lambda list of the call at the cursor, with the parameter of the current argument marked. */
import { useEffect, useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { dialectOf } from '../../electron/source/dialect';
import { parameterAt, parametersOf } from '../../electron/source/lambda-list';
import { harbor } from '../bridge';
import styles from './prompt.module.css';
import type { CallAtCursor } from './structural-editing';

/** Delay before the image is queried for a name, in milliseconds. */
const PAUSE_MS = 150;

interface ArglistProps {
  session: SessionView;
  call: CallAtCursor;
  /** The package in which the operator is read; the session's by default. */
  here?: string | undefined;
}

export function Arglist({ session: { id, engine }, call, here }: ArglistProps) {
  const { operator } = call;
  const [known, setKnown] = useState<{ operator: string; arglist: string | null } | null>(null);
  useEffect(() => {
    let late = false;
    const timer = setTimeout(() => {
      const request = { session: id, operator, ...(here === undefined ? {} : { package: here }) };
      harbor.sessions.arglist(request).then(
        ({ arglist }) => {
          if (!late) setKnown({ operator, arglist });
        },
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [id, operator, here]);
  if (known?.operator !== operator || known.arglist === null) return null;
  const arglist = asWritten(known.arglist);
  const parameters = parametersOf(arglist, dialectOf(engine));
  const current = parameterAt(parameters, call);
  // A Clojure function may have several lambda lists.
  if (parameters.length === 0 || /^\(\[/.test(arglist))
    return (
      <code className={styles.arglist} title={arglist}>
        {`${operator} ${arglist}`}
      </code>
    );
  return (
    <code className={styles.arglist} title={arglist}>
      {`${operator} (${parameters
        .slice(0, current)
        .map((each) => `${each} `)
        .join('')}`}
      <b>{parameters[current]}</b>
      {`${parameters
        .slice(current + 1)
        .map((each) => ` ${each}`)
        .join('')})`}
    </code>
  );
}

/** Returns the lambda list in lowercase, because Common Lisp prints symbols in uppercase. */
export function asWritten(arglist: string): string {
  return /[a-z]/.test(arglist) ? arglist : arglist.toLowerCase();
}
