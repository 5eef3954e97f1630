/** The log: JSON lines, one file per day, and stderr when debugging. It never writes to stdout. */

import path from 'node:path';
import log from 'electron-log/node';

export interface Log {
  debug(message: string, details?: unknown): void;
  info(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
  error(message: string, details?: unknown): void;
}

export function createLog(folder: string, debug: boolean): Log {
  const logger = log.create({ logId: folder });
  logger.transports.file.resolvePathFn = () =>
    path.join(folder, `harbor-${new Date().toISOString().slice(0, 10)}.log`);
  logger.transports.file.writeOptions = { encoding: 'utf8', flag: 'a', mode: 0o600 };
  logger.transports.file.level = debug ? 'debug' : 'info';
  logger.transports.file.format = ({ message }) => [
    JSON.stringify({
      at: message.date.toISOString(),
      level: message.level,
      message: message.data.map(asText).join(' '),
    }),
  ];
  // electron-log’s console transport writes debug and info to stdout, which is reserved for the protocol.
  logger.transports.console.level = debug ? 'debug' : false;
  logger.transports.console.writeFn = ({ message }) => {
    process.stderr.write(`${message.level} ${message.data.map(asText).join(' ')}\n`);
  };
  return {
    // Preparing a message takes longer than dropping it.
    debug: debug ? (message, details) => logger.debug(...lineOf(message, details)) : () => undefined,
    info: (message, details) => logger.info(...lineOf(message, details)),
    warn: (message, details) => logger.warn(...lineOf(message, details)),
    error: (message, details) => logger.error(...lineOf(message, details)),
  };
}

/**
 * Logs unhandled rejections and exceptions, which are bugs. Node would exit and end all sessions; Electron
 * would show a modal dialog.
 */
export function logForgottenFailures(log: Log): void {
  process.on('unhandledRejection', (reason) => log.error('Unhandled promise rejection', reason));
  process.on('uncaughtException', (error) => log.error('Uncaught exception', error));
}

function lineOf(message: string, details: unknown): unknown[] {
  return details === undefined ? [message] : [message, details];
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack ?? value.message;
  return JSON.stringify(value);
}
