/** Logs: the harbor's own and those of sessions. */
import { count, counted } from './counting';

const en = {
  title: 'Log',
  show: 'Show log…',
  openFolder: 'Open folder',
  theLog: 'the log',
  sessionLog: 'the session’s log',
  whole: (folder: string) => `All of it is in ${folder}.`,
  newest: (folder: string) => `The newest lines; all are in ${folder}.`,
  levels: { debug: 'Everything', warn: 'Warnings and errors', error: 'Errors' },
  marks: { debug: 'debug', info: 'info', warn: 'warning', error: 'error' },
  filterOf: (log: string) => `Filter ${log}`,
  filter: 'Filter',
  whichLines: 'Which lines',
  noneFits: 'No line fits.',
  linesOf: (log: string) => `Lines of ${log}`,
  older: (lines: number) => `${count(lines, 'older line', 'older lines')}: narrow the filter.`,
  nothing: 'Nothing has happened to this session since Lisp Harbor was started.',
};

const ja: typeof en = {
  title: 'ログ',
  show: 'ログを表示…',
  openFolder: 'フォルダを開く',
  theLog: 'ログ',
  sessionLog: 'セッションのログ',
  whole: (folder) => `すべて ${folder} にあります。`,
  newest: (folder) => `最新の行です。すべての行は ${folder} にあります。`,
  levels: { debug: 'すべて', warn: '警告とエラー', error: 'エラー' },
  marks: { debug: 'デバッグ', info: '情報', warn: '警告', error: 'エラー' },
  filterOf: (log) => `${log}を絞り込む`,
  filter: '絞り込み',
  whichLines: '表示する行',
  noneFits: '該当する行はありません。',
  linesOf: (log) => `${log}の行`,
  older: (lines) => `ほかに古い行が${counted(lines, '行')}あります。条件を絞り込んでください。`,
  nothing: 'Lisp Harbor の起動以降、このセッションには何も起きていません。',
};

export const log = { en, ja };
