/** A session's debugger as the window shows it, and what a person does there: by the way that any caller's restarts take. */
import type { Result } from '../contract/contract';
import type {
  DebuggerView,
  Departure,
  FailureView,
  FrameContents,
  FrameView,
  HeldAt,
  HeldView,
} from '../contract/debugger';
import { HarborError } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import { isRedacted } from '../contract/redaction';
import type { Evaluations } from '../history/evaluations';
import { shownSource } from '../sessions/frame-source';
import { steppingCode } from '../sessions/given-form';
import { isInnerFrame } from '../sessions/inner-frames';
import { objectHandle } from '../sessions/object-handle';
import { restartArguments, restartCode } from '../sessions/restart-arguments';
import type { SessionAct } from '../sessions/session/evaluation-request';
import type { Session } from '../sessions/session/session';
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

export function debuggerCalls({ person, sessions, history }: WindowServices): DebuggerCalls {
  const client = person.key;
  const find = ({ session }: { session: string }) => sessions.find(session, person);
  const act = (code: string): SessionAct => ({ client, tool: 'debug', code });
  return {
    'debugger:show': async ({ offset, limit, ...args }) => {
      const session = await find(args);
      return heldView(await session.debugger(client).show({ offset, limit }), session, history.evaluations);
    },
    'debugger:frame': async ({ frame, ...args }) => {
      const session = await find(args);
      return frameView(await session.debugger(client).frame(frame), session, history.evaluations);
    },
    'debugger:evaluate': async ({ frame, code, held, ...args }) => {
      const session = await find(args);
      requireHeld(session, held);
      return session.evaluate({
        client,
        kind: 'frame',
        code,
        frame,
        level: session.level,
        onError: 'report',
        keepValues: true,
      }).settled;
    },
    'debugger:restart': async ({ restart, arguments: forms, frame, held, ...args }) => {
      const session = await find(args);
      requireHeld(session, held);
      const choice = {
        restart,
        ...(forms.length === 0 ? {} : { arguments: restartArguments(forms, session) }),
        ...(frame === undefined ? {} : { frame }),
      };
      const offered = await session.debuggerFor(act(restartCode(restart, forms)));
      requireHeld(session, held);
      return departed(await offered.restart(choice));
    },
    'debugger:step': async ({ way, held, ...args }) => {
      const session = await find(args);
      const offered = await session.debuggerFor(act(`step ${way}`));
      requireHeld(session, held);
      return departed(await offered.step(way));
    },
    'debugger:abort': async ({ level, held, ...args }) => {
      const session = await find(args);
      requireHeld(session, held);
      return departed(await session.debugger(client).abort(level));
    },
    'debugger:failure': async ({ session }) => {
      const { rows } = await history.page({ session, outcome: 'error', limit: 1 });
      const row = rows[0] && history.evaluations.find(rows[0].id);
      return row ? failureView(row) : null;
    },
    'debugger:again': async ({ evaluation, step, ...args }) => {
      const session = await find(args);
      const row = history.evaluations.find(evaluation);
      if (row?.session !== session.id)
        throw new HarborError('unknown_evaluation', `Evaluation ${evaluation} is none of this session.`);
      if (isRedacted(row.code)) throw redacted(evaluation);
      const code = step ? steppingCode(row.code, session) : row.code;
      const asked = { client, kind: 'eval', code, package: row.package, onError: 'debug' } as const;
      return { evaluation: session.evaluate(asked).id };
    },
  };
}

/** A person may press a button of what another has let go on meanwhile: what it means then, nobody knows.
 * @throws HarborError `not_held` */
function requireHeld(session: Session, held: HeldAt): void {
  if (session.held?.id === held.evaluation && session.level === held.level) return;
  throw new HarborError(
    'not_held',
    `Evaluation ${held.evaluation} is not held at level ${held.level} any more: somebody else went on with it.`,
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

function departed({ evaluation }: Departure): Result<'debugger:restart'> {
  return { evaluation: evaluation ?? null };
}

function heldView({ levels, frames, ...view }: DebuggerView, session: Session, rows: Evaluations): HeldView {
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
