/** What stands around every view: navigation, messages, the pause, and what is said when the harbor does not answer. */
import { count, counted } from './counting';

const en = {
  main: 'Main',
  need: (needs: number): string => (needs === 1 ? 'needs you' : 'need you'),
  open: 'open',
  available: (bytes: string) => `${bytes} are available`,
  memoryShort: 'Memory is short',
  emacsPorts: (ports: number): string => (ports === 1 ? 'Emacs port open' : 'Emacs ports open'),
  ports: {
    acl2Bridge: 'ACL2 Bridge open',
    lisply: 'Lisply port open',
    tcp: 'TCP port open',
    telnet: 'Telnet port open',
  },
  notListening: 'Not listening',
  listening: 'Listening',
  stopWhatRuns: 'Stop what runs…',
  stillRunning: (names: readonly string[]) =>
    names.length > 0 ? ` Still running: ${names.join(', ')}.` : ' No evaluation runs.',
  threadsRunOn: (images: number) =>
    images > 0 ? ` Threads that code has started, if any, run on in ${count(images, 'image')}.` : '',
  paused: 'Agents are paused: none begins anything.',
  earlierMessages: 'Earlier messages',
  noEarlierMessages: 'None since this window was opened.',
  messages: 'Messages',
  dismiss: 'Dismiss',
  unreachable: 'The harbor does not answer',
  nothingShown: 'Nothing can be shown',
  tryAgain: 'Try again',
};

const ja: typeof en = {
  main: 'メイン',
  need: () => '件が対応待ち',
  open: '件を開いています',
  available: (bytes) => `空きメモリ ${bytes}`,
  memoryShort: 'メモリが不足しています',
  emacsPorts: () => 'Emacs ポートを開放中',
  ports: {
    acl2Bridge: 'ACL2 Bridge を開放中',
    lisply: 'Lisply ポートを開放中',
    tcp: 'TCP ポートを開放中',
    telnet: 'Telnet ポートを開放中',
  },
  notListening: '待ち受けていません',
  listening: '待ち受け中',
  stopWhatRuns: '実行中のものを停止…',
  stillRunning: (names) =>
    names.length > 0 ? `実行中のセッション: ${names.join('、')}。` : '実行中の評価はありません。',
  threadsRunOn: (images) =>
    images > 0 ? `コードが開始したスレッドがあれば${counted(images, '個')}のイメージで動き続けます。` : '',
  paused: 'エージェントを一時停止しています。新しい処理は始まりません。',
  earlierMessages: '以前のメッセージ',
  noEarlierMessages: 'このウインドウを開いてからのメッセージはありません。',
  messages: 'メッセージ',
  dismiss: '閉じる',
  unreachable: 'ハーバーが応答しません',
  nothingShown: '表示できるものがありません',
  tryAgain: 'やり直す',
};

export const window = { en, ja };
