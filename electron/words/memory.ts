/** What fills the memory of a session's image. */
import { sentence } from './sentence';

const en = {
  title: 'Memory',
  countAgain: 'Count again',
  counted: <T>(when: T) =>
    sentence`Counted ${when}. The image pauses while its objects are counted, a second at most.`,
  heap: 'Heap',
  used: (used: string, size: string) => `${used} of ${size} used, garbage included`,
  space: (name: string) => `${name} space`,
  incomplete: (counted: string) =>
    `Not all objects are counted: the heap holds more than one second is enough for. The figures are those of its first ${counted}.`,
  byType: 'Objects by type',
  type: 'Type',
  objects: 'Objects',
  share: 'Share',
  otherTypes: (types: number) => `${types} other types`,
  bytes: (bytes: string) => `${bytes} bytes`,
  unsupported: (engine: string) => `${engine} does not tell what fills its memory`,
  unsupportedAbout: 'How much it takes in all stands in the list of sessions.',
};

const ja: typeof en = {
  title: 'メモリ',
  countAgain: '数え直す',
  counted: (when) =>
    sentence`${when}に集計しました。オブジェクトを数える間（長くて 1 秒）、イメージは一時停止します。`,
  heap: 'ヒープ',
  used: (used, size) => `${size} のうち ${used} を使用（回収前のごみを含む）`,
  space: (name) => `${name} 領域`,
  incomplete: (counted) =>
    `1 秒では数えきれないため、すべてのオブジェクトは数えていません。数字は最初の ${counted} のものです。`,
  byType: '型ごとのオブジェクト',
  type: '型',
  objects: 'オブジェクト',
  share: '割合',
  otherTypes: (types) => `ほか ${types} 種類の型`,
  bytes: (bytes) => `${bytes} バイト`,
  unsupported: (engine) => `${engine} ではメモリの内訳がわかりません`,
  unsupportedAbout: '全体の使用量はセッションの一覧にあります。',
};

export const memory = { en, ja };
