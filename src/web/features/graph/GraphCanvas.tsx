import '@xyflow/react/dist/base.css';
import './canvas.css';
import {
  type Edge,
  getViewportForBounds,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type Viewport,
} from '@xyflow/react';
import { counted } from '../../../registry/counted.ts';
import { memo, useEffect, useImperativeHandle, useMemo, useRef, type Ref } from 'react';
import type { Tone } from '../../../registry/tone.ts';
import { Icon } from '../../kit/icons.tsx';
import { Glyph, statusLook } from '../../kit/marks.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { dashes } from './dashes.ts';
import type { DrawnEdge, DrawnNode, Drawing } from './draw.ts';
import { nodeSize } from './layout.ts';
import { iconOf } from './node-icon.ts';
import type { Point } from './walk.ts';
import { groupText, nodeText, statusText } from './words.ts';

/** Methods for keys and buttons. */
export interface CanvasHandle {
  zoom(by: 1 | -1): void;
  fit(): void;
}

interface GraphCanvasProps {
  /** Begins the ids of its nodes. */
  readonly id: string;
  readonly label: string;
  readonly drawing: Drawing;
  readonly places: ReadonlyMap<string, Point>;
  readonly cursor: string | undefined;
  readonly root: string | undefined;
  readonly handle: Ref<CanvasHandle>;
  readonly onCursor: (id: string) => void;
  readonly onOpen: (id: string, isBeside: boolean) => void;
}

interface NodeData extends Record<string, unknown> {
  readonly drawn: DrawnNode;
  readonly domId: string;
  readonly isCursor: boolean;
  readonly isRoot: boolean;
}

type FlowNode = Node<NodeData, 'object'>;

/** `margin` in px: around what shows first. */
const zooms = { least: 0.08, most: 2, readable: 0.6, startZoom: 0.9, margin: 20 } as const;
const padding = 0.06;

/** Edge of a node, by its tone; what asks for a look has a surface of its own. */
const edges: Readonly<Record<Tone, string>> = {
  ok: 'border-l-ok',
  idle: 'border-l-idle-border',
  info: 'border-l-info',
  warn: 'border-l-warn bg-warn-bg',
  bad: 'border-l-bad bg-bad-bg',
};

const GraphNodeBox = memo(function GraphNodeBox({ data }: NodeProps<FlowNode>) {
  const { drawn, domId, isCursor, isRoot } = data;
  const { item, more, tone } = drawn;
  const { node } = item;
  const isGroup = node === undefined || more !== undefined;
  return (
    <div
      id={domId}
      role="img"
      aria-label={nodeText(drawn)}
      data-cursor={isCursor || undefined}
      className={[
        'flex h-[46px] w-[216px] cursor-pointer flex-col justify-center gap-px rounded-sm px-[8px]',
        'text-[13px] leading-[17px] data-cursor:outline-2 data-cursor:outline-offset-1',
        'data-cursor:outline-focus forced-colors:data-cursor:outline-[Highlight]',
        'border-border hover:border-control',
        isGroup
          ? '[border-style:dashed_dashed_dashed_double] [border-width:1px_1px_1px_3px]'
          : 'border border-l-3',
        edges[tone],
        tone === 'warn' || tone === 'bad' ? '' : isGroup ? 'bg-raised' : 'bg-surface',
      ].join(' ')}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <span className="flex min-w-0 items-center gap-[5px] text-[11px] leading-[14px] text-text-2">
        <Icon name={iconOf(node?.kind ?? item.members[0]?.node?.kind)} size={13} />
        <span className="min-w-0 flex-[0_100_auto] truncate">
          {isGroup ? (node?.name ?? item.label) : item.label}
        </span>
        {!isGroup && item.size > 1 && (
          <span className="flex-none rounded-[7px] bg-fill px-[5px] tabular-nums">{item.size - 1}</span>
        )}
        {(node === undefined ? tone === 'bad' || tone === 'warn' : node.status !== undefined) && (
          <span
            className={`ml-auto flex-[0_1_auto] ${statusLook({ tone })}`}
            title={node === undefined ? undefined : statusText(node)}
          >
            <Glyph tone={tone} size={11} />
            {node !== undefined && tone !== 'ok' && (
              <span className="min-w-0 truncate">{node.status?.label}</span>
            )}
          </span>
        )}
      </span>
      <span
        className={`flex min-w-0 items-center gap-[5px] *:first:min-w-0 *:first:flex-auto ${isRoot ? 'font-semibold' : ''}`}
      >
        {isGroup ? (
          <span className="min-w-0 truncate">
            {more === undefined ? groupText(item) : `${counted(more, item.members[0]?.label ?? '')} more`}
          </span>
        ) : (
          <MiddleCut text={node?.name ?? ''} />
        )}
      </span>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
});

/** A part of a drawing that is too large for its view: with a point in the middle, as far as there is something to show. */
function sightOf(
  bounds: Readonly<{ x: number; y: number; width: number; height: number }>,
  point: Point,
  view: { readonly width: number; readonly height: number },
  zoom: number,
): Viewport {
  const { margin } = zooms;
  /** Middle in the middle, unless there would be nothing before the beginning or behind the end. */
  const along = (middle: number, from: number, size: number, room: number) =>
    Math.min(margin - from * zoom, Math.max(room / 2 - middle * zoom, room - margin - (from + size) * zoom));
  return {
    x: along(point.x, bounds.x, bounds.width, view.width),
    y: along(point.y, bounds.y, bounds.height, view.height),
    zoom,
  };
}

const nodeTypes = { object: GraphNodeBox };

/** A graph, drawn. Its layout comes from a worker; it pans by dragging, zooms by the wheel, and is walked by keys. */
export function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function flowEdge({ id, from, to, relation, count }: DrawnEdge, cursor: string | undefined): Edge {
  const isNear = from === cursor || to === cursor;
  const colour = isNear ? 'var(--color-accent)' : 'var(--color-control)';
  return {
    id,
    source: from,
    target: to,
    className: isNear ? 'near' : '',
    style: { strokeDasharray: dashes[relation] },
    ...(count > 1 ? { label: `×${count}` } : {}),
    ...(isNear ? { zIndex: 1 } : {}),
    markerEnd: { type: MarkerType.ArrowClosed, color: colour, width: 14, height: 14 },
  };
}

function Canvas(props: GraphCanvasProps) {
  const { id, label, drawing, places, cursor, root, handle, onCursor, onOpen } = props;
  const flow = useReactFlow();
  const box = useRef<HTMLDivElement>(null);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const { nodes, edges } = useMemo(() => {
    const placed: FlowNode[] = drawing.nodes.flatMap((drawn, at) => {
      const place = places.get(drawn.id);
      if (place === undefined) return [];
      return [
        {
          id: drawn.id,
          type: 'object' as const,
          position: { x: place.x - nodeSize.width / 2, y: place.y - nodeSize.height / 2 },
          ...nodeSize,
          data: {
            drawn,
            domId: `${id}-${at}`,
            isCursor: drawn.id === cursor,
            isRoot: drawn.id === root,
          },
        },
      ];
    });
    return { nodes: placed, edges: drawing.edges.map((edge) => flowEdge(edge, cursor)) };
  }, [drawing, places, cursor, root, id]);
  const at = nodes.find((node) => node.id === cursor)?.data.domId;

  const bounds = useMemo(() => {
    const points = [...places.values()];
    if (points.length === 0) return undefined;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    // Thousands of numbers are too many for the arguments of one call.
    const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b));
    const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b));
    const [x, y] = [least(xs) - nodeSize.width / 2, least(ys) - nodeSize.height / 2];
    return {
      x,
      y,
      width: most(xs) - x + nodeSize.width / 2,
      height: most(ys) - y + nodeSize.height / 2,
    };
  }, [places]);

  const fit = () => {
    if (bounds !== undefined) void flow.fitBounds(bounds, { padding });
  };
  useImperativeHandle(handle, () => ({
    zoom: (by) => void (by > 0 ? flow.zoomIn() : flow.zoomOut()),
    fit,
  }));

  // The first sight of a drawing: all of it where that can be read, else what it begins with.
  const isSeen = useRef(false);
  useEffect(() => {
    if (isSeen.current || bounds === undefined || width === 0 || height === 0) return;
    isSeen.current = true;
    const whole = getViewportForBounds(bounds, width, height, zooms.least, 1, padding);
    const first = places.get(cursor ?? '');
    if (whole.zoom >= zooms.readable || first === undefined) void flow.setViewport(whole);
    else void flow.setViewport(sightOf(bounds, first, { width, height }, zooms.startZoom));
  }, [bounds, width, height, places, cursor, flow]);

  // Where keys lead is in sight.
  const place = cursor === undefined ? undefined : places.get(cursor);
  useEffect(() => {
    if (place === undefined || !isSeen.current || width === 0) return;
    const { x, y, zoom } = flow.getViewport();
    const [left, top] = [
      (place.x - nodeSize.width / 2) * zoom + x,
      (place.y - nodeSize.height / 2) * zoom + y,
    ];
    const isInside =
      left >= 0 &&
      top >= 0 &&
      left + nodeSize.width * zoom <= width &&
      top + nodeSize.height * zoom <= height;
    if (!isInside && bounds !== undefined)
      void flow.setViewport(sightOf(bounds, place, { width, height }, zoom));
  }, [place, bounds, flow, width, height]);

  return (
    <ReactFlow<FlowNode>
      ref={box}
      className="focus-visible:-outline-offset-2"
      tabIndex={0}
      aria-label={label}
      aria-roledescription="graph"
      {...(at === undefined ? {} : { 'aria-activedescendant': at })}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      minZoom={zooms.least}
      maxZoom={zooms.most}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      zoomOnDoubleClick={false}
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      panActivationKeyCode={null}
      zoomActivationKeyCode={null}
      proOptions={{ hideAttribution: true }}
      onNodeClick={(_, { id: clicked }) => {
        onCursor(clicked);
        box.current?.focus({ preventScroll: true });
      }}
      onNodeDoubleClick={(event, { id: clicked }) => onOpen(clicked, event.metaKey || event.ctrlKey)}
      onPaneClick={() => box.current?.focus({ preventScroll: true })}
    />
  );
}
