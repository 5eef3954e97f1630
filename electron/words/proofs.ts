/** Proofs: events with their verdicts, key checkpoints, suggestions, and final checks. */

import type { BookState, Certification } from '../contract/proof';
import { count, counted } from './language';

const proofsEnglish = {
  keyCheckpoints: (checkpoints: number) => count(checkpoints, 'key checkpoint'),
  finalCheck: 'Final check',
  saveReport: 'Save report…',
  theorems: 'Theorems',
  moreTheorems: (theorems: number) => `and ${count(theorems, 'more theorem')}`,
  functionsOf: (functions: number) => `${count(functions, 'function')} in these theorems`,
  functions: 'Functions',
  noFormula: '; ACL2 has no formula for it',
  constrained: (name: string) => `${name}, constrained`,
  sources: (sources: number) => count(sources, 'source'),
  systemBooks: (books: number) => `${count(books, 'book')} of the system`,
  repeat: 'How to reproduce',
  notes: 'Notes',
  everyDefinition: 'Every definition',
  theoremCount: (theorems: number) => count(theorems, 'theorem'),
  holds: (what: string, several: boolean) => `${what} ${several ? 'hold' : 'holds'}`,
  rebuiltClean: ', rebuilt from sources. Only ACL2 is trusted. ',
  rebuilt: ', rebuilt from sources. Also trusted, besides ACL2: ',
  host: (acl2: string, lisp: string) => `${acl2} on ${lisp}`,
  filesBySha: 'Files by their SHA-256',
  repeatAbout:
    'Copy the sources, under these names, to an empty folder and start ACL2 there once for each of these lines.',
  groups: {
    top: 'At the top level, before any induction',
    induction: 'Under an induction',
    reverted: 'Abandoned in favor of an induction',
  },
  /** One sentence for each reason with which ACL2 abandons a proof. */
  gaveUp: {
    'EMPTY-CLAUSE':
      'A goal was reduced to NIL, which cannot be proved: the conjecture may be false, a hypothesis may be missing, or the induction may be the wrong one.',
    'DO-NOT-INDUCT': 'The next step would be induction, but a :DO-NOT-INDUCT hint forbids it.',
    'INDUCTION-DEPTH-LIMIT-EXCEEDED':
      'The next step would be induction, but the limit of nested inductions is reached.',
  } as Readonly<Record<string, string>>,
  gaveUpFor: (reason: string) => `The proof failed: ${reason}.`,
  untold: (checkpoints: number) =>
    `${checkpoints === 1 ? 'One more is' : `${checkpoints} more are`} in the output of the prover.`,
  pushed: (name: string) => `then tried by induction, as ${name}`,
  events: 'Events',
  form: 'form',
  lastCommand: 'The world’s last command after it',
  command: (command: number) => `command ${command}`,
  suggestions: 'Suggestions',
  suggestionsAbout: 'Suggestions derived from the failure, not proved unless they say so',
  suggested: {
    counterexample: 'counterexample',
    hypothesis: 'hypothesis',
    lemma: 'lemma',
    generalize: 'generalize',
    induction: 'induction',
    theory: 'theory',
    measure: 'measure',
    guard: 'guard',
    limit: 'limit',
  },
  lost: 'No longer in the world',
  eventsOf: 'Events of the form',
  moreEvents: (events: number) => `and ${count(events, 'more event')}`,
  notProved: '(not proved)',
  lists: {
    abortCauses: 'Stopped by',
    rules: 'Rules',
    hintEvents: 'Hint events',
    splitterRules: 'Splitter rules',
    warnings: 'Warnings',
  },
  listOf: (title: string, items: number) => `${title} (${items})`,
  typeReasoning: 'primitive type reasoning',
  verdicts: {
    proved: 'proved',
    admitted: 'admitted',
    redundant: 'redundant',
    skipped: 'not proved',
    axiom: 'axiom',
    'no-effect': 'no effect',
    undone: 'undone',
    restored: 'restored',
    failed: 'failed',
    interrupted: 'interrupted',
    'changed-then-interrupted': 'interrupted after its change',
    refuted: 'false',
    value: 'value',
  },
  goals: 'Remaining goals',
  goalsAbout: (goals: number) => `${count(goals, 'remaining goal')}, the current one first`,
  noGoals: 'No remaining goals: everything is proved',
  divedTo: (address: string) => `at ${address}`,
  hypotheses: 'Hypotheses',
  toProve: 'To prove',
  observed: 'Rule activity',
  attempts: (attempts: number) => `${count(attempts, 'attempt')} of the watched rules`,
  noAttempts: 'No term matched the watched rules',
  moreAttempts: (attempts: number) => `and ${count(attempts, 'more attempt')}`,
  disabledRule: (rule: string) => `${rule} is disabled: it is tried only if a hint enables it.`,
  applied: 'Applied; result',
  notApplied: (why: string | null) => `Not applied: ${why ?? 'ACL2 gives no reason'}`,
  costs: 'Rule costs',
  costColumns: ['Rule', 'Frames', 'Useful frames', 'Tries', 'Useful tries'],
  certified: ({ book, certificate }: Certification) =>
    certificate === null ? `${book}.lisp was not certified.` : `${book}.lisp is certified: ${certificate}`,
  steps: (steps: number) => count(steps, 'step'),
  moreSteps: (steps: number) => `more than ${count(steps, 'step')}`,
};

const proofsJapanese: typeof proofsEnglish = {
  keyCheckpoints: (checkpoints) => `キーチェックポイント ${counted(checkpoints, '個')}`,
  finalCheck: '最終確認',
  saveReport: '報告を保存…',
  theorems: '定理',
  moreTheorems: (theorems) => `ほか ${counted(theorems, '個')}の定理`,
  functionsOf: (functions) => `定理が扱う関数 ${counted(functions, '個')}`,
  functions: '関数',
  noFormula: '; ACL2 では論理式として表せません',
  constrained: (name) => `${name}（制約付き）`,
  sources: (sources) => `ソース ${counted(sources, '個')}`,
  systemBooks: (books) => `システムのブック ${counted(books, '冊')}`,
  repeat: '再現の手順',
  notes: '注記',
  everyDefinition: 'すべての定義',
  theoremCount: (theorems) => `定理 ${counted(theorems, '個')}`,
  holds: (what) => `${what} は成り立ちます`,
  rebuiltClean: '（ソースから再構築）。ACL2 以外は信用していません。',
  rebuilt: '（ソースから再構築）。ACL2 以外にも信用しているものがあります: ',
  host: (acl2, lisp) => `${lisp} 上の ${acl2}`,
  filesBySha: 'ファイルと SHA-256',
  repeatAbout: 'ソースをこれらの名前で空のフォルダに置き、各行についてそこで ACL2 を起動してください。',
  groups: {
    top: 'トップレベル（帰納法の前）',
    induction: '帰納法の中',
    reverted: '帰納法のために断念',
  },
  gaveUp: {
    'EMPTY-CLAUSE':
      'ゴールが証明できない NIL になりました。予想が誤っているか、仮定が足りないか、帰納法が適切でない可能性があります。',
    'DO-NOT-INDUCT': '次は帰納法でしたが、:DO-NOT-INDUCT ヒントが禁じています。',
    'INDUCTION-DEPTH-LIMIT-EXCEEDED': '次は帰納法でしたが、帰納法の入れ子が上限に達しています。',
  },
  gaveUpFor: (reason) => `証明を断念しました: ${reason}。`,
  untold: (checkpoints) => `ほか ${counted(checkpoints, '個')}は証明器の出力にあります。`,
  pushed: (name) => `次に ${name} として帰納法を試行`,
  events: 'イベント',
  form: 'フォーム',
  lastCommand: 'その後のワールドの最後のコマンド',
  command: (command) => `コマンド ${command}`,
  suggestions: '提案',
  suggestionsAbout: '提案（失敗から推測したもので、明記がない限り証明していません）',
  suggested: {
    counterexample: '反例',
    hypothesis: '仮定',
    lemma: '補題',
    generalize: '一般化',
    induction: '帰納法',
    theory: 'セオリー',
    measure: '測度',
    guard: 'ガード',
    limit: '上限',
  },
  lost: 'ワールドからなくなったもの',
  eventsOf: 'フォームのイベント',
  moreEvents: (events) => `ほか ${counted(events, '個')}のイベント`,
  notProved: '（未証明）',
  lists: {
    abortCauses: '停止の原因',
    rules: '規則',
    hintEvents: 'ヒントのイベント',
    splitterRules: '分割規則',
    warnings: '警告',
  },
  listOf: (title, items) => `${title}（${items}）`,
  typeReasoning: '基本的な型推論',
  verdicts: {
    proved: '証明済み',
    admitted: '受理',
    redundant: '冗長',
    skipped: '未証明',
    axiom: '公理',
    'no-effect': '効果なし',
    undone: '取り消し',
    restored: '復元',
    failed: '失敗',
    interrupted: '中断',
    'changed-then-interrupted': '変更後に中断',
    refuted: '偽',
    value: '値',
  },
  goals: '指示のあとに残ったゴール',
  goalsAbout: (goals) => `指示のあとに残ったゴール ${counted(goals, '個')}（現在のものが先頭）`,
  noGoals: '指示のあとにゴールは残っていません: すべて証明されました',
  divedTo: (address) => `位置 ${address}`,
  hypotheses: '仮定',
  toProve: '証明すべきもの',
  observed: '規則の働き',
  attempts: (attempts) => `監視した規則の試行 ${counted(attempts, '回')}`,
  noAttempts: '現れた項は、監視した規則のどれにも合いませんでした',
  moreAttempts: (attempts) => `ほか ${counted(attempts, '回')}の試行`,
  disabledRule: (rule) => `${rule} は無効です。有効にするヒントがあるときだけ試されます。`,
  applied: '適用された結果',
  notApplied: (why) => `適用されませんでした: ${why ?? 'ACL2 は理由を示しません'}`,
  costs: '規則のコスト',
  costColumns: ['規則', 'フレーム', '有効なフレーム', '試行', '有効な試行'],
  certified: ({ book, certificate }) =>
    certificate === null
      ? `${book}.lisp は認証されませんでした。`
      : `${book}.lisp は認証されました: ${certificate}`,
  steps: (steps) => `${counted(steps, 'ステップ')}`,
  moreSteps: (steps) => `${counted(steps, 'ステップ')}超`,
};

export const proofs = { en: proofsEnglish, ja: proofsJapanese };

// Certification of several books: state of each and progress.

const booksEnglish = {
  title: 'Books',
  progress: 'Books done',
  done: (done: number, books: number) => `${done} of ${count(books, 'book')}`,
  atWork: (processes: number) => `${count(processes, 'process', 'processes')} running`,
  states: {
    waiting: 'waiting',
    'at-work': 'certifying',
    certified: 'certified',
    unchanged: 'up to date',
    failed: 'failed',
    interrupted: 'interrupted',
    left: 'not tried',
  } satisfies Record<BookState, string>,
  next: (state: string) => `Go to the next book: ${state}`,
  since: (time: string) => `since ${time}`,
  notCertified: (book: string) => `${book} is not certified`,
  elsewhere: 'see above',
  log: 'Log',
  logOf: (book: string) => `Log of ${book}`,
  closeLog: 'Close the log',
};

const booksJapanese: typeof booksEnglish = {
  title: 'ブック',
  progress: '済んだブック',
  done: (done, books) => `${counted(books, '冊')}中 ${counted(done, '冊')}`,
  atWork: (processes) => `${counted(processes, 'プロセス')}が作業中`,
  states: {
    waiting: '待機中',
    'at-work': '認証中',
    certified: '認証済み',
    unchanged: '最新',
    failed: '失敗',
    interrupted: '中断',
    left: '未実行',
  },
  next: (state) => `次の「${state}」へ移動`,
  since: (time) => `${time} から`,
  notCertified: (book) => `${book} が認証されていません`,
  elsewhere: '上を参照',
  log: 'ログ',
  logOf: (book) => `${book} のログ`,
  closeLog: 'ログを閉じる',
};

export const books = { en: booksEnglish, ja: booksJapanese };

// Assumptions that a theorem may rest on besides the soundness of the prover.

const trustEnglish = {
  none: 'no trust issues',
  restsOn: (issues: readonly string[]) => `rests on: ${issues.join(', ')}`,
  noIssues: 'no issues',
  issueCount: (issues: number) => count(issues, 'issue'),
  trust: (line: string) => `Trust: ${line}`,
  issues: 'Trust issues',
  clean: (subject: string) =>
    `Rests only on the soundness of the prover: ${subject} uses no skipped proofs, axioms, trust tags, redefinitions or uncertified books.`,
  /** `title` is for lists, `meaning` for people who rely on the theorem. */
  kinds: {
    refuted: {
      title: 'false theorem',
      meaning: 'A theorem of this world is false for some values: anything can be proved.',
    },
    'skip-proofs': {
      title: 'skip-proofs',
      meaning: 'Proofs were skipped: their conclusions are assumed without proof.',
    },
    'proofs-skipped-now': {
      title: 'proofs skipped now',
      meaning: 'The session is set to skip proofs: everything that it admits now is assumed without proof.',
    },
    axiom: {
      title: 'axiom',
      meaning: 'Axioms were added, which are not proved: a false axiom implies anything.',
    },
    'trust-tag': {
      title: 'trust tag',
      meaning: 'Code bypassed the logic: its author is responsible for it, not the prover.',
    },
    redefinition: {
      title: 'redefinition',
      meaning: 'A name was redefined: theorems about its earlier meaning are still assumed.',
    },
    'redefinition-allowed': {
      title: 'redefinition allowed',
      meaning: 'The session allows redefinitions: a theorem may not be about the current meaning of a name.',
    },
    'uncertified-book': {
      title: 'uncertified book',
      meaning: 'A book without a valid certificate was included: its proofs may not have succeeded.',
    },
    'book-with-axioms': {
      title: 'book with axioms',
      meaning: 'A certified book adds axioms, which are not proved.',
    },
    'book-with-skipped-proofs': {
      title: 'book with skipped proofs',
      meaning: 'Some proofs of a certified book were skipped.',
    },
    'outside-book': {
      title: 'outside book',
      meaning:
        'A book is not one of the system’s: anyone who can write to its folder could have changed its certificate, unless a final check rebuilds the book.',
    },
    'system-books': {
      title: 'system books',
      meaning: 'The certificates of the system’s books are believed: their proofs were not repeated.',
    },
    'program-mode': {
      title: 'program mode',
      meaning: 'A function has no logical definition: it can run, but nothing is proved about it.',
    },
    'raw-mode': {
      title: 'raw mode',
      meaning: 'The session is set to evaluate raw Lisp, which the prover does not check.',
    },
    'raw-lisp-allowed': {
      title: 'raw Lisp allowed',
      meaning: 'A user allowed raw Lisp in this session, where code can forge any result.',
    },
    'illegal-state': {
      title: 'illegal state',
      meaning: 'The prover reports that its state is corrupted: none of its answers can be trusted.',
    },
  },
};

const trustJapanese: typeof trustEnglish = {
  none: '信頼の問題なし',
  restsOn: (issues) => `依存: ${issues.join('、')}`,
  noIssues: '問題なし',
  issueCount: (issues) => `問題 ${counted(issues, '件')}`,
  trust: (line) => `信頼: ${line}`,
  issues: '信頼の問題',
  clean: (subject) =>
    `証明器自身の健全性だけに依存します。${subject}は、省略した証明、公理、trust tag、再定義、未認証のブックを使っていません。`,
  kinds: {
    refuted: {
      title: '偽の定理',
      meaning: '定理がある値について偽です。この世界ではどんなことも証明できます。',
    },
    'skip-proofs': {
      title: 'skip-proofs',
      meaning: '証明が省略されました。示されるはずのことが証明なしに信じられています。',
    },
    'proofs-skipped-now': {
      title: '証明を省略中',
      meaning: 'セッションは証明を省略する設定です。受理されるものは証明なしに信じられます。',
    },
    axiom: {
      title: '公理',
      meaning: '公理が追加されました。真であることは示されておらず、偽の公理からは何でも導かれます。',
    },
    'trust-tag': {
      title: 'trust tag',
      meaning: '論理を迂回するコードが許されました。保証するのはその作者であり、証明器ではありません。',
    },
    redefinition: {
      title: '再定義',
      meaning: '名前に別の意味が与えられました。以前の意味についての定理がまだ信じられています。',
    },
    'redefinition-allowed': {
      title: '再定義を許可',
      meaning: 'セッションは再定義を許す設定です。定理は、名前の現在の意味についてのものとは限りません。',
    },
    'uncertified-book': {
      title: '未認証のブック',
      meaning: '有効な証明書のないブックが読み込まれました。その証明が通ったとは言えません。',
    },
    'book-with-axioms': {
      title: '公理を含むブック',
      meaning: 'ブックは認証済みですが、公理を追加しています。真であることは示されていません。',
    },
    'book-with-skipped-proofs': {
      title: '証明を省略したブック',
      meaning: 'ブックは認証済みですが、一部の証明が省略されています。',
    },
    'outside-book': {
      title: '外部のブック',
      meaning:
        'システム以外のブックです。最終確認で作り直すまで、証明書の信頼性はその隣に書き込める者次第です。',
    },
    'system-books': {
      title: 'システムのブック',
      meaning: 'システムのブックの証明書を信用しています。証明は繰り返していません。',
    },
    'program-mode': {
      title: 'program モード',
      meaning: '論理的な定義のない関数です。実行はできますが、何も証明されません。',
    },
    'raw-mode': {
      title: 'raw モード',
      meaning: 'セッションは raw Lisp を評価する設定です。証明器は確認しません。',
    },
    'raw-lisp-allowed': {
      title: 'raw Lisp 許可',
      meaning:
        'このセッションは証明器の下の Lisp に入ることを許されました。そこではどんな結果も偽造できます。',
    },
    'illegal-state': {
      title: '不正な状態',
      meaning: '証明器の状態が壊れています。どの応答も信頼できません。',
    },
  },
};

export const trust = { en: trustEnglish, ja: trustJapanese };
