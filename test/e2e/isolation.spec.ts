/** What the page cannot do: reach Node, load foreign code, leave the app, ask for permissions, call nonsense. */
import { expect } from '@playwright/test';
import { test } from './shared-app';

test.describe.configure({ mode: 'default' });

test('the page has no Node and a bridge of three functions that it cannot change', async ({ start }) => {
  const { page } = await start();
  const found = await page.evaluate(() => ({
    node: ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis),
    bridge: Object.keys(window.bridge).sort(),
    frozen: Object.isFrozen(window.bridge),
  }));
  expect(found).toEqual({ node: [], bridge: ['invoke', 'on', 'pathOf'], frozen: true });
});

test('the content security policy is sent and enforced', async ({ start }) => {
  const { page } = await start();
  const policy = await page.evaluate(async () =>
    (await fetch('app://bundle/index.html')).headers.get('content-security-policy'),
  );
  expect(policy).toContain("default-src 'none'; script-src 'self'");
  const ran = await page.evaluate(async () => {
    const violation = new Promise<string>((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
        once: true,
      });
    });
    const script = document.createElement('script');
    script.textContent = 'globalThis.injected = true';
    document.head.append(script);
    return { directive: await violation, injected: 'injected' in globalThis };
  });
  expect(ran).toEqual({ directive: 'script-src-elem', injected: false });
});

test('only files of the bundle are served', async ({ start }) => {
  const { page } = await start();
  const addresses = [
    'app://bundle/..%2f..%2fpackage.json',
    'app://bundle/%2e%2e%2f%2e%2e%2fpackage.json',
    'app://bundle/..%5c..%5cpackage.json',
    'app://bundle/no-such-file.js',
    'app://elsewhere/index.html',
    'file:///etc/passwd',
  ];
  const served = await page.evaluate(async (all) => {
    const answers = all.map((address) =>
      fetch(address)
        .then((response) => response.ok)
        .catch(() => false),
    );
    return Promise.all(answers);
  }, addresses);
  expect(served).toEqual(addresses.map(() => false));
});

test('the page cannot leave the app, open windows or embed anything', async ({ start }) => {
  const { app, page } = await start();
  const address = page.url();
  const opened = await page.evaluate(() => {
    Object.assign(globalThis, { sameDocument: true });
    location.href = 'https://example.invalid/';
    return window.open('https://example.invalid/') !== null;
  });
  expect(opened).toBe(false);
  // A navigation that was let through would have begun before this answer came.
  const stayed = await page.evaluate(async () => {
    await (await fetch('app://bundle/index.html')).text();
    return { address: location.href, sameDocument: 'sameDocument' in globalThis };
  });
  expect(stayed).toEqual({ address, sameDocument: true });
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('permissions are refused, copying excepted', async ({ start }) => {
  const { app, page } = await start();
  const states = await page.evaluate(async () => {
    const state = async (name: string) =>
      (await navigator.permissions.query({ name: name as PermissionName })).state;
    return {
      camera: await state('camera'),
      geolocation: await state('geolocation'),
      notifications: await state('notifications'),
      read: await state('clipboard-read'),
    };
  });
  expect(states).toEqual({
    camera: 'denied',
    geolocation: 'denied',
    notifications: 'denied',
    read: 'denied',
  });
  await page.getByRole('button', { name: 'Copy address' }).click();
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText());
  await expect.poll(copied).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
});

test('calls with bad arguments or unknown names come back as values', async ({ start }) => {
  const { page } = await start();
  const replies = await page.evaluate(async () => {
    const invoke = window.bridge.invoke as (call: string, args: unknown) => Promise<unknown>;
    return {
      limit: await invoke('history:page', { limit: 1e9 }),
      session: await invoke('sessions:close', { session: '../etc' }),
      missing: await invoke('tokens:issue', null),
      unknown: await invoke('no:such-call', null),
    };
  });
  for (const reply of Object.values(replies))
    expect(reply).toMatchObject({ ok: false, code: 'bad_arguments' });
  const event = await page.evaluate(() => {
    try {
      (window.bridge.on as (event: string, listener: () => void) => void)('no:such-event', () => undefined);
      return 'accepted';
    } catch (error) {
      return String(error);
    }
  });
  expect(event).toContain('There is no event named');
});

test('the page cannot be framed, not even by itself', async ({ start }) => {
  const { page } = await start();
  const directive = await page.evaluate(async () => {
    const violation = new Promise<string>((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
        once: true,
      });
    });
    const frame = document.createElement('iframe');
    frame.src = 'app://bundle/index.html';
    document.body.append(frame);
    return violation;
  });
  expect(directive).toBe('frame-src');
});
