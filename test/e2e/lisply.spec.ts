/** A wrapper of Lisply comes to the port of the app, and a person sees the port, the session and what it asked. */
import { expect } from '@playwright/test';
import { LisplyClient } from '../lisply-client';
import { test } from './fixture';
import { show } from './steps';

test('the window says that the port of Lisply is open, and shows what its clients do', async ({ start }) => {
  const { page } = await start({ options: ['--lisply-port', '0'] });
  await page.getByRole('link', { name: 'Lisply port open' }).click();
  const part = page.getByRole('region', { name: 'Lisply' });
  const url = await part.getByText(/^http:\/\/127\.0\.0\.1:\d+\/lisply$/).innerText();

  const client = new LisplyClient(url);
  expect((await client.evaluate('(list 7 6)')).body).toEqual({ success: true, result: '(7 6)', stdout: '' });
  await show(page, 'Sessions');
  await expect(page.getByRole('row').filter({ hasText: 'lisply' })).toContainText('sbcl');
  await show(page, 'History');
  await expect(page.getByRole('row').filter({ hasText: '(list 7 6)' })).toContainText('lisply');
});
