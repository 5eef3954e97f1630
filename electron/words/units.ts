/** The units of formats.ts. */
import type { InEach } from './language';

type Value = number | string;

const en = {
  hardly: '<1 ms',
  milliseconds: (value: Value) => `${value} ms`,
  seconds: (value: Value) => `${value} s`,
  minutes: (value: Value) => `${value} m`,
  hours: (value: Value) => `${value} h`,
  days: (value: Value) => `${value} d`,
  now: 'now',
  justNow: 'just now',
  ago: (age: string) => `${age} ago`,
  cost: (real: string, parts: readonly string[], bytes: string) =>
    `${real} (${parts.join(', ')}), ${bytes} allocated`,
  heap: (mebibytes: number) => `heap ${mebibytes} MiB`,
  cpu: (seconds: number) => `${seconds} s CPU`,
  /** Of lists: without a comma before the last "and". */
  listLocale: 'en-GB',
  output: (characters: string) => `output ${characters} characters`,
};

const ja: typeof en = {
  hardly: '1 ms 未満',
  milliseconds: (value) => `${value} ms`,
  seconds: (value) => `${value} 秒`,
  minutes: (value) => `${value} 分`,
  hours: (value) => `${value} 時間`,
  days: (value) => `${value} 日`,
  now: '今',
  justNow: 'たった今',
  ago: (age) => `${age}前`,
  cost: (real, parts, bytes) => `${real}（${parts.join('、')}）、割り当て ${bytes}`,
  heap: (mebibytes) => `ヒープ ${mebibytes} MiB`,
  cpu: (seconds) => `CPU ${seconds} 秒`,
  listLocale: 'ja',
  output: (characters) => `出力 ${characters} 文字`,
};

export const UNITS: InEach<typeof en> = { en, ja };
