/** Messages (toasts) about completed and failed actions. */

import { count, counted, plural } from './language';

const unfounded = (commands: number) =>
  `${count(commands, 'later command')} ${plural(commands, 'is', 'are')} no longer valid`;

const messagesEnglish = {
  sessionsEnded: (sessions: number) => `${count(sessions, 'session')} ended.`,
  definitionsWritten: (definitions: number, file: string) =>
    `${count(definitions, 'definition')} written to ${file}.`,
  evaluationsWritten: (evaluations: number, file: string) =>
    `${count(evaluations, 'evaluation')} written to ${file}.`,
  notInIt: (evaluations: number) => ` Not included: ${count(evaluations, 'evaluation')} of other engines.`,
  draftLeft: (session: string, engine: string) =>
    `${session} has ended. Your unsent input is saved; the next ${engine} REPL offers it.`,
  sessionOpen: (session: string) => `Session ${session} is open.`,
  newImage: (session: string) => `Session ${session} has a new image.`,
  saved: (checkpoint: string) => `Checkpoint ${checkpoint} is saved.`,
  incomplete: ' It is incomplete; the list shows what is missing.',
  restored: (session: string, checkpoint: string) =>
    `Session ${session} is restored from checkpoint ${checkpoint}.`,
  previousState: (checkpoint: string) => ` Its previous state is in checkpoint ${checkpoint}.`,
  undo: 'Undo',
  withoutSaving: 'Restore without saving',
  invalidNow: (commands: number) => ` ${unfounded(commands)}.`,
  dropped: (checkpoint: string) => `Checkpoint ${checkpoint} is deleted.`,
  undone: (commands: number, session: string) =>
    `${count(commands, 'command')} of ${session} ${plural(commands, 'is', 'are')} undone.`,
  commandRemoved: (command: number, session: string) => `Command ${command} of ${session} is removed.`,
  nothingUndone: (evaluation: number, outcome: string) =>
    `Nothing was undone: evaluation ${evaluation} was ${outcome}.`,
  invalidWithout: (commands: number, evaluation: number) =>
    ` ${unfounded(commands)}: see evaluation ${evaluation}.`,
  runsAgain: (id: number, evaluation: number, session: string) =>
    `#${id} runs again as #${evaluation} in ${session}.`,
  reportWritten: (file: string) => `Report saved to ${file}, with its data next to it.`,
  threadsOfEditor: (threads: readonly string[]) =>
    `The port is closed, but these threads of the editor still run in the image: ${threads.join(', ')}. Reset the session to end them.`,
  newSessionsIn: (project: string) => `New sessions start in ${project}.`,
  written: (what: string, file: string) => `${what} written to ${file}.`,
  removed: (title: string, evaluation: number) => `${title} is removed (evaluation ${evaluation}).`,
  restoredDefinition: (title: string, evaluation: number) =>
    `${title} is restored (evaluation ${evaluation}).`,
  loadedDefinition: (title: string, evaluation: number) =>
    `${title} is loaded from its file (evaluation ${evaluation}).`,
  notLoaded: (title: string, problem: string) => `Could not load ${title}: ${problem}`,
  notRestored: (title: string, problem: string) => `Could not restore ${title}: ${problem}`,
  fileRestored: (file: string) => `${file} is restored.`,
  fileDeleted: (file: string) => `${file} is deleted. Its content is saved in the history.`,
  connected: (program: string) => `${program} is connected.`,
  disconnected: (program: string) => `${program} is disconnected.`,
  tokenRevoked: (token: string) => `Token ${token} is revoked.`,
  restarted: (sessions: number) =>
    `${count(sessions, 'session')} restarted, with ${plural(sessions, 'its', 'their')} state.`,
};

const unfoundedInJapanese = (commands: number) =>
  `後のコマンドのうち${counted(commands, '件')}は成り立ちません`;

const messagesJapanese: typeof messagesEnglish = {
  sessionsEnded: (sessions) => `${counted(sessions, '件')}のセッションを終了しました。`,
  definitionsWritten: (definitions, file) =>
    `定義 ${counted(definitions, '件')}を ${file} に書き出しました。`,
  evaluationsWritten: (evaluations, file) =>
    `評価 ${counted(evaluations, '件')}を ${file} に書き出しました。`,
  notInIt: (evaluations) => `ほかのエンジンの評価 ${counted(evaluations, '件')}は含められません。`,
  draftLeft: (session, engine) =>
    `${session} は終了しました。そこでの入力は保管され、次に開く ${engine} の REPL で挿入できます。`,
  sessionOpen: (session) => `セッション ${session} を開きました。`,
  newImage: (session) => `セッション ${session} は新しいイメージになりました。`,
  saved: (checkpoint) => `チェックポイント ${checkpoint} を保存しました。`,
  incomplete: '含められなかったものがあります。一覧で確認してください。',
  restored: (session, checkpoint) => `セッション ${session} をチェックポイント ${checkpoint} に戻しました。`,
  previousState: (checkpoint) => `それまでの状態はチェックポイント ${checkpoint} にあります。`,
  undo: '元に戻す',
  withoutSaving: '保存せずに復元',
  invalidNow: (commands) => `${unfoundedInJapanese(commands)}。`,
  dropped: (checkpoint) => `チェックポイント ${checkpoint} を削除しました。`,
  undone: (commands, session) => `${session} のコマンド ${counted(commands, '件')}を取り消しました。`,
  commandRemoved: (command, session) => `${session} のコマンド ${command} を取り除きました。`,
  nothingUndone: (evaluation, outcome) =>
    `何も取り消されませんでした。評価 ${evaluation} の結果は ${outcome} です。`,
  invalidWithout: (commands, evaluation) =>
    `それがないと${unfoundedInJapanese(commands)}。どれかは評価 ${evaluation} にあります。`,
  runsAgain: (id, evaluation, session) => `#${id} を ${session} で #${evaluation} として再実行しています。`,
  reportWritten: (file) => `報告を ${file} に、データをその隣に書き出しました。`,
  threadsOfEditor: (threads) =>
    `ポートは閉じましたが、エディタの次のスレッドがイメージで動いています: ${threads.join('、')}。終わらせるにはセッションをリセットしてください。`,
  newSessionsIn: (project) => `新規セッションは ${project} で動作します。`,
  written: (what, file) => `${what} を ${file} に書き込みました。`,
  removed: (title, evaluation) => `${title} を取り除きました（評価 ${evaluation}）。`,
  restoredDefinition: (title, evaluation) => `${title} を元に戻しました（評価 ${evaluation}）。`,
  loadedDefinition: (title, evaluation) => `${title} をファイルから読み込みました（評価 ${evaluation}）。`,
  notLoaded: (title, problem) => `${title} を読み込めませんでした: ${problem}`,
  notRestored: (title, problem) => `${title} を元に戻せませんでした: ${problem}`,
  fileRestored: (file) => `${file} を元に戻しました。`,
  fileDeleted: (file) => `${file} を削除しました。内容は履歴にあります。`,
  connected: (program) => `${program} を接続しました。`,
  disconnected: (program) => `${program} の接続を解除しました。`,
  tokenRevoked: (token) => `トークン ${token} を無効にしました。`,
  restarted: (sessions) => `${counted(sessions, '件')}のセッションを状態とともに再起動しました。`,
};

export const messages = { en: messagesEnglish, ja: messagesJapanese };

// Texts around the views: navigation, messages, pause, and an unreachable harbor.

const windowEnglish = {
  main: 'Main',
  need: (needs: number): string => (needs === 1 ? 'needs you' : 'need you'),
  open: 'open',
  available: (bytes: string) => `${bytes} available`,
  memoryShort: 'Memory is low',
  editorPorts: (ports: number): string => (ports === 1 ? 'Editor port open' : 'Editor ports open'),
  ports: {
    acl2Bridge: 'ACL2 Bridge open',
    lisply: 'Lisply port open',
    tcp: 'TCP port open',
    telnet: 'Telnet port open',
  },
  notListening: 'Not listening',
  listening: 'Listening',
  pause: 'Pause',
  resume: 'Resume',
  widen: 'Widen',
  narrow: 'Narrow',
  stopWhatRuns: 'Stop evaluations…',
  stillRunning: (names: readonly string[]) =>
    names.length > 0 ? ` Still running: ${names.join(', ')}.` : ' No evaluation is running.',
  threadsRunOn: (images: number) =>
    images > 0 ? ` Threads that code started may still run in ${count(images, 'image')}.` : '',
  paused: 'Agents are paused. They cannot start anything.',
  earlierMessages: 'Earlier messages',
  noEarlierMessages: 'No messages since this window opened.',
  messages: 'Messages',
  dismiss: 'Dismiss',
  unreachable: 'The harbor is not responding',
  nothingShown: 'This view cannot be shown',
  tryAgain: 'Try again',
};

const windowJapanese: typeof windowEnglish = {
  main: 'メイン',
  need: () => '件が対応待ち',
  open: '件を開いています',
  available: (bytes) => `空きメモリ ${bytes}`,
  memoryShort: 'メモリが不足しています',
  editorPorts: () => 'エディタのポートを開放中',
  ports: {
    acl2Bridge: 'ACL2 Bridge を開放中',
    lisply: 'Lisply ポートを開放中',
    tcp: 'TCP ポートを開放中',
    telnet: 'Telnet ポートを開放中',
  },
  notListening: '待ち受けていません',
  listening: '待ち受け中',
  pause: '一時停止',
  resume: '再開',
  widen: '広げる',
  narrow: '狭める',
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
  nothingShown: 'このビューを表示できません',
  tryAgain: 'やり直す',
};

export const window = { en: windowEnglish, ja: windowJapanese };
