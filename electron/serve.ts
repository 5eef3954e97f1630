/** Headless entry: the harbor without a window. stdout gets only the ready line. */
import { asFailure, HarborError } from './contract/errors';
import type { Harbor } from './harbor/harbor';
import { exitCodeOf, stopInTime } from './harbor/shutdown';
import { commandLine } from './host/command-line';
import { cacheCompiledCode } from './host/compiled-code';
import { dataFolder } from './host/data-folder';
import { logForgottenFailures } from './host/log';
import { type Options, parseOptions, printHelpIfRequested } from './host/options';

import { followInstalled, VERSION } from './host/paths';

async function serve(options: Options): Promise<void> {
  const folder = dataFolder(options.data);
  if (options.issueToken !== undefined) {
    const { issueToken } = await import('./harbor/issue-token');
    process.stdout.write(`${await issueToken(folder, options.issueToken)}\n`);
    return;
  }
  cacheCompiledCode(folder);
  const { trySandbox } = await import('./launchers/choose');
  const tried = trySandbox(options.unconfined);
  const { startHarbor } = await import('./harbor/harbor');
  const harbor = await startHarbor({ ...options, kind: 'headless', version: VERSION, tried });
  logForgottenFailures(harbor.parts.log);
  endOnSignal(harbor);
  // A hidden harbor for stdio clients works without the port. One that the user started must have it.
  const { problem } = harbor;
  if (problem !== null && !options.hidden) {
    await harbor.stop();
    throw problem;
  }
  for (const notice of harbor.notices) print(notice);
  followInstalled((other) => reportReplaced(harbor, other));
  // Nothing reads the ready line of a hidden start, and its token must not get into a log.
  if (!options.hidden) printReady(harbor);
}

/** Reports another installed version. The user stops this one, because a headless harbor cannot ask. */
function reportReplaced(harbor: Harbor, other: string | null): void {
  const notice =
    other === null
      ? `Version ${VERSION}, which is running, is installed again.`
      : `Version ${other} is installed, but ${VERSION} is running. After "lisp-harbor stop" the next command or client starts version ${other}.`;
  harbor.parts.log.warn(notice);
  print(notice);
}

function print(notice: string): void {
  process.stderr.write(`lisp-harbor: ${notice}\n`);
}

function printReady(harbor: Harbor): void {
  const { http, ports: open } = harbor.parts;
  const token = harbor.beginServing();
  const { url, httpsUrl } = http;
  const { bridge, lisply, tcp, telnet, swank, slynk, nrepl } = open;
  const ports = {
    lisply: lisply.view?.url,
    tcp: tcp.view?.port,
    bridge: bridge.view?.port ?? undefined,
    bridgeSocket: bridge.view?.socket ?? undefined,
    swank: swank.view[0]?.port,
    slynk: slynk.view[0]?.port,
    nrepl: nrepl.view[0]?.port,
    telnet: telnet.view?.port,
    // For the first connection. "lisp-harbor telnet-code" prints a code for each further one.
    telnetCode: telnet.view?.code,
    https: httpsUrl === null ? undefined : Number(new URL(httpsUrl).port),
  };
  const line = { ready: true, mcp: url ?? undefined, token, ...ports, pid: process.pid };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function endOnSignal(harbor: Harbor): void {
  let ending = false;
  const end = () => {
    // npm and a terminal both send the signal.
    if (ending) return;
    ending = true;
    void stopInTime(harbor).then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', end);
  harbor.parts.events.on('stop', end);
}

function fail(error: unknown, started = { hidden: false }): never {
  const { message } = asFailure(error);
  const text = error instanceof Error && !(error instanceof HarborError) ? (error.stack ?? message) : message;
  process.stderr.write(`lisp-harbor: ${text}\n`);
  process.exit(exitCodeOf(error, started));
}

try {
  const words = commandLine(process);
  if (!printHelpIfRequested('serve', words)) {
    const options = parseOptions(words);
    await serve(options).catch((error: unknown) => fail(error, options));
  }
} catch (error) {
  fail(error);
}
