/** Checkpoints of a session. */
import { count, counted } from './counting';
import { spaced } from './spacing';

const en = {
  title: 'Checkpoints',
  save: 'Save…',
  none: 'No checkpoints',
  noneAbout: (ofWorld: boolean) =>
    `A checkpoint keeps ${ofWorld ? 'the world: every command, in its order' : 'the whole state of an image: definitions, variables, packages'}. The session can go back to it, and others can begin from it, also when this one has ended.`,
  allOf: (engine: string) => `All of ${engine} in this project, whoever saved them`,
  unsupported: (engine: string) => `${engine} has no checkpoints`,
  unsupportedAbout:
    'The state of such an image cannot be saved. What is evaluated in it stays in the history.',
  name: 'Name',
  saved: 'Saved',
  from: 'From',
  package: 'Package',
  size: 'Size',
  actions: 'Actions',
  saving: (name: string) => `saving ${name}`.trimEnd(),
  savingMeanwhile: ' while the session goes on',
  sourceOf: (session: string, client: string) => `Session ${session} of ${client}`,
  missing: (things: number) => `${count(things, 'thing')} not in it`,
  restore: 'Restore…',
  restoreOf: (name: string) => `Restore ${name}`,
  open: 'Open',
  openOf: (name: string) => `Open ${name} as a new session`,
  drop: (name: string) => `Drop ${name}`,
  restoreAsked: (name: string, session: string) => `Restore “${name}” into “${session}”?`,
  restoreWorldAbout: (when: string) =>
    `Its world goes back to that of ${when}. What is in it now is kept in a checkpoint first. Proofs are done again only where ACL2 does not have that world any more.`,
  restoreAbout: (when: string) =>
    `What runs in the session is interrupted and its present state is lost: it goes back to that of ${when}. The history keeps what was evaluated.`,
  dropAsked: (name: string) => `Drop checkpoint “${name}”?`,
  dropAbout: (bytes: string) => `Its file of ${bytes} is deleted. This cannot be undone.`,
  thisSession: 'this session',
  usedBy: (sessions: readonly string[]) => `in use by ${sessions.join(', ')}`,
  saveOf: (session: string) => `Save checkpoint of “${session}”`,
  saveNow: 'Save',
  taken: 'There is a checkpoint of that name.',
  nameAbout: 'Without one it is named after the session. The session goes on while its state is saved.',
};

const ja: typeof en = {
  title: 'チェックポイント',
  save: '保存…',
  none: 'チェックポイントはありません',
  noneAbout: (ofWorld) =>
    `チェックポイントは${ofWorld ? 'ワールド（順序どおりのすべてのコマンド）' : 'イメージの状態全体（定義、変数、パッケージ）'}を保存します。セッションはそこに戻ることができ、終了後も別のセッションをそこから始められます。`,
  allOf: (engine) => `このプロジェクトの ${engine} のすべて（保存者を問いません）`,
  unsupported: (engine) => `${engine} にはチェックポイントがありません`,
  unsupportedAbout: 'このイメージの状態は保存できません。評価したものは履歴に残ります。',
  name: '名前',
  saved: '保存日時',
  from: '保存元',
  package: 'パッケージ',
  size: 'サイズ',
  actions: '操作',
  saving: (name) => (name === '' ? '保存中' : `${name} を保存中`),
  savingMeanwhile: '（セッションは続いています）',
  sourceOf: (session, client) => `${spaced(client)}のセッション ${session}`,
  missing: (things) => `含まれないもの ${counted(things, '件')}`,
  restore: '復元…',
  restoreOf: (name) => `${name} を復元`,
  open: '開く',
  openOf: (name) => `${name} を新規セッションとして開く`,
  drop: (name) => `${name} を破棄`,
  restoreAsked: (name, session) => `「${name}」を「${session}」に復元しますか？`,
  restoreWorldAbout: (when) =>
    `ワールドは ${when} のものに戻ります。現在のものはまずチェックポイントに保存されます。ACL2 にそのワールドが残っていない場合だけ、証明をやり直します。`,
  restoreAbout: (when) =>
    `実行中の評価は中断され、現在の状態は失われて、${when} の状態に戻ります。評価したものは履歴に残ります。`,
  dropAsked: (name) => `チェックポイント「${name}」を破棄しますか？`,
  dropAbout: (bytes) => `${bytes} のファイルを削除します。元に戻せません。`,
  thisSession: 'このセッション',
  usedBy: (sessions) => `使用中: ${sessions.join('、')}`,
  saveOf: (session) => `「${session}」のチェックポイントを保存`,
  saveNow: '保存',
  taken: '同じ名前のチェックポイントがあります。',
  nameAbout: '空欄ならセッションの名前から付けられます。保存中もセッションは続きます。',
};

export const checkpoints = { en, ja };
