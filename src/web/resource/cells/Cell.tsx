import type { CellValue } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import type { CellFormat } from '../../../registry/kind.ts';
import { StatusText } from '../../ui/marks.tsx';
import { namePartsOf } from '../names.ts';
import { statusOf } from '../tones.ts';

interface CellProps {
  readonly format: CellFormat;
  readonly value: CellValue | undefined;
  /** The server's clock, ms. */
  readonly now: number;
}

const absent = <span className="dim">–</span>;

/** What stands in a cell: one look for each format. */
export function Cell({ format, value, now }: CellProps) {
  if (value === null || value === undefined || value === '') return absent;
  switch (format) {
    case 'name':
      return <Name name={String(value)} />;
    case 'status': {
      const status = statusOf(value);
      return status === undefined ? absent : <StatusText {...status} />;
    }
    case 'ratio': {
      const [part, whole] = String(value).split('/');
      return <span className={part === whole ? 'sec' : 'semi'}>{String(value)}</span>;
    }
    case 'restarts':
      return <Restarts value={value} now={now} />;
    case 'age':
      return typeof value === 'number' ? (
        <span className="sec">{formatAge(now / 1000 - value)}</span>
      ) : (
        absent
      );
    case 'number':
      return <span className={value === 0 ? 'dim' : ''}>{String(value)}</span>;
    case 'namespace':
    case 'text':
    case 'message':
    case 'object':
    case 'list':
    case 'cores':
    case 'bytes':
      return <span className="sec">{plain(value)}</span>;
    case 'mono':
    case 'labels':
      return <span className="mono sec">{plain(value)}</span>;
    default: {
      const never: never = format;
      return never;
    }
  }
}

const plain = (value: CellValue): string =>
  Array.isArray(value) ? value.filter((one) => one !== null).join(', ') : String(value);

function Name({ name }: { readonly name: string }) {
  const { stem, middle, end } = namePartsOf(name);
  return (
    <span className="mid" title={name}>
      <span className="trunc">
        {stem}
        {middle !== '' && <span className="dim">{middle}</span>}
      </span>
      {end !== '' && <span className="dim">{end}</span>}
    </span>
  );
}

/** Restarts within this time are still trouble (s). */
const recent = 3_600;

function Restarts({ value, now }: { readonly value: CellValue; readonly now: number }) {
  const [count, last] = Array.isArray(value) ? (value as readonly unknown[]) : [value, null];
  if (count === 0) return <span className="dim">0</span>;
  const ago = typeof last === 'number' ? now / 1000 - last : undefined;
  return (
    <span className={ago !== undefined && ago < recent ? 'crit' : ''}>
      {String(count)}
      {ago !== undefined && <span className="dim"> ({formatAge(ago)})</span>}
    </span>
  );
}
