/**
 * A thread that ends the process when the harbor has exited without closing the wire properly. The main
 * thread detects that on the wire, but not while code keeps it in a loop.
 */
import { workerData as parent } from 'node:worker_threads';

const PERIOD_MS = 1000;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, PERIOD_MS);
