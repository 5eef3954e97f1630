/** The word beside each mark: states of sessions, outcomes of evaluations, connections of programs. */
const en = {
  session: {
    starting: 'starting',
    idle: 'idle',
    running: 'running',
    debugger: 'debugger',
    lost: 'lost',
    asleep: 'asleep',
    ended: 'ended',
  },
  /** Of sessions attached to a server: the state of the connection. */
  attached: {
    starting: 'reconnecting',
    idle: 'connected',
    lost: 'failed, retrying',
    ended: 'disconnected',
  },
  outcome: {
    ok: 'ok',
    error: 'error',
    debugger: 'debugger',
    interrupted: 'interrupted',
    crashed: 'crashed',
    refused: 'refused',
    running: 'running',
  },
  connection: {
    absent: 'not installed',
    ready: 'not connected',
    connected: 'connected',
    dropped: 'dropped',
    moved: 'address changed',
    outdated: 'outdated',
    foreign: 'not ours',
    unreadable: 'unreadable',
    manual: 'by hand',
  },
  network: 'network',
  networkAbout: 'Its code may open network connections',
};

const ja: typeof en = {
  session: {
    starting: '起動中',
    idle: '待機中',
    running: '実行中',
    debugger: 'デバッガ',
    lost: '喪失',
    asleep: 'スリープ',
    ended: '終了',
  },
  attached: {
    starting: '再接続中',
    idle: '接続済み',
    lost: '失敗、再試行中',
    ended: '切断',
  },
  outcome: {
    ok: '成功',
    error: 'エラー',
    debugger: 'デバッガ',
    interrupted: '中断',
    crashed: 'クラッシュ',
    refused: '拒否',
    running: '実行中',
  },
  connection: {
    absent: '未インストール',
    ready: '未接続',
    connected: '接続済み',
    dropped: '項目なし',
    moved: 'アドレス変更',
    outdated: '旧版',
    foreign: '別の項目',
    unreadable: '読み取り不可',
    manual: '手動',
  },
  network: 'ネットワーク',
  networkAbout: 'コードがネットワークに接続できます',
};

export const states = { en, ja };
