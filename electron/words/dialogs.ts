/** The system's own dialogs. */
import { count, counted, plural } from './counting';

const SOURCE = 'What was evaluated, as source that can be loaded; what failed is in comments.';
const SOURCE_JA = '評価したもの（ロードできるソース。失敗したものはコメント）。';

const en = {
  cannotStart: 'Lisp Harbor cannot start',
  takeOver: 'Take over',
  takeOverAsked: 'A headless harbor is running. Take over?',
  takeOverAbout: (pid: number, sessions: string) =>
    `Process ${pid} has ${sessions}. Taking over ends it and opens the window on the same history.`,
  cancel: 'Cancel',
  settingsUnreadable: 'Lisp Harbor cannot start: its settings file cannot be read.',
  tryAgain: 'Try Again',
  openFile: 'Open the File',
  quit: 'Quit',
  quitAsked: 'Quit Lisp Harbor?',
  quitWhy: (ends: string) => `That ${ends}.`,
  closeWhy: (ends: string) => `Nothing keeps it here without its window, so closing that quits: it ${ends}.`,
  comesBack: 'What runs, and what is in no file:',
  comesBackEnd:
    'The sessions are asleep when Lisp Harbor starts again; once used, each evaluates its definitions again from the history.',
  lost: 'What would be lost:',
  lostEnd: 'What was evaluated stays in the history.',
  exportAndQuit: 'Export and quit…',
  keepOpen: 'Keep open',
  moreSessions: (sessions: number) => `and in ${sessions} more ${plural(sessions, 'session', 'sessions')}`,
  busy: { running: 'an evaluation runs', held: 'an evaluation is held in the debugger' },
  noAnswer: 'it does not answer, so what it has defined is not known',
  semicolon: '; ',
  more: (names: number) => `${names} more`,
  unsaved: (definitions: number, names: string) =>
    `${count(definitions, 'definition is', 'definitions are')} in no file (${names})`,
  notExported: (session: string) => `Session ${session} was not exported`,
  chooseProject: 'Choose a project',
  chooseProjectAbout: 'Sessions may read and write the files in this folder.',
  chooseProjectButton: 'Choose project',
  chooseFolder: 'Choose a folder for the allow-list',
  chooseFolderButton: 'Choose folder',
  export: 'Export',
  exportSession: (session: string) => `Export session ${session}`,
  exportSessionAbout: 'What was defined in the session, as a source file.',
  exportNotebook: (session: string) => `Export session ${session} as a notebook`,
  exportNotebookAbout: 'What was evaluated in the session and what came of it, for Jupyter.',
  /** The kinds of file that evaluations are exported to. */
  formats: {
    lisp: { name: 'Lisp', about: SOURCE },
    clj: { name: 'Clojure', about: SOURCE },
    ipynb: { name: 'Notebook', about: 'What was evaluated and what came of it, for Jupyter.' },
    md: { name: 'Markdown', about: 'What was evaluated and what came of it, to be read.' },
  },
  exportEvaluations: 'Export evaluations',
  saveCheck: 'Save the report of a final check',
  saveCheckAbout: 'What was checked, of which sources, and how to repeat it.',
  text: 'Text',
};

const ja: typeof en = {
  cannotStart: 'Lisp Harbor を起動できません',
  takeOver: '引き継ぐ',
  takeOverAsked: 'ウインドウのないハーバーが実行中です。引き継ぎますか？',
  takeOverAbout: (pid, sessions) =>
    `プロセス ${pid}: ${sessions}。引き継ぐとそのプロセスは終わり、同じ履歴でウインドウを開きます。`,
  cancel: 'キャンセル',
  settingsUnreadable: '設定ファイルを読めないため、Lisp Harbor を起動できません。',
  tryAgain: '再試行',
  openFile: 'ファイルを開く',
  quit: '終了',
  quitAsked: 'Lisp Harbor を終了しますか？',
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

export const dialogs = { en, ja };
