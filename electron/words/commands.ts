/**
 * Titles of commands by their ids in renderer/commands.ts, and of their groups; menus, shortcuts and the
 * tray.
 */
import { counted } from './language';

const commandsEnglish = {
  titles: {
    'view:home': 'Home',
    'view:sessions': 'Sessions',
    'view:source': 'Source',
    'view:tests': 'Tests',
    'view:history': 'History',
    'view:sandbox': 'Sandbox',
    'view:clients': 'Clients',
    'view:settings': 'Settings',
    'palette:open': 'All commands…',
    'messages:open': 'Earlier messages…',
    'session:open': 'New session',
    'session:wake': 'Wake',
    'repl:terminal': 'Plain terminal',
    'browse:symbol': 'Browse symbol at cursor',
    'agents:pause': 'Pause all agents',
    'agents:go-on': 'Resume agents',
    'search:focus': 'Search',
    'detail:close': 'Close details',
    'navigation:widen': 'Widen or narrow the navigation',
    'sessions:widen': 'Widen or narrow the session list',
    'endpoint:copy': 'Copy endpoint address',
    'project:choose': 'Choose project…',
    'theme:system': 'Use the system’s theme',
    'theme:light': 'Use the light theme',
    'theme:dark': 'Use the dark theme',
  },
  groups: { Go: 'Go', Session: 'Session', Agents: 'Agents', Window: 'Window', Tab: 'Tab' },
  palette: 'Commands',
  command: 'Command',
  ask: 'Search commands',
  noneFits: 'No matching command.',
  session: (name: string) => `Session ${name}`,
};

const commandsJapanese: typeof commandsEnglish = {
  titles: {
    'view:home': 'ホーム',
    'view:sessions': 'セッション',
    'view:source': 'ソース',
    'view:tests': 'テスト',
    'view:history': '履歴',
    'view:sandbox': 'サンドボックス',
    'view:clients': 'クライアント',
    'view:settings': '設定',
    'palette:open': 'すべてのコマンド…',
    'messages:open': '以前のメッセージ…',
    'session:open': '新規セッション',
    'session:wake': 'スリープ解除',
    'repl:terminal': 'プレーンターミナル',
    'browse:symbol': 'カーソル位置のシンボルをブラウズ',
    'agents:pause': '全エージェントを一時停止',
    'agents:go-on': 'エージェントを再開',
    'search:focus': '検索',
    'detail:close': '詳細を閉じる',
    'navigation:widen': 'ナビゲーションを広げる・狭める',
    'sessions:widen': 'セッション一覧を広げる・狭める',
    'endpoint:copy': 'エンドポイントのアドレスをコピー',
    'project:choose': 'プロジェクトを選択…',
    'theme:system': 'システムのテーマを使用',
    'theme:light': 'ライトテーマを使用',
    'theme:dark': 'ダークテーマを使用',
  },
  groups: {
    Go: '移動',
    Session: 'セッション',
    Agents: 'エージェント',
    Window: 'ウインドウ',
    Tab: 'タブ',
  },
  palette: 'コマンド一覧',
  command: 'コマンド',
  ask: 'コマンドを検索',
  noneFits: '該当するコマンドはありません。',
  session: (name) => `セッション ${name}`,
};

export const commands = { en: commandsEnglish, ja: commandsJapanese };

/**
 * The application menu, except the commands of the page. The English texts are those of Electron's menu
 * roles.
 */
const menuEnglish = {
  file: '&File',
  edit: '&Edit',
  view: '&View',
  window: '&Window',
  help: '&Help',
  about: (app: string) => `About ${app}`,
  services: 'Services',
  hide: (app: string) => `Hide ${app}`,
  hideOthers: 'Hide Others',
  unhide: 'Show All',
  quit: 'Quit',
  quitApp: (app: string) => `Quit ${app}`,
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select All',
  resetZoom: 'Actual Size',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  fullScreen: 'Toggle Full Screen',
  showWindow: 'Show window',
  minimize: 'Minimize',
  zoom: 'Zoom',
  close: 'Close',
  front: 'Bring All to Front',
  openDataFolder: 'Open data folder',
};

const menuJapanese: typeof menuEnglish = {
  file: 'ファイル(&F)',
  edit: '編集(&E)',
  view: '表示(&V)',
  window: 'ウインドウ(&W)',
  help: 'ヘルプ(&H)',
  about: (app) => `${app} について`,
  services: 'サービス',
  hide: (app) => `${app} を非表示`,
  hideOthers: 'ほかを非表示',
  unhide: 'すべてを表示',
  quit: '終了',
  quitApp: (app) => `${app} を終了`,
  undo: '取り消す',
  redo: 'やり直す',
  cut: '切り取り',
  copy: 'コピー',
  paste: '貼り付け',
  selectAll: 'すべてを選択',
  resetZoom: '実際のサイズ',
  zoomIn: '拡大',
  zoomOut: '縮小',
  fullScreen: 'フルスクリーンの切り替え',
  showWindow: 'ウインドウを表示',
  minimize: '最小化',
  zoom: '拡大／縮小',
  close: '閉じる',
  front: 'すべてを手前に移動',
  openDataFolder: 'データフォルダを開く',
};

export const menu = { en: menuEnglish, ja: menuJapanese };

/** The table of shortcuts in the settings. */
const shortcutsEnglish = {
  title: 'Shortcuts',
  about:
    'Where you type Lisp, the line-editing keys of Emacs and the shell take precedence; there, Ctrl+Shift+P opens all commands.',
  taken: (shortcut: string, title: string) => `${shortcut} is already used for “${title}”.`,
  pressFor: (title: string) => `Press a shortcut for ${title}`,
  press: 'Press a shortcut, Backspace to clear, Escape to cancel',
  changeOf: (title: string) => `Change the shortcut of ${title}`,
  change: 'Change…',
  usualOf: (title: string) => `Reset the shortcut of ${title}`,
  backTo: (shortcut: string) => `Reset to ${shortcut}`,
  backToNone: 'Reset to none',
};

const shortcutsJapanese: typeof shortcutsEnglish = {
  title: 'ショートカット',
  about:
    'Lisp を入力する場所では、Emacs とシェルの行編集のキーが優先されます。そこでは Ctrl+Shift+P ですべてのコマンドを呼び出せます。',
  taken: (shortcut, title) => `${shortcut} は「${title}」に使われています。`,
  pressFor: (title) => `${title}のショートカットを押してください`,
  press: 'キーを押してください。Backspace でなし、Escape でキャンセル',
  changeOf: (title) => `${title}のショートカットを変更`,
  change: '変更…',
  usualOf: (title) => `${title}のショートカットを既定に戻す`,
  backTo: (shortcut) => `${shortcut} に戻す`,
  backToNone: 'なしに戻す',
};

export const shortcuts = { en: shortcutsEnglish, ja: shortcutsJapanese };

const trayEnglish = {
  showWindow: 'Show window',
  showNeeds: (needs: number) => `Show what needs you (${needs})`,
  needs: (needs: number) => `needs you (${needs})`,
  paused: 'agents are paused',
  pause: 'Pause all agents',
  goOn: 'Resume agents',
  notListening: 'Endpoint not listening',
  copy: (address: string) => `Copy ${address}`,
  quit: 'Quit',
  quitEnding: (what: string) => `Quit (${what})`,
  /** `no sessions`, `1 session`, `3 sessions`. */
  sessions: (sessions: number) =>
    sessions === 0 ? 'no sessions' : sessions === 1 ? '1 session' : `${sessions} sessions`,
  running: (sessions: string, running: number) => `${sessions}, ${running} running`,
  ends: (sessions: string) => `ends ${sessions}`,
  endsRunning: (sessions: string) => `ends ${sessions}, which is running`,
  endsSomeRunning: (sessions: string, running: number) => `ends ${sessions}, ${running} of them running`,
};

const trayJapanese: typeof trayEnglish = {
  showWindow: 'ウインドウを表示',
  showNeeds: (needs) => `対応が必要なものを表示（${counted(needs, '件')}）`,
  needs: (needs) => `対応待ち ${counted(needs, '件')}`,
  paused: 'エージェントは一時停止中',
  pause: '全エージェントを一時停止',
  goOn: 'エージェントを再開',
  notListening: 'エンドポイントは待ち受けていません',
  copy: (address) => `${address} をコピー`,
  quit: '終了',
  quitEnding: (what) => `終了（${what}）`,
  sessions: (sessions) => (sessions === 0 ? 'セッションなし' : `セッション ${counted(sessions, '件')}`),
  running: (sessions, running) => `${sessions}（実行中 ${counted(running, '件')}）`,
  ends: (sessions) => `${sessions}が終わります`,
  endsRunning: (sessions) => `実行中の${sessions}が終わります`,
  endsSomeRunning: (sessions, running) => `${sessions}（うち実行中 ${counted(running, '件')}）が終わります`,
};

export const tray = { en: trayEnglish, ja: trayJapanese };
