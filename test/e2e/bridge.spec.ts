/** A client of the ACL2 Bridge comes to the port of the app, and a person sees the port, the session and what it asked. */
import { expect } from '@playwright/test';
import { PythonBridgeClient } from '../python-bridge-client';
import { test } from './fixture';
import { show } from './steps';

test('the window says that the ACL2 Bridge is open, and shows what its clients do', async ({ start }) => {
  const { page } = await start({ options: ['--bridge-port', '0'] });
  await page.getByRole('link', { name: 'ACL2 Bridge open' }).click();
  const part = page.getByRole('region', { name: 'ACL2 Bridge' });
  const address = await part.getByText(/^127\.0\.0\.1:\d+$/).innerText();
  await expect(part).toContainText('0 connections');

  const client = await PythonBridgeClient.connect(Number(address.split(':')[1]));
  await expect(part).toContainText('1 connection');
  expect(await client.value('LISP', '(list 7 6)')).toBe('(7 6)');
  await show(page, 'Sessions');
  await expect(page.getByRole('row').filter({ hasText: 'bridge' })).toContainText('acl2');
  await show(page, 'History');
  await expect(page.getByRole('row').filter({ hasText: '(list 7 6)' })).toContainText('bridge');

  await client.close();
  await show(page, 'Sessions');
  await expect(page.getByRole('row').filter({ hasText: 'bridge' })).toBeHidden();
  await show(page, 'Home');
  await expect(part).toContainText('0 connections');
});
