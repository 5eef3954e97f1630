/**
 * Licences of everything in the app: THIRD-PARTY-NOTICES, the SPDX bill of materials, and Debian's copyright
 * file. The build lists the npm packages in its bundles; the others are packed as they are.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from './console.mjs';

/**
 * An npm package in the app. `licence` is an SPDX expression.
 * @typedef {{ name: string, version: string, licence: string, texts: string[] }} Bundled
 */

/** Parts of the build, each with the list that electron/vite.config.ts writes. */
const PARTS = ['electron', 'preload', 'renderer'];

/** Packages that are not bundled and lie in the app's node_modules. */
const PACKED = ['better-sqlite3', 'nbb', 'import-meta-resolve'];

/** Licences under which the app may be given to anybody. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'EPL-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
]);

/**
 * @param {string} root of a clone that was built
 * @returns {Bundled[]} by name
 * @throws SetupError without a build
 */
export function bundledPackages(root) {
  const folders = new Set(PACKED.map((name) => `node_modules/${name}`));
  for (const part of PARTS) {
    const list = path.join(root, 'out', part, 'packages.txt');
    if (!existsSync(list)) throw new SetupError(`${list} is missing. Run "npm run build" first.`);
    for (const folder of readFileSync(list, 'utf8').split('\n')) if (folder !== '') folders.add(folder);
  }
  const packages = new Map(
    [...folders].map((folder) => {
      const found = readPackage(path.join(root, folder));
      return [`${found.name} ${found.version}`, found];
    }),
  );
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
}

/**
 * @param {string} folder
 * @returns {Bundled}
 */
function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  return {
    name,
    version,
    licence: typeof license === 'string' ? license : (license?.type ?? ''),
    texts: files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()),
  };
}

/**
 * Reports whether the app may be passed on with a package of this licence: at least one choice consists of
 * permissive licences only.
 * @param {string} expression in SPDX's form
 */
export function permissive(expression) {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((licence) => PERMISSIVE.has(licence.trim())));
}

const RULE = '='.repeat(80);

/** Electron brings its own notices in files beside the app. */
const ELECTRON =
  'Electron and Chromium\n\nTheir licences are in the files LICENSE.electron.txt and LICENSES.chromium.html of this folder.';

/**
 * @param {Bundled[]} packages
 * @returns {string} the file THIRD-PARTY-NOTICES
 */
export function notices(packages) {
  const parts = packages.map(({ name, version, licence, texts }) =>
    [`${name} ${version}\nLicence: ${licence}`, ...texts].join('\n\n'),
  );
  const head = 'Lisp Harbor contains the following software. Its own licence is in the file LICENSE.';
  return `${[head, ELECTRON, ...parts].join(`\n\n${RULE}\n\n`)}\n`;
}

/**
 * @param {Bundled[]} packages
 * @param {{ name: string, version: string, electron: string, made: Date }} app `electron` is its version
 * @returns {object} a document of SPDX 2.3
 */
export function billOfMaterials(packages, { name, version, electron, made }) {
  const app = spdxPackage({ name, version, licence: 'MIT' });
  const parts = [
    spdxPackage({ name: 'electron', version: electron, licence: 'MIT' }),
    ...packages.map((each) => ({
      ...spdxPackage(each),
      externalRefs: [
        {
          referenceCategory: 'PACKAGE-MANAGER',
          referenceType: 'purl',
          referenceLocator: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
        },
      ],
    })),
  ];
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${name}-${version}`,
    documentNamespace: `urn:${name}:${version}:${made.toISOString()}`,
    creationInfo: { created: made.toISOString().replace(/\.\d+Z$/, 'Z'), creators: [`Tool: ${name}`] },
    packages: [app, ...parts],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: app.SPDXID },
      ...parts.map((part) => ({
        spdxElementId: app.SPDXID,
        relationshipType: 'CONTAINS',
        relatedSpdxElement: part.SPDXID,
      })),
    ],
  };
}

/** @param {{ name: string, version: string, licence: string }} part */
const spdxPackage = ({ name, version, licence }) => ({
  name,
  SPDXID: `SPDXRef-${`${name}-${version}`.replaceAll(/[^A-Za-z0-9.-]/g, '-')}`,
  versionInfo: version,
  downloadLocation: 'NOASSERTION',
  filesAnalyzed: false,
  licenseConcluded: 'NOASSERTION',
  licenseDeclared: licence,
  copyrightText: 'NOASSERTION',
});

/**
 * @param {string} licence text of our own licence
 * @param {{ name: string, email: string, homepage: string, copyright: string }} publisher
 * @returns {string} Debian's machine-readable copyright file
 */
export function debianCopyright(licence, { name, email, homepage, copyright }) {
  const indented = licence
    .trim()
    .split('\n')
    .map((line) => (line.trim() === '' ? ' .' : ` ${line}`));
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Lisp Harbor',
    `Upstream-Contact: ${name} <${email}>`,
    `Source: ${homepage}`,
    'Comment: Licences of bundled software are in THIRD-PARTY-NOTICES of the installed app.',
    '',
    'Files: *',
    `Copyright: ${copyright.replace(/^Copyright \(c\) /, '')}`,
    'License: MIT',
    ...indented,
    '',
  ].join('\n');
}
