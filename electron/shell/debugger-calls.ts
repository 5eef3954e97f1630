/**
 * Window calls of the debugger: suspended evaluations and thrown exceptions. Restarts take the same path as
 * those of any client.
 */
import type { Result } from '../contract/contract';
import type {
  DebuggerView,
  FailureView,
  FrameContents,
  FrameView,
  RestartResult,
  SuspendedAt,
  SuspendedView,
  Thrown,
  ThrownView,
} from '../contract/debugger';
import { HarborError } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import { isRedacted } from '../contract/settings';
import type { Evaluations } from '../history/evaluations';
import { isInnerFrame, shownSource, thrownSource } from '../sessions/frames';
import { objectHandle, restartArguments, restartCode, steppingCode } from '../sessions/parsed-arguments';
import type { Session } from '../sessions/session/session';
import type { SessionAct } from '../sessions/session/session-journal';
import type { CallHandlers } from './answer';
import { redacted } from './history-calls';
import type { WindowServices } from './window-services';

type DebuggerCalls = Pick<
  CallHandlers,
  | 'debugger:show'
  | 'debugger:frame'
  | 'debugger:evaluate'
  | 'debugger:restart'
  | 'debugger:step'
  | 'debugger:abort'
  | 'debugger:failure'
  | 'debugger:again'
>;

/** The requests that evaluate code again, apart from the code. */
const AGAIN = {
  debug: { onError: 'debug' },
  step: { onError: 'debug' },
  profile: { onError: 'report', profile: 'cpu' },
  trace: { onError: 'report', trace: true },
} as const;

export function debuggerCalls({ person, sessions, history }: WindowServices): DebuggerCalls {
  const client = person.key;
  const find = ({ session }: { session: string }) => sessions.find(session, person, null);
  const act = (code: string): SessionAct => ({ client, grant: null, tool: 'debug', code });
  return {
    'debugger:show': async ({ offset, limit, ...args }) => {
      const session = await find(args);
      return suspendedView(
        await session.debugger(client).show({ offset, limit }),
        session,
        history.evaluations,
      );
    },
    'debugger:frame': async ({ frame, ...args }) => {
      const session = await find(args);
      return frameView(await session.debugger(client).frame(frame), session, history.evaluations);
    },
    'debugger:evaluate': async ({ frame, code, suspendedAt, ...args }) => {
      const session = await find(args);
      requireSuspended(session, suspendedAt);
      return session.evaluate({
        client,
        grant: null,
        kind: 'frame',
        code,
        frame,
        level: session.level,
        onError: 'report',
        keepValues: true,
      }).settled;
    },
    'debugger:restart': async ({ restart, arguments: forms, frame, suspendedAt, ...args }) => {
      const session = await find(args);
      requireSuspended(session, suspendedAt);
      const choice = {
        restart,
        ...(forms.length === 0 ? {} : { arguments: restartArguments(forms, session) }),
        ...(frame === undefined ? {} : { frame }),
      };
      const offered = await session.debuggerFor(act(restartCode(restart, forms)));
      requireSuspended(session, suspendedAt);
      return departed(await offered.restart(choice));
    },
    'debugger:step': async ({ way, suspendedAt, ...args }) => {
      const session = await find(args);
      const offered = await session.debuggerFor(act(`step ${way}`));
      requireSuspended(session, suspendedAt);
      return departed(await offered.step(way));
    },
    'debugger:abort': async ({ level, suspendedAt, ...args }) => {
      const session = await find(args);
      requireSuspended(session, suspendedAt);
      return departed(await session.debugger(client).abort(level));
    },
    'debugger:failure': async ({ session }) => {
      const { rows } = await history.page({ session, outcome: 'error', limit: 1 });
      const row = rows[0] && history.evaluations.find(rows[0].id);
      return row ? failureView(row) : null;
    },
    'debugger:again': async ({ evaluation, how, ...args }) => {
      const session = await find(args);
      const row = history.evaluations.find(evaluation);
      if (row?.session !== session.id)
        throw new HarborError(
          'unknown_evaluation',
          `Evaluation ${evaluation} does not belong to this session.`,
        );
      if (isRedacted(row.code)) throw redacted(evaluation);
      const code = how === 'step' ? steppingCode(row.code, session) : row.code;
      const request = {
        client,
        grant: null,
        kind: 'eval',
        code,
        package: row.package,
        ...AGAIN[how],
      } as const;
      return { evaluation: session.evaluate(request).id };
    },
  };
}

/**
 * Refuses an operation on a level that another client has continued meanwhile.
 * @throws HarborError `not_held`
 */
function requireSuspended(session: Session, suspendedAt: SuspendedAt): void {
  if (session.suspended?.id === suspendedAt.evaluation && session.level === suspendedAt.level) return;
  throw new HarborError(
    'not_held',
    `Evaluation ${suspendedAt.evaluation} is no longer suspended at level ${suspendedAt.level}: it was continued elsewhere.`,
  );
}

function failureView({ id, engine, client, code, startedAt, condition }: Evaluation): FailureView | null {
  if (!condition) return null;
  const { type, message, frames, omitted } = condition;
  return {
    ...{ evaluation: id, client, code, startedAt, type, message },
    frames: frames.map(({ index, call }) => ({ index, call, inner: isInnerFrame(engine, call) })),
    omitted: omitted?.frames ?? 0,
  };
}

function departed({ evaluation }: RestartResult): Result<'debugger:restart'> {
  return { evaluation: evaluation ?? null };
}

function suspendedView(
  { levels, frames, ...view }: DebuggerView,
  session: Session,
  rows: Evaluations,
): SuspendedView {
  const { engine } = session.identity;
  return {
    ...view,
    levels: levels.map(({ object, ...level }) => ({
      ...level,
      client: rows.find(level.evaluation)?.client ?? '',
      ...(object === undefined ? {} : { handle: objectHandle(object, session.generation) }),
    })),
    frames: frames.map((frame) => ({ ...frame, inner: isInnerFrame(engine, frame.call) })),
  };
}

function frameView(
  { locals, omitted, source, catches, restarts }: FrameContents,
  { generation, identity }: Session,
  rows: Evaluations,
): FrameView {
  return {
    locals: locals.map(({ object, ...local }) =>
      object === undefined ? local : { ...local, handle: objectHandle(object, generation) },
    ),
    ...(omitted === undefined ? {} : { omitted }),
    form: source.form,
    source: shownSource(source, identity.project, (id) => rows.find(id)),
    catches,
    restarts,
  };
}

type ThrownCalls = Pick<CallHandlers, 'debugger:thrown' | 'debugger:thrown-source'>;

export function thrownCalls({ person, sessions, history }: WindowServices): ThrownCalls {
  return {
    'debugger:thrown': async ({ session: id, evaluation }) => {
      const session = await sessions.find(id, person, null);
      if (!session.offers('exceptions')) return [];
      const causes = await session.ability('exceptions').causes(evaluation);
      return causes.map((cause) => thrownView(cause, session));
    },
    'debugger:thrown-source': async ({ session: id, evaluation, at }) => {
      const session = await sessions.find(id, person, null);
      const place = await session.ability('exceptions').source(evaluation, at);
      return place && thrownSource(place, session.identity.project, (row) => history.evaluations.find(row));
    },
  };
}

function thrownView({ object, frames, ...cause }: Thrown, { generation, identity }: Session): ThrownView {
  return {
    ...cause,
    handle: objectHandle(object, generation),
    frames: frames.map((frame) => ({ ...frame, inner: isOthers(identity.engine, frame.call) })),
  };
}

/** Reports whether the call belongs to the engine rather than to the user's form. */
function isOthers(engine: string, call: string): boolean {
  return isInnerFrame(engine, call) && !/\/eval\d+ \(/.test(call);
}
