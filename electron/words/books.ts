/** Books that are certified together: what becomes of each, and how far all are. */
import type { BookState } from '../contract/certification';
import { count, counted } from './counting';

const en = {
  title: 'Books',
  progress: 'Books done',
  done: (done: number, books: number) => `${done} of ${count(books, 'book')}`,
  atWork: (processes: number) => `${count(processes, 'process', 'processes')} at work`,
  states: {
    waiting: 'waiting',
    'at-work': 'certifying',
    certified: 'certified',
    unchanged: 'up to date',
    failed: 'failed',
    interrupted: 'interrupted',
    left: 'not tried',
  } satisfies Record<BookState, string>,
  next: (state: string) => `Go to the next that is ${state}`,
  since: (time: string) => `since ${time}`,
  notCertified: (book: string) => `${book} is not certified`,
  elsewhere: 'see above',
  log: 'Log',
  logOf: (book: string) => `Log of ${book}`,
  closeLog: 'Close the log',
};

const ja: typeof en = {
  title: 'ブック',
  progress: '済んだブック',
  done: (done, books) => `${counted(books, '冊')}中 ${counted(done, '冊')}`,
  atWork: (processes) => `${counted(processes, 'プロセス')}が作業中`,
  states: {
    waiting: '待機中',
    'at-work': '認証中',
    certified: '認証済み',
    unchanged: '最新',
    failed: '失敗',
    interrupted: '中断',
    left: '未実行',
  },
  next: (state) => `次の「${state}」へ移動`,
  since: (time) => `${time} から`,
  notCertified: (book) => `${book} が認証されていません`,
  elsewhere: '上を参照',
  log: 'ログ',
  logOf: (book) => `${book} のログ`,
  closeLog: 'ログを閉じる',
};

export const books = { en, ja };
