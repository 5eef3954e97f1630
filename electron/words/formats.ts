/** Durations, times, sizes and numbers as people read them in each language. Every time is in milliseconds. */
import type { Cost } from '../contract/cost';
import type { Limits } from '../contract/memory';
import { type InEach, type Language, localeOf } from './language';
import { UNITS } from './units';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const formats: InEach<Formats> = { en: formatsIn('en'), ja: formatsIn('ja') };

export type Formats = ReturnType<typeof formatsIn>;

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

  /** How long something took: `<1 ms`, `12 ms`, `3.4 s`, `2 m 05 s`, `1 h 04 m`. */
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

  /** How old something is, in its largest unit: `now`, `12 s`, `4 m`, `1 h`, `3 d`. */
  const age = (ms: number): string => {
    if (ms < 5 * SECOND) return units.now;
    if (ms < MINUTE) return units.seconds(Math.floor(ms / SECOND));
    if (ms < HOUR) return units.minutes(Math.floor(ms / MINUTE));
    if (ms < DAY) return units.hours(Math.floor(ms / HOUR));
    return units.days(Math.floor(ms / DAY));
  };

  /** `22 MB`, `1.4 GB`: decimal units, as the systems' own monitors show them. */
  const bytes = (size: number): string => {
    if (size < 1e6) return `${Math.round(size / 1e3)} kB`;
    if (size < 1e9) return `${Math.round(size / 1e6)} MB`;
    return `${tenths.format(size / 1e9)} GB`;
  };

  return {
    ...{ duration, age, bytes },
    /** How long something has gone on that still does: `3 s`, `2 m 04 s`. */
    elapsed: (ms: number): string => wholeSeconds(Math.floor(ms / SECOND)),
    /** `1,204`. */
    number: (value: number): string => numbers.format(value),
    /** A number of a program's: `1,204`, `0.333333`. */ figure: (value: number): string =>
      (Number.isInteger(value) ? numbers : figures).format(value),
    /** Names in a row as a sentence has them: `a`, `a and b`, `a, b and c`. */
    list: (names: readonly string[]): string => list.format(names),
    /** `just now`, `4 m ago`; after two weeks the date. */
    relative: (at: number, now: number): string => {
      if (now - at < 5 * SECOND) return units.justNow;
      return now - at < 14 * DAY ? units.ago(age(now - at)) : date.format(at);
    },
    /** Date and time, for a tooltip. */
    exact: (at: number): string => exact.format(at),
    /** The date in figures. */
    date: (at: number): string => day.format(at),
    /** As much of the time as the options name. */
    moment: (at: number, options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat(locale, options).format(at),
    /** The time of the day. */
    time: (at: number): string => time.format(at),
    /** `1.2 s (CPU 1.1 s, GC 40 ms), 22 MB allocated`; a part without any is left out. */
    cost: ({ realMs, runMs, gcMs, bytes: allocated }: Cost): string => {
      const parts = [`CPU ${duration(runMs)}`, ...(gcMs > 0 ? [`GC ${duration(gcMs)}`] : [])];
      return units.cost(duration(realMs), parts, bytes(allocated));
    },
    /** The limits of a session that has any: `heap 2048 MiB`, `10 s CPU`, `output 4.2M characters`. */
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
