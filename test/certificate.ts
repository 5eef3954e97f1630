/** Certificates for tests, made with openssl: they sign themselves and last a day. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

export interface CertificateFiles {
  cert: string;
  key: string;
}

/** Writes `<base>.crt` and `<base>.key` into the folder. @param names subject alternative names, as openssl takes them */
export function makeCertificate(
  folder: string,
  base: string,
  names = 'DNS:localhost,IP:127.0.0.1',
): CertificateFiles {
  const files = { cert: path.join(folder, `${base}.crt`), key: path.join(folder, `${base}.key`) };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  const subject = ['-days', '1', '-subj', `/CN=${base}`, '-addext', `subjectAltName=${names}`];
  const out = ['-keyout', files.key, '-out', files.cert];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...out], { stdio: 'pipe' });
  return files;
}
