/** The books that an evaluation certifies: as they are while it runs, and afterwards as its row has them. */
import { type ComponentType, Fragment, type ReactNode } from 'react';
import type { HistoryRow } from '../../electron/contract/model';
import type { ProofReport } from '../../electron/contract/proof';
import { useProgress } from '../image-queries';
import { CertifiedBooks } from './certified-books';

interface BooksOfProps {
  row: Pick<HistoryRow, 'id' | 'session' | 'outcome'>;
  report: ProofReport | undefined;
  /** What stands around them; absent: nothing. */
  frame?: ComponentType<{ children: ReactNode }>;
}

/** Nothing for one that certifies none. */
export function BooksOf({ row, report, frame: Frame = Fragment }: BooksOfProps) {
  const { data } = useProgress(row);
  const books = report?.certification?.books ?? data?.books;
  return books && books.length > 0 ? (
    <Frame>
      <CertifiedBooks key={row.id} books={books} />
    </Frame>
  ) : null;
}
