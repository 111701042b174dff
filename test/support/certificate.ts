import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The files of a certificate. */
interface CertificateFiles {
  readonly key: string;
  readonly cert: string;
}

/** Makes a certificate for this machine, with its key, in a folder; needs openssl. */
export function newCertificate(folder: string): CertificateFiles {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  execFileSync('openssl', ['req', '-x509', ...options, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key, cert };
}
