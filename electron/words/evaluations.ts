/** Evaluations wherever they are shown: their conditions, values and output, and running them again. */
const en = {
  restarts: 'Restarts',
  frames: 'Frames',
  framesOf: (frames: number) => `Frames (${frames})`,
  runAgain: 'Run again',
  same: 'In the same session',
  sameAbout: (session: string) => `${session}, as it is now`,
  ended: (session: string) => `${session} has ended`,
  new: 'In a new session',
  newAbout: (engine: string) => `Of ${engine}, with nothing defined yet`,
  branch: 'In a branch',
  branchAbout: (session: string) => `A new session with the state of ${session}`,
  noValues: 'no values',
  values: 'Values',
  pages: 'Pages of the value',
  back: 'Back',
  further: 'Further',
  stretch: (from: string, to: string, length: string) => `Characters ${from} to ${to} of ${length}`,
  showAll: (characters: string) => `Show all ${characters} characters`,
};

const ja: typeof en = {
  restarts: 'リスタート',
  frames: 'フレーム',
  framesOf: (frames) => `フレーム（${frames}）`,
  runAgain: '再実行',
  same: '同じセッションで',
  sameAbout: (session) => `${session}（現在の状態）`,
  ended: (session) => `${session} は終了しました`,
  new: '新規セッションで',
  newAbout: (engine) => `${engine}（定義のない状態）`,
  branch: 'ブランチで',
  branchAbout: (session) => `${session} の状態を引き継ぐ新規セッション`,
  noValues: '値なし',
  values: '値',
  pages: '値のページ',
  back: '戻る',
  further: '次へ',
  stretch: (from, to, length) => `${length} 文字中 ${from}〜${to}`,
  showAll: (characters) => `全 ${characters} 文字を表示`,
};

export const evaluations = { en, ja };
