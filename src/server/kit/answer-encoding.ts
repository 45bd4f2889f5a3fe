/** An answer in an encoding that the console does not decode. The message is a sentence that names it. */
export class EncodingRefused extends Error {
  readonly code = 'ENCODING_REFUSED';

  constructor(header: string) {
    const name = /^[\w-]{1,20}$/.test(header) ? `“${header}”` : 'something unknown';
    super(`The answer is compressed with ${name}, but the console decodes only gzip.`);
    this.name = 'EncodingRefused';
  }
}

/**
 * Whether an answer from outside is compressed with gzip, the only encoding that the console asks for. Throws
 * EncodingRefused for any other: decoders have had holes (CVE-2026-111497 in Brotli's), and a server may send what nobody
 * asked for.
 * @param header the value of `content-encoding`
 */
export function isGzip(header: string | readonly string[] | undefined): boolean {
  const encoding = String(header ?? '').toLowerCase();
  if (encoding !== '' && encoding !== 'identity' && encoding !== 'gzip') throw new EncodingRefused(encoding);
  return encoding === 'gzip';
}
