import { Fragment } from 'react';
import type { CellValue } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import { formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import type { CellFormat } from '../../../registry/kinds/kind.ts';
import type { CellHref } from '../../data/cell-links.ts';
import { quietLink } from '../../kit/Link.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { durationIn, isRestartRecent, timeText } from './row-times.ts';
import { statusOf } from '../../data/rows/tones.ts';

interface CellProps {
  readonly format: CellFormat;
  readonly value: CellValue | undefined;
  /** The server's clock, ms. */
  readonly now: number;
  /** It is what is read, not one of many values in a row: nothing of it steps back. */
  readonly isMain?: boolean;
  /** Where it leads. Its links are out of the tab order, and the row or table around them takes their clicks. */
  readonly href?: CellHref | undefined;
  /** Of the row, empty without one. */
  readonly namespace?: string | undefined;
}

/** The content of a cell and its class. Hundreds of cells are drawn at once: most are one text in one element. */
interface CellFace {
  readonly className?: string | undefined;
  readonly children: React.ReactNode;
}

const dimText = 'font-normal text-text-3';

const absentFace: CellFace = { className: dimText, children: '–' };

/** A link in a row; plain where it leads nowhere. */
function linked(to: string | undefined, className: string, children: React.ReactNode, title?: string) {
  if (to === undefined) return children;
  const isElsewhere = !to.startsWith('/');
  return (
    <a
      href={to}
      tabIndex={-1}
      className={className}
      title={title}
      {...(isElsewhere ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {children}
    </a>
  );
}

const plainLink = `${quietLink} text-inherit`;
/** What steps back in a row steps back as a link too. */
const secondLink = `${quietLink} text-text-2`;
/** A name beside a word for its kind. */
const objectLink = `${plainLink} block min-w-0`;

/** As wide as its text, which is cut where there is less room. In narrow windows a finger has more than the text. */
const nameLink = `${plainLink} block w-fit max-w-full narrow:relative narrow:after:absolute narrow:after:inset-x-0 narrow:after:-top-2 narrow:after:-bottom-1 narrow:after:content-[""]`;

/** The content of a cell: one look for each format. */
export function cellFace({ format, value, now, isMain, href, namespace = '' }: CellProps): CellFace {
  const second = isMain === true ? undefined : 'text-text-2';
  if (value === null || value === undefined || value === '') return absentFace;
  switch (format) {
    case 'name':
      return {
        children: linked(href?.(value, namespace), nameLink, <MiddleCut text={String(value)} />),
      };
    case 'status': {
      const status = statusOf(value);
      return status === undefined ? absentFace : { children: <StatusText {...status} /> };
    }
    case 'ratio': {
      const [part, whole] = String(value).split('/');
      return { className: part === whole ? second : 'font-semibold', children: String(value) };
    }
    case 'restarts':
      return restartsFace(value, now);
    case 'age':
      return typeof value === 'number'
        ? { className: second, children: timeText(now / 1000 - value) }
        : absentFace;
    case 'duration': {
      const taken = durationIn(value, now / 1000);
      return taken === undefined ? absentFace : { className: second, children: formatAge(taken) };
    }
    case 'number':
      return { ...(value === 0 && { className: dimText }), children: String(value) };
    case 'namespace':
    case 'text': {
      const text = plainText(value);
      const to = href?.(value, namespace);
      return {
        children:
          to === undefined ? (
            <span className={second} title={text}>
              {text}
            </span>
          ) : (
            linked(to, secondLink, text, text)
          ),
      };
    }
    case 'message':
      return { children: <span title={plainText(value)}>{plainText(value)}</span> };
    case 'object':
      return { children: <NamedObject value={value} to={href?.(value, namespace)} /> };
    case 'list':
      return severalFace(value, second, href, namespace);
    case 'cores':
      return { className: second, children: formatCores(firstOf(value)) };
    case 'bytes':
      return { className: second, children: formatBytes(firstOf(value)) };
    // Opened from the detail, which draws them as links.
    case 'link':
    case 'mono':
    case 'labels':
      return severalFace(value, isMain === true ? 'mono' : 'mono text-text-2', href, namespace);
    default: {
      const never: never = format;
      return never;
    }
  }
}

/** A cell where nothing else stands around it. */
export function Cell(props: CellProps) {
  const { className, children } = cellFace(props);
  return className === undefined ? children : <span className={className}>{children}</span>;
}

const firstOf = (value: CellValue): number => Number(Array.isArray(value) ? (value as unknown[])[0] : value);

const plainText = (value: CellValue): string =>
  Array.isArray(value) ? value.filter((one) => one !== null).join(', ') : String(value);

/** Several texts in one line; a tooltip shows what is cut off. */
function severalFace(
  value: CellValue,
  className: string | undefined,
  href: CellHref | undefined,
  namespace: string,
): CellFace {
  const text = plainText(value);
  if (text === '') return absentFace;
  return {
    children: (
      <span className={className} title={Array.isArray(value) ? value.join('\n') : text}>
        {href === undefined || !Array.isArray(value) || value.length === 1 ? (
          linked(
            href?.(Array.isArray(value) ? value[0] : value, namespace),
            nameLink,
            <OneText text={text} />,
          )
        ) : (
          <LinkedTexts texts={value} href={href} namespace={namespace} />
        )}
      </span>
    ),
  };
}

/** Of an image its name and tag say most, not where it came from. */
function OneText({ text }: { readonly text: string }) {
  const end = text.length - text.lastIndexOf('/') - 1;
  const isPath = end > 0 && end < text.length && !text.includes(' ');
  return isPath ? <MiddleCut text={text} end={end} /> : text;
}

interface LinkedTextsProps {
  readonly texts: readonly (string | number | null)[];
  readonly href: CellHref;
  readonly namespace: string;
}

/** Several texts, each a link where it leads somewhere. */
function LinkedTexts({ texts, href, namespace }: LinkedTextsProps) {
  return texts
    .filter((one) => one !== null)
    .map((one, at) => (
      <Fragment key={`${at}`}>
        {at > 0 && ', '}
        {linked(href(one, namespace), plainLink, String(one))}
      </Fragment>
    ));
}

/** The word for a kind that a cell begins with, without its group: the tooltip has that. */
export const plainKind = (word: string): string => word.split('.', 1)[0] ?? word;

/** Kind and name of another object. */
function NamedObject({ value, to }: { readonly value: CellValue; readonly to: string | undefined }) {
  const [kind, name] = Array.isArray(value) ? (value as readonly unknown[]) : ['', value];
  return (
    <span className="flex gap-1" title={`${String(kind)} ${String(name)}`}>
      <span className="flex-none font-normal text-text-3">{plainKind(String(kind))} </span>
      {linked(to, objectLink, <MiddleCut text={String(name)} />)}
    </span>
  );
}

function restartsFace(value: CellValue, now: number): CellFace {
  const [count, last] = Array.isArray(value) ? (value as readonly unknown[]) : [value, null];
  if (count === 0) return { className: dimText, children: '0' };
  const ago = typeof last === 'number' ? now / 1000 - last : undefined;
  return {
    ...(isRestartRecent(value, now) && { className: 'font-semibold text-bad-fg' }),
    children: (
      <>
        {String(count)}
        {ago !== undefined && <span className={dimText}> ({formatAge(ago)})</span>}
      </>
    ),
  };
}
