/**
 * Where nothing confines images, whoever gets an answer of one is told so: by each tool of each profile, on each endpoint. What
 * is neither among those that ask an image nor among those that ask none is new, and fails here. The data says it every time,
 * the text once of each image, and every time to a client of which nobody knows what it has heard.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frame } from '../../electron/compat/acl2-bridge/bridge-frames';
import { EmacsProtocol } from '../../electron/contract/harbor-status';
import { PORT_NAMES, type PortName } from '../../electron/host/options';
import { runCommand } from '../command-line';
import { call, evaluate, withoutCost } from '../evaluation';
import { linesOver } from '../line-ways';
import { NreplEditor } from '../nrepl-editor';
import { answering, MockNrepl } from '../nrepl-mock';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { TelnetClient } from '../telnet-client';

const NOTE = 'not sandboxed: started with --unconfined';
/** Of an image of ours, or a server that a session is attached to. */
const TOLD = new RegExp(`${NOTE}|not sandboxed: this server was started by somebody else`);
const VALUE = '5:value1:66:statusl4:doneee';

type Arguments = Readonly<Record<string, unknown>>;

/** What is only known once the harbor runs. */
interface Known {
  job: string;
  /** A session of ACL2, whose state is saved in no time. */
  world: string;
  /** Of an nREPL server. */
  port: number;
}

/** What each tool is asked; null for one that asks no image. In this order, for those that need what others have done. */
type Asked = Readonly<Record<string, ((known: Known) => Arguments) | Arguments | null>>;

const JOB = { job: ({ job }: Known) => ({ job, action: 'status' }) };
const code = (text: string) => ({ code: text });
const CAR = { symbol: 'car' };
const SYSTEM = { system: 'buoy' };

const PROFILES: Readonly<Record<string, Asked>> = {
  default: {
    ...{ images: {}, open_session: {}, close_session: null, eval: code('(+ 1 2)'), ...JOB },
    debug: { action: 'show' },
    inspect: code('(list 1 2)'),
    ...{ describe: CAR, find: { query: 'car', kind: 'apropos' }, load: SYSTEM, run_tests: SYSTEM },
    ...{ read_file: null, edit_form: null, write_file: null },
    checkpoint: ({ world }: Known) => ({ action: 'save', name: 'kept', session: world }),
    history: null,
  },
  'cl-mcp-server': {
    ...{ 'evaluate-lisp': code('(error "failed")'), 'load-system': SYSTEM, 'list-definitions': {} },
    ...{ 'load-file': { path: 'buoy.lisp' }, quickload: SYSTEM, 'time-execution': code('1') },
    ...{ 'describe-system': SYSTEM, 'system-dependencies': SYSTEM, 'find-system-file': SYSTEM },
    ...{ 'list-local-systems': {}, 'quicklisp-search': { pattern: 'a' }, 'get-usage-guide': null },
    ...{
      'evaluate-with-restarts': code('1'),
      'list-suspensions': null,
      'trace-call': { code: '1', functions: ['f'] },
    },
    ...{
      'invoke-restart': null,
      'abandon-suspension': null,
    },
    ...{ 'disassemble-function': { name: 'car' }, 'inspect-object': code('(list 1)') },
    ...{ 'telos-list-features': {}, 'telos-list-decisions': {}, 'telos-feature-intent': { feature: 'a' } },
    ...{ 'telos-feature-members': { feature: 'a' }, 'telos-feature-decisions': { feature: 'a' } },
    ...{ 'telos-get-intent': { name: 'a' }, 'telos-intent-chain': { name: 'a' } },
    ...{ 'profile-code': code('1'), 'compile-form': code('(car nil)'), 'validate-syntax': null },
    ...{ 'allocation-profile': code('1'), 'profile-functions': { action: 'status' }, 'match-paren': null },
    ...{ 'describe-symbol': { name: 'car' }, 'class-info': { class: 'list' } },
    ...{ 'macroexpand-form': { form: '(when 1 2)' }, 'apropos-search': { pattern: 'car' } },
    ...{ 'who-calls': { name: 'car' }, 'who-references': { name: '*print-base*' } },
    ...{ 'find-methods': { class: 'list' }, 'describe-last-error': {}, 'get-backtrace': {} },
    ...{ 'memory-report': {}, 'configure-limits': null, ...JOB, 'reset-session': {} },
  },
  'lisp-mcp-server': {
    ...{ 'repl-eval': code('(+ 1 2)'), 'fs-read-file': null, 'fs-write-file': null },
    ...{ 'fs-list-directory': null, 'lisp-read-file': null, 'lisp-edit-form': null },
    ...{ 'lisp-check-parens': null, 'code-ast-at': null, 'code-find': CAR, 'code-describe': CAR },
    ...{ 'code-find-references': CAR, 'load-system': SYSTEM, 'project-build': SYSTEM, 'run-tests': SYSTEM },
    ...{ 'inspect-object': null, 'clos-describe': { symbol: 'standard-object' } },
    ...{
      'lisp-macroexpand': { code: '(when 1 2)' },
      'lisp-patch-form': null,
      'clgrep-search': null,
      'pool-status': null,
    },
    'clhs-lookup': { query: 'car' },
    ...{ 'fs-get-project-info': null, 'fs-set-project-root': null, 'project-scaffold': { name: 'raft' } },
    ...{ ...JOB, 'pool-kill-worker': {} },
  },
  acl2: {
    ...{ eval_cl: code('1'), eval_with_output: code('1'), eval_multiple_values: code('1') },
    ...{ eval_main_thread: code('1'), define_function: { name: 'f', lambda_list: '(x)', body: 'x' } },
    ...{ load_file: { path: 'buoy.lisp' }, get_package: {}, query_cl_package: { package_name: 'CL-USER' } },
    ...{ reset_cl: {}, admit: code('(defun f (x) x)'), acl2_admit: code('(defun g (x) x)') },
    ...{ acl2_prove: code('(defthm f-is (equal (f x) x))'), check_theorem: code('(equal x x)') },
    ...{ acl2_check_provable: code('(equal x y)'), suggest_proofs: { conjecture: '(equal x x)' } },
    ...{ get_dependencies: { name: 'f' }, extract_lemmas: { theorem_name: 'f-is' } },
    ...{ dependency_graph: { name: 'f' }, trace_execution: { function_name: 'f' } },
    ...{ verify_guards: { name: 'f' }, acl2_verify_guards: { name: 'f' }, query_event: { name: 'f' } },
    ...{ acl2_query_event: { name: 'f' }, acl2_evaluate: code('1'), acl2_check_syntax: code('1') },
    ...{ acl2_include_book: { file_path: 'nowhere' }, acl2_certify_book: { file_path: 'buoy' } },
    ...{ acl2_observe_rules: code('(equal x x)'), acl2_undo: {} },
    acl2_matching_rules: { term: '(len x)' },
    ...{ describe: { name: 'len' }, find: { query: 'len', kind: 'definition' } },
    acl2_retry: { hints: 'nil' },
    acl2_find_lemma: { pattern: '(len ?)' },
    acl2_proof_builder: { term: '(equal x x)', instructions: '(:bash)' },
    final_check: { claim: 'f-is' },
    ...{ start_acl2_session: {}, list_acl2_sessions: null, stop_acl2_session: null },
    ...{ acl2_checkpoint: { action: 'save', name: 'world' }, ...JOB },
  },
  nrepl: {
    ...{ 'nrepl-connect': ({ port }: Known) => ({ port }), 'nrepl-eval': code('6'), 'nrepl-status': {} },
    ...{ 'nrepl-new-session': {}, 'nrepl-test': {}, 'nrepl-interrupt': null, ...JOB },
    ...{ clojure_eval: code('6'), read_file: null, LS: null, grep: null, glob_files: null },
    ...{ clojure_edit: null, clojure_edit_replace_sexp: null, paren_repair: null, file_edit: null },
    ...{ file_write: null, list_nrepl_ports: null, deps_list: null, deps_grep: null, deps_read: null },
    clojure_inspect_project: null,
    // This server loads no files, so that the refusal has run nothing.
    ...{ 'nrepl-health-check': {}, 'nrepl-load-file': null },
    ...{ 'nrepl-require': { namespace: 'a' }, 'nrepl-source': CAR, 'nrepl-doc': CAR },
    ...{ 'nrepl-complete': { prefix: 'a' }, 'nrepl-apropos': { query: 'a' } },
    ...{ 'nrepl-stacktrace': null, 'get-mcp-nrepl-context': null },
  },
  lisply: {
    ...{ lisp_eval: code('(+ 1 2)'), ping_lisp: null, get_docs_list: null, get_docs: null, ...JOB },
    http_request: { method: 'POST', path: '/lisply/lisp-eval', body: JSON.stringify(code('(+ 1 2)')) },
  },
};

let harbor: StartedHarbor;
let client: Client;
let known: Known;
let nrepl: MockNrepl;

/** Instead of ACL2's own books, all of which would be read for the one question after a lemma. */
const NO_BOOKS = { ACL2_BOOKS: temporaryFolder('no-books') };

beforeAll(async () => {
  nrepl = await MockNrepl.start((request, respond) => respond(answering(request) + VALUE));
  const ports = PORT_NAMES.flatMap((name) => [`--${name}-port`, '0']);
  const settings = { keepReady: false, approvals: [{ class: 'attach', answer: 'allow' }] };
  const args = ['--unconfined', '--engine', 'sbcl', ...ports];
  harbor = await StartedHarbor.start({ settings, args, env: NO_BOOKS });
  const at = (file: string) => path.join(harbor.project, file);
  writeFileSync(at('buoy.asd'), '(defsystem "buoy" :components ((:file "buoy")))');
  writeFileSync(at('buoy.lisp'), '(+ 1 2)');
  client = await harbor.client();
  const { structured } = await evaluate(client, '(loop (sleep 0.1))', {
    wait_ms: 1,
    session: await opened('sbcl'),
  });
  known = { job: structured.job ?? '', world: await opened('acl2'), port: nrepl.port };
}, 120_000);
afterAll(async () => {
  await call(client, 'job', { job: known.job, action: 'cancel' });
  await harbor.stop();
  await nrepl.stop();
  rmSync(NO_BOOKS.ACL2_BOOKS, { recursive: true });
});

const opened = async (engine: string) =>
  (await call<{ session: string }>(client, 'open_session', { engine })).structured.session;

describe.each(Object.entries(PROFILES))('the profile %s', (profile, tools) => {
  let own: Client;
  beforeAll(async () => {
    // Its conversations are one to the harbor, so each answer tells it.
    own = await harbor.client('modern', { profile });
  });

  it('has these tools and no others', async () => {
    const { tools: listed } = await own.listTools();
    expect(Object.keys(tools).sort()).toEqual(listed.map(({ name }) => name).sort());
  });

  const asking = Object.entries(tools).filter(([, asked]) => asked !== null);
  it.each(asking)('tells it with %s, as text and as data', async (name, asked) => {
    const given = typeof asked === 'function' ? asked(known) : { ...asked };
    const { text, structured, isError } = await call(own, name, given);
    expect(text).toMatch(TOLD);
    // A call that failed without a result has no data.
    if (!isError || structured !== undefined) expect(JSON.stringify(structured)).toMatch(TOLD);
  });
});

describe('a conversation', () => {
  let own: Client;
  let session: string;
  const asked = async (name: string, args: Arguments = {}) => {
    const { text, structured } = await call(own, name, { session, ...args });
    expect(JSON.stringify(structured)).toContain(NOTE);
    return withoutCost(text);
  };
  beforeAll(async () => {
    own = await harbor.client();
  });

  it.each([
    ['the text of an opened session', 'open_session', undefined],
    ['a note beside it', 'eval', code('(+ 1 2)')],
  ])('is told once, by %s, and in each data', async (_how, name, args) => {
    const opening = await call<{ session: string }>(own, name, args ?? { engine: 'sbcl' });
    expect(opening.text).toContain(NOTE);
    session = opening.structured.session;
    expect(await asked('eval', code('(list 1 2)'))).toBe('=> (1 2)');
    for (const [tool, more] of [
      ['eval', code('(error "failed")')],
      ['describe', CAR],
      ['inspect', code('(list 1 2)')],
      ['find', { query: 'car', kind: 'apropos' }],
    ] as const)
      expect(await asked(tool, more), tool).not.toContain(NOTE);
  });

  it('is told again of another image', async () => {
    expect(await asked('load')).toContain(NOTE);
    expect(await asked('eval', code('1'))).not.toContain(NOTE);
  });

  it('is told with a call that fails, if that is the first', async () => {
    const other = await harbor.client();
    const failed = () => call(other, 'describe', { symbol: 'no-such-symbol' });
    expect((await failed()).text).toContain(NOTE);
    expect((await failed()).text).not.toContain(NOTE);
  });

  it('of another system has it beside that system’s text, once', async () => {
    const other = await harbor.client('legacy', { profile: 'cl-mcp-server' });
    const said = async () => {
      const { content } = await other.callTool({ name: 'evaluate-lisp', arguments: code('(+ 1 2)') });
      return content.map((item) => (item.type === 'text' ? item.text : item.type));
    };
    expect(await said()).toEqual(['=> 3', `note: ${NOTE}`]);
    expect(await said()).toEqual(['=> 3']);
  });
});

it('an image that is asked for what it has defined tells it in the resource', async () => {
  const { resources } = await client.listResources();
  const { uri = '' } = resources.find((each) => each.name.endsWith('definitions')) ?? {};
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ text: expect.stringContaining(`; ${NOTE}\n`) }]);
});

/** What each port shows of it. Those of Emacs have one in slime-endings.test.ts and test/versions/sly.test.ts. */
const ENDPOINTS: Readonly<Record<Exclude<PortName, EmacsProtocol>, () => Promise<string>>> = {
  bridge: async () => {
    const socket = connect(harbor.ready.bridge ?? 0, '127.0.0.1').setEncoding('utf8');
    socket.write(frame('LISP', '(+ 1 2)'));
    let said = '';
    for await (const piece of socket) {
      said += piece;
      if (said.includes('RETURN')) break;
    }
    return said;
  },
  lisply: () => header(harbor.ready.lisply ?? '', {}),
  nrepl: async () => {
    const editor = await NreplEditor.on(harbor.ready.nrepl ?? 0);
    const { err } = await editor.ask({ op: 'eval', code: '(+ 1 2)' });
    editor.close();
    return err;
  },
  tcp: async () => {
    const { lines, end } = linesOver('TCP', harbor);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    lines.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await lines.answer(0);
    const asked = { name: 'eval', arguments: code('(+ 1 2)') };
    lines.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: asked });
    const answer = await lines.answer(1);
    await end();
    return JSON.stringify(answer);
  },
  telnet: async () => {
    const telnet = new TelnetClient(harbor.ready.telnet ?? 0);
    await telnet.until('Code: ');
    telnet.type(harbor.ready.telnetCode ?? '');
    const said = await telnet.until('* ');
    telnet.close();
    return said;
  },
};

/** Lisply's answers have no place for it. */
async function header(url: string, headers: Record<string, string>): Promise<string> {
  const body = JSON.stringify(code('(+ 1 2)'));
  const asked = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const response = await fetch(`${url}/lisp-eval`, asked);
  expect(await response.json()).toMatchObject({ success: true, result: '3' });
  return decodeURIComponent(response.headers.get('x-lisp-harbor-notes') ?? '');
}

describe('an endpoint', () => {
  it('is among these', () => {
    expect([...Object.keys(ENDPOINTS), ...EmacsProtocol.options].sort()).toEqual([...PORT_NAMES].sort());
  });

  it.each(Object.entries(ENDPOINTS))('tells it: %s', async (_, shown) => {
    expect(await shown()).toContain(NOTE);
  });

  it('tells it: Lisply with a token', async () => {
    const url = harbor.ready.mcp.replace(/\/mcp$/, '/lisply');
    expect(await header(url, { authorization: `Bearer ${harbor.ready.token}` })).toContain(NOTE);
  });

  it('tells it: the command line', async () => {
    const data = ['--data', harbor.data];
    expect((await runCommand(['test-eval', ...data])).stdout).toBe(`3\n; ${NOTE}\n`);
    expect((await runCommand(['repl', ...data], '(+ 1 2)\n')).stdout).toContain(`; ${NOTE}\n`);
  });
});
