import type { CellValue } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import { formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import type { CellFormat } from '../../../registry/kind.ts';
import { MiddleCut } from '../../ui/MiddleCut.tsx';
import { StatusText } from '../../ui/marks.tsx';
import { statusOf } from '../tones.ts';

/** How long ago, or how long until: definitions have columns of what is to come. */
const timeText = (seconds: number) => (seconds < -1 ? `in ${formatAge(-seconds)}` : formatAge(seconds));

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
      return <MiddleCut text={String(value)} />;
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
      return typeof value === 'number' ? <span className="sec">{timeText(now / 1000 - value)}</span> : absent;
    case 'number':
      return <span className={value === 0 ? 'dim' : ''}>{String(value)}</span>;
    case 'namespace':
    case 'text':
      return (
        <span className="sec" title={plain(value)}>
          {plain(value)}
        </span>
      );
    case 'message':
      return <span title={plain(value)}>{plain(value)}</span>;
    case 'object':
      return <NamedObject value={value} />;
    case 'list':
      return <Several value={value} className="sec" />;
    case 'cores':
      return <span className="sec">{formatCores(firstOf(value))}</span>;
    case 'bytes':
      return <span className="sec">{formatBytes(firstOf(value))}</span>;
    // Opened from the detail, which draws them as links.
    case 'link':
    case 'mono':
    case 'labels':
      return <Several value={value} className="mono sec" />;
    default: {
      const never: never = format;
      return never;
    }
  }
}

const firstOf = (value: CellValue): number => Number(Array.isArray(value) ? (value as unknown[])[0] : value);

const plain = (value: CellValue): string =>
  Array.isArray(value) ? value.filter((one) => one !== null).join(', ') : String(value);

/** Several texts in one line; what is cut off is told on hover. */
function Several({ value, className }: { readonly value: CellValue; readonly className: string }) {
  const text = plain(value);
  if (text === '') return absent;
  // Of an image its name and tag say most, not where it came from.
  const end = text.length - text.lastIndexOf('/') - 1;
  const isPath = end > 0 && end < text.length && !text.includes(' ');
  return (
    <span className={className} title={Array.isArray(value) ? value.join('\n') : text}>
      {isPath ? <MiddleCut text={text} end={end} /> : text}
    </span>
  );
}

/** Kind and name of another object. */
function NamedObject({ value }: { readonly value: CellValue }) {
  const [kind, name] = Array.isArray(value) ? (value as readonly unknown[]) : ['', value];
  return (
    <span className="named" title={`${String(kind)} ${String(name)}`}>
      <span className="dim">{String(kind)} </span>
      <MiddleCut text={String(name)} />
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
