/** Newer versions of the app. */
import { count, counted } from './counting';
import { sentence } from './sentence';

const en = {
  title: 'Updates',
  about:
    'A newer version that is found waits for you: it is downloaded and installed when you say so, never while an evaluation runs.',
  absent: 'This copy was built without an address for updates: it never looks for a newer version.',
  channels: { off: 'Off', stable: 'Stable versions', beta: 'Beta versions too' },
  newer: 'Newer version',
  off: 'Nobody looks for a newer version.',
  looking: 'Looking…',
  current: <T>(when: T) => sentence`No newer version was there, ${when}.`,
  look: 'Look now',
  found: (version: string) => `Version ${version} is there.`,
  get: 'Download it',
  getting: (version: string, percent: number) => `Version ${version} is being downloaded: ${percent} %`,
  ready: (version: string) => `Version ${version} is here.`,
  installed: (version: string) =>
    `Version ${version} is installed. What runs is still the one before it, until the app starts again.`,
  asleep: 'Sessions are asleep then, and come back when they are used.',
  gone: 'Sessions end then: the settings say that those of the last time do not come back.',
  install: 'Install and start again',
  startAgain: 'Start again',
  waits: (version: string, running: number) =>
    `Version ${version} is installed as soon as nothing runs: ${count(running, 'evaluation')} now.`,
  waitsToStart: (version: string, running: number) =>
    `Version ${version} is started as soon as nothing runs: ${count(running, 'evaluation')} now.`,
  notYet: 'Not yet',
  harborIsThere: <T>(name: T) => sentence`${name} is there`,
  harborIsHere: <T>(name: T) => sentence`${name} is downloaded`,
  harborIsInstalled: <T>(name: T) => sentence`${name} is installed`,
  installedAbout:
    'What runs is still the version before it. The new one takes over when you say so, never while an evaluation runs.',
  show: 'Look',
  showVersion: (version: string) => `Look at version ${version}`,
};

const ja: typeof en = {
  title: 'アップデート',
  about:
    '新しいバージョンは、あなたが指示したときにダウンロード、インストールされます。評価の実行中に行われることはありません。',
  absent:
    'このビルドにはアップデート用のアドレスが設定されていないため、新しいバージョンを探すことはありません。',
  channels: { off: 'オフ', stable: '安定版', beta: 'ベータ版も含む' },
  newer: '新しいバージョン',
  off: '新しいバージョンは確認されません。',
  looking: '確認しています…',
  current: (when) => sentence`新しいバージョンはありませんでした（${when}）。`,
  look: '今すぐ確認',
  found: (version) => `バージョン ${version} があります。`,
  get: 'ダウンロード',
  getting: (version, percent) => `バージョン ${version} をダウンロードしています: ${percent} %`,
  ready: (version) => `バージョン ${version} をダウンロードしました。`,
  installed: (version) =>
    `バージョン ${version} がインストールされました。アプリを再起動するまでは、以前のバージョンが動作します。`,
  asleep: '再起動後、セッションはスリープ状態になり、使うと復帰します。',
  gone: '再起動するとセッションは終了します（前回のセッションを復帰させない設定になっています）。',
  install: 'インストールして再起動',
  startAgain: '再起動',
  waits: (version, running) =>
    `実行中の評価がなくなり次第、バージョン ${version} をインストールします（現在 ${counted(running, '件')}）。`,
  waitsToStart: (version, running) =>
    `実行中の評価がなくなり次第、バージョン ${version} で再起動します（現在 ${counted(running, '件')}）。`,
  notYet: 'あとで',
  harborIsThere: (name) => sentence`${name} があります`,
  harborIsHere: (name) => sentence`${name} をダウンロードしました`,
  harborIsInstalled: (name) => sentence`${name} がインストールされました`,
  installedAbout:
    '現在動作しているのは以前のバージョンです。新しいバージョンへの切り替えは、あなたが指示したときに行われ、評価の実行中に行われることはありません。',
  show: '見る',
  showVersion: (version) => `バージョン ${version} を見る`,
};

export const updates = { en, ja };
