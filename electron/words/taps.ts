/** What code gives to Clojure's tap>. */
import { sentence } from './sentence';

const en = {
  title: 'Taps',
  list: 'Tapped values',
  none: 'Nothing was tapped yet',
  noneAbout: 'What code gives to (tap> value) appears here while it goes on, with its value to look into.',
  attached: 'Of a server that was attached, what is tapped counts from the first look at this tab on.',
  latest: (taps: number) => `The latest ${taps}, the newest first.`,
  forget: 'Forget all',
  one: <T>(type: string, when: T) => sentence`${type}, ${when}`,
};

const ja: typeof en = {
  title: 'タップ',
  list: 'タップされた値',
  none: 'タップされた値はまだありません',
  noneAbout: 'コードが (tap> 値) に渡したものは、実行を止めずにここに現れ、その値の中を調べられます。',
  attached: '接続したサーバーでは、このタブを最初に開いてからタップされたものだけが対象です。',
  latest: (taps) => `最新の ${taps} 件（新しい順）。`,
  forget: 'すべて消去',
  one: (type, when) => sentence`${type}、${when}`,
};

export const taps = { en, ja };
