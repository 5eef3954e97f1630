/** What electron-builder makes of our configuration on each system, without making it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config';
import { DebugLogger } from 'builder-util';
import type { Configuration } from 'electron-builder';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT, setupModule } from './setup-checkout';

const PUBLISHER = {
  name: 'Somebody',
  email: 'somebody@example.org',
  homepage: 'https://example.org',
  issues: 'https://example.org/issues',
  copyright: 'Copyright (c) 2026 Somebody',
};

interface Build {
  platform: string;
  forTests: boolean;
  publishing: Configuration;
  electron: { folder: string; version: string };
  files: string[];
  publisher: typeof PUBLISHER;
}

interface Installers {
  PLATFORMS: ReadonlyMap<string, { option: string; targets: string[] }>;
  configurationOf: (build: Build) => Configuration;
  publishingAt: (address: string | undefined) => Configuration;
  placeholders: (publisher: typeof PUBLISHER) => string[];
}

let installers: Installers;
beforeAll(async () => {
  installers = await setupModule<Installers>('installers');
});

const ZSH = '/usr/share/zsh/vendor-completions/_lisp-harbor';

/** electron-builder.yml and what is added to it, read and found valid as electron-builder does it. */
async function resolved(platform: string, build: Partial<Build> = {}): Promise<Configuration> {
  const added = installers.configurationOf({
    platform,
    forTests: false,
    publishing: installers.publishingAt(undefined),
    electron: { folder: '/electron', version: '42.0.0' },
    files: [`/out${ZSH}=${ZSH}`],
    publisher: PUBLISHER,
    ...build,
  });
  const configuration = await getConfig(ROOT, null, added);
  await validateConfiguration(configuration, new DebugLogger(false));
  return configuration;
}

describe.each(['linux', 'darwin', 'win32'])('an installer for %s', (platform) => {
  it('has the app in one archive that Electron checks, in our two languages', async () => {
    const configuration = await resolved(platform);
    expect(configuration.asar).toBe(true);
    expect(configuration.electronLanguages).toEqual(['en-US', 'ja']);
    expect(configuration.electronFuses).toEqual({
      // Where something vouches for the app, it is no Node for whoever asks.
      runAsNode: platform === 'linux',
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
    expect(configuration.protocols).toEqual([{ name: 'Lisp Harbor', schemes: ['lisp-harbor'] }]);
  });

  it('is published nowhere unless an address is given', async () => {
    expect((await resolved(platform)).publish).toBeNull();
    const publishing = installers.publishingAt('https://example.org/harbor/');
    const { publish } = await resolved(platform, { publishing });
    expect(publish).toEqual({ provider: 'generic', url: 'https://example.org/harbor/' });
  });
});

it('makes of each system what its people expect, and all that the configuration names', async () => {
  const made = [...installers.PLATFORMS.values()];
  expect(made).toEqual([
    { option: 'linux', targets: ['deb', 'rpm', 'tar.gz'] },
    { option: 'mac', targets: ['dmg', 'zip'] },
    { option: 'win', targets: ['nsis', 'zip'] },
  ]);
  const { linux, mac, win } = await resolved('linux');
  expect(made.map(({ targets }) => targets)).toEqual([linux?.target, mac?.target, win?.target]);
});

it('gives the app on macOS no more rights than its JIT compiler needs', async () => {
  const { mac } = await resolved('darwin');
  expect(mac?.hardenedRuntime).toBe(true);
  for (const file of [mac?.entitlements, mac?.entitlementsInherit]) {
    expect(file).toBeTruthy();
    const text = readFileSync(path.join(ROOT, file ?? ''), 'utf8');
    expect(text.match(/<key>.*<\/key>/g)).toEqual(['<key>com.apple.security.cs.allow-jit</key>']);
  }
});

it('installs for one user on Windows, who may say where', async () => {
  const { nsis } = await resolved('win32');
  expect(nsis).toMatchObject({
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
  });
});

it('has every icon and script that it names', async () => {
  const { linux, mac, win, deb, rpm } = await resolved('linux');
  const named = [linux?.icon, mac?.icon, win?.icon, deb?.afterInstall, deb?.afterRemove, rpm?.afterInstall];
  expect(named.filter((file) => !existsSync(path.join(ROOT, file ?? 'none')))).toEqual([]);
});

it('brings completions to where each system’s zsh looks, and packs quickly for tests alone', async () => {
  const release = await resolved('linux');
  expect(release.deb?.fpm?.at(-1)).toBe(`/out${ZSH}=${ZSH}`);
  expect(release.rpm?.fpm?.at(-1)).toEqual(`/out${ZSH}=/usr/share/zsh/site-functions/_lisp-harbor`);
  const forTests = await resolved('linux', { forTests: true });
  expect(forTests.deb?.fpm?.slice(0, 2)).toEqual(['--deb-compression-level', '1']);
  expect(forTests.rpm?.fpm?.slice(0, 2)).toEqual(['--rpm-compression-level', '1']);
});

it('depends on every library that a window needs, by package for apt and by soname for rpm', async () => {
  const { deb, rpm } = await resolved('linux');
  expect(deb?.depends).toEqual(
    expect.arrayContaining(['libasound2t64 | libasound2', 'libx11-xcb1', 'libgbm1']),
  );
  expect(rpm?.depends).toEqual(expect.arrayContaining(['libX11-xcb.so.1()(64bit)', 'libgbm.so.1()(64bit)']));
  expect(deb?.recommends).toEqual(expect.arrayContaining(['bubblewrap', 'libgl1']));
  expect(rpm?.fpm).toEqual(
    expect.arrayContaining(['Recommends: bubblewrap', 'Recommends: libGL.so.1()(64bit)']),
  );
});

it('names its publisher from one file, and says what of it is a placeholder', async () => {
  const { linux, copyright, extraMetadata } = await resolved('linux');
  expect(linux?.maintainer).toBe('Somebody <somebody@example.org>');
  expect([copyright, extraMetadata?.homepage]).toEqual([PUBLISHER.copyright, PUBLISHER.homepage]);
  expect(installers.placeholders(PUBLISHER)).toEqual([]);
  expect(installers.placeholders({ ...PUBLISHER, email: 'a@b.invalid' })).toEqual(['email']);
});

it.each(['http://example.org/', 'http://127.0.0.1.example.org/', 'nowhere', 'file:///tmp/'])(
  'takes no newer version from %s',
  (address) => {
    expect(() => installers.publishingAt(address)).toThrow('starts with https://');
  },
);
