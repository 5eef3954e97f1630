/** All attacks by programs, which code of every engine runs. */
import type { Attack } from '../attack';
import { KERNEL, KERNEL_FILES } from './kernel';
import { PROCESSES } from './processes';
import { READING, READING_PROCESSES, SEEING } from './reading';
import { REPOSITORY } from './repository';
import { RIGHTS } from './rights';
import { SECRETS } from './secrets';
import { SOCKETS } from './sockets';
import { CHANGING, MAKING } from './writing';

export const PROGRAMS: readonly Attack[] = [
  ...[...READING, ...READING_PROCESSES, ...SEEING, ...SECRETS],
  ...[...CHANGING, ...MAKING, ...REPOSITORY],
  ...[...SOCKETS, ...PROCESSES, ...RIGHTS, ...KERNEL, ...KERNEL_FILES],
];
