import { isRec, type Rec, rec } from '../kit/values.ts';

/** The media type by which clients ask for it, and that of the answer. */
export const swaggerProtobuf = {
  asked: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  sent: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
} as const;

/** How a value is written: its wire type, and its bytes after the tag (and the length, of wire type 2). */
interface Form {
  readonly wire: 0 | 1 | 2;
  readonly write: (value: unknown) => Buffer;
}

/** A field of a message: its number and form. A list is written once for each of its items. */
type Field = readonly [number: number, form: Form];

/** A message: its fields by the names of JSON, and where names of its own choosing go. */
interface Message {
  readonly fields: Readonly<Record<string, Field>>;
  /** Number of the list of extensions (`x-…`). */
  readonly extensions?: number;
  /** Every other name: number of the list of pairs, and the form of their values. */
  readonly others?: Field;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function field([number, { wire, write }]: Field, value: unknown): readonly Buffer[] {
  const content = write(value);
  const tag = varint(number * 8 + wire);
  return wire === 2 ? [tag, varint(content.length), content] : [tag, content];
}

const text: Form = { wire: 2, write: (value) => Buffer.from(String(value)) };
const flag: Form = { wire: 0, write: (value) => varint(value === true ? 1 : 0) };
const integer: Form = { wire: 0, write: (value) => varint(Number(value)) };
const double: Form = {
  wire: 1,
  write: (value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(Number(value));
    return bytes;
  },
};

/** Any value, as a text of YAML: JSON is one. */
const anyValue: Form = { wire: 2, write: (value) => Buffer.concat(field([2, text], JSON.stringify(value))) };

/** A pair of a name and a value. */
const pair = (name: string, value: unknown, form: Form): Buffer =>
  Buffer.concat([...field([1, text], name), ...field([2, form], value)]);

const bytesForm: Form = { wire: 2, write: (value) => value as Buffer };

function write({ fields, extensions, others }: Message, value: Rec): Buffer {
  const parts: Buffer[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const known = fields[name];
    if (inner === undefined) continue;
    if (known !== undefined)
      for (const one of Array.isArray(inner) ? inner : [inner]) parts.push(...field(known, one));
    else if (extensions !== undefined && name.startsWith('x-'))
      parts.push(...field([extensions, bytesForm], pair(name, inner, anyValue)));
    else if (others !== undefined) parts.push(...field([others[0], bytesForm], pair(name, inner, others[1])));
  }
  return Buffer.concat(parts);
}

/** A message as a value; made on use, since schemas hold schemas. */
const message = (of: () => Message): Form => ({ wire: 2, write: (value) => write(of(), rec(value)) });

/** A value that is the only field of a message around it. */
const wrapped = (number: number, form: Form): Form => ({
  wire: 2,
  write: (value) => Buffer.concat(field([number, form], value)),
});

const schema = message(() => schemaMessage);

const schemaMessage: Message = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, anyValue],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, text],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, flag],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, text],
    enum: [20, anyValue],
    additionalProperties: [
      21,
      {
        wire: 2,
        write: (value) => Buffer.concat(isRec(value) ? field([1, schema], value) : field([2, flag], value)),
      },
    ],
    type: [22, wrapped(1, text)],
    items: [23, wrapped(1, schema)],
    properties: [25, message(() => ({ fields: {}, others: [1, schema] }))],
    readOnly: [27, flag],
    example: [30, anyValue],
  },
  extensions: 31,
};

const bodyParameter = message(() => ({
  fields: {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, schema],
  },
  extensions: 6,
}));
const queryParameter = message(() => ({
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, flag],
  },
  extensions: 23,
}));
const pathParameter = message(() => ({
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, flag],
  },
  extensions: 22,
}));

/** A parameter of any place, in the messages around it: an item, a parameter, and one of a body or of another place. */
const parameter: Form = {
  wire: 2,
  write: (value) => {
    const place = rec(value)['in'];
    const inner: Field =
      place === 'body'
        ? [1, bodyParameter]
        : [2, place === 'path' ? wrapped(4, pathParameter) : wrapped(3, queryParameter)];
    return Buffer.concat(field([1, wrapped(inner[0], inner[1])], value));
  },
};

const response = message(() => ({
  fields: { description: [1, text], schema: [2, wrapped(1, schema)] },
  extensions: 5,
}));

const operation = message(() => ({
  fields: {
    tags: [1, text],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    produces: [6, text],
    consumes: [7, text],
    parameters: [8, parameter],
    responses: [9, message(() => ({ fields: {}, extensions: 2, others: [1, wrapped(1, response)] }))],
    schemes: [10, text],
    deprecated: [11, flag],
  },
  extensions: 13,
}));

const pathItem = message(() => ({
  fields: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, parameter],
  },
  extensions: 10,
}));

const documentMessage: Message = {
  fields: {
    swagger: [1, text],
    info: [2, message(() => ({ fields: { title: [1, text], version: [2, text] } }))],
    paths: [8, message(() => ({ fields: {}, extensions: 1, others: [2, pathItem] }))],
    definitions: [9, message(() => ({ fields: {}, others: [1, schema] }))],
    security: [12, message(() => ({ fields: {}, others: [1, { wire: 2, write: () => Buffer.alloc(0) }] }))],
    securityDefinitions: [
      13,
      message(() => ({
        fields: {},
        others: [
          1,
          wrapped(
            2,
            message(() => ({
              fields: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] },
            })),
          ),
        ],
      })),
    ],
  },
  extensions: 16,
};

/**
 * A Swagger 2.0 document as protobuf: `openapi.v2.Document` of google/gnostic, which client-go reads. Only what the
 * documents of this server have is written.
 */
export function swaggerAsProtobuf(json: string): Buffer {
  return write(documentMessage, JSON.parse(json) as Rec);
}
