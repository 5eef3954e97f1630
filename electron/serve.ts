/** Headless entry: the same harbor without a window. stdout carries the ready line and nothing else. */
import { asFailure, HarborError } from './contract/errors';
import { exitCodeOf, stopInTime } from './harbor/ending';
import type { Harbor } from './harbor/harbor';
import { commandLine } from './host/command-words';
import { keepCompiledCode } from './host/compiled-code';
import { dataFolder } from './host/data-folder';
import { helped } from './host/help';
import { logForgottenFailures } from './host/log';
import { type Options, parseOptions } from './host/options';
import { VERSION } from './host/places';
import { followInstalled } from './host/version-on-disk';

async function serve(options: Options): Promise<void> {
  const folder = dataFolder(options.data);
  if (options.issueToken !== undefined) {
    const { issueToken } = await import('./harbor/issue-token');
    process.stdout.write(`${await issueToken(folder, options.issueToken)}\n`);
    return;
  }
  keepCompiledCode(folder);
  const { trySandbox } = await import('./launchers/choose');
  const tried = trySandbox(options.unconfined);
  const { startHarbor } = await import('./harbor/harbor');
  const harbor = await startHarbor({ ...options, kind: 'headless', version: VERSION, tried });
  logForgottenFailures(harbor.parts.log);
  endOnSignal(harbor);
  // One that a stdio client started is of use without the port; one that a person started is not.
  const { problem } = harbor;
  if (problem !== null && !options.hidden) {
    await harbor.stop();
    throw problem;
  }
  for (const notice of harbor.notices) tell(notice);
  followInstalled((other) => tellReplaced(harbor, other));
  // A hidden start has nobody who reads its ready line, and a token in a log would be a leak.
  if (!options.hidden) sayReady(harbor);
}

/** Nobody can be asked here whether the other version is to take over: its person ends this one. */
function tellReplaced(harbor: Harbor, other: string | null): void {
  const news =
    other === null
      ? `Version ${VERSION}, which runs, is the one that is installed again.`
      : `Version ${other} is installed, and ${VERSION} runs until "lisp-harbor stop": the next command or client then starts the other.`;
  harbor.parts.log.warn(news);
  tell(news);
}

function tell(notice: string): void {
  process.stderr.write(`lisp-harbor: ${notice}\n`);
}

function sayReady(harbor: Harbor): void {
  const { http, ports: open } = harbor.parts;
  const token = harbor.beginServing();
  const { url, httpsUrl } = http;
  const { bridge, lisply, tcp, telnet, swank } = open;
  const ports = {
    lisply: lisply.view?.url,
    tcp: tcp.view?.port,
    bridge: bridge.view?.port ?? undefined,
    bridgeSocket: bridge.view?.socket ?? undefined,
    swank: swank.view[0]?.port,
    telnet: telnet.view?.port,
    // Lets the first one in; each after that asks with "lisp-harbor telnet-code".
    telnetCode: telnet.view?.code,
    https: httpsUrl === null ? undefined : Number(new URL(httpsUrl).port),
  };
  const line = { ready: true, mcp: url ?? undefined, token, ...ports, pid: process.pid };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function endOnSignal(harbor: Harbor): void {
  let ending = false;
  const end = () => {
    // npm and a terminal each send the signal as well.
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
  const told = error instanceof Error && !(error instanceof HarborError) ? (error.stack ?? message) : message;
  process.stderr.write(`lisp-harbor: ${told}\n`);
  process.exit(exitCodeOf(error, started));
}

try {
  const words = commandLine(process);
  if (!helped('serve', words)) {
    const options = parseOptions(words);
    await serve(options).catch((error: unknown) => fail(error, options));
  }
} catch (error) {
  fail(error);
}
