/** Headless entry: the same harbor without a window. stdout carries the ready line and nothing else. */
import { HarborError } from './contract/errors';
import { dataFolder } from './data-folder';
import { type Harbor, startHarbor } from './harbor';
import { issueToken } from './issue-token';
import { logForgottenFailures } from './log';
import { commandLine, type Options, parseOptions } from './options';
import { VERSION } from './version';

/** SIGTERM promises an end within five seconds; what has not ended by then is left to the operating system. */
const STOP_LIMIT_MS = 4_500;

async function serve(options: Options): Promise<void> {
  if (options.issueToken !== undefined) {
    process.stdout.write(`${await issueToken(dataFolder(options.data), options.issueToken)}\n`);
    return;
  }
  const harbor = await startHarbor({ ...options, kind: 'headless', version: VERSION });
  logForgottenFailures(harbor.parts.log);
  endOnSignal(harbor);
  // One that a stdio client started is of use without the port; one that a person started is not.
  if (harbor.problem !== null && !options.hidden) {
    await harbor.stop();
    throw new HarborError('port_in_use', harbor.problem);
  }
  for (const notice of harbor.parts.notices) process.stderr.write(`lisp-harbor: ${notice}\n`);
  const { token } = harbor.parts.tokens.issueForServe();
  process.stdout.write(
    `${JSON.stringify({ ready: true, mcp: harbor.url ?? undefined, token, pid: process.pid })}\n`,
  );
}

function endOnSignal(harbor: Harbor): void {
  let ending = false;
  const end = () => {
    // npm and a terminal each send the signal as well.
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref();
    void harbor.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', end);
  harbor.events.on('stop', end);
}

function fail(error: unknown): never {
  const known = error instanceof HarborError;
  process.stderr.write(
    `lisp-harbor: ${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(known && error.code === 'bad_arguments' ? 2 : 1);
}

try {
  await serve(parseOptions(commandLine(process)));
} catch (error) {
  fail(error);
}
