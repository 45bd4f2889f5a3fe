const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64 to a UTF-8 text, ignoring line ends; undefined if it is not valid base64 or UTF-8. */
export function textOfBase64(base64: string): string | undefined {
  const packed = base64.replaceAll(/[\r\n]/g, '');
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return undefined;
  const digits = packed.replace(/=+$/, '');
  let percent = '';
  let bits = 0;
  let held = 0;
  for (const digit of digits) {
    held = ((held << 6) | alphabet.indexOf(digit)) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    percent += `%${((held >> bits) & 0xff).toString(16).padStart(2, '0')}`;
  }
  try {
    return decodeURIComponent(percent);
  } catch {
    return undefined;
  }
}
