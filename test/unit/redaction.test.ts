/** What patterns take out of texts, of data, and of output that comes in pieces. */
import { describe, expect, it } from 'vitest';
import { RedactedPattern, WELL_KNOWN_SECRETS } from '../../electron/contract/settings';
import { RedactedOutput, Redaction } from '../../electron/history/redaction';

function redaction(...patterns: string[]): Redaction {
  return new Redaction({ redact: patterns, redactWellKnown: false });
}

const rules = redaction('sk-*', 'password = "*', 'Ocean Drive 7');

describe('a pattern', () => {
  it('takes out the text up to a blank, a quote or a bracket', () => {
    expect(rules.text('(connect "sk-abc/12+3=" :at 4)')).toBe('(connect "⟨redacted⟩" :at 4)');
    expect(rules.text("'SK-ABC)")).toBe("'⟨redacted⟩)");
    expect(rules.text('password = "hunter2"')).toBe('⟨redacted⟩"');
    expect(rules.text('at ocean drive 7, or at Ocean Drive 8')).toBe('at ⟨redacted⟩, or at Ocean Drive 8');
  });

  it('leaves words that only have it in their middle', () => {
    expect(rules.text('task-force desk-top')).toBe('task-force desk-top');
  });

  it('is taken out of all that data has, and JSON stays JSON', () => {
    expect(rules.data({ a: ['sk-1', 2, null], b: { c: 'x sk-2 y' } })).toEqual({
      a: ['⟨redacted⟩', 2, null],
      b: { c: 'x ⟨redacted⟩ y' },
    });
    expect(rules.json(JSON.stringify({ code: 'password = "a\\b"' }))).toBe(
      JSON.stringify({ code: '⟨redacted⟩\\b"' }),
    );
  });

  it('needs three letters, and each of the well-known ones is good', () => {
    expect(RedactedPattern.safeParse('a*').success).toBe(false);
    expect(RedactedPattern.safeParse('a*b*c*d*e').success).toBe(false);
    for (const pattern of WELL_KNOWN_SECRETS) expect(RedactedPattern.parse(pattern)).toBe(pattern);
    const all = new Redaction({ redact: [], redactWellKnown: true });
    expect(all.text('Authorization: Bearer abc.def')).toBe('Authorization: ⟨redacted⟩');
    expect(all.text('eyJhbGci.eyJzdWIi.c2lnbg')).toBe('⟨redacted⟩');
  });

  it('takes time in proportion to the text', () => {
    const long = redaction('aaa*aaa*aaa*aaa');
    const began = performance.now();
    long.text('a'.repeat(100_000));
    long.partial('a'.repeat(20_000));
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('output in pieces', () => {
  const told = (...pieces: string[]): string => {
    const output = new RedactedOutput(rules);
    const now = pieces.map((piece) => output.add('stdout', piece)).join('');
    return (
      now +
      output
        .rest()
        .map(([, text]) => text)
        .join('')
    );
  };

  it('has nothing of it wherever it is cut', () => {
    const whole = 'key sk-abcdef\nat Ocean Drive 7.';
    for (let at = 0; at <= whole.length; at += 1)
      expect(told(whole.slice(0, at), whole.slice(at))).toBe('key ⟨redacted⟩\nat ⟨redacted⟩.');
    expect(told(...whole)).toBe('key ⟨redacted⟩\nat ⟨redacted⟩.');
  });

  it('waits for nothing else', () => {
    const output = new RedactedOutput(rules);
    expect(output.add('stdout', 'Name? ')).toBe('Name? ');
    expect(output.add('stdout', 'a s')).toBe('a ');
    expect(output.add('stderr', 'k-')).toBe('k-');
    expect(output.add('stdout', 'ea')).toBe('sea');
    expect(output.rest()).toEqual([]);
  });

  it('is left alone where there are no rules', () => {
    const none = redaction();
    expect(none.partial('sk-abc')).toEqual({ ready: 'sk-abc', waits: '' });
  });
});
