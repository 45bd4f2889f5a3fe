import { deflateRawSync, constants as zlib } from 'node:zlib';
import { deflateWindowBits } from './deflate-window.ts';

/** Texts shorter than this are not worth compressing, bytes. */
const threshold = 1024;
/** Length of the end that a flush to a byte boundary leaves, which messages omit (RFC 7692, section 7.2.1). */
const flushMark = 4;

/** The end of a message, written and compressed once for all pages that are sent it. */
export interface SharedText {
  readonly plain: Buffer;
  /** Blocks of deflate that refer to nothing before them; undefined for a text that is too short to gain by it. */
  readonly deflated: Buffer | undefined;
}

/** @param text is compressed when a page first asks for that, which takes some 10 ms for a megabyte */
export function shareText(text: string): SharedText {
  let plain: Buffer | undefined;
  let deflated: Buffer | undefined;
  const bytes = () => (plain ??= Buffer.from(text));
  return {
    get plain() {
      return bytes();
    },
    get deflated() {
      if (text.length < threshold) return undefined;
      if (deflated === undefined) {
        const options = { level: 3, windowBits: deflateWindowBits, finishFlush: zlib.Z_SYNC_FLUSH };
        deflated = deflateRawSync(text, options).subarray(0, -flushMark);
      }
      return deflated;
    },
  };
}

/**
 * The bytes before compressed blocks on the wire, so that both are one text message for a client that agreed on
 * permessage-deflate: the header of a frame (RFC 6455, section 5.2) and a stored block (RFC 1951, section 3.2.4).
 * @param head the beginning of the message, at most 65,535 bytes
 * @param rest length of the blocks, bytes
 */
export function frameBefore(head: string, rest: number): Buffer {
  const length = Buffer.byteLength(head);
  const payload = 5 + length + rest;
  const start = payload < 126 ? 2 : payload < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafe(start + 5 + length);
  // The last frame of a message, compressed, of text.
  bytes[0] = 0x80 | 0x40 | 0x01;
  if (start === 2) bytes[1] = payload;
  else if (start === 4) {
    bytes[1] = 126;
    bytes.writeUInt16BE(payload, 2);
  } else {
    bytes[1] = 127;
    bytes.writeBigUInt64BE(BigInt(payload), 2);
  }
  bytes[start] = 0;
  bytes.writeUInt16LE(length, start + 1);
  bytes.writeUInt16LE(length ^ 0xffff, start + 3);
  bytes.write(head, start + 5);
  return bytes;
}
