/** What became of a book, as a shape and a tone; the word depends on the language. */
import { Ban, Check, Circle, CircleDot, Equal, Hand, X } from 'lucide-react';
import type { BookState } from '../../electron/contract/certification';
import type { Mark } from '../parts/state-mark';

/** In the order in which they are counted. */
export const BOOK_MARKS: Readonly<Record<BookState, Omit<Mark, 'word'>>> = {
  certified: { icon: Check, tone: 'good' },
  unchanged: { icon: Equal, tone: 'good' },
  failed: { icon: X, tone: 'bad' },
  interrupted: { icon: Hand, tone: 'warn' },
  left: { icon: Ban, tone: 'warn' },
  'at-work': { icon: CircleDot, tone: 'active' },
  waiting: { icon: Circle, tone: 'quiet' },
};
