/** Libraries of Clojure as Maven repositories keep them, made for tests: each holds one namespace. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './started-harbor';

export interface Library {
  group: string;
  artifact: string;
  version: string;
}

/** Puts the library into `repository`: the namespace `<artifact>.core`, whose `version` is what the library's is. */
export function publish(repository: string, library: Library, needs: readonly Library[] = []): void {
  const { group, artifact, version } = library;
  const at = path.join(repository, ...group.split('.'), artifact, version);
  const sources = temporaryFolder('library');
  mkdirSync(at, { recursive: true });
  mkdirSync(path.join(sources, artifact));
  writeFileSync(path.join(sources, artifact, 'core.clj'), `(ns ${artifact}.core) (def version "${version}")`);
  const archive = path.join(at, `${artifact}-${version}.jar`);
  execFileSync('python3', ['-m', 'zipfile', '-c', archive, `${artifact}/`], { cwd: sources });
  const dependencies = needs.map((need) => `<dependency>${coordinates(need)}</dependency>`).join('');
  const model = `<modelVersion>4.0.0</modelVersion>${coordinates(library)}`;
  writeFileSync(
    archive.replace(/jar$/, 'pom'),
    `<project>${model}<dependencies>${dependencies}</dependencies></project>`,
  );
}

function coordinates({ group, artifact, version }: Library): string {
  return `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
}
