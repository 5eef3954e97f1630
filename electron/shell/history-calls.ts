/** The history as the window lists it, and what a person does with what it finds there: runs it again, exports it. */
import type { ParsedArgs, Result } from '../contract/contract';
import { HarborError } from '../contract/errors';
import type { Evaluation, SessionView } from '../contract/model';
import { isRedacted } from '../contract/redaction';
import type { AgainWhere } from '../contract/run-again';
import { beginning } from '../history/cut-text';
import type { Origin } from '../sessions/open-request';
import type { Session } from '../sessions/session/session';
import type { CallHandlers } from './answer';
import { exportHistory, saveCheck } from './export-session';
import type { WindowServices } from './window-services';

type HistoryCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `history:${string}`>>;

/** What was evaluated as it stands; the others are a tool's own words for what it did. */
const RUN_AGAIN: ReadonlySet<Evaluation['kind']> = new Set(['eval', 'try', 'listener']);

export function historyCalls(services: WindowServices): HistoryCalls {
  const { history, saveText } = services;
  return {
    'history:page': (query) => history.page(query),
    'history:evaluation': ({ id }) => evaluationOf(services, id),
    'history:value': (asked) => valuePage(services, asked),
    'history:printed': ({ id, last }) => history.evaluations.outputEnd(id, last),
    'history:entries': (args) => history.ask('entries', args),
    'history:outline': (filter) => history.ask('outline', filter),
    'history:timeline': (filter) => history.ask('timeline', filter),
    'history:locate': (what) => history.ask('locate', what),
    'history:facets': () => history.ask('facets', null),
    'history:call': ({ id }) => {
      const found = history.calls.find(id);
      if (found) return found;
      throw new HarborError('unknown_evaluation', `There is no call ${id} in the history.`);
    },
    'history:runAgain': (args) => runAgain(services, args),
    'history:export': (args) => exportHistory(args, history, services.project(), saveText),
    'history:saveCheck': ({ id }) => saveCheck(id, history.evaluations, saveText),
  };
}

function evaluationOf({ history }: WindowServices, id: number): Evaluation {
  const evaluation = history.evaluations.find(id);
  if (evaluation) return evaluation;
  throw new HarborError('unknown_evaluation', `There is no evaluation ${id} in the history.`);
}

/** Characters of a value that the window shows at a time. */
const VALUE_PAGE = 20_000;

function valuePage(
  { history }: WindowServices,
  { id, form, value, offset }: ParsedArgs<'history:value'>,
): Result<'history:value'> {
  const whole = history.evaluations.whole(id)?.forms[form]?.values[value];
  if (whole === undefined)
    throw new HarborError('unknown_evaluation', `There is no such value of evaluation ${id} in the history.`);
  const text = beginning(whole.slice(offset, offset + VALUE_PAGE + 1), VALUE_PAGE);
  return { text, next: offset + text.length };
}

async function runAgain(
  services: WindowServices,
  { id, where }: ParsedArgs<'history:runAgain'>,
): Promise<Result<'history:runAgain'>> {
  const { person, history } = services;
  const { kind, code, session: ranIn, engine, project } = evaluationOf(services, id);
  if (!RUN_AGAIN.has(kind))
    throw new HarborError(
      'not_supported',
      `Evaluation ${id} (${kind}) was made by a tool, in words of its own: they are no code to run again. Ask the tool again.`,
    );
  if (isRedacted(code)) throw redacted(id);
  const session = await placeOf[where](services, { id: ranIn, engine, project });
  // A new image has none of the packages that were made meanwhile.
  const began = where === 'new' ? null : history.replays.packageOf(id);
  const asked = { client: person.key, kind: 'eval' as const, code, ...(began ? { package: began } : {}) };
  return { session: session.view(), evaluation: session.evaluate(asked).id };
}

/** What would be evaluated is not what was. */
export function redacted(id: number): HarborError {
  return new HarborError(
    'not_supported',
    `Something was taken out of the code of evaluation ${id}, as the settings want it: it cannot be run again.`,
  );
}

/** The session in which it ran, be it gone. */
type Ran = Pick<SessionView, 'id' | 'engine' | 'project'>;

const placeOf: Readonly<Record<AgainWhere, (services: WindowServices, ran: Ran) => Promise<Session>>> = {
  same: (services, ran) => stillThere(services, ran),
  new: ({ sessions, person }, { engine, project }) =>
    sessions.open({
      client: person.key,
      project,
      engine,
      tell: (doing) => sessions.events.emit('opening', doing),
    }),
  async branch(services, ran) {
    const { sessions, person } = services;
    const from = await presentState(services, await stillThere(services, ran));
    return sessions.open({ client: person.key, project: ran.project, engine: ran.engine, from });
  },
};

/** @throws HarborError `session_ended` where the evaluation's session is no more */
async function stillThere({ sessions, person }: WindowServices, { id }: Ran): Promise<Session> {
  if (sessions.of(person).some((session) => session.id === id)) return sessions.find(id, person);
  throw new HarborError(
    'session_ended',
    `Session ${id}, in which it ran, has ended. Run it again in a new session of its engine.`,
  );
}

/** As a checkpoint, or where its engine has none by evaluating its definitions again. */
async function presentState({ checkpoints, person }: WindowServices, session: Session): Promise<Origin> {
  if (!session.view().checkpoints) return checkpoints.replayed(session);
  return checkpoints.origin(await checkpoints.save(session, person));
}
