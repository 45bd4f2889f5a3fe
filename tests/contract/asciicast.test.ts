import { describe, expect, it } from 'vitest';
import {
  castEventLine,
  castHeaderLine,
  castSize,
  readCast,
  readCastSize,
} from '../../src/contract/asciicast.ts';

const header = { width: 80, height: 24, timestamp: 1_800_000_000, title: 'Shell in shop/web on prod' };

describe('a recording as asciicast v2', () => {
  it('is a header and one line an event, in JSON', () => {
    expect(castHeaderLine(header)).toBe(
      '{"version":2,"width":80,"height":24,"timestamp":1800000000,"title":"Shell in shop/web on prod"}\n',
    );
    expect(castEventLine([1.23456, 'o', '\u001b[31m"é"\r\n'])).toBe(
      '[1.235,"o","\\u001b[31m\\"é\\"\\r\\n"]\n',
    );
    expect(castEventLine([2, 'r', castSize(100, 30)])).toBe('[2,"r","100x30"]\n');
  });

  it('is read as it was written, without the line that was cut off and without what others record', () => {
    const events = [
      [0.1, 'o', '$ '],
      [0.2, 'r', '100x30'],
      [0.3, 'm', 'The shell ended.'],
    ] as const;
    const text = castHeaderLine(header) + events.map(castEventLine).join('');
    expect(readCast(text)).toEqual({ header, events });
    expect(readCast(`${text}[0.4,"i","secret"]\n[0.5,"o","cut`)).toEqual({ header, events });
  });

  it('is refused where it is something else', () => {
    for (const text of ['', 'hello\n', '{"version":1,"width":80,"height":24}\n', '{"version":2}\n'])
      expect(() => readCast(text), text).toThrow(Error);
  });

  it('has sizes that a terminal can have', () => {
    expect(readCastSize('100x30')).toEqual({ columns: 100, rows: 30 });
    for (const text of ['', '100', '0x30', '100x30x2', '1e9x30', 'axb'])
      expect(readCastSize(text), text).toBeUndefined();
  });
});
