import type { CellValue } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import { Breakable } from '../../kit/Breakable.tsx';
import { Linked, SafeLink } from '../../kit/SafeLink.tsx';
import { Cell, plainKind } from '../cells/Cell.tsx';

interface DetailCellProps {
  readonly format: CellFormat;
  readonly value: CellValue;
  /** The server's clock, ms. */
  readonly now: number;
  /** Where a text leads; undefined for one that leads nowhere. */
  readonly href?: ((value: CellValue) => string | undefined) | undefined;
}

/** A value on a detail page: several of them one below the other, whole. */
export function DetailCell({ format, value, now, href }: DetailCellProps) {
  if (format === 'mono' && typeof value === 'string' && value !== '')
    return (
      <Linked to={href?.(value)}>
        <Path text={value} />
      </Linked>
    );
  if (format === 'age' && typeof value === 'number') return <>{sinceText(now / 1000 - value)}</>;
  if (format === 'duration') return <Cell format={format} value={value} now={now} isMain />;
  const to = Array.isArray(value) && format !== 'object' ? undefined : href?.(value);
  if (to !== undefined) {
    const [kind, name] = Array.isArray(value) ? (value as readonly unknown[]) : ['', value];
    return (
      <>
        {kind !== '' && `${plainKind(String(kind))} `}
        <Linked to={to}>{String(name)}</Linked>
      </>
    );
  }
  if (!Array.isArray(value) || format === 'status' || format === 'object' || format === 'restarts')
    return <Cell format={format} value={value} now={now} isMain />;
  const several = value as readonly (string | number | null)[];
  if (several.length === 0) return <span className="font-normal text-text-3">–</span>;
  if (format === 'labels') return <Labels entries={several.map(String)} />;
  return several.map((one, index) => (
    <div key={`${index}`}>
      {format === 'mono' && typeof one === 'string' && one !== '' ? (
        <Linked to={href?.(one)}>
          <Path text={one} />
        </Linked>
      ) : format === 'link' ? (
        <SafeLink address={String(one)} />
      ) : (
        <Linked to={href?.(one)}>
          <Cell format={format} value={one} now={now} isMain />
        </Linked>
      )}
    </div>
  ));
}

/** A time beside its name: `13d ago`, `in 4h`. */
const sinceText = (seconds: number) =>
  seconds < -1 ? `in ${formatAge(-seconds)}` : `${formatAge(seconds)} ago`;

/** A path, an image or a selector, whole. */
function Path({ text }: { readonly text: string }) {
  return (
    <span className="mono">
      <Breakable text={text} />
    </span>
  );
}

/** Labels as chips that wrap. */
export function Labels({ entries }: { readonly entries: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {entries.map((entry) => (
        <span
          key={entry}
          className="mono max-w-full rounded-sm border border-border bg-raised px-1.5 leading-4.5 wrap-anywhere text-text-2"
          title={entry}
        >
          {entry}
        </span>
      ))}
    </span>
  );
}
