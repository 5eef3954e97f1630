/** Calls that wait for a person's word. */
import type { Wish } from '../contract/approvals';
import { counted } from './counting';
import { sentence } from './sentence';

/** What a client wants, to be read after its name. */
const WISHES: Readonly<Record<Wish, (tool: string) => string>> = {
  attach: () => 'to attach a session to a server',
  container: () => 'to start a container',
  network: () => 'to open a session with network',
  fetch: () => 'to fetch libraries',
  read: (tool) => `to read a file with ${tool}`,
};

const WISHES_JA: typeof WISHES = {
  attach: () => 'セッションをサーバーに接続する',
  container: () => 'コンテナを起動する',
  network: () => 'ネットワークを使えるセッションを開く',
  fetch: () => 'ライブラリを取得する',
  read: (tool) => `${tool} でファイルを読み取る`,
};

/** The harbor itself says what allowing means, in English; this is said before it. */
const MEANINGS_JA: Readonly<Record<Wish, string>> = {
  attach: 'コードはそのサーバーの権限で、Lisp Harbor のサンドボックスの外で実行されます。',
  container:
    'コンテナイメージは、なければ取得されます。ネットワークを使えますが、このコンピュータのフォルダは見えません。',
  network:
    'セッションが終わるまで、コードはこのコンピュータから届くすべてのもの（このコンピュータのサーバーを含む）に接続できます。',
  fetch: '次の内容を実行して、外部からライブラリを取得します。',
  read: '許可すると、秘密のファイルを除いて、そのフォルダ全体を読み取れるようになります。',
};

/** What "once" does, where it is something else than usual. */
const ONCE: Readonly<Partial<Record<Wish, string>>> = { read: 'Open it until the session ends' };
const ONCE_JA: typeof ONCE = { read: 'セッションが終わるまで許可' };

/** What "always" does, where it is no rule for the client. */
const ALWAYS: Readonly<Partial<Record<Wish, string>>> = {
  attach: 'Always allow this server',
  container: 'Always allow this container',
  read: 'Add the folder to the allow-list',
};

const ALWAYS_JA: typeof ALWAYS = {
  attach: 'このサーバーを常に許可',
  container: 'このコンテナを常に許可',
  read: 'フォルダを許可リストに追加',
};

const en = {
  waiting: 'Waiting for your word',
  more: (questions: number) => `${questions} more wait after this one.`,
  wants: <T>(client: T, wish: string, when: T) => sentence`${client} wants ${wish} ${when}`,
  /** @param wish absent where the tool says it all */
  wish: (tool: string, wish?: Wish) => (wish ? WISHES[wish](tool) : `to use ${tool}`),
  what: 'What would run or be reached',
  /** What is said before the harbor's own sentences. */
  means: (_wish?: Wish): string | null => null,
  inSession: <T>(name: T, engine: string) => sentence`In session ${name}, ${engine}.`,
  endUnseen: 'It can be allowed once its end was shown.',
  because: (rule: string) => `It is asked because of the rule “${rule}”.`,
  refuse: 'Refuse',
  always: (client: string, wish?: Wish) => (wish && ALWAYS[wish]) ?? `Always allow ${client}`,
  once: (wish?: Wish) => (wish && ONCE[wish]) ?? 'Allow once',
  showMiddle: 'Show middle',
  showEnd: 'Show end',
};

const ja: typeof en = {
  waiting: '承認待ち',
  more: (questions) => `この後に${counted(questions, '件')}待っています。`,
  wants: (client, wish, when) => sentence`${client} の要求: ${wish} ${when}`,
  wish: (tool, wish) => (wish ? WISHES_JA[wish](tool) : `${tool} を使う`),
  what: '実行または接続される内容',
  means: (wish) => (wish ? MEANINGS_JA[wish] : null),
  inSession: (name, engine) => sentence`セッション ${name} (${engine})`,
  endUnseen: '最後まで表示すると許可できるようになります。',
  because: (rule) => `規則「${rule}」により確認しています。`,
  refuse: '拒否',
  always: (client, wish) => (wish && ALWAYS_JA[wish]) ?? `${client} を常に許可`,
  once: (wish) => (wish && ONCE_JA[wish]) ?? '今回だけ許可',
  showMiddle: '中ほどを表示',
  showEnd: '末尾を表示',
};

export const approvals = { en, ja };
