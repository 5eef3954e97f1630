/** The pages of a long list that can be seen, asked for as they come into view. */
import { useQueries } from '@tanstack/react-query';

/** What a page of items answers, and where one of them stands. */
export interface Pages<T> {
  itemAt: (index: number) => T | undefined;
  error: Error | null;
}

interface PagesOptions<T> {
  queryKey: readonly unknown[];
  size: number;
  /** The first and the last item in view. */
  first: number;
  last: number;
  ask: (offset: number, limit: number) => Promise<readonly T[]>;
}

export function usePages<T>({ queryKey, size, first, last, ask }: PagesOptions<T>): Pages<T> {
  const from = Math.floor(first / size);
  const numbers = Array.from(
    { length: Math.max(0, Math.floor(last / size) - from + 1) },
    (_, place) => from + place,
  );
  const pages = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...queryKey, 'page', number],
      queryFn: () => ask(number * size, size),
    })),
  });
  return {
    itemAt: (index) => pages[Math.floor(index / size) - from]?.data?.[index % size],
    error: pages.find((page) => page.error)?.error ?? null,
  };
}
