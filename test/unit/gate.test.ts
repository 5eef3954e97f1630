import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Gate, type GatedCall } from '../../electron/access/gate';
import { HarborError } from '../../electron/contract/errors';
import type { Client, Scope } from '../../electron/contract/model';
import { Calls } from '../../electron/history/calls';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { Writer } from '../../electron/history/writer';
import { temporaryFolder } from './history-folder';
import { opened } from './history-rows';

const codex: Client = { key: 'codex', scopes: new Set<Scope>(['read', 'evaluate']) };

function newGate() {
  const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
  onTestFinished(() => void database.close());
  let now = 5_000;
  const writer = new Writer(database);
  const gate = new Gate(new Calls(writer), { require: async () => undefined }, () => now);
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  const onDisk = () => database.prepare<[], Record<string, unknown>>('select * from calls order by id').all();
  const rows = () => {
    writer.flush();
    return onDisk();
  };
  return { gate, wait, rows, onDisk, evaluations: new Evaluations(writer) };
}

function call(changes: Partial<GatedCall> = {}): GatedCall {
  return {
    client: codex,
    endpoint: 'http',
    tool: 'eval',
    scope: 'evaluate',
    args: { code: '1' },
    ...changes,
  };
}

describe('Gate', () => {
  it('answers what the work answers, and records the call', async () => {
    const { gate, wait, rows, onDisk, evaluations } = newGate();
    const answer = { isError: false, evaluation: 0, text: '1' };
    const work = async () => {
      answer.evaluation = evaluations.open(opened());
      expect(onDisk()).toMatchObject([{ outcome: null, duration_ms: null }]);
      wait(120);
      return answer;
    };
    expect(await gate.run(call(), work)).toBe(answer);
    const { evaluation } = answer;
    expect(rows()).toEqual([
      {
        id: 1,
        endpoint: 'http',
        client: 'codex',
        tool: 'eval',
        arguments: '{"code":"1"}',
        outcome: 'ok',
        error_code: null,
        started_at: 5_000,
        duration_ms: 120,
        evaluation,
        session: null,
        answer: null,
        trace: null,
      },
    ]);
  });

  it('records the trace of a call, and gives it to what the call does', async () => {
    const { gate, rows } = newGate();
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    await gate.run(call({ trace }), async (grant) => {
      expect(grant.trace).toEqual(trace);
      return { isError: false };
    });
    expect(rows()).toMatchObject([{ trace: JSON.stringify(trace) }]);
  });

  it('records a call that evaluates nothing before it begins, whose session it names, and the beginning of its answer', async () => {
    const { gate, rows, onDisk } = newGate();
    const find = call({ tool: 'find', scope: 'read', args: { query: 'dist', session: 'sbcl-1' } });
    await gate.run(find, async () => {
      expect(onDisk()).toMatchObject([{ tool: 'find', session: 'sbcl-1', outcome: null }]);
      return { isError: false, text: `3 places\n${'x'.repeat(10_000)}` };
    });
    expect(rows()).toMatchObject([{ outcome: 'ok', answer: expect.stringMatching(/^3 places\nx+…$/) }]);
    expect(String(rows()[0]?.answer)).toHaveLength(2_000);
  });

  it('records answers that are errors, and what is thrown, which it passes on', async () => {
    const { gate, rows } = newGate();
    await gate.run(call(), async () => ({ isError: true }));
    const gone = new HarborError('unknown_session', 'There is no session x of yours.');
    await expect(gate.run(call(), () => Promise.reject(gone))).rejects.toBe(gone);
    await expect(gate.run(call(), () => Promise.reject(new TypeError('a defect')))).rejects.toThrow(
      'a defect',
    );
    expect(rows()).toMatchObject([
      { outcome: 'error', error_code: null },
      { outcome: 'error', error_code: 'unknown_session' },
      { outcome: 'error', error_code: 'internal' },
    ]);
  });

  it('records why a call failed that has an answer all the same', async () => {
    const { gate, rows, evaluations } = newGate();
    const evaluation = evaluations.open(opened());
    await gate.run(call(), async () => ({ isError: true, errorCode: 'cancelled' as const, evaluation }));
    expect(rows()).toMatchObject([{ outcome: 'error', error_code: 'cancelled', evaluation }]);
  });

  it('records calls of tools there are not, whatever they are called', async () => {
    const { gate, rows } = newGate();
    const unknown = new HarborError('unknown_tool', 'No such tool.');
    const nosuch = call({ tool: 'n'.repeat(10_000), scope: null });
    await expect(gate.run(nosuch, () => Promise.reject(unknown))).rejects.toBe(unknown);
    expect(rows()).toMatchObject([{ outcome: 'error', error_code: 'unknown_tool' }]);
    expect(String(rows()[0]?.tool)).toHaveLength(200);
  });

  it('refuses a call whose scope the token lacks, says how to mend it, and records it', async () => {
    const { gate, rows } = newGate();
    const reader: Client = { key: 'reader', scopes: new Set<Scope>(['read']) };
    let ran = false;
    const refused = gate.run(call({ client: reader }), async () => {
      ran = true;
      return { isError: false };
    });
    await expect(refused).rejects.toMatchObject({
      code: 'scope_missing',
      message: expect.stringMatching(
        /eval needs the scope "evaluate".*reader has: read\. Issue another token/,
      ),
    });
    expect(ran).toBe(false);
    expect(rows()).toMatchObject([{ client: 'reader', outcome: 'error', error_code: 'scope_missing' }]);
  });

  it('takes no scope for another', async () => {
    const { gate } = newGate();
    const admin: Client = { key: 'root', scopes: new Set<Scope>(['admin']) };
    const refused = gate.run(call({ client: admin }), async () => ({ isError: false }));
    await expect(refused).rejects.toMatchObject({ code: 'scope_missing' });
  });

  it('records no secrets, wherever they stand', async () => {
    const { gate, rows } = newGate();
    const args = {
      password: 'p1',
      attach: { apiToken: 's3', port: 1 },
      headers: [{ Authorization: 'Bearer s4' }],
      client_secret: { key: 's5' },
      code: '(ok)',
    };
    await gate.run(call({ args }), async () => ({ isError: false }));
    const recorded = String(rows()[0]?.arguments);
    expect(recorded).not.toMatch(/p1|s3|s4|s5/);
    expect(JSON.parse(recorded)).toMatchObject({ attach: { port: 1 }, code: '(ok)' });
  });

  it('keeps at most 64 KiB of arguments, as JSON still', async () => {
    const { gate, rows } = newGate();
    for (const character of ['x', '"', '\n', 'λ', '😀', '\0']) {
      await gate.run(call({ args: { code: character.repeat(200_000) } }), async () => ({ isError: false }));
    }
    await gate.run(call({ args: undefined }), async () => ({ isError: false }));
    const recorded = rows().map((row) => String(row.arguments));
    for (const json of recorded.slice(0, -1)) {
      expect(json.length).toBeLessThanOrEqual(64 * 1024);
      expect(JSON.parse(json).cut).toMatch(/^\{"code":"/);
    }
    expect(recorded.at(-1)).toBe('null');
  });
});
