/** The world of an ACL2 session: its commands, undoing them, and the proof builder. */
import { count, counted } from './language';

const en = {
  ended: 'The world of this session ended with it. Its events are in the history.',
  lost: 'The world of this session was lost with its image. The next evaluation starts a new one.',
  running: 'Events appear when the running evaluation has ended.',
  none: 'No events yet',
  noneAbout: (engine: string) =>
    `Events that ${engine} admits appear here: functions, theorems, books. You can return the world to any of them.`,
  busy: 'An evaluation is running. These are the events before it.',
  events: 'Events',
  builder: {
    conjecture: 'Conjecture',
    begin: 'Start',
    about:
      'Prove by hand, one instruction at a time, as with VERIFY. The world does not change; when the proof is complete, an event that admits it is shown.',
    instructions: 'Instructions',
    next: 'Next instruction',
    hint: 'induct, (dv 1), prove, …',
    undoLast: 'Undo last',
    admit: 'Nothing is left to prove. This event adds it to the world:',
  },
  loadOlder: (commands: string) => `Load older (${commands})`,
  command: (number: number) => `Command ${number}`,
  undoTo: 'Undo to here…',
  takeOut: 'Remove…',
  finalCheck: 'Final check',
  form: 'Form',
  loadedFrom: (file: string) => `Loaded from ${file}`,
  notEmbeddable: 'Books cannot contain this form; an exported book omits it.',
  eventsOf: 'Events of the command',
  eventsBefore: (events: number) => `${count(events, 'event')} before these`,
  andMore: (names: number) => ` and ${names} more`,
  marks: {
    notProved: 'not proved',
    programMode: 'program mode',
    guardsVerified: 'guards verified',
    disabled: 'disabled',
    partlyDisabled: 'partly disabled',
  },
  undoToQuestion: (number: number) => `Undo to command ${number}?`,
  undoNow: (commands: number) => `Undo ${count(commands, 'command')}`,
  wouldBeUndone: 'Will be undone',
  undoToAbout: (session: string, title: string) =>
    `The world of “${session}” returns to the state after ${title}. Undone commands stay in the history.`,
  removeCommandQuestion: (number: number) => `Remove command ${number}?`,
  takeOutNow: (number: number) => `Remove ${number}`,
  wouldBeProved: 'Will be proved again',
  takeOutAbout: (title: string, session: string) => `${title} is removed from the world of “${session}”. `,
  takeOutFollows:
    'Later commands are submitted again, including their proofs. Commands that fail without it are removed too and reported.',
};

const ja: typeof en = {
  ended: 'このセッションのワールドはセッションとともに終わりました。イベントは履歴に残ります。',
  lost: 'このセッションのワールドはイメージとともに失われました。次の評価で新しいワールドが始まります。',
  running: '実行中の評価が終わると、イベントが表示されます。',
  none: 'イベントはまだありません',
  noneAbout: (engine) =>
    `${engine} が受理した関数、定理、ブックなどのイベントがここに表示されます。ワールドをそのどれにも戻せます。`,
  busy: '評価を実行中です。その前のイベントを表示しています。',
  events: 'イベント',
  builder: {
    conjecture: '予想',
    begin: '始める',
    about:
      'VERIFY のように、指示をひとつずつ与えて手で進める証明です。ワールドは変わりません。証明できたら、そのとき示されるイベントで登録できます。',
    instructions: '指示',
    next: '次の指示',
    hint: 'induct, (dv 1), prove, …',
    undoLast: '最後の指示を取り消す',
    admit: '証明すべきものは残っていません。次のイベントでワールドに登録できます:',
  },
  loadOlder: (commands) => `以前のものを読み込む（${commands}）`,
  command: (number) => `コマンド ${number}`,
  undoTo: 'ここまで取り消す…',
  takeOut: '取り除く…',
  finalCheck: '最終確認',
  form: 'フォーム',
  loadedFrom: (file) => `${file} からロード`,
  notEmbeddable: 'このフォームはブックに入れられません。書き出すブックには含まれません。',
  eventsOf: 'コマンドのイベント',
  eventsBefore: (events) => `これより前に${counted(events, '件')}`,
  andMore: (names) => ` ほか ${names} 個`,
  marks: {
    notProved: '未証明',
    programMode: 'program モード',
    guardsVerified: 'ガード検証済み',
    disabled: '無効',
    partlyDisabled: '一部無効',
  },
  undoToQuestion: (number) => `コマンド ${number} まで取り消しますか？`,
  undoNow: (commands) => `${counted(commands, '個')}のコマンドを取り消す`,
  wouldBeUndone: '取り消されるもの',
  undoToAbout: (session, title) =>
    `「${session}」のワールドは ${title} の直後に戻ります。取り消したものは履歴に残ります。`,
  removeCommandQuestion: (number) => `コマンド ${number} を取り除きますか？`,
  takeOutNow: (number) => `${number} を取り除く`,
  wouldBeProved: '証明し直されるもの',
  takeOutAbout: (title, session) => `${title} を「${session}」のワールドから取り除きます。`,
  takeOutFollows:
    '後に続くものは証明も含めて再び送られます。それなしに成り立たないものも取り除かれ、報告されます。',
};

export const world = { en, ja };
