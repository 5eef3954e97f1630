/** Special views of SBCL values: records as tables, numbers for plots, bytes; including unusual shapes. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Numbers, Octets, Records } from '../../electron/contract/inspection';
import type { InspectRequest } from '../../electron/images/optional-groups';
import { KnowingImage } from './sbcl-knowing';

let sbcl: KnowingImage;

beforeEach(async () => {
  sbcl = await KnowingImage.start();
});

async function requested(code: string, page: Partial<InspectRequest> = {}): Promise<InspectRequest> {
  return { start: { evaluation: await sbcl.evaluate(code) }, path: [], offset: 0, ...page };
}

const records = async (code: string, page: Partial<InspectRequest> = {}): Promise<Records | undefined> =>
  sbcl.inspector.records?.(await requested(code, page));
const numbers = async (code: string): Promise<Numbers | undefined> =>
  sbcl.inspector.numbers?.(await requested(code));
const octets = async (code: string, page: Partial<InspectRequest> = {}): Promise<Octets | undefined> =>
  sbcl.inspector.octets?.(await requested(code, page));

const cells = ({ rows }: Records) => rows.map((row) => row.cells);

describe('records', () => {
  it('are property lists, association lists, structures and entries of tables, with the fields of all', async () => {
    const plists = await records("'((:a 1 :b 2) (:b 3 :c (4)))");
    expect(plists).toMatchObject({ columns: [':A', ':B', ':C'], total: 2 });
    expect(plists && cells(plists)).toEqual([
      ['1', '2', null],
      [null, '3', '(4)'],
    ]);
    const alists = await records('(vector (list (cons \'x 1) (cons "y" 2)))');
    expect(alists?.columns).toEqual(['X', '"y"']);
    await sbcl.evaluate('(defstruct mark name (depth 3))');
    expect(await records('(list (make-mark :name :nab))')).toMatchObject({
      columns: ['NAME', 'DEPTH'],
      rows: [{ name: '0', cells: [':NAB', '3'] }],
    });
    const table = '(let ((h (make-hash-table))) (setf (gethash :k h) (list :v 1)) h)';
    expect(await records(table)).toMatchObject({ columns: [':V'], rows: [{ name: ':K', cells: ['1'] }] });
  });

  it('are told page by page, and atoms have no fields', async () => {
    const page = await records('(loop for i below 100000 collect (list :i i))', { offset: 99_999, limit: 5 });
    expect(page).toMatchObject({ total: 100_000, rows: [{ name: '99999', cells: ['99999'] }] });
    expect(await records('(list 1 "two" :three nil)')).toMatchObject({ columns: [] });
    expect(await records("'(1 . 2)")).toMatchObject({ columns: [], total: 2 });
  });
});

describe('numbers', () => {
  it('are told one by one, or gathered to their lowest and highest', async () => {
    expect(await numbers("'(1 1/2 -2.5 3d10)")).toEqual({
      ...{ total: 4, step: 1, others: 0 },
      low: [1, 0.5, -2.5, 3e10],
      high: [1, 0.5, -2.5, 3e10],
    });
    const many = await numbers(
      '(let ((v (make-array 2000000))) (dotimes (i 2000000 v) (setf (aref v i) (- i))))',
    );
    expect(many).toMatchObject({ total: 2_000_000, step: 2_000, others: 0 });
    expect([many?.high[0], many?.low[0], many?.low.at(-1), many?.low.length]).toEqual([
      0, -1_999, -1_999_999, 1_000,
    ]);
  });

  it('leave out what cannot be drawn, and end in a cycle', async () => {
    const odd = await numbers('(list 1 :none (expt 10 400) 2)');
    expect(odd).toMatchObject({ others: 2, low: [1, null, null, 2] });
    expect(await numbers('(let ((x (list 1 2 3))) (setf (cdr (last x)) x) x)')).toMatchObject({
      low: [1, 2, 3],
    });
    await expect(numbers('"text"')).rejects.toMatchObject({ code: 'unknown_part' });
  });
});

it('octets are told in hexadecimal digits, page by page', async () => {
  const bytes = "(coerce (loop for i below 300 collect (mod i 256)) '(vector (unsigned-byte 8)))";
  expect(await octets(bytes, { offset: 254, limit: 4 })).toEqual({ digits: 'feff0001', total: 300 });
  expect(await octets(bytes, { offset: 400 })).toEqual({ digits: '', total: 300 });
  await expect(octets("'(1 2)")).rejects.toMatchObject({ code: 'unknown_part' });
});
