/** Parts that several views share. */
import { sentence } from './sentence';

const en = {
  /** Why an engine cannot be used, which main says in English. */
  unavailable: <T>(reason: T) => sentence`${reason}`,
  defaultMark: ' default',
  newSessionOther: 'New session with another engine or from a checkpoint',
  engines: 'Engines',
  fromCheckpoint: 'From a checkpoint',
  resizeDetail: 'Resize detail',
  notSandboxed: 'Not sandboxed',
  notSandboxedFor: (reason: string) => `Not sandboxed: ${reason}.`,
  accepted: (reason: string) => `Not sandboxed: ${reason}. You have accepted that.`,
  warnAgain: 'Warn again',
  warnAgainOf: (reason: string) => `Warn again: ${reason}`,
  notSandboxedAbout:
    'Nothing confines what is evaluated: it can read and change every file that its process may, start programs and use the network. Each result says “not sandboxed” until you accept that. Should the reason change, you will be asked anew.',
  accept: 'Accept',
  acceptOf: (reason: string) => `Accept: ${reason}`,
};

const ja: typeof en = {
  unavailable: (reason) => sentence`利用できません: ${reason}`,
  defaultMark: '（既定）',
  newSessionOther: '別のエンジンまたはチェックポイントから新規セッション',
  engines: 'エンジン',
  fromCheckpoint: 'チェックポイントから',
  resizeDetail: '詳細のサイズを変更',
  notSandboxed: 'サンドボックスなし',
  notSandboxedFor: (reason) => `サンドボックスなし: ${reason}`,
  accepted: (reason) => `サンドボックスなし: ${reason}（了承済み）`,
  warnAgain: '再び警告する',
  warnAgainOf: (reason) => `再び警告する: ${reason}`,
  notSandboxedAbout:
    '評価されるコードは隔離されません。プロセスに許されたすべてのファイルの読み書き、プログラムの起動、ネットワークの利用ができます。了承するまで、各結果に “not sandboxed” と表示されます。理由が変わったときは、改めて確認します。',
  accept: '了承する',
  acceptOf: (reason) => `了承する: ${reason}`,
};

export const parts = { en, ja };
