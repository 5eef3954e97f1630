/** The sandbox: files and network that images and file tools can access; approvals. */

import type { Wish } from '../contract/approvals';
import { count, counted, sentence } from './language';

const sandboxEnglish = {
  title: 'Sandbox',
  images: 'Images',
  confinedBy: (launcher: string) => `Confined by ${launcher}.`,
  network: 'Allow network access for this project',
  networkAbout: 'other computers, and the ports of this computer below',
  loopbackPorts: 'Ports of this computer that code with network access reaches',
  notPorts: 'Write numbers from 1 to 65535, separated by commas.',
  outdated:
    'These sessions started before the list changed. Restart them to apply the change. A restart restores the session from a checkpoint if its engine has checkpoints; otherwise its definitions are evaluated again.',
  restarting: 'Restarting…',
  restartAll: (sessions: number) => `Restart all ${sessions}`,
  toRestart: 'Sessions to restart',
  restart: 'Restart',
  restartOf: (session: string) => `Restart ${session}`,
  needsYou: 'Needs you',
  wants: <T>(client: T, wish: string) => sentence`${client} wants ${wish}`,
  allowList: 'Allow-list',
  addMore: 'Add to the allow-list…',
  forProject: <T>(project: T) => sentence`For the project ${project}. `,
  closed: 'Images and file tools have no access to your other files. ',
  closedToTools:
    'File tools have no access to your other files. Images are not sandboxed: evaluated code can access everything that you can. ',
  powersAbout: <T>(read: T, write: T, library: T) =>
    sentence`${read}: images and file tools can read. ${write}: they can also write. ${library}: images can read everything, file tools only the systems that are loaded.`,
  powers: { write: 'Write', read: 'Read', library: 'Library' },
  powersLong: {
    read: 'Read – images and file tools',
    library: 'Library – images read everything, file tools read loaded systems',
    write: 'Write – images and file tools',
  },
  secrets: 'Secrets',
  secretsAbout:
    'These stay blocked inside allowed folders too. An entry that names one of them, or a file inside it, allows exactly that. The data of Lisp Harbor is always blocked.',
  places: (places: number) => `${count(places, 'location')} on this computer`,
  requestedBy: (client: string) => `Requested by ${client}`,
  add: 'Add',
  allow: 'Allow',
  addAndRestart: (sessions: number) => `Add and restart ${count(sessions, 'session')}`,
  allowAndRestart: (sessions: number) => `Allow and restart ${count(sessions, 'session')}`,
  addTitle: 'Add to the allow-list',
  allowTitle: 'Allow access',
  wasRefused: <T>(client: T, use: 'read' | 'write', path: T) =>
    sentence`${client} was denied permission to ${use} ${path}.`,
  power: 'Power',
  reason: 'Reason',
  reasonHint: 'Why access is needed',
  onlyProject: 'Only for this project',
  onlyProjectOf: (project: string) => `Only for the project ${project}`,
  lasting: 'Keep after Lisp Harbor quits',
  restartsFollow:
    'Running images keep the permissions that they started with. A restart applies the change and restores their state.',
  folderOrFile: 'Folder or file',
  absolutePath: 'An absolute path',
  choose: 'Choose…',
  folder: 'Folder',
  added: 'Added',
  remove: 'Remove',
  notInForce: (problem: string) => `Not in effect: ${problem}`,
  noReason: 'no reason given',
  thisProject: ' · this project',
  byDefault: 'by default',
  here: 'in this window',
  inPlace: (place: string) => `in ${place}`,
  addedBy: <T>(when: T, by: string) => sentence`${when}, ${by}`,
  approvals: 'Approvals',
  approvalsAbout:
    'If a rule says Ask, the client waits until you answer. A rule for one client overrides the rule for all clients.',
  approvalsForAll: 'Approvals for every client',
  approvalsForOne: 'Approvals for one client',
  everyClient: (act: string) => `${act}: every client`,
  acts: {
    evaluate: {
      title: 'Evaluate',
      verb: 'evaluate',
      about: 'code in sessions, inspection with code, opening sessions',
    },
    load: {
      title: 'Load',
      verb: 'load',
      about: 'systems, files and tests; follows Evaluate if it has no rule',
    },
    write: { title: 'Write', verb: 'write', about: 'files, with the file tools' },
    network: {
      title: 'Network',
      verb: 'network',
      about: 'for a session whose project has no network access',
    },
    attach: {
      title: 'Attach',
      verb: 'attach',
      about: 'to servers and containers that are not in the settings',
    },
    kill: { title: 'End', verb: 'end a session', about: 'sessions of the client' },
  },
  answers: { allow: 'Allow', ask: 'Ask', deny: 'Deny' },
  rule: (
    act: 'evaluate' | 'load' | 'write' | 'network' | 'attach' | 'kill',
    answer: 'allow' | 'ask' | 'deny',
  ) => `${act}: ${answer}`,
  removeRule: (client: string) => `Remove the rule for ${client}`,
  refused: <T>(client: T, path: T) => sentence`${client} was denied ${path}`,
  refusedAbout: <T>(use: 'read' | 'write', tool: string, times: number, when: T) =>
    sentence`${use} access, by ${tool} · ${count(times, 'call')} · ${when} · not on the allow-list`,
  no: 'Deny',
  noOf: (client: string, use: 'read' | 'write', path: string) => `Deny ${client} ${use} access to ${path}`,
  allowMore: 'Allow…',
  allowOf: (path: string) => `Allow… ${path}`,
  would: 'Check access',
  may: 'May',
  uses: { read: 'be read', write: 'be written' },
  verdicts: { allow: 'Yes.', ask: 'Needs your approval.', deny: 'No.' },
  byRule: (rule: string) => `By the rule “${rule}”.`,
  allPaused: 'All agents are paused. They cannot start anything.',
  mightBeUsed: 'File to check',
  pathHint: 'path, absolute or relative to the project',
  use: 'Use',
  askFile: 'Check the file',
  ask: 'Check',
  mightCall: 'Client to check',
  anyClient: 'any client',
  act: 'Action',
  askCall: 'Check the call',
};

const ACTS = {
  evaluate: '評価',
  load: 'ロード',
  write: '書き込み',
  network: 'ネットワーク',
  attach: '接続',
  kill: '終了',
};
const ANSWERS = { allow: '許可', ask: '確認', deny: '拒否' };
const USES = { read: '読み取り', write: '書き込み' };

const sandboxJapanese: typeof sandboxEnglish = {
  title: 'サンドボックス',
  images: 'イメージ',
  confinedBy: (launcher) => `${launcher} で隔離されています。`,
  network: 'このプロジェクトにネットワークの利用を許可',
  networkAbout: '他のコンピュータと、このコンピュータの以下のポートに接続できます',
  loopbackPorts: 'ネットワークを使うコードが接続できる、このコンピュータのポート',
  notPorts: '1 から 65535 の数をコンマで区切って入力してください。',
  outdated:
    'これらはリストの変更前に始まりました。再起動すると、状態とともに変更に従います。エンジンにチェックポイントがあればそこから、なければ定義を評価し直します。',
  restarting: '再起動しています…',
  restartAll: (sessions) => `${counted(sessions, '件')}すべてを再起動`,
  toRestart: '再起動するセッション',
  restart: '再起動',
  restartOf: (session) => `${session} を再起動`,
  needsYou: '対応が必要',
  wants: (client, wish) => sentence`${client} の要求: ${wish}`,
  allowList: '許可リスト',
  addMore: '許可リストに追加…',
  forProject: (project) => sentence`プロジェクト ${project} に適用されます。`,
  closed: 'イメージとファイルツールは、ほかのファイルに触れません。',
  closedToTools:
    'ファイルツールはほかのファイルに触れません。イメージはサンドボックスで隔離されていないため、評価するコードはあなたと同じすべてのファイルに触れます。',
  powersAbout: (read, write, library) =>
    sentence`${read}はイメージとファイルツールの読み取りを、${write}は書き込みも許可します。${library}では、イメージはすべてを、ファイルツールはロード済みのシステムを読み取れます。`,
  powers: { write: '書き込み', read: '読み取り', library: 'ライブラリ' },
  powersLong: {
    read: '読み取り – イメージとファイルツール',
    library: 'ライブラリ – イメージはすべて、ファイルツールはロード済みのもの',
    write: '書き込み – イメージとファイルツール',
  },
  secrets: '秘密の場所',
  secretsAbout:
    'これらは許可されたフォルダの中でも閉じたままです。それ自体やその中のものを指定した項目は、指定したものだけを開きます。Lisp Harbor 自身のデータが開かれることはありません。',
  places: (places) => `このコンピュータに${counted(places, 'か所')}`,
  requestedBy: (client) => `${client} が要求`,
  add: '追加',
  allow: '許可',
  addAndRestart: (sessions) => `追加して${counted(sessions, '件')}のセッションを再起動`,
  allowAndRestart: (sessions) => `許可して${counted(sessions, '件')}のセッションを再起動`,
  addTitle: '許可リストに追加',
  allowTitle: 'アクセスを許可',
  wasRefused: (client, use, path) => sentence`${client} は ${path} の${USES[use]}を拒否されました。`,
  power: '権限',
  reason: '理由',
  reasonHint: '何に必要か',
  onlyProject: 'このプロジェクトのみ',
  onlyProjectOf: (project) => `プロジェクト ${project} のみ`,
  lasting: 'Lisp Harbor の終了後も残す',
  restartsFollow:
    'イメージに見えるのは開始時に許可されていたものです。再起動すると、状態とともに変更に従います。',
  folderOrFile: 'フォルダまたはファイル',
  absolutePath: '絶対パス',
  choose: '選択…',
  folder: 'フォルダ',
  added: '追加',
  remove: '削除',
  notInForce: (problem) => `無効: ${problem}`,
  noReason: 'なし',
  thisProject: ' · このプロジェクト',
  byDefault: '既定',
  here: 'このウインドウ',
  inPlace: (place) => place,
  addedBy: (when, by) => sentence`${when}、${by}`,
  approvals: '承認',
  approvalsAbout:
    '確認が必要なものはここであなたの回答を待ち、クライアントも待ちます。クライアントごとの規則は全体の規則に優先します。',
  approvalsForAll: 'すべてのクライアントの承認',
  approvalsForOne: 'クライアントごとの承認',
  everyClient: (act) => `${act}: すべてのクライアント`,
  acts: {
    evaluate: {
      title: ACTS.evaluate,
      verb: ACTS.evaluate,
      about: 'セッションでのコード、コードによるインスペクト、セッションを開くこと',
    },
    load: {
      title: ACTS.load,
      verb: ACTS.load,
      about: 'システムとファイル、テストの実行。規則がなければ「評価」と同じ',
    },
    write: { title: ACTS.write, verb: ACTS.write, about: 'ファイルツールによるファイル' },
    network: {
      title: ACTS.network,
      verb: ACTS.network,
      about: 'プロジェクトに許可のないセッションでの利用',
    },
    attach: { title: ACTS.attach, verb: ACTS.attach, about: '指定されていないサーバーやコンテナへ' },
    kill: { title: ACTS.kill, verb: 'セッションの終了', about: '自身のセッション' },
  },
  answers: ANSWERS,
  rule: (act, answer) => `${ACTS[act]}: ${ANSWERS[answer]}`,
  removeRule: (client) => `${client} の規則を削除`,
  refused: (client, path) => sentence`${client} は ${path} を拒否されました`,
  refusedAbout: (use, tool, times, when) =>
    sentence`${tool} による${USES[use]} · 呼び出し ${counted(times, '回')} · ${when} · 許可リストに該当する項目がありません`,
  no: '拒否',
  noOf: (client, use, path) => `${client} による ${path} の${USES[use]}を拒否`,
  allowMore: '許可…',
  allowOf: (path) => `許可… ${path}`,
  would: 'アクセスの確認',
  may: '対象',
  uses: USES,
  verdicts: { allow: '許可されます。', ask: 'あなたの承認が必要です。', deny: '拒否されます。' },
  byRule: (rule: string) => `ルール「${rule}」によります。`,
  allPaused: 'すべてのエージェントが一時停止中で、何も始まりません。',
  mightBeUsed: '確認するファイル',
  pathHint: 'プロジェクトまたはルートからのパス',
  use: '用途',
  askFile: 'ファイルを確認',
  ask: '確認',
  mightCall: '確認するクライアント',
  anyClient: '任意のクライアント',
  act: '操作',
  askCall: '呼び出しを確認',
};

export const sandbox = { en: sandboxEnglish, ja: sandboxJapanese };

/** Descriptions of requests. Each follows the name of the client in a sentence. */
const WISHES: Readonly<Record<Wish, (tool: string) => string>> = {
  attach: () => 'to attach a session to a server',
  container: () => 'to start a container',
  network: () => 'to open a session with network access',
  fetch: () => 'to fetch libraries',
  read: (tool) => `to read a file with ${tool}`,
};

const WISHES_JA: typeof WISHES = {
  attach: () => 'セッションをサーバーに接続する',
  container: () => 'コンテナを起動する',
  network: () => 'ネットワークを使えるセッションを開く',
  fetch: () => 'ライブラリを取得する',
  read: (tool) => `${tool} でファイルを読み取る`,
};

/** The harbor explains in English what allowing means; this text precedes it. */
const MEANINGS_JA: Readonly<Record<Wish, string>> = {
  attach: 'コードはそのサーバーの権限で、Lisp Harbor のサンドボックスの外で実行されます。',
  container:
    'コンテナイメージは、なければ取得されます。ネットワークを使えますが、このコンピュータのフォルダは見えません。',
  network:
    'セッションが終わるまで、コードはこのコンピュータから届くすべてのもの（このコンピュータのサーバーを含む）に接続できます。',
  fetch: '次の内容を実行して、外部からライブラリを取得します。',
  read: '許可すると、秘密のファイルを除いて、そのフォルダ全体を読み取れるようになります。',
};

/** Label of "once" for requests where it differs from "Allow once". */
const ONCE: Readonly<Partial<Record<Wish, string>>> = { read: 'Allow until the session ends' };
const ONCE_JA: typeof ONCE = { read: 'セッションが終わるまで許可' };

/** Label of "always" for requests where it adds no rule for the client. */
const ALWAYS: Readonly<Partial<Record<Wish, string>>> = {
  attach: 'Always allow this server',
  container: 'Always allow this container',
  read: 'Add the folder to the allow-list',
};

const ALWAYS_JA: typeof ALWAYS = {
  attach: 'このサーバーを常に許可',
  container: 'このコンテナを常に許可',
  read: 'フォルダを許可リストに追加',
};

const approvalsEnglish = {
  waiting: 'Waiting for approval',
  more: (questions: number) => `${questions} more waiting.`,
  wants: <T>(client: T, wish: string, when: T) => sentence`${client} wants ${wish} ${when}`,
  /** @param wish absent if the tool name is enough */
  wish: (tool: string, wish?: Wish) => (wish ? WISHES[wish](tool) : `to use ${tool}`),
  what: 'What will run or be accessed',
  /** Text before the explanation from the harbor. */
  means: (_wish?: Wish): string | null => null,
  inSession: <T>(name: T, engine: string) => sentence`In session ${name}, ${engine}.`,
  endUnseen: 'Scroll to the end to allow it.',
  because: (rule: string) => `Approval is required by the rule “${rule}”.`,
  refuse: 'Deny',
  reason: 'Reason for denying',
  reasonHint: 'Reason, for the agent (optional)',
  always: (client: string, wish?: Wish) => (wish && ALWAYS[wish]) ?? `Always allow ${client}`,
  once: (wish?: Wish) => (wish && ONCE[wish]) ?? 'Allow once',
  showMiddle: 'Show middle',
  showEnd: 'Show end',
};

const approvalsJapanese: typeof approvalsEnglish = {
  waiting: '承認待ち',
  more: (questions) => `この後に${counted(questions, '件')}待っています。`,
  wants: (client, wish, when) => sentence`${client} の要求: ${wish} ${when}`,
  wish: (tool, wish) => (wish ? WISHES_JA[wish](tool) : `${tool} を使う`),
  what: '実行または接続される内容',
  means: (wish) => (wish ? MEANINGS_JA[wish] : null),
  inSession: (name, engine) => sentence`セッション ${name} (${engine})`,
  endUnseen: '最後まで表示すると許可できるようになります。',
  because: (rule) => `規則「${rule}」により確認しています。`,
  refuse: '拒否',
  reason: '拒否する理由',
  reasonHint: 'エージェントに伝える理由（任意）',
  always: (client, wish) => (wish && ALWAYS_JA[wish]) ?? `${client} を常に許可`,
  once: (wish) => (wish && ONCE_JA[wish]) ?? '今回だけ許可',
  showMiddle: '中ほどを表示',
  showEnd: '末尾を表示',
};

export const approvals = { en: approvalsEnglish, ja: approvalsJapanese };
