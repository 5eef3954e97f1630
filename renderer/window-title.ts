/** The window's title, which a task bar shows: how many things wait for a person comes first. */
import { useEffect } from 'react';
import { useLive } from './services';

export function useWindowTitle(): void {
  const needs = useLive((state) => state.needs.needs.length);
  useEffect(() => {
    document.title = needs > 0 ? `(${needs}) Lisp Harbor` : 'Lisp Harbor';
  }, [needs]);
}
