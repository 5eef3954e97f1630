/** The certificate with which the harbor speaks HTTPS: read, and refused with the reason where no client could accept it. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HarborError } from '../../contract/errors';
import { LOOPBACK } from '../loopback';

export interface Certificate {
  /** In PEM, as the files have them: the chain, and the key of its first certificate. */
  cert: Buffer;
  key: Buffer;
  /** The name of this computer that the certificate is for. */
  host: string;
}

/**
 * @param files their paths
 * @param now milliseconds since the epoch
 * @throws HarborError `bad_arguments` for files that are no certificate and its key, one that is not valid now, or one
 *   that names neither localhost nor 127.0.0.1: the harbor answers to no other name
 */
export async function readCertificate(
  files: { cert: string; key: string },
  now: number = Date.now(),
): Promise<Certificate> {
  const cert = await bytesOf(files.cert, '--cert');
  const key = await bytesOf(files.key, '--key');
  const certificate = certificateOf(cert, files.cert);
  if (!certificate.checkPrivateKey(keyOf(key, files.key)))
    throw refused(`--key ${files.key} is not the key of the certificate in ${files.cert}.`);
  requireValid(certificate, files.cert, now);
  return { cert, key, host: hostOf(certificate, files.cert) };
}

async function bytesOf(file: string, option: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw refused(`${option} ${file} cannot be read: ${messageOf(error)}.`);
  }
}

function certificateOf(cert: Buffer, file: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch {
    throw refused(`--cert ${file} is no certificate in PEM: it begins with -----BEGIN CERTIFICATE-----.`);
  }
}

function keyOf(key: Buffer, file: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch {
    throw refused(`--key ${file} is no private key in PEM without a passphrase.`);
  }
}

function requireValid({ validFrom, validTo }: X509Certificate, file: string, now: number): void {
  if (Date.parse(validFrom) > now) throw refused(`The certificate in ${file} is valid from ${validFrom} on.`);
  if (Date.parse(validTo) < now) throw refused(`The certificate in ${file} has expired: ${validTo}.`);
}

function hostOf(certificate: X509Certificate, file: string): string {
  if (certificate.checkHost('localhost') !== undefined) return 'localhost';
  if (certificate.checkIP(LOOPBACK) !== undefined) return LOOPBACK;
  const names = certificate.subjectAltName ?? certificate.subject;
  throw refused(`The certificate in ${file} is for neither localhost nor ${LOOPBACK}, but for ${names}.`);
}

function refused(message: string): HarborError {
  return new HarborError('bad_arguments', message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
