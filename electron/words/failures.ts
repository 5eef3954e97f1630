/** What went wrong. The harbor says it in English, as to agents and in its log; another language says first what kind of trouble it is. */
import type { ErrorCode, Failure } from '../contract/errors';

const en = { told: ({ message }: Failure): string => message };

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
  slime_missing: 'SLIME が見つかりません',
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

const ja: typeof en = { told: ({ code, message }) => `${KINDS_JA[code]}: ${message}` };

export const failures = { en, ja };
