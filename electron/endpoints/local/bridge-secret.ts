/**
 * The secret that opens the harbor's local socket. Whoever can read the file is this user outside any image:
 * confined images see no data folder. Created once per data folder.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Reads the secret, or makes one (256 bits) where there is none. Called by the harbor alone, under its lock. */
export function createOrReadBridgeSecret(file: string): string {
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (/^[0-9a-f]{64}$/.test(known)) {
    chmodSync(file, 0o600);
    return known;
  }
  const secret = randomBytes(32).toString('hex');
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return secret;
}

/** Compares in a time that tells nothing about where two secrets differ. */
export function sameSecret(a: string, b: string): boolean {
  const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
  return timingSafeEqual(hash(a), hash(b));
}
