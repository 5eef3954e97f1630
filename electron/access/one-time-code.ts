/** A code that lets one person in, once: whoever can read it is at this computer, and what was read cannot be used again. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 letters and digits of which no two look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 50 bits: not to be guessed over a connection that takes a few tries. */
const LENGTH = 10;

export class OneTimeCode {
  #code = newCode();

  /** The one that is good now, in two groups to read and type. */
  get current(): string {
    return `${this.#code.slice(0, LENGTH / 2)}-${this.#code.slice(LENGTH / 2)}`;
  }

  /** Whether `typed` is the code, however it is grouped; then another one is good from now on. */
  take(typed: string): boolean {
    const given = Buffer.from(typed.toLowerCase().replaceAll(/[\s-]/g, ''));
    const code = Buffer.from(this.#code);
    if (given.length !== code.length || !timingSafeEqual(given, code)) return false;
    this.#code = newCode();
    return true;
  }
}

function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
