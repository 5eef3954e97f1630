/** What a theorem may rest on besides the prover's own soundness. */
import { count, counted } from './counting';

const en = {
  none: 'no trust issues',
  restsOn: (issues: readonly string[]) => `rests on: ${issues.join(', ')}`,
  noIssues: 'no issues',
  issueCount: (issues: number) => count(issues, 'issue'),
  trust: (line: string) => `Trust: ${line}`,
  issues: 'Trust issues',
  clean: (subject: string) =>
    `Nothing but the prover’s own soundness: ${subject} uses no skipped proofs, axioms, trust tags, redefinitions or uncertified books.`,
  /** `title` is as a short list names it, `meaning` for whoever believes the theorem. */
  kinds: {
    'skip-proofs': {
      title: 'skip-proofs',
      meaning: 'Proofs were skipped: what they would have shown is believed without one.',
    },
    'proofs-skipped-now': {
      title: 'proofs skipped now',
      meaning: 'The session is set to skip proofs: whatever it admits now is believed without one.',
    },
    axiom: {
      title: 'axiom',
      meaning:
        'Axioms were added: nothing shows that they are true, and from a false one everything follows.',
    },
    'trust-tag': {
      title: 'trust tag',
      meaning: 'Code was let around the logic: whoever wrote it vouches for it, the prover does not.',
    },
    redefinition: {
      title: 'redefinition',
      meaning: 'A name was given another meaning: theorems about the earlier one are still believed.',
    },
    'redefinition-allowed': {
      title: 'redefinition allowed',
      meaning: 'The session is set to allow redefinitions: theorems need not be about what a name means now.',
    },
    'uncertified-book': {
      title: 'uncertified book',
      meaning:
        'A book was included that has no valid certificate: nothing says that its proofs went through.',
    },
    'book-with-axioms': {
      title: 'book with axioms',
      meaning: 'A book is certified, but adds axioms: nothing shows that they are true.',
    },
    'book-with-skipped-proofs': {
      title: 'book with skipped proofs',
      meaning: 'A book is certified, but some of its proofs were skipped.',
    },
    'outside-book': {
      title: 'outside book',
      meaning:
        'A book is not among the system’s: its certificate is as good as those who can write beside it, until a final check builds it anew.',
    },
    'program-mode': {
      title: 'program mode',
      meaning:
        'A function was defined without a logical definition: it can be run, but nothing is proved of it.',
    },
    'raw-mode': {
      title: 'raw mode',
      meaning: 'The session is set to evaluate raw Lisp: the prover checks none of it.',
    },
    'raw-lisp-allowed': {
      title: 'raw Lisp allowed',
      meaning:
        'A person has let this session into the Lisp below the prover, where code can forge any result.',
    },
    'illegal-state': {
      title: 'illegal state',
      meaning: 'The prover says that its state was corrupted: nothing that it answers can be relied on.',
    },
  },
};

const ja: typeof en = {
  none: '信頼の問題なし',
  restsOn: (issues) => `依存: ${issues.join('、')}`,
  noIssues: '問題なし',
  issueCount: (issues) => `問題 ${counted(issues, '件')}`,
  trust: (line) => `信頼: ${line}`,
  issues: '信頼の問題',
  clean: (subject) =>
    `証明器自身の健全性だけに依存します。${subject}は、省略した証明、公理、trust tag、再定義、未認証のブックを使っていません。`,
  kinds: {
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

export const trust = { en, ja };
