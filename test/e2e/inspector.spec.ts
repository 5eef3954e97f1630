/** The inspector in the window: values of every shape, by code, by a local, by a part; set, compared, searched, and gone. */
import { expect, type Locator, type Page } from '@playwright/test';
import { resize } from './desktop';
import { examine } from './examine';
import { test } from './shared-app';
import { chooseTheme, killImage, openPane, openSession, screenOf, show, someThemes, typeLine } from './steps';

const SETUP = `(progn
  (defclass buoy () ((name :initarg :name) (depth :initarg :depth)) (:documentation "A mark that floats."))
  (defclass lit-buoy (buoy) ((light :initarg :light)))
  (defparameter *tides* (list '(:place "Brest" :height 6.5) '(:place "Dover" :height 5.9)))
  (defparameter *million* (let ((v (make-array 2500000))) (dotimes (i 2500000 v) (setf (aref v i) i)))))`;

class Inspector {
  readonly page: Page;
  readonly pane: Locator;

  constructor(page: Page) {
    this.page = page;
    this.pane = page.getByRole('region', { name: 'Inspector' });
  }

  async look(code: string): Promise<void> {
    const field = this.pane.getByRole('textbox', { name: 'Form to inspect' });
    await field.fill(code);
    await field.press('Enter');
  }

  async choose(view: string): Promise<void> {
    await this.pane.getByRole('radio', { name: view, exact: true }).click();
  }

  part(text: string): Locator {
    return this.pane.getByRole('button', { name: text, exact: true });
  }
}

async function begin(page: Page): Promise<Inspector> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, SETUP.replaceAll(/\s*\n\s*/g, ' '));
  await expect.poll(() => screenOf(repl)).toContain('*MILLION*');
  await openPane(page, 'Inspector');
  return new Inspector(page);
}

test('a value is looked into, changed, compared, and told to be gone', async ({ start }) => {
  const { page } = await start();
  const inspector = await begin(page);
  const { pane } = inspector;
  await pane.getByRole('button', { name: 'Inspect the last value' }).click();
  await expect(pane).toContainText('symbol');

  await inspector.look('(make-instance \'lit-buoy :name "Nab" :depth (list 12 13))');
  await expect(pane).toContainText('LIT-BUOY');
  await inspector.part('(12 13)').click();
  const way = pane.getByRole('navigation', { name: 'Path to this value' });
  await expect(way).toContainText('DEPTH');
  await expect(inspector.part('13')).toBeVisible();
  await pane.getByRole('button', { name: 'Back' }).click();
  await expect(inspector.part('"Nab"')).toBeVisible();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(inspector.part('13')).toBeVisible();
  await way.getByRole('button').first().click();

  await pane.getByRole('button', { name: 'Set DEPTH' }).click();
  await pane.getByRole('textbox', { name: /^New value of DEPTH/ }).fill('(* 2 21)');
  await page.keyboard.press('Enter');
  await expect(inspector.part('42')).toBeVisible();
  await expect(pane).toContainText('unbound');
  // The keyboard stays in the row that was set.
  await page.keyboard.press('Tab');
  await expect(inspector.part('42')).toBeFocused();

  await pane.getByRole('button', { name: 'Pin to compare' }).click();
  await inspector.look('(make-instance \'lit-buoy :name "Nab" :depth 7 :light :white)');
  const difference = pane.getByRole('region', { name: 'Difference' });
  await expect(difference.getByRole('row', { name: 'DEPTH' })).toContainText('427');
  await expect(difference).toContainText('1 part alike');
  await examine(page, 'inspector, difference');
  await pane.getByRole('button', { name: 'Unpin' }).click();

  await inspector.look("(find-class 'buoy)");
  await expect(pane.getByRole('list', { name: 'Subclasses' })).toContainText('LIT-BUOY');
  await examine(page, 'inspector, class');
  await inspector.choose('Documentation');
  await expect(pane).toContainText('A mark that floats.');
  await inspector.choose('Classes');
  await pane.getByRole('list', { name: 'Subclasses' }).getByRole('button').click();
  await expect(pane.getByRole('list', { name: 'Superclasses' })).toContainText('BUOY');

  await inspector.look('(error "no such value")');
  await expect(pane.getByRole('alert')).toContainText('no such value');
  await killImage(page);
  await expect(pane).toContainText(/belongs to an image that this session has lost|is gone/);
});

/** Which sides of a drawing something reaches, by less than two letters are apart: a text there is cut off. */
function drawnAtItsSides(element: Element): string[] {
  const { width, height } = element as HTMLCanvasElement;
  const context = (element as HTMLCanvasElement).getContext('2d');
  if (!context || width < 2) return ['not drawn'];
  const isDrawn = (x: number, columns: number) =>
    context.getImageData(x, 0, columns, height).data.some((value) => value > 0);
  const sides = { left: isDrawn(0, 4), right: isDrawn(width - 4, 4), nothing: !isDrawn(0, width) };
  return Object.entries(sides).flatMap(([side, isReached]) => (isReached ? [side] : []));
}

test('tables, charts, bytes, trees and millions of elements', async ({ start }) => {
  const { app, page } = await start();
  const inspector = await begin(page);
  const { pane } = inspector;

  await inspector.look('*tides*');
  const records = pane.getByRole('region', { name: 'Records' });
  await expect(records).toContainText('"Brest"');
  await expect(pane).toContainText(':HEIGHT');
  await inspector.choose('Tree');
  await pane.getByRole('button', { name: 'Parts of 1' }).click();
  await expect(pane.getByRole('region', { name: 'Tree' })).toContainText('"Dover"');
  await examine(page, 'inspector, tree');

  await inspector.look('(loop for x below 300 collect (sin (/ x 20)))');
  await expect(pane.getByRole('img', { name: /300 numbers from -0\.99/ })).toBeVisible();
  for (const theme of someThemes('inspector')) {
    await chooseTheme(page, theme);
    await show(page, 'Sessions');
    await expect(pane.getByRole('img')).toBeVisible();
    await examine(page, `inspector, chart, ${theme}`);
  }

  for (const width of [1200, 720]) {
    await resize(app, { width, height: 780 });
    for (const code of ['(loop for x below 300 collect (* x 123456789))', '*million*']) {
      await inspector.look(code);
      await expect(pane.getByRole('img', { name: /numbers from 0/ })).toBeVisible();
      await expect.poll(() => pane.locator('canvas').evaluate(drawnAtItsSides)).toEqual([]);
    }
  }

  await inspector.look('(map \'(vector (unsigned-byte 8)) (function char-code) "Lisp harbor at noon")');
  await expect(pane.getByRole('region', { name: 'Bytes' })).toContainText('4c 69 73 70');
  await expect(pane.getByRole('region', { name: 'Bytes' })).toContainText('Lisp harbor at n');

  await inspector.look('*million*');
  await expect(pane.getByRole('img', { name: /2,500,000 numbers from 0 to 2,499,999/ })).toBeVisible();
  await inspector.choose('Parts');
  await expect(pane).toContainText('0 to 999,999 of 2,500,000');
  await pane.getByRole('textbox', { name: 'Number of the part' }).fill('2400017');
  await pane.getByRole('button', { name: 'Go to' }).click();
  await expect(inspector.part('2400017')).toBeVisible();
  await inspector.part('2400017').focus();
  await page.keyboard.press('ArrowDown');
  await expect(inspector.part('2400018')).toBeFocused();
  await examine(page, 'inspector, parts');
  await pane.getByRole('searchbox', { name: 'Search the parts' }).fill('1999');
  await page.keyboard.press('Enter');
  await expect(pane.getByRole('region', { name: 'Parts found' })).toContainText('11999');
  await expect(pane).toContainText('among the first');
});
