/** Words that many places use. */
import type { PERSON_KEY } from '../contract/known-clients';
import { count, counted } from './counting';

const YOU: typeof PERSON_KEY = 'you';

const en = {
  cancel: 'Cancel',
  close: 'Close',
  none: 'none',
  remove: (what: string) => `Remove ${what}`,
  /** What a client is called; the person at the window is one as well. */
  client: (key: string) => key,
  sessions: (number: number) => count(number, 'session'),
  connections: (number: number) => count(number, 'connection'),
  definitions: (number: number) => count(number, 'definition'),
  evaluations: (number: number) => count(number, 'evaluation'),
  lines: (number: number) => count(number, 'line'),
  characters: (number: number) => count(number, 'character'),
  /** Between two items of a list within a sentence. */
  comma: ', ',
};

const ja: typeof en = {
  cancel: 'キャンセル',
  close: '閉じる',
  none: 'なし',
  remove: (what) => `${what} を削除`,
  client: (key) => (key === YOU ? 'あなた' : key),
  sessions: (number) => `セッション ${counted(number, '件')}`,
  connections: (number) => `接続 ${counted(number, '件')}`,
  definitions: (number) => `定義 ${counted(number, '件')}`,
  evaluations: (number) => `評価 ${counted(number, '件')}`,
  lines: (number) => counted(number, '行'),
  characters: (number) => counted(number, '文字'),
  comma: '、',
};

export const common = { en, ja };
