/** The settings view without shortcuts; diagnostics, logs and updates. */
import { count, counted, sentence } from './language';

const settingsEnglish = {
  title: 'Settings',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  language: 'Language',
  /** Each language by its own name, so that users find theirs. */
  languages: { system: 'Automatic', en: 'English', ja: '日本語' },
  callingYou: 'Notifications',
  callingYouAbout: 'Shown while this window does not have the focus. The badge and the marks always count.',
  callsFor: {
    approvals: 'When an agent waits for approval',
    heldErrors: 'When an evaluation is suspended by an error',
    finishedJobs: 'When an evaluation that took longer than the soft limit has finished',
    droppedClients: 'When a program no longer has the Lisp Harbor entry',
  },
  engine: 'Default engine',
  engineAbout: 'Used by “New session” and by agents that name no engine.',
  engineUsual: 'SBCL if found, else nbb',
  engineNotFound: (engine: string) => `${engine} (not found)`,
  projects: 'Projects',
  projectsAbout: 'Folders that sessions can write to. Agents can use these folders and their subfolders.',
  newSessions: 'new sessions',
  servers: 'Servers',
  serversAbout: 'Running Lisps that sessions can attach to, including sessions of agents.',
  noServers: 'None yet. Add one with “Attach…” in Sessions.',
  port: 'Port',
  portAbout: 'Port of the endpoint. Takes effect after a restart; 0 uses any free port.',
  softLimit: 'Soft limit',
  softLimitAbout: 'A call that takes longer returns a job while its evaluation continues.',
  seconds: 'seconds',
  sbclHeap: 'SBCL heap',
  acl2Heap: 'ACL2 memory',
  javaHeap: 'Java heap',
  heapAbout: 'For images that start from now on.',
  trustTags: 'ACL2 trust tags',
  acl2TrustSystemBooks:
    'In final checks, trust the certificates of the system’s books instead of rebuilding the books',
  trustTagsAbout:
    'Tags that certified books of the ACL2 system may use, separated by commas. Results that depend on one say so.',
  processorTime: 'Processor time',
  processorTimeAbout: 'Limit of one evaluation in new sessions of SBCL and ACL2; 0 means no limit.',
  output: 'Output',
  outputAbout:
    'Limit of one evaluation in new sessions of SBCL and ACL2. Longer output is cut in the middle.',
  characters: 'characters',
  disk: 'Disk',
  diskAbout:
    'How much these may grow before the session’s evaluation is stopped; at least 16, and 0 means no limit. Nothing is deleted.',
  sessionDisk: 'Folder of a session',
  sessionDiskUnit: 'MiB for the folder of a session',
  projectGrowth: 'Growth of a project',
  projectGrowthUnit: 'MiB for its project',
  memory: 'Memory',
  memoryAbout: 'Memory is low when less than this is available.',
  memoryReserve: 'Memory reserve',
  ready: 'Ready images',
  readyAbout:
    'The number follows how many sessions were opened recently. None after ten idle minutes or while memory is low.',
  keepReady: 'Start images in advance for new sessions',
  sessions: 'Sessions',
  sessionsAbout:
    'Sessions are asleep when Lisp Harbor starts. When a session is used, its checkpoint and its definitions are restored. Takes effect after a restart.',
  sessionsComeBack: 'Restore previous sessions',
  window: 'Window',
  windowAbout:
    'After you close the window, open it again from the tray icon. On desktops without a tray, closing it quits. Agents start Lisp Harbor when they need it.',
  keepRunning: 'Keep running when the window is closed',
  startAtLogin: 'Start hidden at login',
  slime: 'SLIME and SLY',
  slimeAbout:
    'The folders of your Emacs’s SLIME, which contains swank-loader.lisp, and SLY, which contains slynk/slynk-loader.lisp. For sessions opened from now on.',
  slimeFolder: 'SLIME folder',
  slyFolder: 'SLY folder',
  slimeUsual: 'that of Emacs, Debian or Quicklisp',
  keepHistory: 'Keep history',
  historySize: 'Size of the history',
  keepHistoryAbout:
    'Older evaluations and calls are deleted permanently, except those that open sessions need. Above the size limit, output and long values of the oldest evaluations are deleted and their code stays. 0 keeps everything.',
  days: 'days',
  redaction: 'Redaction',
  redactionAbout:
    'Matching text is replaced by ⟨redacted⟩ in code, values, output and calls before they are saved; clients and this window see the replaced text. * stands for any text up to a space, quote or bracket. Records that are already saved do not change. Redacted code is not evaluated again: a session with a new image reports what is missing.',
  redactText: 'Text to redact',
  redactPlaceholder: 'sk-* or any text; press Enter to add',
  redactWrong: 'Use at least three characters other than * and at most three *.',
  redactWellKnown: 'Keys and tokens of well-known services',
  history: 'History',
  historyAbout: 'If off, a client sees all evaluations of its project.',
  ownHistoryOnly: 'Clients see only their own evaluations',
  log: 'Log',
  logAbout: 'Log of Lisp Harbor, one file per day.',
  between: (min: number, max: number) => `Enter a number from ${min} to ${max}.`,
};

const settingsJapanese: typeof settingsEnglish = {
  title: '設定',
  theme: 'テーマ',
  themes: { system: 'システム', light: 'ライト', dark: 'ダーク' },
  language: '言語',
  languages: { system: '自動', en: 'English', ja: '日本語' },
  callingYou: '通知',
  callingYouAbout:
    'このウインドウを見ていない間に通知します。バッジと印の件数は、この設定にかかわらず表示されます。',
  callsFor: {
    approvals: 'エージェントが承認を待っているとき',
    heldErrors: 'エラーで評価が保留されたとき',
    finishedJobs: 'ソフトリミットより長くかかった処理が終わったとき',
    droppedClients: 'プログラムが構成から Lisp Harbor の項目を削除したとき',
  },
  engine: '既定のエンジン',
  engineAbout: '「新規セッション」で起動するエンジン。エンジンを指定しないエージェントにも使われます。',
  engineUsual: 'SBCL（見つからなければ nbb）',
  engineNotFound: (engine) => `${engine}（見つかりません）`,
  projects: 'プロジェクト',
  projectsAbout: 'セッションが書き込めるフォルダ。エージェントはこれらと、その中のフォルダを指定できます。',
  newSessions: '新規セッション用',
  servers: 'サーバー',
  serversAbout: 'セッションを接続できる実行中の Lisp。エージェントも接続できます。',
  noServers: 'まだありません。「セッション」の「接続…」で追加できます。',
  port: 'ポート',
  portAbout: 'エンドポイントのポート。次回の起動から有効です。0 なら空いているポートを使います。',
  softLimit: 'ソフトリミット',
  softLimitAbout: 'これより長くかかる呼び出しにはジョブを返し、評価は続けます。',
  seconds: '秒',
  sbclHeap: 'SBCL のヒープ',
  acl2Heap: 'ACL2 のメモリ',
  javaHeap: 'Java のヒープ',
  heapAbout: 'これから起動するイメージに適用されます。',
  trustTags: 'ACL2 の trust tag',
  acl2TrustSystemBooks: '最終確認で、システムのブックを再構築せず、その証明書を信用する',
  trustTagsAbout:
    'ACL2 システムの認証済みブックに許可する trust tag（コンマ区切り）。それに依存する結果には、そのことが示されます。',
  processorTime: 'プロセッサ時間',
  processorTimeAbout: 'SBCL と ACL2 の新規セッションでの、1 回の評価の上限。0 なら無制限です。',
  output: '出力',
  outputAbout: 'SBCL と ACL2 の新規セッションでの、1 回の評価の上限。超えた分は先頭と末尾を残します。',
  characters: '文字',
  disk: 'ディスク',
  diskAbout:
    'セッションとプロジェクトのファイルが増えてよい量。超えると評価を止めます。16 以上で、0 なら無制限です。何も削除されません。',
  sessionDisk: 'セッションのフォルダ',
  sessionDiskUnit: 'MiB（セッションのフォルダ）',
  projectGrowth: 'プロジェクトの増加',
  projectGrowthUnit: 'MiB（プロジェクト）',
  memory: 'メモリ',
  memoryAbout: '空きがこれより少なくなると、メモリ不足と見なします。',
  memoryReserve: 'メモリの予備',
  ready: '待機イメージ',
  readyAbout: '最近開いた数に応じて用意します。10 分間使われないときや、メモリ不足のときは用意しません。',
  keepReady: 'これから開くセッションのためにイメージを起動しておく',
  sessions: 'セッション',
  sessionsAbout:
    'Lisp Harbor の起動時はスリープ状態で、使うときにチェックポイントと定義とともに復帰します。次回の起動から有効です。',
  sessionsComeBack: '前回のセッションを復帰させる',
  window: 'ウインドウ',
  windowAbout:
    'ウインドウは閉じても、トレイのアイコンから再び開けます。トレイのないデスクトップでは、閉じると終了します。エージェントは必要なときに Lisp Harbor を自分で起動します。',
  keepRunning: 'ウインドウを閉じても実行を続ける',
  startAtLogin: 'ログイン時に非表示で起動する',
  slime: 'SLIME と SLY',
  slimeAbout:
    'お使いの Emacs の SLIME（swank-loader.lisp があるもの）と SLY（slynk/slynk-loader.lisp があるもの）のフォルダ。これから開くセッションに適用されます。',
  slimeFolder: 'SLIME のフォルダ',
  slyFolder: 'SLY のフォルダ',
  slimeUsual: 'Emacs、Debian または Quicklisp のもの',
  keepHistory: '履歴の保存期間',
  historySize: '履歴のサイズ',
  keepHistoryAbout:
    'これより古い評価と呼び出しは完全に削除されます。開いているセッションに必要なものは残ります。サイズを超えると、古い評価から順に出力と長い値が削除され、コードは残ります。0 ならすべて残します。',
  days: '日',
  redaction: '履歴に残さない文字列',
  redactionAbout:
    '一致した部分は、コード、値、出力、呼び出しが書き込まれる前に ⟨redacted⟩ に置き換えられ、クライアントとこのウインドウにもその内容で答えます。* は空白、引用符、括弧の手前までを表します。すでに書き込まれたものは変わりません。一部を取り除いたコードは再評価されず、セッションのイメージが替わると、欠けているものが示されます。',
  redactText: '残さない文字列',
  redactPlaceholder: 'sk-* または文字列。Enter で追加',
  redactWrong: '* 以外に 3 文字以上、* は 3 個までです。',
  redactWellKnown: 'よく知られたサービスの鍵とトークン',
  history: '履歴',
  historyAbout: 'オフの場合、クライアントはそのプロジェクトのすべての評価を見られます。',
  ownHistoryOnly: 'クライアントには自身の評価だけを見せる',
  log: 'ログ',
  logAbout: 'Lisp Harbor 自身の記録。1 日 1 ファイルです。',
  between: (min, max) => `${min} から ${max} までの数を入力してください。`,
};

export const settings = { en: settingsEnglish, ja: settingsJapanese };

/** Diagnostics: calling a tool manually, and the report. */
const diagnosticsEnglish = {
  title: 'Diagnostics',
  about:
    'Call a tool as a client does and see the messages. The report contains versions, engines, sandbox, ports and the latest log lines, without anything that looks like a secret. To test the connection of a program, use Clients.',
  tryTool: 'Try a tool…',
  trying: 'Try a tool',
  copyReport: 'Copy report',
  report: 'report',
  tool: 'Tool',
  asForm: 'Form',
  json: 'Arguments as JSON',
  required: 'required',
  usual: 'default',
  call: 'Call',
  calling: 'Waiting for the answer…',
  unread: (field: string) => `${field} does not contain valid JSON of the expected type.`,
  request: 'Request',
  reply: 'Reply',
  took: (duration: string) => `answered in ${duration}`,
  end: 'These calls share a session, which ends when you close this dialog.',
};

const diagnosticsJapanese: typeof diagnosticsEnglish = {
  title: '診断',
  about:
    'ツールをクライアントと同じように呼び出し、やり取りをそのまま表示します。レポートには、バージョン、エンジン、サンドボックス、ポート、ログの最新の行が含まれ、秘密と思われるものは除かれます。プログラム自身のハンドシェイクは「クライアント」で試せます。',
  tryTool: 'ツールを試す…',
  trying: 'ツールを試す',
  copyReport: 'レポートをコピー',
  report: 'レポート',
  tool: 'ツール',
  asForm: 'フォーム',
  json: 'JSON の引数',
  required: '必須',
  usual: '既定',
  call: '呼び出す',
  calling: '呼び出しました。応答を待っています…',
  unread: (field) => `${field} の内容は、その種類の JSON の値ではありません。`,
  request: 'リクエスト',
  reply: '応答',
  took: (duration) => `${duration}で応答`,
  end: 'これらの呼び出しが共有するセッションは、閉じると終わります。',
};

export const diagnostics = { en: diagnosticsEnglish, ja: diagnosticsJapanese };

const logEnglish = {
  title: 'Log',
  show: 'Show log…',
  openFolder: 'Open folder',
  theLog: 'the log',
  sessionLog: 'the session’s log',
  whole: (folder: string) => `All lines are in ${folder}.`,
  newest: (folder: string) => `The newest lines; all lines are in ${folder}.`,
  levels: { debug: 'Everything', warn: 'Warnings and errors', error: 'Errors' },
  marks: { debug: 'debug', info: 'info', warn: 'warning', error: 'error' },
  filterOf: (log: string) => `Filter ${log}`,
  filter: 'Filter',
  whichLines: 'Level',
  noneFits: 'No matching lines.',
  linesOf: (log: string) => `Lines of ${log}`,
  older: (lines: number) => `${count(lines, 'older line', 'older lines')}: narrow the filter.`,
  nothing: 'No log lines for this session since Lisp Harbor started.',
};

const logJapanese: typeof logEnglish = {
  title: 'ログ',
  show: 'ログを表示…',
  openFolder: 'フォルダを開く',
  theLog: 'ログ',
  sessionLog: 'セッションのログ',
  whole: (folder) => `すべて ${folder} にあります。`,
  newest: (folder) => `最新の行です。すべての行は ${folder} にあります。`,
  levels: { debug: 'すべて', warn: '警告とエラー', error: 'エラー' },
  marks: { debug: 'デバッグ', info: '情報', warn: '警告', error: 'エラー' },
  filterOf: (log) => `${log}を絞り込む`,
  filter: '絞り込み',
  whichLines: 'レベル',
  noneFits: '該当する行はありません。',
  linesOf: (log) => `${log}の行`,
  older: (lines) => `ほかに古い行が${counted(lines, '行')}あります。条件を絞り込んでください。`,
  nothing: 'Lisp Harbor の起動以降、このセッションには何も起きていません。',
};

export const log = { en: logEnglish, ja: logJapanese };

const updatesEnglish = {
  title: 'Updates',
  about:
    'New versions are downloaded and installed only when you choose to, never while an evaluation is running.',
  absent: 'This build has no update address, so it does not check for updates.',
  channels: { off: 'Off', stable: 'Stable versions', beta: 'Include beta versions' },
  newer: 'Newer version',
  off: 'Lisp Harbor does not check for updates.',
  looking: 'Checking…',
  current: <T>(when: T) => sentence`Up to date, checked ${when}.`,
  look: 'Check now',
  found: (version: string) => `Version ${version} is available.`,
  get: 'Download',
  getting: (version: string, percent: number) => `Downloading version ${version}: ${percent} %`,
  ready: (version: string) => `Version ${version} is downloaded.`,
  installed: (version: string) =>
    `Version ${version} is installed. The previous version runs until the app restarts.`,
  asleep: 'Sessions are asleep after that, and are restored when they are used.',
  ending: 'Sessions will end, because the settings do not restore previous sessions.',
  install: 'Install and restart',
  startAgain: 'Restart',
  waits: (version: string, running: number) =>
    `Version ${version} will be installed when no evaluation is running (${count(running, 'evaluation')} now).`,
  waitsToStart: (version: string, running: number) =>
    `Version ${version} will be started when no evaluation is running (${count(running, 'evaluation')} now).`,
  notYet: 'Later',
  harborIsThere: <T>(name: T) => sentence`${name} is available`,
  harborIsHere: <T>(name: T) => sentence`${name} is downloaded`,
  harborIsInstalled: <T>(name: T) => sentence`${name} is installed`,
  installedAbout:
    'The previous version is still running. The new version starts when you choose to, never while an evaluation is running.',
  show: 'Show',
  showVersion: (version: string) => `Show version ${version}`,
};

const updatesJapanese: typeof updatesEnglish = {
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
  ending: '再起動するとセッションは終了します（前回のセッションを復帰させない設定になっています）。',
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

export const updates = { en: updatesEnglish, ja: updatesJapanese };
