/** Dialogs of the operating system, notifications, and texts about lost state. */

import { count, counted, plural } from './language';

const SOURCE = 'Evaluated code as source that can be loaded; failed forms are comments.';
const SOURCE_JA = '評価したもの（ロードできるソース。失敗したものはコメント）。';

const dialogsEnglish = {
  cannotStart: 'Lisp Harbor cannot start',
  takeOver: 'Take over',
  takeOverQuestion: 'A headless harbor is running. Take over?',
  takeOverAbout: (pid: number, sessions: string) =>
    `Process ${pid} has ${sessions}. Taking over ends that process and opens the window with the same history.`,
  cancel: 'Cancel',
  settingsUnreadable: 'Lisp Harbor cannot start: its settings file cannot be read.',
  tryAgain: 'Try Again',
  openFile: 'Open the File',
  quit: 'Quit',
  quitTitle: 'Quit Lisp Harbor?',
  quitWhy: (ends: string) => `This ${ends}.`,
  closeWhy: (ends: string) => `Closing the window quits Lisp Harbor. This ${ends}.`,
  comesBack: 'Running or unsaved:',
  comesBackEnd:
    'The sessions are asleep when Lisp Harbor starts again. When a session is used, its definitions are evaluated again from the history.',
  lost: 'Will be lost:',
  lostEnd: 'Evaluations stay in the history.',
  exportAndQuit: 'Export and quit…',
  keepOpen: 'Keep open',
  moreSessions: (sessions: number) => `and in ${sessions} more ${plural(sessions, 'session', 'sessions')}`,
  busy: { running: 'an evaluation is running', held: 'an evaluation is suspended in the debugger' },
  noAnswer: 'it is not responding, so its definitions are not known',
  semicolon: '; ',
  more: (names: number) => `${names} more`,
  unsaved: (definitions: number, names: string) =>
    `${count(definitions, 'definition is', 'definitions are')} not saved to a file (${names})`,
  notExported: (session: string) => `Session ${session} was not exported`,
  chooseProject: 'Choose a project',
  chooseProjectAbout: 'Sessions may read and write the files in this folder.',
  chooseProjectButton: 'Choose project',
  chooseFolder: 'Choose a folder for the allow-list',
  chooseFolderButton: 'Choose folder',
  export: 'Export',
  exportSession: (session: string) => `Export session ${session}`,
  exportSessionAbout: 'Saves the definitions of the session as a source file.',
  exportNotebook: (session: string) => `Export session ${session} as a notebook`,
  exportNotebookAbout: 'Saves the evaluations of the session and their results, for Jupyter.',
  /** The kinds of file that evaluations are exported to. */
  formats: {
    lisp: { name: 'Lisp', about: SOURCE },
    clj: { name: 'Clojure', about: SOURCE },
    ipynb: { name: 'Notebook', about: 'Evaluations and their results, for Jupyter.' },
    md: { name: 'Markdown', about: 'Evaluations and their results, for reading.' },
  },
  exportEvaluations: 'Export evaluations',
  saveCheck: 'Save the report of a final check',
  saveCheckAbout: 'What was checked, its sources, and how to reproduce it.',
  text: 'Text',
};

const dialogsJapanese: typeof dialogsEnglish = {
  cannotStart: 'Lisp Harbor を起動できません',
  takeOver: '引き継ぐ',
  takeOverQuestion: 'ウインドウのないハーバーが実行中です。引き継ぎますか？',
  takeOverAbout: (pid, sessions) =>
    `プロセス ${pid}: ${sessions}。引き継ぐとそのプロセスは終わり、同じ履歴でウインドウを開きます。`,
  cancel: 'キャンセル',
  settingsUnreadable: '設定ファイルを読めないため、Lisp Harbor を起動できません。',
  tryAgain: '再試行',
  openFile: 'ファイルを開く',
  quit: '終了',
  quitTitle: 'Lisp Harbor を終了しますか？',
  quitWhy: (ends) => `${ends}。`,
  closeWhy: (ends) => `ウインドウを閉じると Lisp Harbor は終了し、${ends}。`,
  comesBack: '実行中のものと、ファイルに保存されていないもの:',
  comesBackEnd:
    '次に Lisp Harbor を起動したとき、セッションはスリープ状態です。使うときに、履歴から定義を評価し直します。',
  lost: '失われるもの:',
  lostEnd: '評価したものは履歴に残ります。',
  exportAndQuit: '書き出して終了…',
  keepOpen: '終了しない',
  moreSessions: (sessions) => `ほかにセッション ${counted(sessions, '件')}`,
  busy: { running: '評価を実行中', held: '評価がデバッガで保留中' },
  noAnswer: '応答がないため、定義されているものは不明です',
  semicolon: '、',
  more: (names) => `ほか ${counted(names, '件')}`,
  unsaved: (definitions, names) =>
    `定義 ${counted(definitions, '件')}がファイルに保存されていません（${names}）`,
  notExported: (session) => `セッション ${session} を書き出せませんでした`,
  chooseProject: 'プロジェクトを選択',
  chooseProjectAbout: 'セッションはこのフォルダのファイルを読み書きできます。',
  chooseProjectButton: 'プロジェクトを選択',
  chooseFolder: '許可リストに加えるフォルダを選択',
  chooseFolderButton: 'フォルダを選択',
  export: '書き出す',
  exportSession: (session) => `セッション ${session} を書き出す`,
  exportSessionAbout: 'セッションで定義したものを、ソースファイルとして書き出します。',
  exportNotebook: (session) => `セッション ${session} をノートブックとして書き出す`,
  exportNotebookAbout: 'セッションで評価したものとその結果を、Jupyter 用に書き出します。',
  formats: {
    lisp: { name: 'Lisp', about: SOURCE_JA },
    clj: { name: 'Clojure', about: SOURCE_JA },
    ipynb: { name: 'ノートブック', about: '評価したものとその結果（Jupyter 用）。' },
    md: { name: 'Markdown', about: '評価したものとその結果（読むためのもの）。' },
  },
  exportEvaluations: '評価を書き出す',
  saveCheck: '最終確認の報告を保存',
  saveCheckAbout: '確認した内容と対象のソース、再現の手順です。',
  text: 'テキスト',
};

export const dialogs = { en: dialogsEnglish, ja: dialogsJapanese };

/** Loss of state when an image crashes or its session ends. */
const lossesEnglish = {
  connectionLost: (address: string) => `The connection to ${address} was lost. `,
  imageDied: 'The image of this session crashed.',
  imageEnded: (because: string) => `The image of this session ended, because ${because}.`,
  allLost: ' Its state is lost. Evaluate something to start a new image, or end the session.',
  definitionsAgain:
    ' The next evaluation starts a new image, in which definitions are evaluated again from the history. Other state is lost.',
  checkpointAndDefinitions: (checkpoint: string) =>
    ` The next evaluation starts a new image from checkpoint ${checkpoint}; later definitions are evaluated again from the history. Other later changes are lost.`,
  checkpointOnly: (checkpoint: string) =>
    ` The next evaluation starts a new image from checkpoint ${checkpoint}. Later changes are lost.`,
  reconnects: 'Reconnecting automatically. If the server was restarted, its previous state is lost.',
  nreplHint:
    ' If this fails, check that the server runs, that .nrepl-port in the project names its port, and that “Attach…” with its host and port works.',
  restartEnds: 'Running and suspended evaluations are stopped. ',
  restartServer: 'The session reconnects; its server keeps running.',
  newImage: 'The session gets a new image.',
  fromCheckpoint: (checkpoint: string) => ` It starts from checkpoint ${checkpoint}.`,
  restartDefinitions: ' Definitions are evaluated again from the history; other state is lost.',
  restartLost: ' Later changes are lost.',
  insistent: (evaluation: number, isServer: boolean) =>
    `Evaluation ${evaluation} did not stop when it was interrupted. It is interrupted again, including its cleanup forms; if that fails within a few seconds, ${isServer ? 'the connection is closed' : 'its image is killed'}.`,
  ending: (evaluation: number, isServer: boolean) =>
    `${isServer ? 'The connection is closed' : 'Its image is killed'}: evaluation ${evaluation} could not be stopped otherwise.`,
  asleepServer: (address: string) => `When it is used, the session reconnects to ${address}.`,
  asleepFresh: 'When it is used, the session starts in a new image. Its state is lost.',
  asleepWith: (what: readonly string[]) =>
    `When it is used, the session is restored with ${what.join(' and ')}.`,
  theCheckpoint: (checkpoint: string) => `the state of checkpoint ${checkpoint}`,
  theDefinitions: 'its definitions, which are evaluated again from the history',
  endServer:
    'The server keeps running, with everything that was defined in it. Evaluations stay in the history.',
  endAsleep: 'Its definitions cannot be restored. Evaluations stay in the history.',
  end: (sessions: number) =>
    `${sessions === 1 ? 'Its image ends and its definitions are lost' : 'Their images end and their definitions are lost'}. Evaluations stay in the history`,
  endCheckpoints: '; saved checkpoints stay and can be opened as new sessions.',
  endPlain: '.',
};

const lossesJapanese: typeof lossesEnglish = {
  connectionLost: (address) => `${address} との接続が失われました。`,
  imageDied: 'このセッションのイメージが異常終了しました。',
  imageEnded: (because) => `このセッションのイメージは終了しました（${because}）。`,
  allLost:
    '状態は失われました。何かを評価すると新しいイメージになります。セッションを終了することもできます。',
  definitionsAgain:
    '次の評価で新しいイメージになり、定義は履歴から評価し直されます。ほかの状態は失われます。',
  checkpointAndDefinitions: (checkpoint) =>
    `次の評価でチェックポイント ${checkpoint} から新しいイメージになり、その後の定義は履歴から評価し直されます。その後のほかの変更は失われます。`,
  checkpointOnly: (checkpoint) =>
    `次の評価でチェックポイント ${checkpoint} から新しいイメージになります。その後の変更は失われます。`,
  reconnects:
    '自動的に再接続します。サーバーが戻ればセッションも戻りますが、起動し直されたサーバーには以前の状態がありません。',
  nreplHint:
    '戻らない場合は、サーバーが動いているか、プロジェクトの .nrepl-port がそのポートを指しているか、「接続…」でそのホストとポートに接続できるかを確認してください。',
  restartEnds: '実行中または保留中の評価は終了します。',
  restartServer: 'セッションを接続し直します。サーバーは動き続けます。',
  newImage: 'セッションは新しいイメージになります。',
  fromCheckpoint: (checkpoint) => `チェックポイント ${checkpoint} から始まります。`,
  restartDefinitions: '定義は履歴から評価し直されます。ほかの状態は失われます。',
  restartLost: 'その後の変更は失われます。',
  insistent: (evaluation, isServer) =>
    `評価 ${evaluation} は中断しても停止しませんでした。後始末の処理も含めて再び中断しています。数秒以内に停止しなければ、${isServer ? '接続を閉じます' : 'イメージを終了します'}。`,
  ending: (evaluation, isServer) =>
    `${isServer ? '接続を閉じています' : 'イメージを終了しています'}。評価 ${evaluation} はほかの方法では停止できませんでした。`,
  asleepServer: (address) => `使うときに復帰し、${address} に再接続します。`,
  asleepFresh: '使うときに新しいイメージで復帰します。状態は失われます。',
  asleepWith: (what) => `使うときに、${what.join('と、')}とともに復帰します。`,
  theCheckpoint: (checkpoint) => `チェックポイント ${checkpoint} の状態`,
  theDefinitions: '履歴から評価し直される定義',
  endServer: 'サーバーは、定義されたものとともに動き続けます。評価したものは履歴に残ります。',
  endAsleep: 'そこで定義したものは元に戻せません。評価したものは履歴に残ります。',
  end: () => 'イメージは終了し、定義したものは失われます。評価したものは履歴に残ります',
  endCheckpoints: '。保存したチェックポイントは残り、そこから新しいセッションを開けます。',
  endPlain: '。',
};

export const losses = { en: lossesEnglish, ja: lossesJapanese };

/** Notifications. */
const noticesEnglish = {
  waits: (client: string) => `${client} is waiting for approval`,
  wants: (wish: string) => `It wants ${wish}.`,
  suspended: (session: string, condition: string) => `${session} is suspended: ${condition}`,
  dropped: (program: string) => `${program} no longer has Lisp Harbor`,
  droppedAbout: 'The Lisp Harbor entry is missing from its configuration.',
  repository: (path: string) => `Git would obey ${path}`,
  repositoryAbout: 'It appeared while code ran. Inspect it before you use Git there.',
  places: (count: number, project: string) =>
    count === 1
      ? `A file that programs obey appeared or changed in ${project}`
      : `${count} files that programs obey appeared or changed in ${project}`,
  placesAbout: 'Inspect them before other programs use the folder.',
  ended: {
    ok: (id: number) => `#${id} has finished`,
    error: (id: number) => `#${id} ended with an error`,
    crashed: (id: number) => `#${id} ended: its image crashed`,
  },
};

const noticesJapanese: typeof noticesEnglish = {
  waits: (client) => `${client} が承認を待っています`,
  wants: (wish) => `要求: ${wish}`,
  suspended: (session, condition) => `${session} で保留中: ${condition}`,
  dropped: (program) => `${program} から Lisp Harbor がなくなりました`,
  droppedAbout: '構成に Lisp Harbor の項目がありません。',
  repository: (path) => `Git が ${path} に従います`,
  repositoryAbout: 'コードの実行中に現れました。Git を使う前に確認してください。',
  places: (count, project) => `プログラムが従うファイルが ${project} に現れたか変更されました（${count} 件）`,
  placesAbout: 'ほかのプログラムがフォルダを使う前に確認してください。',
  ended: {
    ok: (id) => `#${id} が終わりました`,
    error: (id) => `#${id} はエラーで終わりました`,
    crashed: (id) => `#${id} はイメージの終了により終わりました`,
  },
};

export const notices = { en: noticesEnglish, ja: noticesJapanese };
