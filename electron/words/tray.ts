/** The tray's menu, and what ends with the app. */
import { counted } from './counting';

const en = {
  showWindow: 'Show window',
  showNeeds: (needs: number) => `Show what needs you (${needs})`,
  needs: (needs: number) => `needs you (${needs})`,
  paused: 'agents are paused',
  pause: 'Pause all agents',
  goOn: 'Let agents go on',
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

const ja: typeof en = {
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

export const tray = { en, ja };
