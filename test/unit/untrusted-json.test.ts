/** Untrusted JSON: it is parsed only after its size was checked. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { boundedJson, exactJson, JsonTooLarge } from '../../electron/host/json';
import { ROOT } from '../started-harbor';

/** Files that parse trusted JSON, each with its source. */
const OUR_OWN: Readonly<Record<string, string>> = {
  'electron/images/nbb/engine.ts': 'the package of nbb that this harbor came with',
};

describe('JSON', () => {
  it('is parsed at the endpoints and of images only when it is bounded', () => {
    const sources = globSync('electron/{compat,endpoints,images}/**/*.ts', { cwd: ROOT });
    const parsing = sources.filter((file) =>
      readFileSync(path.join(ROOT, file), 'utf8').includes('JSON.parse('),
    );
    expect(parsing.toSorted()).toEqual(Object.keys(OUR_OWN));
  });

  it('that nests without end, or has values without end, is refused before it is parsed', () => {
    for (const read of [boundedJson, exactJson]) {
      expect(() => read('['.repeat(2_000_000))).toThrow(JsonTooLarge);
      expect(() => read(`[${'1,'.repeat(2_000_000)}1]`)).toThrow(JsonTooLarge);
      expect(read('{"a":["\\"[[[",1]}')).toEqual({ a: ['"[[[', 1] });
    }
  });

  it('of a request has its strings as they were sent', () => {
    expect(exactJson('"\\ud800"')).toBe('\ud800');
    expect(boundedJson('"\\ud800"')).toBe('\\ud800');
  });
});
