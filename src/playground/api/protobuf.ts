import { isRec, type Rec } from '../kit/values.ts';
import { type Field, messageOf } from './protobuf-messages.ts';

/** A message that cannot be decoded; the error names the part. */
export class ProtobufError extends Error {}

const magic = Buffer.from('k8s\0');

/** The value of one field: a number or bytes. */
interface Part {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/** Splits a message into its fields, in order. Throws ProtobufError. */
function* parts(message: Buffer): Generator<Part> {
  let offset = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[offset++];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new ProtobufError('integer overflow');
  };
  while (offset < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    if ((tag & 7) === 0) yield { number, value: varint() };
    else if ((tag & 7) === 2) {
      const length = Number(varint());
      const end = offset + length;
      if (length < 0 || end > message.length) throw new ProtobufError('unexpected EOF');
      yield { number, value: message.subarray(offset, end) };
      offset = end;
    } else throw new ProtobufError(`wire type ${tag & 7} is not used by Kubernetes`);
  }
}

const bytes = ({ value }: Part): Buffer => {
  if (typeof value === 'bigint') throw new ProtobufError('a number where bytes are expected');
  return value;
};

/** The fields of a small message by number; the last occurrence counts. */
const fieldsOf = (message: Buffer): Map<number, Part> =>
  new Map(Array.from(parts(message), (part) => [part.number, part]));
const numberIn = (fields: Map<number, Part>, number: number): number =>
  Number(fields.get(number)?.value ?? 0n);
const textIn = (fields: Map<number, Part>, number: number): string => {
  const part = fields.get(number);
  return part === undefined ? '' : bytes(part).toString('utf8');
};

function time(message: Buffer, fraction: boolean): string | undefined {
  const fields = fieldsOf(message);
  if (fields.size === 0) return undefined;
  const wholeSeconds = new Date(numberIn(fields, 1) * 1000).toISOString().slice(0, 19);
  const micros = String(Math.floor(numberIn(fields, 2) / 1000)).padStart(6, '0');
  return fraction ? `${wholeSeconds}.${micros}Z` : `${wholeSeconds}Z`;
}

function valueOf(part: Part, type: string): unknown {
  switch (type) {
    case 's':
      return bytes(part).toString('utf8');
    case 'i':
      return Number(part.value);
    case 'b':
      return part.value !== 0n;
    case 'y':
      return bytes(part).toString('base64');
    case 'q':
      return textIn(fieldsOf(bytes(part)), 1);
    case 't':
      return time(bytes(part), false);
    case 'm':
      return time(bytes(part), true);
    case 'o': {
      const fields = fieldsOf(bytes(part));
      return numberIn(fields, 1) === 0 ? numberIn(fields, 2) : textIn(fields, 3);
    }
    case 'FieldsV1':
      return JSON.parse(textIn(fieldsOf(bytes(part)), 1)) as unknown;
    default:
      return message(bytes(part), type);
  }
}

function setField(into: Rec, { name, type, many, map, inline }: Field, part: Part): void {
  if (map) {
    const entry = fieldsOf(bytes(part));
    const value = entry.get(2) ?? { number: 2, value: Buffer.alloc(0) };
    into[name] = { ...(isRec(into[name]) ? into[name] : {}), [textIn(entry, 1)]: valueOf(value, type) };
    return;
  }
  const value = valueOf(part, type);
  if (value === undefined) return;
  if (inline) Object.assign(into, value);
  else if (many) into[name] = [...(Array.isArray(into[name]) ? (into[name] as unknown[]) : []), value];
  else into[name] = value;
}

function message(text: Buffer, name: string): Rec {
  const fields = messageOf(name);
  if (fields === undefined)
    throw new ProtobufError(`the playground cannot read ${name} as protobuf: send JSON`);
  const result: Rec = {};
  for (const part of parts(text)) {
    const field = fields.get(part.number);
    if (field !== undefined) setField(result, field, part);
    // The server ignores the status of new objects.
    else if (name !== 'Nothing' && name !== 'PodStatus' && name !== 'NamespaceStatus') {
      const fieldName = `field ${part.number} of ${name}`;
      throw new ProtobufError(`the playground cannot read ${fieldName} as protobuf: send JSON`);
    }
  }
  return result;
}

/** Whether a body begins with the magic bytes of Kubernetes' protobuf envelope. */
export const isProtobuf = (body: Buffer): boolean => body.subarray(0, magic.length).equals(magic);

/**
 * Decodes a protobuf body to the object that JSON would have given, with apiVersion and kind. Throws
 * ProtobufError for unknown messages and fields: nothing is dropped silently.
 */
export function readProtobuf(body: Buffer): Rec {
  if (!isProtobuf(body)) throw new ProtobufError('provided data does not appear to be a protobuf message');
  const envelope = fieldsOf(body.subarray(magic.length));
  const type = envelope.get(1);
  const raw = envelope.get(2);
  const names = type === undefined ? new Map<number, Part>() : fieldsOf(bytes(type));
  const apiVersion = textIn(names, 1);
  const kind = textIn(names, 2);
  const versioned = `${apiVersion}/${kind}`;
  const content = raw === undefined ? Buffer.alloc(0) : bytes(raw);
  return { apiVersion, kind, ...message(content, messageOf(versioned) === undefined ? kind : versioned) };
}
