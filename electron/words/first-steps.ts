/** What Home offers at a first start. */
import { sentence } from './sentence';

const en = {
  title: 'First steps',
  found: (lisps: readonly string[]) => `Found: ${lisps.join(' · ')}`,
  noneFound: 'No Lisp was found',
  onSbcl: 'Sessions that name no engine run on SBCL.',
  noSbcl: 'SBCL is not here. Until it is, sessions that name no engine run on nbb, which comes with the app.',
  whatToInstall: 'What to install',
  bubblewrap: 'bubblewrap, the sandbox, from the next start on',
  command: 'command',
  lookAgain: 'Look again',
  isHere: <T>(program: T) => sentence`${program} is here and not connected`,
  connect: 'Connect…',
  connectProgram: (program: string) => `Connect ${program}`,
  unasked: 'Nothing is installed or connected unless you do it',
  unaskedAbout: 'Put away, these steps do not come back. Programs are connected under Clients at any time.',
  putAway: 'Put away',
};

const ja: typeof en = {
  title: '最初の手順',
  found: (lisps) => `見つかった Lisp: ${lisps.join(' · ')}`,
  noneFound: 'Lisp が見つかりません',
  onSbcl: 'エンジンを指定しないセッションは SBCL で動作します。',
  noSbcl:
    'SBCL が見つかりません。それまでは、エンジンを指定しないセッションはアプリ付属の nbb で動作します。',
  whatToInstall: 'インストールするもの',
  bubblewrap: 'bubblewrap（サンドボックス、次回の起動から）',
  command: 'コマンド',
  lookAgain: 'もう一度探す',
  isHere: (program) => sentence`${program} が見つかりましたが、接続されていません`,
  connect: '接続…',
  connectProgram: (program) => `${program} を接続`,
  unasked: '自動でインストールや接続が行われることはありません',
  unaskedAbout:
    '閉じると、この手順は二度と表示されません。プログラムは「クライアント」でいつでも接続できます。',
  putAway: '閉じる',
};

export const firstSteps = { en, ja };
