/** Texts that many views use. */

import type { ErrorCode, Failure } from '../contract/errors';
import type { PERSON_KEY } from '../contract/known-clients';
import { count, counted, sentence } from './language';

const YOU: typeof PERSON_KEY = 'you';

const commonEnglish = {
  cancel: 'Cancel',
  close: 'Close',
  none: 'none',
  remove: (what: string) => `Remove ${what}`,
  /** Displayed name of a client. The user at the window is a client too. */
  client: (key: string) => key,
  sessions: (number: number) => count(number, 'session'),
  connections: (number: number) => count(number, 'connection'),
  definitions: (number: number) => count(number, 'definition'),
  evaluations: (number: number) => count(number, 'evaluation'),
  lines: (number: number) => count(number, 'line'),
  characters: (number: number) => count(number, 'character'),
  /** Separator of list items in a sentence. */
  comma: ', ',
};

const commonJapanese: typeof commonEnglish = {
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

export const common = { en: commonEnglish, ja: commonJapanese };

/** Objects to copy, as in "Copy address". */
const copyingEnglish = {
  copy: (what: string) => `Copy ${what}`,
  copied: 'Copied',
  failed: (what: string, problem: string) => `Could not copy ${what}: ${problem}`,
  address: 'address',
  answer: 'answer',
  call: 'call',
  code: 'code',
  command: 'command',
  endpoint: 'endpoint address',
  evaluation: (id: number) => `evaluation ${id}`,
  form: 'form',
  line: 'line',
  notSent: 'your input',
  output: 'output',
  path: 'path',
  place: 'location',
  snippet: 'snippet',
  stacks: 'folded stacks',
  steps: 'steps',
  token: 'token',
};

const copyingJapanese: typeof copyingEnglish = {
  copy: (what) => `${what}をコピー`,
  copied: 'コピーしました',
  failed: (what, problem) => `${what}をコピーできませんでした: ${problem}`,
  address: 'アドレス',
  answer: '応答',
  call: '呼び出し',
  code: 'コード',
  command: 'コマンド',
  endpoint: 'エンドポイントのアドレス',
  evaluation: (id) => `評価 ${id} `,
  form: 'フォーム',
  line: '行',
  notSent: '入力',
  output: '出力',
  path: 'パス',
  place: '場所',
  snippet: '設定の断片',
  stacks: '折りたたんだスタック',
  steps: '手順',
  token: 'トークン',
};

export const copying = { en: copyingEnglish, ja: copyingJapanese };

/** Labels of state marks: sessions, outcomes of evaluations, connections of programs. */
const statesEnglish = {
  session: {
    starting: 'starting',
    idle: 'idle',
    running: 'running',
    debugger: 'debugger',
    lost: 'lost',
    asleep: 'asleep',
    ended: 'ended',
  },
  /** Connection states of sessions that are attached to a server. */
  attached: {
    starting: 'reconnecting',
    idle: 'connected',
    lost: 'failed, retrying',
    ended: 'disconnected',
  },
  outcome: {
    ok: 'ok',
    error: 'error',
    debugger: 'debugger',
    interrupted: 'interrupted',
    crashed: 'crashed',
    refused: 'refused',
    running: 'running',
  },
  connection: {
    absent: 'not installed',
    ready: 'not connected',
    connected: 'connected',
    dropped: 'entry missing',
    moved: 'address changed',
    outdated: 'outdated',
    foreign: 'other entry',
    unreadable: 'unreadable',
    manual: 'manual setup',
  },
  testsFailed: (count: number) => `${count} failed`,
  testsPassed: (count: number) => `${count} passed`,
  testsUnknown: 'no test result',
  network: 'network',
  networkAbout: 'Code in this session can open network connections',
};

const statesJapanese: typeof statesEnglish = {
  session: {
    starting: '起動中',
    idle: '待機中',
    running: '実行中',
    debugger: 'デバッガ',
    lost: '喪失',
    asleep: 'スリープ',
    ended: '終了',
  },
  attached: {
    starting: '再接続中',
    idle: '接続済み',
    lost: '失敗、再試行中',
    ended: '切断',
  },
  outcome: {
    ok: '成功',
    error: 'エラー',
    debugger: 'デバッガ',
    interrupted: '中断',
    crashed: 'クラッシュ',
    refused: '拒否',
    running: '実行中',
  },
  connection: {
    absent: '未インストール',
    ready: '未接続',
    connected: '接続済み',
    dropped: '項目なし',
    moved: 'アドレス変更',
    outdated: '旧版',
    foreign: '別の項目',
    unreadable: '読み取り不可',
    manual: '手動',
  },
  testsFailed: (count) => `${count} 件失敗`,
  testsPassed: (count) => `${count} 件成功`,
  testsUnknown: 'テスト結果なし',
  network: 'ネットワーク',
  networkAbout: 'コードがネットワークに接続できます',
};

export const states = { en: statesEnglish, ja: statesJapanese };

const partsEnglish = {
  /** Reason why an engine is unavailable, in English from the main process. */
  unavailable: <T>(reason: T) => sentence`${reason}`,
  defaultMark: ' default',
  newSessionOther: 'New session with another engine or from a checkpoint',
  engines: 'Engines',
  fromCheckpoint: 'From a checkpoint',
  resizeDetail: 'Resize details',
  notSandboxed: 'Not sandboxed',
  notSandboxedFor: (reason: string) => `Not sandboxed: ${reason}.`,
  accepted: (reason: string) => `Not sandboxed: ${reason}. You accepted this.`,
  warnAgain: 'Warn again',
  warnAgainOf: (reason: string) => `Warn again: ${reason}`,
  notSandboxedAbout:
    'Evaluated code runs without a sandbox: it can read and change every file that you can, start programs and use the network. Results say “not sandboxed” until you accept this. If the reason changes, you are asked again.',
  accept: 'Accept',
  acceptOf: (reason: string) => `Accept: ${reason}`,
};

const partsJapanese: typeof partsEnglish = {
  unavailable: (reason) => sentence`利用できません: ${reason}`,
  defaultMark: '（既定）',
  newSessionOther: '別のエンジンまたはチェックポイントから新規セッション',
  engines: 'エンジン',
  fromCheckpoint: 'チェックポイントから',
  resizeDetail: '詳細のサイズを変更',
  notSandboxed: 'サンドボックスなし',
  notSandboxedFor: (reason) => `サンドボックスなし: ${reason}`,
  accepted: (reason) => `サンドボックスなし: ${reason}（了承済み）`,
  warnAgain: '再び警告する',
  warnAgainOf: (reason) => `再び警告する: ${reason}`,
  notSandboxedAbout:
    '評価されるコードは隔離されません。プロセスに許されたすべてのファイルの読み書き、プログラムの起動、ネットワークの利用ができます。了承するまで、各結果に “not sandboxed” と表示されます。理由が変わったときは、改めて確認します。',
  accept: '了承する',
  acceptOf: (reason) => `了承する: ${reason}`,
};

export const parts = { en: partsEnglish, ja: partsJapanese };

// Error messages. They are in English, as for agents and in the log; other languages prepend the kind of
// error.

const failuresEnglish = { text: ({ message }: Failure): string => message };

const KINDS_JA: Readonly<Record<ErrorCode, string>> = {
  bad_arguments: '指定が正しくありません',
  busy: '使用中です',
  cancelled: '取り消されました',
  checkpoint_failed: 'チェックポイントを作成できませんでした',
  client_unknown: '不明なクライアントです',
  config_foreign: '構成に同じ名前の別の項目があります',
  config_unreadable: '構成ファイルを読み取れません',
  config_unwritable: '構成ファイルに書き込めません',
  data_folder_in_use: 'データフォルダは使用中です',
  data_folder_unusable: 'データフォルダを使用できません',
  engine_failed: 'エンジンでエラーが発生しました',
  engine_unavailable: 'エンジンを利用できません',
  file_exists: 'ファイルはすでに存在します',
  file_missing: 'ファイルが見つかりません',
  file_not_allowed: 'このファイルへのアクセスは許可されていません',
  hash_mismatch: '内容のハッシュが一致しません',
  image_lost: 'イメージが失われました',
  internal: '内部エラーです',
  memory_short: 'メモリが不足しています',
  not_a_file: '通常のファイルではありません',
  not_approved: '承認されていません',
  not_held: 'デバッガで保留中ではありません',
  not_supported: 'この操作には対応していません',
  path_not_allowed: 'このパスへのアクセスは許可されていません',
  paused: '一時停止中です',
  port_in_use: 'ポートは使用中です',
  profile_not_chosen: 'このプロファイルは選択されていません',
  project_not_approved: 'このプロジェクトは承認されていません',
  query_failed: 'イメージへの問い合わせに失敗しました',
  scope_missing: '権限がありません',
  secret_path: '秘密のファイルにはアクセスできません',
  session_ended: 'セッションは終了しています',
  slime_missing: 'SLIME または SLY が見つかりません',
  threads_running: 'ほかのスレッドが動作中です',
  took_too_long: '時間がかかりすぎました',
  unbalanced_code: '括弧の対応が取れていません',
  unknown_checkpoint: 'チェックポイントが見つかりません',
  unknown_evaluation: '評価が見つかりません',
  unknown_handle: '値への参照はもう有効ではありません',
  unknown_package: 'パッケージが見つかりません',
  unknown_part: '該当する要素がありません',
  unknown_resource: 'リソースが見つかりません',
  unknown_session: 'セッションが見つかりません',
  unknown_symbol: 'シンボルが見つかりません',
  unknown_tool: 'ツールが見つかりません',
  untrusted_sender: '呼び出し元を信頼できません',
};

const failuresJapanese: typeof failuresEnglish = {
  text: ({ code, message }) => `${KINDS_JA[code]}: ${message}`,
};

export const failures = { en: failuresEnglish, ja: failuresJapanese };
