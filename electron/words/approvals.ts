/** Calls that wait for a person's word. */
import { counted } from './counting';
import { sentence } from './sentence';

const en = {
  waiting: 'Waiting for your word',
  more: (questions: number) => `${questions} more wait after this one.`,
  wants: <T>(client: T, wish: string, when: T) => sentence`${client} wants ${wish} ${when}`,
  toUse: (tool: string) => `to use ${tool}`,
  what: 'What would run or be reached',
  endUnseen: 'It can be allowed once its end was shown.',
  because: (rule: string) => `It is asked because of the rule “${rule}”.`,
  refuse: 'Refuse',
  always: (client: string) => `Always allow ${client}`,
  once: 'Allow once',
  showMiddle: 'Show middle',
  showEnd: 'Show end',
};

const ja: typeof en = {
  waiting: '承認待ち',
  more: (questions) => `この後に${counted(questions, '件')}待っています。`,
  wants: (client, wish, when) => sentence`${client} の要求: ${wish} ${when}`,
  toUse: (tool) => `${tool} を使う`,
  what: '実行または接続される内容',
  endUnseen: '最後まで表示すると許可できるようになります。',
  because: (rule) => `規則「${rule}」により確認しています。`,
  refuse: '拒否',
  always: (client) => `${client} を常に許可`,
  once: '今回だけ許可',
  showMiddle: '中ほどを表示',
  showEnd: '末尾を表示',
};

export const approvals = { en, ja };
