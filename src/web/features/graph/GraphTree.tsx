import { counted } from '../../../registry/counted.ts';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { Icon } from '../../kit/icons.tsx';
import { linkLook } from '../../kit/Link.tsx';
import { Glyph, StatusText } from '../../kit/marks.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import type { GraphNode } from './model.ts';
import type { TreeRow } from './tree.ts';
import { groupText, statusText } from './words.ts';
import { iconOf } from './node-icon.ts';

const treeRow = [
  'flex min-h-row items-center gap-1.5 pr-2 whitespace-nowrap hover:bg-row-hover narrow:min-h-9',
  '[contain-intrinsic-size:auto_1.625rem] [content-visibility:auto]',
  'aria-selected:bg-row-cursor aria-selected:outline aria-selected:-outline-offset-1',
  'aria-selected:outline-control aria-selected:outline-dashed forced-colors:aria-selected:outline-[Highlight]',
  'group-focus-visible/tree:aria-selected:outline-2 group-focus-visible/tree:aria-selected:-outline-offset-2',
  'group-focus-visible/tree:aria-selected:outline-focus group-focus-visible/tree:aria-selected:outline-solid',
].join(' ');
const name = 'min-w-0 cursor-pointer overflow-hidden hover:underline';

interface GraphTreeProps {
  /** Begins the ids of its lines. */
  readonly id: string;
  readonly label: string;
  readonly rows: readonly TreeRow[];
  readonly cursor: string | undefined;
  /** The object that the graph begins with. */
  readonly root: string | undefined;
  readonly onCursor: (id: string) => void;
  readonly onToggle: (row: TreeRow) => void;
  readonly onOpen: (row: TreeRow, isBeside: boolean) => void;
}

/** A graph as a tree: what stands under what, and on lines of their own what else ties objects together. */
export function GraphTree({ id, label, rows, cursor, root, onCursor, onToggle, onOpen }: GraphTreeProps) {
  const box = useRef<HTMLDivElement>(null);
  const at = rows.findIndex((row) => row.id === cursor);
  useEffect(() => {
    box.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const click = (event: MouseEvent<HTMLDivElement>) => {
    const on = event.target instanceof Element ? event.target : null;
    const row = rows[Number(on?.closest('[data-at]')?.getAttribute('data-at') ?? -1)];
    if (row === undefined) return;
    onCursor(row.id);
    if (on?.closest('[data-part=twisty]') != null) onToggle(row);
    else if (on?.closest('[data-part=name]') != null) onOpen(row, event.metaKey || event.ctrlKey);
  };
  return (
    // Keys are commands of the registry; the line of the cursor shows the focus.
    <ViewBody
      isScrolled
      ref={box}
      className="group/tree py-1 focus-visible:outline-none"
      role="tree"
      tabIndex={0}
      aria-label={label}
      onClick={click}
      aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
    >
      {rows.map((row, index) => (
        <div
          key={row.id}
          id={`${id}-${index}`}
          data-at={index}
          role="treeitem"
          aria-level={row.level}
          aria-posinset={row.position}
          aria-setsize={row.setSize}
          aria-expanded={row.isOpen}
          aria-selected={row.id === cursor}
          className={treeRow}
          style={{ paddingLeft: `${0.375 + (row.level - 1) * 1.125}rem` }}
        >
          <span
            className="grid size-6 flex-none place-items-center rounded-[3px] text-text-3 hover:bg-fill narrow:size-9"
            data-part="twisty"
            aria-hidden="true"
          >
            {row.isOpen === true && <ChevronDown size={13} strokeWidth={1.75} />}
            {row.isOpen === false && <ChevronRight size={13} strokeWidth={1.75} />}
          </span>
          <RowText row={row} isRoot={row.sort === 'item' && row.item.id === root} />
        </div>
      ))}
    </ViewBody>
  );
}

function RowText({ row, isRoot }: { readonly row: TreeRow; readonly isRoot: boolean }) {
  const { sort, item, tie, count = 0 } = row;
  if (sort === 'more')
    return (
      <span className={`${linkLook} ${name}`} data-part="name">
        {counted(count, item.members[0]?.label ?? item.label)} more
      </span>
    );
  if (sort === 'rest')
    return (
      <span className="flex-none text-text-3">and {count.toLocaleString('en')} more connected objects</span>
    );
  if (tie !== undefined)
    return (
      <>
        <span className="flex-none text-text-3 italic">{tie.words}</span>
        <ObjectText node={tie.to} label={tie.to.label} />
      </>
    );
  if (item.node !== undefined) return <ObjectText node={item.node} label={item.label} isRoot={isRoot} />;
  return (
    <>
      <Icon name={iconOf(item.members[0]?.node?.kind)} />
      <span className="font-semibold">{groupText(item)}</span>
      {(item.tone === 'bad' || item.tone === 'warn') && (
        <>
          <Glyph tone={item.tone} size={11} />
          <span className="sr-only">{item.tone === 'bad' ? 'some failing' : 'some degraded'}</span>
        </>
      )}
    </>
  );
}

interface ObjectTextProps {
  readonly node: GraphNode;
  readonly label: string;
  readonly isRoot?: boolean;
}

function ObjectText({ node, label, isRoot = false }: ObjectTextProps) {
  return (
    <>
      <Icon name={iconOf(node.kind)} />
      <span className="flex-none text-text-3 narrow:hidden">{label}</span>
      <span className={`${name} ${isRoot ? 'font-semibold' : ''}`} data-part="name">
        <MiddleCut text={node.name} />
      </span>
      {node.status === undefined ? (
        node.known === 'named' && <span className="flex-none text-text-3">{statusText(node)}</span>
      ) : (
        <span className="flex-none">
          <StatusText tone={node.status.tone} label={node.status.label} />
        </span>
      )}
    </>
  );
}
