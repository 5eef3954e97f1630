/** A sentence of the catalogue in which something is drawn. */
import { createElement, Fragment, type ReactNode } from 'react';

export function Sentence({ of }: { of: readonly ReactNode[] }) {
  return createElement(Fragment, null, ...of);
}
