import { tableCells } from '../../kube/custom.ts';
import { parseExactJson } from '../../kube/exact-json.ts';
import { isPlainObject } from '../../kube/plain.ts';
import type { KubeStream, Transport } from './transport.ts';

/** The server's Table, in lists and in watch events; servers that have none for a resource send objects. */
export const tableForm = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/**
 * The same cluster, whose lists and watches are asked for as the server's Table: each object has its cells in the member
 * `tableCells`.
 */
export function tableTransport(transport: Transport): Transport {
  const withObjects = { includeObject: 'Object' };
  return {
    clusterId: transport.clusterId,
    credential: transport.credential,
    async json<T>(request: Parameters<Transport['json']>[0]): Promise<T> {
      // Only lists have a limit: an object is asked for as it is.
      if (request.query?.['limit'] === undefined) return await transport.json<T>(request);
      const query = { ...request.query, ...withObjects };
      const answer = await transport.json<unknown>({ ...request, accept: tableForm, query });
      // The caller asks for a list, which this is as well.
      return listOf(answer) as T;
    },
    async stream(request) {
      const query = { ...request.query, ...withObjects };
      return withObjectsOf(await transport.stream({ ...request, accept: tableForm, query }));
    },
    close: () => transport.close(),
  };
}

/** The stream, whose events carry objects. */
function withObjectsOf(stream: KubeStream): KubeStream {
  async function* lines() {
    for await (const line of stream.lines) yield eventLine(line);
  }
  return {
    lines: lines(),
    each: (onLine) => stream.each((line) => onLine(eventLine(line))),
    close: () => stream.close(),
  };
}

/** The line of an event with its object in place of a Table; any other line as it is. */
function eventLine(line: string): string {
  let event: unknown;
  try {
    event = parseExactJson(line);
  } catch {
    // The reader of the line fails on it, with its reason.
    return line;
  }
  if (!isPlainObject(event) || !isTable(event['object'])) return line;
  const table = event['object'];
  const [object = { metadata: table['metadata'] }] = objectsOf(table);
  return JSON.stringify({ ...event, object });
}

/** A Table as a list of its objects; any other answer as it is. */
function listOf(answer: unknown): unknown {
  return isTable(answer) ? { metadata: answer['metadata'], items: objectsOf(answer) } : answer;
}

type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table => isPlainObject(value) && value['kind'] === 'Table';

function objectsOf(table: Table): readonly Table[] {
  const rows: unknown = table['rows'];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) =>
    isPlainObject(row) && isPlainObject(row['object'])
      ? [{ ...row['object'], [tableCells]: row['cells'] }]
      : [],
  );
}
