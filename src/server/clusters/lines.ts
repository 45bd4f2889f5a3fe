/** A line that was longer than allowed. */
export class LineTooLong extends Error {
  readonly code = 'LINE_TOO_LONG';
}

/**
 * Splits bytes into lines (UTF-8, without their ends); a last line without an end is given too.
 * @param limit bytes of the longest line; throws LineTooLong beyond
 * @param keepsReturns leaves a carriage return at the end of a line where it is
 */
export async function* splitLines(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  keepsReturns = false,
): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield text(parts, keepsReturns);
      parts = [];
      size = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start));
      size += chunk.length - start;
      if (size > limit) throw new LineTooLong(`a line longer than ${limit} bytes`);
    }
  }
  if (size > 0) yield text(parts, keepsReturns);
}

function text(parts: Uint8Array[], keepsReturns: boolean): string {
  const line = Buffer.concat(parts).toString('utf8');
  return !keepsReturns && line.endsWith('\r') ? line.slice(0, -1) : line;
}
