import { type Document, isMap, isPair, isScalar, isSeq, type LineCounter, type Scalar } from 'yaml';

/** Most notes of one document. */
const most = 10;

const octal = /^[-+]?0[0-7]+$/;
const truth = /^(?:yes|no|on|off)$/i;

/**
 * What of a document is valid and still read in another way than kubectl reads it, which keeps to YAML 1.1: with its
 * line, and never with the text itself, which may be a Secret's.
 */
export function notesOf(document: Document.Parsed, lines: LineCounter): readonly string[] {
  const found = new Map<number, string>();
  const note = (offset: number | undefined, text: string) => {
    const { line } = lines.linePos(offset ?? 0);
    if (!found.has(line)) found.set(line, text);
  };
  for (const { pos, code } of document.warnings)
    if (code === 'TAG_RESOLVE_FAILED') note(pos[0], 'this tag means nothing here and is left out.');
  const waiting: unknown[] = [document.contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isPair(node)) {
      const { key, value } = node;
      if (isScalar(key) && key.type === 'PLAIN' && key.value === '<<')
        note(
          key.range?.[0],
          '<< merges nothing here (YAML 1.2), and clusters refuse it as a field. Write out what it merges.',
        );
      waiting.push(key, value);
      if (isScalar(value)) noteScalar(value, note);
    } else if (isMap(node) || isSeq(node)) {
      for (const item of node.items as unknown[]) {
        waiting.push(item);
        if (isScalar(item)) noteScalar(item, note);
      }
    }
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .slice(0, most)
    .map(([line, text]) => `Line ${line}: ${text}`);
}

function noteScalar(
  { type, value, source = '', range }: Scalar,
  note: (offset: number | undefined, text: string) => void,
): void {
  if (type !== 'PLAIN') return;
  if (typeof value === 'number' && octal.test(source))
    note(
      range?.[0],
      'a number that begins with 0 is decimal here (YAML 1.2); kubectl reads it as octal. Write 0o before octal digits, or no 0.',
    );
  else if (typeof value === 'string' && truth.test(source))
    note(
      range?.[0],
      'yes, no, on and off are texts here (YAML 1.2); kubectl reads them as true and false. Write those, or put it in quotes.',
    );
}
