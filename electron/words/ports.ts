/** The ports that are open besides the MCP endpoint. */
const en = {
  opensSession: 'opens a session when Emacs connects',
  emacs: 'Emacs',
  emacsAbout:
    'Emacs attaches here with M-x slime-connect. Every program on this computer can, without a token.',
  bridge: 'ACL2 Bridge',
  bridgeAbout: (connections: string, overSocket: boolean) =>
    `${connections}. Each connection gets a session of ACL2 of its own, which ends with it. ${overSocket ? 'Every program of yours' : 'Every program on this computer'} can connect, without a token.`,
  lisply: 'Lisply',
  lisplyAbout:
    'Wrappers of Lisply share one session here. Every program on this computer can evaluate in it, without a token.',
  tcp: 'MCP over TCP',
  profile: (name: string) => `profile ${name}`,
  tcpAbout:
    'Messages are lines of JSON. Each connection gets a session of its own, which ends with it. Every program on this computer can connect, without a token.',
  telnet: 'Telnet',
  onceOnly: 'lets one connection in, once',
  telnetAbout:
    'Each connection that gives the code gets a REPL and a session of its own, which ends with it. What is typed goes over the connection unencrypted, as telnet has it.',
};

const ja: typeof en = {
  opensSession: 'Emacs が接続するとセッションを開きます',
  emacs: 'Emacs',
  emacsAbout:
    'Emacs は M-x slime-connect でここに接続します。このコンピュータのどのプログラムも、トークンなしで接続できます。',
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

export const ports = { en, ja };
