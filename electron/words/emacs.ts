/** Attaching Emacs to a session's image. */
import { count, counted } from './counting';
import { sentence } from './sentence';

const en = {
  attachTo: (session: string) => `Attach Emacs to “${session}”`,
  closePort: 'Close port',
  closePortOf: (port: number) => `Close port ${port}`,
  canAttach: <T>(address: T, connections: number) =>
    sentence`Emacs can attach at ${address}, as can any program on this computer (${count(connections, 'connection')} now). What it does in this image is not in the history.`,
  closed:
    'This opens a port on this computer, to which SLIME connects: you then work in the very image that is used here, with SLIME’s REPL, debugger and inspector.',
  how: <T>(connect: T, host: T, port: T, evaluate: T) =>
    sentence`In Emacs: ${connect}, host ${host}, port ${port}. Or ${evaluate} and this line:`,
  loaded: <T>(version: string, settings: T) =>
    sentence`SLIME ${version} is loaded. If your Emacs has another version and says so, name its folder in the ${settings} and reset the session.`,
  settings: 'settings',
  hints: [
    'What Emacs evaluates is not in the history; agents are told that it is attached.',
    'SLIME knows no token: while the port is open, any program on this computer can use it.',
    'The image may be an agent’s: leave slime-enable-evaluate-in-emacs off in your Emacs.',
    'No checkpoint can be saved while Emacs is connected.',
    'After a crash or a reset, connect again: the port serves the fresh image.',
  ],
  loading: 'Loading SLIME…',
  openPort: 'Open port',
  done: 'Done',
};

const ja: typeof en = {
  attachTo: (session) => `「${session}」に Emacs を接続`,
  closePort: 'ポートを閉じる',
  closePortOf: (port) => `ポート ${port} を閉じる`,
  canAttach: (address, connections) =>
    sentence`Emacs は ${address} に接続できます。このコンピュータのどのプログラムも接続できます（現在の接続 ${counted(connections, '件')}）。このイメージでの Emacs の操作は履歴に残りません。`,
  closed:
    'SLIME が接続するポートをこのコンピュータに開きます。ここで使っているイメージそのもので、SLIME の REPL、デバッガ、インスペクタを使って作業できます。',
  how: (connect, host, port, evaluate) =>
    sentence`Emacs で ${connect} を実行し、ホスト ${host}、ポート ${port} を指定します。または ${evaluate} で次の行を評価します:`,
  loaded: (version, settings) =>
    sentence`SLIME ${version} をロードしました。お使いの Emacs のバージョンが異なると表示された場合は、${settings}でそのフォルダを指定し、セッションをリセットしてください。`,
  settings: '設定',
  hints: [
    'Emacs での評価は履歴に残りません。接続中であることはエージェントに伝えられます。',
    'SLIME にはトークンがありません。ポートを開いている間、このコンピュータのどのプログラムも使えます。',
    'イメージはエージェントのものかもしれません。Emacs の slime-enable-evaluate-in-emacs はオフのままにしてください。',
    'Emacs の接続中はチェックポイントを保存できません。',
    'クラッシュやリセットの後は接続し直してください。ポートは新しいイメージにつながります。',
  ],
  loading: 'SLIME をロードしています…',
  openPort: 'ポートを開く',
  done: '完了',
};

export const emacs = { en, ja };
