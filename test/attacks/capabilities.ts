/** Capabilities of the test process: without confinement some attacks succeed for root only. */
import { readFileSync } from 'node:fs';
import { CAPABILITIES, type Capability } from './attack';

const [, effective = '0'] = /^CapEff:\s+(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
const bits = BigInt(`0x${effective}`);

export function has(capability: Capability | undefined): boolean {
  return capability === undefined || ((bits >> BigInt(CAPABILITIES[capability])) & 1n) === 1n;
}
