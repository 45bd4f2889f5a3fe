/** A line that was longer than allowed. */
export class LineTooLong extends Error {
  readonly code = 'LINE_TOO_LONG';
}

/** Makes lines of bytes as they come. */
export interface LineSplitter {
  /** The lines that end in these bytes. Throws LineTooLong after them. */
  push(chunk: Uint8Array): Iterable<string>;
  /** The text after the last line end, if there is any. */
  rest(): string | undefined;
}

/**
 * Splits bytes into lines (UTF-8, without their ends).
 * @param limit bytes of the longest line
 * @param keepsReturns leaves a carriage return at the end of a line where it is
 */
export function createLineSplitter(limit: number, keepsReturns = false): LineSplitter {
  let parts: Uint8Array[] = [];
  let size = 0;

  function line(last: Uint8Array): string {
    const bytes =
      parts.length === 0
        ? Buffer.from(last.buffer, last.byteOffset, last.byteLength)
        : Buffer.concat([...parts, last]);
    parts = [];
    size = 0;
    const text = bytes.toString('utf8');
    return !keepsReturns && text.endsWith('\r') ? text.slice(0, -1) : text;
  }

  return {
    *push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        yield line(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start === chunk.length) return;
      parts.push(chunk.subarray(start));
      size += chunk.length - start;
      if (size > limit) throw new LineTooLong(`a line longer than ${limit} bytes`);
    },
    rest: () => (size > 0 ? line(new Uint8Array()) : undefined),
  };
}

/** The lines of a body at the reader's pace; a last line without an end is given too. Throws LineTooLong. */
export async function* splitLines(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  keepsReturns = false,
): AsyncGenerator<string> {
  const splitter = createLineSplitter(limit, keepsReturns);
  for await (const chunk of body) yield* splitter.push(chunk);
  const rest = splitter.rest();
  if (rest !== undefined) yield rest;
}
