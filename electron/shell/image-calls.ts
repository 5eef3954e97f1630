/**
 * Window calls that inspect values, taps and names of an image. Code and changes are recorded as evaluations.
 */
import type { Result } from '../contract/contract';
import type { InspectFrom, Inspection, InspectionView, InspectStart, PathStep } from '../contract/inspection';
import type { Evaluation } from '../contract/model';
import { objectHandle, objectOf, parseSingleForm } from '../sessions/parsed-arguments';
import type { Session } from '../sessions/session/session';
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type InspectorCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `inspector:${string}`>>;

/** Page size of a search over parts, and the maximum number of parts that it reads. */
const SEARCHED_AT_ONCE = 500;
const SEARCHED = 20_000;

export function inspectorCalls({ person, sessions }: WindowServices): InspectorCalls {
  const find = ({ session }: { session: string }) => sessions.find(session, person, null);
  const evaluate = (session: Session, code: string): Promise<Evaluation> => {
    const at = session.level > 0 ? { level: session.level } : {};
    const request = {
      client: person.key,
      grant: null,
      kind: 'inspect',
      code,
      onError: 'report',
      keepValues: true,
    } as const;
    return session.evaluate({ ...request, ...at }).settled;
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
      const form = parseSingleForm(expression, session, 'value');
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

/** Reads page by page, which every engine supports. */
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

type TapsCalls = Pick<CallHandlers, 'taps:read' | 'taps:forget'>;

export function tapsCalls({ person, sessions }: WindowServices): TapsCalls {
  return {
    'taps:read': async ({ session: id }) => {
      const session = await sessions.find(id, person, null);
      const taps = await session.ability('taps').read();
      return taps.map(({ object, ...tap }) => ({ ...tap, handle: objectHandle(object, session.generation) }));
    },
    'taps:forget': async ({ session: id }) => {
      const session = await sessions.find(id, person, null);
      await session.ability('taps').forget();
      return null;
    },
  };
}

type TraceCalls = Pick<CallHandlers, 'trace:read' | 'trace:call'>;

export function traceCalls({ person, sessions }: WindowServices): TraceCalls {
  return {
    'trace:read': async ({ session: id, evaluation }) => {
      const session = await sessions.find(id, person, null);
      return session.ability('tracer').trace(evaluation);
    },
    'trace:call': async ({ session: id, evaluation, place }) => {
      const session = await sessions.find(id, person, null);
      const object = await session.ability('tracer').call(evaluation, place);
      return { handle: objectHandle(object, session.generation) };
    },
  };
}

function inPackage(name: string | undefined): { package?: string } {
  return name === undefined ? {} : { package: name };
}

type BrowseCalls = Pick<CallHandlers, 'browse:describe' | 'browse:find'>;

export function browseCalls({ person, sessions }: WindowServices): BrowseCalls {
  const find = ({ session }: { session: string }) => sessions.find(session, person, null);
  return {
    'browse:describe': async ({ name, package: here, ...args }) =>
      (await find(args)).ability('knowledge').describe({ symbol: name, ...inPackage(here) }),
    'browse:find': async ({ kind, name, package: here, limit, ...args }) =>
      (await find(args)).ability('knowledge').find({ kind, query: name, limit, ...inPackage(here) }),
  };
}
