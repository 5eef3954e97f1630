/** Durations, times, sizes and numbers in each language. Times and durations are in milliseconds. */

import type { Limits } from '../contract/model';
import type { Cost } from '../contract/report';
import { type InEach, type Language, localeOf } from './language';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Value = number | string;

const unitsEnglish = {
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
  /** Locale of lists in sentences. en-GB has no comma before the last "and". */
  listLocale: 'en-GB',
  output: (characters: string) => `output ${characters} characters`,
};

const unitsJapanese: typeof unitsEnglish = {
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

const UNITS: InEach<typeof unitsEnglish> = { en: unitsEnglish, ja: unitsJapanese };

export const formats: InEach<Formats> = { en: formatsIn('en'), ja: formatsIn('ja') };

type Formats = ReturnType<typeof formatsIn>;

function formatsIn(language: Language) {
  const locale = localeOf(language);
  const units = UNITS[language];
  const numbers = new Intl.NumberFormat(locale);
  const figures = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 });
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat(locale, { notation: 'compact' });
  const date = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' });
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(locale);
  const list = new Intl.ListFormat(units.listLocale);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

  /** Duration of something that has ended: `<1 ms`, `12 ms`, `3.4 s`, `2 m 05 s`, `1 h 04 m`. */
  const duration = (ms: number): string => {
    if (ms < 1) return units.hardly;
    if (ms < 999.5) return units.milliseconds(Math.round(ms));
    if (ms < 9_950) return units.seconds(tenths.format(ms / SECOND));
    return wholeSeconds(Math.round(ms / SECOND));
  };

  const wholeSeconds = (seconds: number): string => {
    if (seconds < 60) return units.seconds(seconds);
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${units.minutes(minutes)} ${units.seconds(twoDigits(seconds % 60))}`;
    return `${units.hours(Math.floor(minutes / 60))} ${units.minutes(twoDigits(minutes % 60))}`;
  };

  /** Age in the largest unit: `now`, `12 s`, `4 m`, `1 h`, `3 d`. */
  const age = (ms: number): string => {
    if (ms < 5 * SECOND) return units.now;
    if (ms < MINUTE) return units.seconds(Math.floor(ms / SECOND));
    if (ms < HOUR) return units.minutes(Math.floor(ms / MINUTE));
    if (ms < DAY) return units.hours(Math.floor(ms / HOUR));
    return units.days(Math.floor(ms / DAY));
  };

  /** `22 MB`, `1.4 GB`: decimal units, as in the system monitors. */
  const bytes = (size: number): string => {
    if (size < 1e6) return `${Math.round(size / 1e3)} kB`;
    if (size < 1e9) return `${Math.round(size / 1e6)} MB`;
    return `${tenths.format(size / 1e9)} GB`;
  };

  return {
    ...{ duration, age, bytes },
    /** Time since something started that has not ended: `3 s`, `2 m 04 s`. */
    elapsed: (ms: number): string => wholeSeconds(Math.floor(ms / SECOND)),
    /** `1,204`. */
    number: (value: number): string => numbers.format(value),
    /** A number in a value: `1,204`, `0.333333`. */ figure: (value: number): string =>
      (Number.isInteger(value) ? numbers : figures).format(value),
    /** A list of names in a sentence: `a`, `a and b`, `a, b and c`. */
    list: (names: readonly string[]): string => list.format(names),
    /** `just now`, `4 m ago`; after two weeks the date. */
    relative: (at: number, now: number): string => {
      if (now - at < 5 * SECOND) return units.justNow;
      return now - at < 14 * DAY ? units.ago(age(now - at)) : date.format(at);
    },
    /** Date and time, for a tooltip. */
    exact: (at: number): string => exact.format(at),
    /** The date in digits. */
    date: (at: number): string => day.format(at),
    /** The parts of a time that `options` select. */
    moment: (at: number, options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat(locale, options).format(at),
    /** The time of the day. */
    time: (at: number): string => time.format(at),
    /** `1.2 s (CPU 1.1 s, GC 40 ms), 22 MB allocated`; parts that are zero are omitted. */
    cost: ({ realMs, runMs, gcMs, bytes: allocated }: Cost): string => {
      const parts = [`CPU ${duration(runMs)}`, ...(gcMs > 0 ? [`GC ${duration(gcMs)}`] : [])];
      return units.cost(duration(realMs), parts, bytes(allocated));
    },
    /**
     * The limits of a session: `heap 2048 MiB`, `10 s CPU`, `output 4.2M characters`. Omits limits that are
     * not set.
     */
    limits: ({ heapMiB, cpuSeconds, outputChars }: Limits): string[] => [
      ...(heapMiB === null ? [] : [units.heap(heapMiB)]),
      ...(cpuSeconds === null ? [] : [units.cpu(cpuSeconds)]),
      ...(outputChars === null ? [] : [units.output(compact.format(outputChars))]),
    ],
  };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
