/** Short messages about what was just done or could not be done. */
import { count, counted, plural } from './counting';

const unfounded = (commands: number) =>
  `${count(commands, 'later command')} ${plural(commands, 'does', 'do')} not stand`;

const en = {
  sessionsEnded: (sessions: number) => `${count(sessions, 'session')} have ended.`,
  definitionsWritten: (definitions: number, file: string) =>
    `${count(definitions, 'definition')} written to ${file}.`,
  evaluationsWritten: (evaluations: number, file: string) =>
    `${count(evaluations, 'evaluation')} written to ${file}.`,
  notInIt: (evaluations: number) => ` ${count(evaluations, 'evaluation')} of other engines cannot be in it.`,
  draftLeft: (session: string, engine: string) =>
    `${session} has ended. What you had typed there is kept: the next REPL of ${engine} offers it.`,
  sessionOpen: (session: string) => `Session ${session} is open.`,
  newImage: (session: string) => `Session ${session} has a new image.`,
  saved: (checkpoint: string) => `Checkpoint ${checkpoint} is saved.`,
  incomplete: ' Not everything is in it: the list says what is not.',
  restored: (session: string, checkpoint: string) =>
    `Session ${session} is back at checkpoint ${checkpoint}.`,
  keptBefore: (checkpoint: string) => ` What it had before is in checkpoint ${checkpoint}.`,
  unfoundedNow: (commands: number) => ` ${unfounded(commands)} any more.`,
  dropped: (checkpoint: string) => `Checkpoint ${checkpoint} is dropped.`,
  undone: (commands: number, session: string) =>
    `${count(commands, 'command')} of ${session} ${plural(commands, 'is', 'are')} undone.`,
  takenOut: (command: number, session: string) => `Command ${command} of ${session} is taken out.`,
  nothingUndone: (evaluation: number, outcome: string) =>
    `Nothing is undone: evaluation ${evaluation} was ${outcome}.`,
  unfoundedWithout: (commands: number, evaluation: number) =>
    ` ${unfounded(commands)} without it: evaluation ${evaluation} says which.`,
  runsAgain: (id: number, evaluation: number, session: string) =>
    `#${id} runs again as #${evaluation} in ${session}.`,
  reportWritten: (file: string) => `The report is written to ${file}, and as data beside it.`,
  threadsOfEmacs: (threads: readonly string[]) =>
    `The port is closed, but these threads of Emacs go on in the image: ${threads.join(', ')}. Reset the session to end them.`,
  newSessionsIn: (project: string) => `New sessions work in ${project}.`,
  written: (what: string, file: string) => `${what} written to ${file}.`,
  takenAway: (title: string, evaluation: number) => `${title} is taken away: evaluation ${evaluation}.`,
  asItWas: (title: string, evaluation: number) => `${title} is as it was: evaluation ${evaluation}.`,
  notPutBack: (title: string, problem: string) => `${title} could not be put back: ${problem}`,
  fileAsItWas: (file: string) => `${file} is as it was.`,
  fileTakenAway: (file: string) => `${file} is deleted; what it held is in the history.`,
  connected: (program: string) => `${program} is connected.`,
  disconnected: (program: string) => `${program} is disconnected.`,
  tokenRevoked: (token: string) => `Token ${token} is revoked.`,
  restarted: (sessions: number) =>
    `${count(sessions, 'session')} restarted, with ${plural(sessions, 'its', 'their')} state.`,
};

const unfoundedInJapanese = (commands: number) =>
  `後のコマンドのうち${counted(commands, '件')}は成り立ちません`;

const ja: typeof en = {
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
  keptBefore: (checkpoint) => `それまでの状態はチェックポイント ${checkpoint} にあります。`,
  unfoundedNow: (commands) => `${unfoundedInJapanese(commands)}。`,
  dropped: (checkpoint) => `チェックポイント ${checkpoint} を破棄しました。`,
  undone: (commands, session) => `${session} のコマンド ${counted(commands, '件')}を取り消しました。`,
  takenOut: (command, session) => `${session} のコマンド ${command} を取り除きました。`,
  nothingUndone: (evaluation, outcome) =>
    `何も取り消されませんでした。評価 ${evaluation} の結果は ${outcome} です。`,
  unfoundedWithout: (commands, evaluation) =>
    `それがないと${unfoundedInJapanese(commands)}。どれかは評価 ${evaluation} にあります。`,
  runsAgain: (id, evaluation, session) => `#${id} を ${session} で #${evaluation} として再実行しています。`,
  reportWritten: (file) => `報告を ${file} に、データをその隣に書き出しました。`,
  threadsOfEmacs: (threads) =>
    `ポートは閉じましたが、Emacs の次のスレッドがイメージで動いています: ${threads.join('、')}。終わらせるにはセッションをリセットしてください。`,
  newSessionsIn: (project) => `新規セッションは ${project} で動作します。`,
  written: (what, file) => `${what} を ${file} に書き込みました。`,
  takenAway: (title, evaluation) => `${title} を取り除きました（評価 ${evaluation}）。`,
  asItWas: (title, evaluation) => `${title} を元に戻しました（評価 ${evaluation}）。`,
  notPutBack: (title, problem) => `${title} を元に戻せませんでした: ${problem}`,
  fileAsItWas: (file) => `${file} を元に戻しました。`,
  fileTakenAway: (file) => `${file} を削除しました。内容は履歴にあります。`,
  connected: (program) => `${program} を接続しました。`,
  disconnected: (program) => `${program} の接続を解除しました。`,
  tokenRevoked: (token) => `トークン ${token} を無効にしました。`,
  restarted: (sessions) => `${counted(sessions, '件')}のセッションを状態とともに再起動しました。`,
};

export const messages = { en, ja };
