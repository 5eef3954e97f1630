/** Looking into the values of a session's image from the window; code and changes are evaluations like any caller's. */
import type { Result } from '../contract/contract';
import type { InspectFrom, Inspection, InspectionView, InspectStart, PathStep } from '../contract/inspection';
import type { Evaluation } from '../contract/model';
import { givenForm } from '../sessions/given-form';
import { objectHandle, objectOf } from '../sessions/object-handle';
import type { Session } from '../sessions/session/session';
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type InspectorCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `inspector:${string}`>>;

/** Parts that are asked for at a time where they are searched, and how many one search looks at. */
const SEARCHED_AT_ONCE = 500;
const SEARCHED = 20_000;

export function inspectorCalls({ person, sessions }: WindowServices): InspectorCalls {
  const find = ({ session }: { session: string }) => sessions.find(session, person);
  const evaluate = (session: Session, code: string): Promise<Evaluation> => {
    const at = session.level > 0 ? { level: session.level } : {};
    const asked = { client: person.key, kind: 'inspect', code, onError: 'report', keepValues: true } as const;
    return session.evaluate({ ...asked, ...at }).settled;
  };
  return {
    'inspector:begin': async ({ from, ...args }) => begin(await find(args), from, evaluate),
    'inspector:look': async ({ handle, path, offset, limit, ...args }) => {
      const session = await find(args);
      const inspector = session.ability('inspector');
      return inspectionView(
        await inspector.inspect({ ...placeOf(session, handle, path), offset, limit }),
        session,
      );
    },
    'inspector:search': async ({ handle, path, offset, text, ...args }) => {
      const session = await find(args);
      return search(session, placeOf(session, handle, path), text, offset);
    },
    'inspector:records': async ({ handle, path, offset, limit, ...args }) => {
      const session = await find(args);
      const page = { ...placeOf(session, handle, path), offset, limit };
      return (await session.ability('inspector').records?.(page)) ?? null;
    },
    'inspector:numbers': async ({ handle, path, ...args }) => {
      const session = await find(args);
      return (await session.ability('inspector').numbers?.(placeOf(session, handle, path))) ?? null;
    },
    'inspector:octets': async ({ handle, path, offset, limit, ...args }) => {
      const session = await find(args);
      const page = { ...placeOf(session, handle, path), offset, limit };
      return (await session.ability('inspector').octets?.(page)) ?? null;
    },
    'inspector:set': async ({ handle, path, expression, ...args }) => {
      const session = await find(args);
      const form = givenForm(expression, session, 'value');
      const object = objectOf(handle, session.generation);
      const row = await evaluate(session, session.ability('inspector').settingCode(object, path, form));
      return { evaluation: row.id, problem: problemOf(row) };
    },
  };
}

async function begin(
  session: Session,
  from: InspectFrom,
  evaluate: (session: Session, code: string) => Promise<Evaluation>,
): Promise<Result<'inspector:begin'>> {
  const inspector = session.ability('inspector');
  const row = 'code' in from ? await evaluate(session, from.code) : null;
  const problem = row && problemOf(row);
  if (problem !== null) return { problem };
  const { start, path } = row ? { start: { evaluation: row.id }, path: [] } : beginning(from, session);
  const { object, text } = await inspector.inspect({ start, path, offset: 0, limit: 0 });
  return { handle: objectHandle(object, session.generation), text };
}

function beginning(from: InspectFrom, { generation }: Session): { start: InspectStart; path: PathStep[] } {
  if ('handle' in from)
    return { start: { object: objectOf(from.handle, generation) }, path: from.path ?? [] };
  return { start: 'evaluation' in from ? { evaluation: from.evaluation } : { last: true }, path: [] };
}

function placeOf({ generation }: Session, handle: string, path: readonly PathStep[]) {
  return { start: { object: objectOf(handle, generation) }, path };
}

/** Asks for page after page, which every engine can. */
async function search(
  session: Session,
  place: ReturnType<typeof placeOf>,
  text: string,
  from: number,
): Promise<Result<'inspector:search'>> {
  const sought = text.toLowerCase();
  const parts: InspectionView['parts'] = [];
  let offset = from;
  while (offset < from + SEARCHED) {
    const page = await session.ability('inspector').inspect({ ...place, offset, limit: SEARCHED_AT_ONCE });
    const view = inspectionView(page, session);
    parts.push(
      ...view.parts.filter((part) => `${part.name}\n${part.text ?? ''}`.toLowerCase().includes(sought)),
    );
    offset += page.parts.length;
    if (page.parts.length === 0 || offset >= page.total) return { parts, next: null };
    if (parts.length >= SEARCHED_AT_ONCE) break;
  }
  return { parts, next: offset };
}

function problemOf({ id, outcome, condition }: Evaluation): string | null {
  if (outcome === 'ok') return null;
  return condition ? `${condition.type}: ${condition.message}` : `Evaluation ${id} was ${outcome}.`;
}

function inspectionView({ object, parts, ...rest }: Inspection, { generation }: Session): InspectionView {
  return {
    ...rest,
    handle: objectHandle(object, generation),
    parts: parts.map(({ object: known, ...part }) =>
      known === undefined ? part : { ...part, handle: objectHandle(known, generation) },
    ),
  };
}
