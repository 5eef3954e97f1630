/** The world of a prover's session: its commands, and undoing them. */
import { count, counted } from './counting';

const en = {
  ended: 'The world of this session ended with it. The history keeps its events.',
  lost: 'The world of this session is gone with its image. The next evaluation begins another.',
  running: 'The events are told when the evaluation that runs has ended.',
  none: 'No events yet',
  noneAbout: (engine: string) =>
    `Each event that ${engine} admits appears here: functions, theorems, books. The world can be brought back to any of them.`,
  busy: 'An evaluation runs. These are the events before it.',
  events: 'Events',
  builder: {
    conjecture: 'Conjecture',
    begin: 'Begin',
    about:
      'A proof by hand, instruction by instruction, as with VERIFY. The world stays as it is; what is proved can be admitted with the event that is shown then.',
    instructions: 'Instructions',
    next: 'Next instruction',
    hint: 'induct, (dv 1), prove, …',
    takeBack: 'Take back the last',
    admit: 'Nothing is left to prove. This event has it in the world:',
  },
  loadOlder: (commands: string) => `Load older (${commands})`,
  command: (number: number) => `Command ${number}`,
  undoTo: 'Undo to here…',
  takeOut: 'Take out…',
  finalCheck: 'Final check',
  form: 'Form',
  loadedFrom: (file: string) => `Loaded from ${file}`,
  notEmbeddable: 'Such a form cannot stand in a book: an exported book leaves it out.',
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
  undoToAsked: (number: number) => `Undo to command ${number}?`,
  undoNow: (commands: number) => `Undo ${count(commands, 'command')}`,
  wouldBeUndone: 'What would be undone',
  undoToAbout: (session: string, title: string) =>
    `The world of “${session}” goes back to just after ${title}. The history keeps what is undone.`,
  takeOutAsked: (number: number) => `Take out command ${number}?`,
  takeOutNow: (number: number) => `Take out ${number}`,
  wouldBeProved: 'What would be proved again',
  takeOutAbout: (title: string, session: string) => `${title} goes from the world of “${session}”. `,
  takeOutFollows:
    'What follows is submitted again, its proofs included; what does not stand without it goes as well and is told.',
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
    takeBack: '最後の指示を取り消す',
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
  undoToAsked: (number) => `コマンド ${number} まで取り消しますか？`,
  undoNow: (commands) => `${counted(commands, '個')}のコマンドを取り消す`,
  wouldBeUndone: '取り消されるもの',
  undoToAbout: (session, title) =>
    `「${session}」のワールドは ${title} の直後に戻ります。取り消したものは履歴に残ります。`,
  takeOutAsked: (number) => `コマンド ${number} を取り除きますか？`,
  takeOutNow: (number) => `${number} を取り除く`,
  wouldBeProved: '証明し直されるもの',
  takeOutAbout: (title, session) => `${title} を「${session}」のワールドから取り除きます。`,
  takeOutFollows:
    '後に続くものは証明も含めて再び送られます。それなしに成り立たないものも取り除かれ、報告されます。',
};

export const world = { en, ja };
