/**
 * A thread beside the image's own: ends the process when the harbor has gone without a word. The main thread would
 * notice by its wire, but not while code keeps it in a loop.
 */
import { workerData as parent } from 'node:worker_threads';

const PERIOD_MS = 1000;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, PERIOD_MS);
