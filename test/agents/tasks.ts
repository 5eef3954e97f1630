/** The tasks on which answers are measured: what agents do most, on what Debian brings and on small projects. */
import { clojureRename } from './clojure-rename.ts';
import { jsonParser } from './json-parser.ts';
import { nbbProject } from './nbb-project.ts';
import { mutualRecursion, sorting, stobjGuards } from './proofs.ts';
import { runaways } from './runaways.ts';
import { stackMachine } from './stack-machine.ts';
import type { Task } from './task.ts';
import { threeBugs } from './three-bugs.ts';

export const TASKS: readonly Task[] = [
  threeBugs,
  jsonParser,
  runaways,
  clojureRename,
  nbbProject,
  stackMachine,
  sorting,
  mutualRecursion,
  stobjGuards,
];
