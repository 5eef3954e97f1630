/** Starts images inside macOS's sandbox-exec, which applies a profile and becomes the program: its pid is the engine's. */
import type { SandboxReport } from '../contract/model';
import type { Confinement } from '../sandbox/confinement';
import { seatbeltRules } from '../sandbox/seatbelt-rules';
import { type Launched, type Launcher, type Program, reportOf } from './launcher';
import { LocalLauncher } from './local';
import { leftRunningGaps, UNLIMITED } from './process-limits';

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

export class SandboxExecLauncher implements Launcher {
  readonly sandbox: SandboxReport = {
    confined: true,
    launcher: 'sandbox-exec',
    gaps: [
      'memory beyond the heap, and processes, are not limited on macOS',
      'which files exist can be seen',
      ...leftRunningGaps(UNLIMITED),
    ],
  };
  readonly #plain = new LocalLauncher('the program is sandbox-exec itself');

  launch(program: Program, confinement: Confinement): Launched {
    const profile = seatbeltRules([program.command, ...program.needs], confinement);
    const args = ['-p', profile, program.command, ...program.args];
    const launched = this.#plain.launch({ ...program, command: SANDBOX_EXEC, args }, confinement);
    return { ...launched, sandbox: reportOf(this.sandbox, confinement) };
  }
}
