/**
 * Arguments that go into code, of every tool of every profile that has such, given as what would end the code around it
 * and run what follows: refused by the argument's name, and nothing has run.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
const clients = new Map<string, Client>();

beforeAll(async () => {
  harbor = await sharedHarbor();
  for (const profile of ['default', 'acl2', 'cl-mcp-server'])
    clients.set(profile, await harbor.client('legacy', { profile }));
});
afterAll(() => harbor.stop());

/** Shows that it has run: by a file, and in Clojure by a var. */
const RAN = '(with-open-file (s "ran" :direction :output :if-exists :supersede) (princ 1 s))';
const RAN_CLOJURE = '(def ran 1)';

async function hasRun(engine = 'sbcl'): Promise<boolean> {
  if (engine !== 'nbb') return existsSync(path.join(harbor.project, 'ran'));
  const { text } = await call(client(), 'eval', { code: "(resolve 'ran)", session: await sessionOf('nbb') });
  return !/^=> nil/.test(text);
}

function client(profile = 'default'): Client {
  const known = clients.get(profile);
  if (!known) throw new Error(`no client of ${profile}`);
  return known;
}

const sessions = new Map<string, string>();

async function sessionOf(engine: string): Promise<string> {
  const known = sessions.get(engine);
  if (known) return known;
  const { structured } = await call<{ session: string }>(client(), 'open_session', { engine });
  sessions.set(engine, structured.session);
  return structured.session;
}

interface Hostile {
  profile: string;
  tool: string;
  argument: string;
  /** With a place for the hostile text. */
  args: (text: string) => Record<string, unknown>;
  /** What closes the code around it, and what opens the rest again. */
  closing?: string;
  engine?: string;
}

const CASES: readonly Hostile[] = [
  {
    profile: 'acl2',
    tool: 'define_function',
    argument: 'name',
    args: (name) => ({ name, lambda_list: '(x)', body: 'x' }),
    closing: 'f () 1) RAN (list',
  },
  {
    profile: 'acl2',
    tool: 'define_function',
    argument: 'lambda_list',
    args: (lambda_list) => ({ name: 'f', lambda_list, body: 'x' }),
    closing: '() 1) RAN (list',
  },
  {
    profile: 'acl2',
    tool: 'define_function',
    argument: 'body',
    args: (body) => ({ name: 'f', lambda_list: '(x)', body }),
    closing: 'x) RAN (list',
  },
  ...['check_theorem', 'acl2_check_provable', 'acl2_observe_rules'].flatMap((tool): Hostile[] => [
    {
      profile: 'acl2',
      tool,
      argument: 'code',
      args: (code) => ({ code }),
      closing: '(equal x x)) RAN (thm t',
    },
    {
      profile: 'acl2',
      tool,
      argument: 'hints',
      args: (hints) => ({ code: '(equal x x)', hints }),
      closing: 'nil) RAN (thm t',
    },
  ]),
  {
    profile: 'acl2',
    tool: 'acl2_observe_rules',
    argument: 'rules',
    args: (rule) => ({ code: '(equal x x)', rules: [rule] }),
    closing: 'car-cons) t) RAN (list (list',
  },
  {
    profile: 'acl2',
    tool: 'acl2_retry',
    argument: 'hints',
    args: (hints) => ({ hints }),
    closing: 'nil) RAN (thm t',
  },
  {
    profile: 'acl2',
    tool: 'acl2_matching_rules',
    argument: 'term',
    args: (term) => ({ term }),
    closing: '(car x)) RAN (list (list',
  },
  ...['term', 'instructions'].map((argument): Hostile => {
    const args = (text: string) => ({ term: '(equal x x)', instructions: '(:prove)', [argument]: text });
    return { profile: 'acl2', tool: 'acl2_proof_builder', argument, args, closing: '(p) (q)) RAN (list' };
  }),
  ...['verify_guards', 'acl2_verify_guards'].flatMap((tool): Hostile[] => [
    { profile: 'acl2', tool, argument: 'name', args: (name) => ({ name }), closing: 'app) RAN (list' },
    {
      profile: 'acl2',
      tool,
      argument: 'function_name',
      args: (function_name) => ({ function_name }),
      closing: 'app) RAN (list',
    },
    {
      profile: 'acl2',
      tool,
      argument: 'hints',
      args: (hints) => ({ name: 'app', hints }),
      closing: 'nil) RAN (list',
    },
  ]),
  ...['query_event', 'acl2_query_event'].map(
    (tool): Hostile => ({
      profile: 'acl2',
      tool,
      argument: 'name',
      args: (name) => ({ name }),
      closing: 'app RAN',
    }),
  ),
  ...['acl2_check_provable', 'suggest_proofs'].map(
    (tool): Hostile => ({
      profile: 'acl2',
      tool,
      argument: 'code',
      args: (conjecture) => ({ conjecture }),
      closing: '(equal x x)) RAN (thm t',
    }),
  ),
  ...['trace', 'untrace', 'status'].map(
    (action): Hostile => ({
      profile: 'acl2',
      tool: 'trace_execution',
      argument: 'function_name',
      args: (function_name) => ({ function_name, action }),
      closing: 'app) RAN (list',
    }),
  ),
  {
    profile: 'acl2',
    tool: 'acl2_include_book',
    argument: 'dir',
    args: (dir) => ({ book_path: 'nowhere', dir }),
    closing: ':system) RAN (list',
  },
  {
    profile: 'acl2',
    tool: 'get_dependencies',
    argument: 'name',
    args: (name) => ({ name }),
    closing: 'app RAN',
  },
  {
    profile: 'cl-mcp-server',
    tool: 'profile-functions',
    argument: 'functions',
    args: (name) => ({ action: 'start', functions: [name] }),
    closing: 'app) RAN (list',
  },
  { profile: 'acl2', tool: 'acl2_undo', argument: 'name', args: (name) => ({ name }), closing: 'app RAN' },
  {
    profile: 'acl2',
    tool: 'acl2_undo',
    argument: 'name',
    args: (name) => ({ name, keep_later: true }),
    closing: 'app RAN',
  },
  {
    profile: 'cl-mcp-server',
    tool: 'compile-form',
    argument: 'code',
    args: (code) => ({ code }),
    closing: '1)) RAN (list (list',
  },
  {
    profile: 'cl-mcp-server',
    tool: 'macroexpand-form',
    argument: 'form',
    args: (form) => ({ form }),
    closing: '(when a b))) RAN (list (list',
  },
  ...['sbcl', 'acl2', 'nbb'].map(
    (engine): Hostile => ({
      profile: 'default',
      tool: 'describe',
      argument: 'form',
      args: (form) => ({ form, expand: 'once' }),
      closing: engine === 'acl2' ? '(or a b) state) RAN (list' : '(when a b))) RAN (list (list',
      engine,
    }),
  ),
  ...['sbcl', 'nbb'].map(
    (engine): Hostile => ({
      profile: 'default',
      tool: 'inspect',
      argument: 'set',
      args: (set) => ({ code: engine === 'sbcl' ? '(list 1 2)' : '[1 2]', path: [0], set }),
      closing: '1) RAN (list',
      engine,
    }),
  ),
];

const READ_TIME = { sbcl: '#.RAN', acl2: '#.RAN', nbb: '#=RAN' } as const;

describe.each(CASES)('$profile: $tool, $argument ($engine)', ({ profile, tool, argument, args, ...told }) => {
  const engine = (told.engine ?? 'sbcl') as keyof typeof READ_TIME;
  const texts = [
    told.closing ?? '',
    READ_TIME[engine],
    ...(engine === 'nbb' ? ['#?(:clj a)', '\\'] : ['#+nil a', 'a\\']),
  ];

  it.each([...texts, '(a', '"a'])('given %j is refused, and nothing runs', async (text) => {
    const hostile = text.replaceAll('RAN', engine === 'nbb' ? RAN_CLOJURE : RAN);
    const session = told.engine ? { session: await sessionOf(engine) } : {};
    const { isError, text: said } = await call(client(profile), tool, { ...args(hostile), ...session });
    expect([isError, said]).toEqual([true, expect.stringContaining(`invalid ${argument}: `)]);
    expect(await hasRun(engine)).toBe(false);
  });
});

describe('the argument of a restart', () => {
  it('is one form as well', async () => {
    const session = await sessionOf('sbcl');
    await call(client(), 'eval', {
      code: '(restart-case (error "x") (use-value (v) v))',
      on_error: 'debug',
      session,
    });
    for (const text of [`1 ${RAN}`, `#.${RAN}`, '(', '#+nil 1']) {
      const given = { action: 'restart', restart: 'use-value', arguments: [text], session };
      const { isError, text: said } = await call(client(), 'debug', given);
      expect([isError, said]).toEqual([true, expect.stringContaining('invalid arguments: ')]);
    }
    expect(await hasRun()).toBe(false);
    const taken = { action: 'restart', restart: 'use-value', arguments: ['(+ 1 2)'], session };
    expect((await call(client(), 'debug', taken)).text).toContain('3');
  });
});

describe('names that are data', () => {
  it.each([
    ['eval', { code: '1', package: `CL-USER") ${RAN} ("` }],
    ['load', { system: `x") ${RAN} ("` }],
    ['run_tests', { system: `x") ${RAN} ("` }],
    ['run_tests', { system: 'x', test: `y") ${RAN} ("` }],
    ['describe', { symbol: `car) ${RAN}` }],
    ['describe', { symbol: `#.${RAN}` }],
    ['find', { query: `#.${RAN}`, kind: 'definition' }],
  ])('of %s are never read as code: %j', async (tool, args) => {
    for (const engine of ['sbcl', 'nbb']) {
      const session = await sessionOf(engine);
      await call(client(), tool, { ...args, session }).catch(() => undefined);
      expect(await hasRun(engine)).toBe(false);
    }
  });
});

it('what would show it does show it', async () => {
  for (const [engine, code] of Object.entries({ sbcl: RAN, nbb: RAN_CLOJURE })) {
    await call(client(), 'eval', { code, session: await sessionOf(engine) });
    expect(await hasRun(engine)).toBe(true);
  }
});
