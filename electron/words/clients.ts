/** Clients: programs with a configuration file, tokens, ports and Emacs. */

import { count, counted, sentence } from './language';

const clientsEnglish = {
  title: 'Clients',
  programs: 'Programs',
  programsAbout:
    'Connect adds Lisp Harbor to the configuration of a program. You see the change before it is saved, and a copy of the file is kept. Disconnect undoes exactly that change.',
  noPrograms: 'No supported program was found on this computer.',
  hideAbsent: 'Hide programs that are not installed',
  showAbsent: (programs: number, others: boolean) =>
    `Show ${programs} ${others ? 'more that' : 'that'} are not installed`,
  transports: { http: 'address', stdio: 'command' },
  connect: 'Connect',
  disconnect: 'Disconnect',
  connectMore: 'Connect…',
  disconnectMore: 'Disconnect…',
  update: 'Update…',
  connectOf: (program: string) => `Connect ${program}`,
  disconnectOf: (program: string) => `Disconnect ${program}`,
  moreFor: (program: string) => `More actions for ${program}`,
  snippet: 'Snippet',
  snippetAbout: 'to add manually',
  check: 'Check',
  checkAbout: 'tests the connection with the configuration of the program',
  change: 'Change…',
  changeAbout: 'connection and permissions',
  askIn: (program: string) => `Add in ${program}`,
  askInAbout: 'opens the program, which asks you to add the server',
  reachedBy: 'Connection',
  byCommand: 'Command that starts the harbor',
  byAddress: 'Address and token',
  profile: 'Profile',
  usualProfile: (name: string) => `Default profile (${name})`,
  engine: 'Engine',
  usualEngine: 'Default engine',
  may: 'Permissions',
  scopes: {
    read: { title: 'Read', verb: 'read', about: 'see engines, its sessions and the history' },
    evaluate: { title: 'Evaluate', verb: 'evaluate', about: 'open sessions and evaluate in them' },
    admin: { title: 'Admin', verb: 'admin', about: 'end sessions of other clients' },
  },
  noChange: 'The file does not change.',
  changeDiff: 'Change',
  checkOf: (program: string) => `Check ${program}`,
  asking: (program: string) => `Connecting as ${program} does…`,
  done: 'Done',
  token: (name: string) => `Token “${name}”`,
  issue: 'Issue',
  issueToken: 'Issue token',
  issueTokenMore: 'Issue token…',
  taken: 'A token with this name already exists.',
  name: 'Name',
  scopesTitle: 'Scopes',
  shownOnce: 'Copy it now: it is not shown again. Only its hash is saved.',
  sendAs: <T>(header: T) => sentence`Send it as ${header}.`,
  sendAsTo: <T>(header: T, url: T) => sentence`Send it as ${header} to ${url}.`,
  moved: (programs: readonly string[]) =>
    `The address of the harbor changed. ${programs.join(', ')} still ${programs.length === 1 ? 'has' : 'have'} the old one.`,
  updateThem: 'Update all…',
  updateAddressQuestion: 'Update the address in these programs?',
  updateAddress: 'Update',
  updateAddressAbout: 'Their files get the new address. Their tokens do not change.',
  profileOf: (client: string) => `Profile of ${client}`,
  snippetFor: (program: string) => `Snippet for ${program}`,
  addTo: <T>(file: T) => sentence`Add this to ${file}. `,
  orCommand: 'Or run this command in a shell:',
  command: 'Command',
  tokens: 'Tokens',
  tokensAbout:
    'A client that connects to the address needs its own token. The history and the sessions show the client by the name of its token. Its profile is the set of tools that it sees, unless it requests another.',
  noTokens: 'No tokens issued yet.',
  unused: <T>(scopes: readonly string[], issued: T) =>
    sentence`May ${scopes.join(', ')} · issued ${issued} · never used`,
  used: <T>(scopes: readonly string[], issued: T, used: T) =>
    sentence`May ${scopes.join(', ')} · issued ${issued} · used ${used}`,
  revoke: 'Revoke…',
  revokeOf: (token: string) => `Revoke ${token}`,
  revokeQuestion: (token: string) => `Revoke token “${token}”?`,
  revokeAbout:
    'Clients that use it are refused from now on. This cannot be undone, but you can issue a new token.',
};

const clientsJapanese: typeof clientsEnglish = {
  title: 'クライアント',
  programs: 'プログラム',
  programsAbout:
    '「接続」は、プログラム自身の構成に Lisp Harbor を追加します。書き込む前に変更内容を確認できます。ファイルのコピーを残し、「接続解除」はその変更だけを元に戻します。',
  noPrograms: '対応するプログラムはこのコンピュータで見つかりませんでした。',
  hideAbsent: '見つからなかったものを隠す',
  showAbsent: (programs, others) =>
    others ? `見つからなかったほかの ${programs} 個を表示` : `見つからなかった ${programs} 個を表示`,
  transports: { http: 'アドレス', stdio: 'コマンド' },
  connect: '接続',
  disconnect: '接続解除',
  connectMore: '接続…',
  disconnectMore: '接続解除…',
  update: '更新…',
  connectOf: (program) => `${program} を接続`,
  disconnectOf: (program) => `${program} の接続を解除`,
  moreFor: (program) => `${program} のその他の操作`,
  snippet: '設定の断片',
  snippetAbout: '手動で貼り付けます',
  check: '確認',
  checkAbout: 'ファイルの内容に従ってハンドシェイクを行います',
  change: '変更…',
  changeAbout: '接続方法と許可される操作を変更します',
  askIn: (program) => `${program} で追加`,
  askInAbout: 'プログラムを開き、サーバーの追加を確認します',
  reachedBy: '接続方法',
  byCommand: 'コマンド（ハーバーを起動します）',
  byAddress: 'アドレス（専用のトークンを使います）',
  profile: 'プロファイル',
  usualProfile: (name) => `既定のプロファイル（${name}）`,
  engine: 'エンジン',
  usualEngine: '既定のエンジン',
  may: '許可',
  scopes: {
    read: { title: '読み取り', verb: '読み取り', about: 'エンジン、自身のセッション、履歴を見る' },
    evaluate: { title: '評価', verb: '評価', about: 'セッションを開いて評価する' },
    admin: { title: '管理', verb: '管理', about: 'ほかのクライアントのセッションを終了する' },
  },
  noChange: 'ファイルは変更されません。',
  changeDiff: '変更',
  checkOf: (program) => `${program} の確認`,
  asking: (program) => `${program} と同じ方法でハーバーに問い合わせています…`,
  done: '完了',
  token: (name) => `トークン「${name}」`,
  issue: '発行',
  issueToken: 'トークンを発行',
  issueTokenMore: 'トークンを発行…',
  taken: '同じ名前のトークンがあります。',
  name: '名前',
  scopesTitle: 'スコープ',
  shownOnce: '今コピーしてください。再び表示されることはなく、保存されるのはハッシュだけです。',
  sendAs: (header) => sentence`${header} として送信してください。`,
  sendAsTo: (header, url) => sentence`${url} に ${header} として送信してください。`,
  moved: (programs) =>
    `ハーバーのアドレスが変わりましたが、${programs.join('、')} には以前のアドレスが残っています。`,
  updateThem: '更新…',
  updateAddressQuestion: 'これらのプログラムのアドレスを更新しますか？',
  updateAddress: '更新',
  updateAddressAbout: 'ファイルのアドレスを現在のものにします。トークンはそのままです。',
  profileOf: (client) => `${client} のプロファイル`,
  snippetFor: (program) => `${program} の設定の断片`,
  addTo: (file) => sentence`これを ${file} に追加してください。`,
  orCommand: 'または、シェルで次を実行するとプログラム自身が書き込みます:',
  command: 'コマンド',
  tokens: 'トークン',
  tokensAbout:
    'アドレスに直接接続するクライアントには専用のトークンが必要です。履歴とセッションでは、クライアントはトークンの名前で呼ばれます。プロファイルは、クライアントがほかを指定しない限り、そのアドレスで見えるツールの集まりです。',
  noTokens: '発行済みのトークンはありません。発行すると名前がここに表示されます。',
  unused: (scopes, issued) => sentence`許可: ${scopes.join('、')} · 発行 ${issued} · 未使用`,
  used: (scopes, issued, used) => sentence`許可: ${scopes.join('、')} · 発行 ${issued} · 使用 ${used}`,
  revoke: '無効にする…',
  revokeOf: (token) => `${token} を無効にする`,
  revokeQuestion: (token) => `トークン「${token}」を無効にしますか？`,
  revokeAbout: 'このトークンの所有者は以後拒否されます。元に戻せませんが、新しいトークンを発行できます。',
};

export const clients = { en: clientsEnglish, ja: clientsJapanese };

/** Replacing a token. */
const rotationEnglish = {
  rotate: 'Rotate…',
  rotateToken: (name: string) => `Rotate ${name}`,
  question: (name: string) => `Rotate token “${name}”?`,
  inFile: (program: string) =>
    `The file of ${program} contains this token and gets the new one. The old token stops working.`,
  byHand: 'The old token stops working. The new token has the same name and scopes and is shown once.',
  issued: (name: string) => `Token “${name}”`,
  change: 'Change',
  cancel: 'Cancel',
  done: 'Done',
};

const rotationJapanese: typeof rotationEnglish = {
  rotate: '更新…',
  rotateToken: (name) => `${name} を更新`,
  question: (name) => `トークン「${name}」を更新しますか？`,
  inFile: (program) =>
    `${program} の構成ファイルにこのトークンがあり、新しいトークンに書き換えられます。以後、古いトークンは拒否されます。`,
  byHand: '以後、古いトークンは拒否されます。新しいトークンの名前とスコープは同じで、一度だけ表示されます。',
  issued: (name) => `トークン「${name}」`,
  change: '変更',
  cancel: 'キャンセル',
  done: '完了',
};

export const rotation = { en: rotationEnglish, ja: rotationJapanese };

/** Ports that are open in addition to the MCP endpoint. */
const portsEnglish = {
  opensSession: 'opens a session when an editor connects',
  editors: {
    swank: {
      title: 'Emacs with SLIME',
      about:
        'Connect from Emacs with M-x slime-connect. Any program on this computer can connect without a token.',
    },
    slynk: {
      title: 'Emacs with SLY',
      about:
        'Connect from Emacs with M-x sly-connect. Any program on this computer can connect without a token.',
    },
    nrepl: {
      title: 'nREPL',
      about:
        'Connect from CIDER, Calva, Conjure or another editor with nREPL. Any program on this computer can connect without a token.',
    },
  },
  bridge: 'ACL2 Bridge',
  bridgeAbout: (connections: string, overSocket: boolean) =>
    `${connections}. Each connection gets its own ACL2 session, which ends when the connection closes. ${overSocket ? 'Any program of yours' : 'Any program on this computer'} can connect without a token.`,
  lisply: 'Lisply',
  lisplyAbout:
    'Lisply wrappers share one session here. Any program on this computer can evaluate in it without a token.',
  tcp: 'MCP over TCP',
  profile: (name: string) => `profile ${name}`,
  tcpAbout:
    'Messages are lines of JSON. Each connection gets its own session, which ends when the connection closes. Any program on this computer can connect without a token.',
  telnet: 'Telnet',
  onceOnly: 'for one connection, once',
  telnetAbout:
    'Each connection that sends the code gets a REPL with its own session, which ends when the connection closes. Telnet is not encrypted.',
};

const portsJapanese: typeof portsEnglish = {
  opensSession: 'エディタが接続するとセッションを開きます',
  editors: {
    swank: {
      title: 'Emacs（SLIME）',
      about:
        'Emacs は M-x slime-connect でここに接続します。このコンピュータのどのプログラムも、トークンなしで接続できます。',
    },
    slynk: {
      title: 'Emacs（SLY）',
      about:
        'Emacs は M-x sly-connect でここに接続します。このコンピュータのどのプログラムも、トークンなしで接続できます。',
    },
    nrepl: {
      title: 'nREPL',
      about:
        'CIDER、Calva、Conjure など nREPL のエディタがここに接続します。このコンピュータのどのプログラムも、トークンなしで接続できます。',
    },
  },
  bridge: 'ACL2 Bridge',
  bridgeAbout: (connections, overSocket) =>
    `${connections}。接続ごとに専用の ACL2 セッションができ、切断とともに終わります。${overSocket ? 'あなたのどのプログラムも' : 'このコンピュータのどのプログラムも'}、トークンなしで接続できます。`,
  lisply: 'Lisply',
  lisplyAbout:
    'Lisply のラッパーはここで 1 つのセッションを共有します。このコンピュータのどのプログラムも、トークンなしで評価できます。',
  tcp: 'MCP over TCP',
  profile: (name) => `プロファイル ${name}`,
  tcpAbout:
    'メッセージは JSON の行です。接続ごとに専用のセッションができ、切断とともに終わります。このコンピュータのどのプログラムも、トークンなしで接続できます。',
  telnet: 'Telnet',
  onceOnly: '1 つの接続を 1 度だけ許可します',
  telnetAbout:
    'コードを入力した接続には専用の REPL とセッションができ、切断とともに終わります。telnet なので、入力した内容は暗号化されずに送られます。',
};

export const ports = { en: portsEnglish, ja: portsJapanese };

const editorsEnglish = {
  attachTo: (session: string) => `Attach an editor to “${session}”`,
  protocols: {
    swank: {
      name: 'Swank',
      about: 'SLIME’s REPL, debugger and inspector, in the image of this session.',
    },
    slynk: {
      name: 'Slynk',
      about: 'SLY’s REPL, debugger and inspector, in the image of this session.',
    },
    nrepl: {
      name: 'nREPL',
      about: 'For CIDER, Calva, Conjure, Cursive and others. Evaluations take their turn in the session.',
    },
  },
  closePort: 'Close port',
  closePortOf: (port: number) => `Close port ${port}`,
  canAttach: <T>(address: T, connections: number) =>
    sentence`Editors and any other program on this computer can attach at ${address} (${count(connections, 'connection')} now). What they evaluate is in the history.`,
  loaded: <T>(editor: string, version: string, settings: T) =>
    sentence`${editor} ${version} is loaded. If your Emacs reports another version, set its folder in the ${settings} and reset the session.`,
  settings: 'settings',
  hints: [
    'Evaluations of editors are in the history, and agents are notified of them.',
    'Editors have no tokens: while a port is open, any program on this computer can connect.',
    'After a crash or a reset, connect again: the port then leads to the new image.',
  ],
  slimeHints: [
    'An agent may use this image: leave slime-enable-evaluate-in-emacs and sly-enable-evaluate-in-emacs off in your Emacs.',
    'No checkpoint can be saved while SLIME or SLY is connected.',
  ],
  opening: 'Opening…',
  openPort: (protocol: string) => `Open ${protocol} port`,
  done: 'Done',
};

const editorsJapanese: typeof editorsEnglish = {
  attachTo: (session) => `「${session}」にエディタを接続`,
  protocols: {
    swank: {
      name: 'Swank',
      about: 'このセッションのイメージで、SLIME の REPL、デバッガ、インスペクタを使えます。',
    },
    slynk: {
      name: 'Slynk',
      about: 'このセッションのイメージで、SLY の REPL、デバッガ、インスペクタを使えます。',
    },
    nrepl: {
      name: 'nREPL',
      about: 'CIDER、Calva、Conjure、Cursive などのためのものです。評価はセッションの順番を待ちます。',
    },
  },
  closePort: 'ポートを閉じる',
  closePortOf: (port) => `ポート ${port} を閉じる`,
  canAttach: (address, connections) =>
    sentence`エディタは ${address} に接続できます。このコンピュータのどのプログラムも接続できます（現在の接続 ${counted(connections, '件')}）。評価した内容は履歴に残ります。`,
  loaded: (editor, version, settings) =>
    sentence`${editor} ${version} をロードしました。お使いの Emacs のバージョンが異なると表示された場合は、${settings}でそのフォルダを指定し、セッションをリセットしてください。`,
  settings: '設定',
  hints: [
    'エディタでの評価は履歴に残り、エージェントにも伝えられます。',
    'エディタにはトークンがありません。ポートを開いている間、このコンピュータのどのプログラムも使えます。',
    'クラッシュやリセットの後は接続し直してください。ポートは新しいイメージにつながります。',
  ],
  slimeHints: [
    'イメージはエージェントのものかもしれません。Emacs の slime-enable-evaluate-in-emacs と sly-enable-evaluate-in-emacs はオフのままにしてください。',
    'SLIME や SLY の接続中はチェックポイントを保存できません。',
  ],
  opening: '開いています…',
  openPort: (protocol) => `${protocol} ポートを開く`,
  done: '完了',
};

export const editors = { en: editorsEnglish, ja: editorsJapanese };
