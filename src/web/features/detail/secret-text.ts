import type { SecretCertificate } from '../../../contract/secrets.ts';
import type { Tone } from '../../../registry/tone.ts';

const day = 24 * 3_600_000;
/** A certificate is said to end soon so long before, ms. */
const expiryNotice = 30 * day;

/** `1 byte`, `24 bytes`, `1.2 KB`. */
export function byteText(size: number): string {
  if (size < 1024) return size === 1 ? '1 byte' : `${size} bytes`;
  return `${(size / 1024).toFixed(1)} KB`;
}

/** Day of a moment in ISO, as the certificate has it: in UTC. */
export const dayOf = (iso: string): string => iso.slice(0, 10);

/** Whether a certificate is valid now, in words. @param now ms */
export function certificateState(
  { validFrom, validTo }: Pick<SecretCertificate, 'validFrom' | 'validTo'>,
  now: number,
): { readonly tone: Tone; readonly label: string } {
  const left = Date.parse(validTo) - now;
  const days = Math.floor(Math.abs(left) / day);
  const span = days === 1 ? '1 day' : `${days} days`;
  if (left < 0) return { tone: 'bad', label: days === 0 ? 'Expired today' : `Expired ${span} ago` };
  if (Date.parse(validFrom) > now) return { tone: 'warn', label: 'Not valid yet' };
  if (left < expiryNotice)
    return { tone: 'warn', label: days === 0 ? 'Expires today' : `Expires in ${span}` };
  return { tone: 'ok', label: `Valid for ${span}` };
}
