import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { GraphStep } from '../../../registry/commands/services.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import type { GraphTarget } from '../../data/live/targets.ts';
import { useLive } from '../../data/live/use-live.ts';
import { excludedShown } from '../../../registry/commands/route-search.ts';
import { ExcludedToggle } from '../../frame/ExcludedToggle.tsx';
import { ScreenPending } from '../../kit/ScreenPending.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Toolbar } from '../../kit/Toolbar.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { GraphAbout } from './GraphAbout.tsx';
import type { CanvasHandle } from './GraphCanvas.tsx';
import type { RefusedAct } from '../../kit/use-why-not.ts';
import { GraphState } from './GraphState.tsx';
import { GraphStatus } from './GraphStatus.tsx';
import { FormButton, Legend, Zoom } from './GraphTools.tsx';
import { GraphTree } from './GraphTree.tsx';
import { useCursor } from './use-cursor.ts';
import { useGraph } from './use-graph.ts';
import { useLayout } from './use-layout.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const GraphCanvas = lazyPart(async () => (await import('./GraphCanvas.tsx')).GraphCanvas);

/** Below this width a view shows the tree first (px). */
const narrowWidth = 640;

interface GraphViewProps {
  readonly target: GraphTarget;
  /** Reference key of the object that it begins with; without one it is of a namespace. */
  readonly root?: string | undefined;
  /** The subject in a sentence: `shop`, `Deployment api`. */
  readonly of: string;
  /** The act that a refusal of the object is about. */
  readonly refused?: RefusedAct | undefined;
  /** Stands first among its tools. */
  readonly children?: ReactNode;
}

/** Objects and what ties them, live: drawn, or as a tree that says the same. */
export function GraphView({ target: place, root, of, refused, children }: GraphViewProps) {
  const { services } = useCommands();
  const { live } = useData();
  const { graphs } = useWorkspace();
  const { tab, isVisible } = useView();
  const [search, setSearch] = useViewSearch();
  const target = { ...place, withExcluded: search.excluded === excludedShown };
  const list = useLive(target, isVisible);
  const graph = useGraph(list, root);
  const { drawing, rows, model } = graph;
  const layout = useLayout(drawing);
  const canvas = useRef<CanvasHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [isNarrow, setNarrow] = useState(() => innerWidth < narrowWidth);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) =>
      setNarrow((entry?.contentRect.width ?? 0) < narrowWidth),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const isTree = (search.form ?? (isNarrow ? 'tree' : 'graph')) === 'tree';

  const cursor = useCursor({ graph, root, isTree, cluster: String(target.clusterId), places: layout.places });
  const { node, ref, drawn, row } = cursor;
  const setForm = (form: 'tree' | 'graph') => setSearch({ form });
  const step = (what: GraphStep): void => {
    if (what === 'form') setForm(isTree ? 'graph' : 'tree');
    else if (what !== 'zoomIn' && what !== 'zoomOut' && what !== 'fit') cursor.go(what);
    else if (isTree) services.toast.info('This works in the graph only, not in the tree.');
    else if (what === 'fit') canvas.current?.fit();
    else canvas.current?.zoom(what === 'zoomIn' ? 1 : -1);
  };
  // Published anew at each render: the functions see the graph of this moment.
  useEffect(() => graphs.publish(tab, { ref: () => ref, do: step }));

  const isEmpty = model.nodes.size === 0;
  const label = `${isTree ? 'Tree' : 'Graph'} of ${of}`;
  return (
    <div className="flex min-h-0 flex-1 flex-col" ref={box}>
      <Toolbar wraps="always">
        {children}
        <FormButton form="graph" isOn={!isTree} onChoose={setForm} />
        <FormButton form="tree" isOn={isTree} onChoose={setForm} />
        <span className="text-(length:--text-xs) text-text-2 narrow:hidden">
          {model.nodes.size.toLocaleString('en')} {model.nodes.size === 1 ? 'object' : 'objects'}
          {list?.total !== undefined &&
            list.total > model.nodes.size &&
            ` of ${list.total.toLocaleString('en')}: the others do not fit`}
        </span>
        <span className="min-w-0 flex-1 narrow:hidden" />
        <ExcludedToggle clusterId={target.clusterId} isConcerned />
        {!isTree && !isEmpty && <Legend />}
        {!isTree && <Zoom onStep={step} />}
      </Toolbar>
      {list?.state.message !== undefined && !isEmpty && (
        <p className="border-b border-hairline bg-raised px-2.5 py-1 text-(length:--text-xs) text-text-2">
          {list.state.message}
        </p>
      )}
      {isEmpty ? (
        <ViewBody isScrolled>
          <GraphState
            list={list}
            clusterId={target.clusterId}
            of={of}
            isRoot={root !== undefined}
            refused={refused}
            onRetry={() => live.retry(target)}
          />
        </ViewBody>
      ) : isTree ? (
        <GraphTree
          id={id}
          label={label}
          rows={rows}
          cursor={cursor.id}
          root={root}
          onCursor={cursor.set}
          onToggle={cursor.toggleRow}
          onOpen={cursor.openRow}
        />
      ) : (
        <ViewBody className="bg-sunken">
          {layout.hasFailed && (
            <ErrorAlert
              title="The graph could not be drawn."
              message="This browser cannot run the layout worker. The tree shows the same objects."
            />
          )}
          <Suspense fallback={<ScreenPending />}>
            <GraphCanvas
              id={id}
              label={label}
              drawing={drawing}
              places={layout.places}
              cursor={cursor.id}
              root={root}
              handle={canvas}
              onCursor={cursor.set}
              onOpen={cursor.openDrawn}
            />
          </Suspense>
        </ViewBody>
      )}
      {!isEmpty && (
        <GraphAbout
          node={node}
          objectRef={ref}
          text={
            node === undefined ? (drawn?.item ?? (row?.sort === 'item' ? row.item : undefined)) : undefined
          }
          ties={graph.ties.get(node?.key ?? '') ?? []}
          isRoot={node !== undefined && node.key === root}
          onOpen={() => step('open')}
          fold={cursor.foldWord}
          onFold={() => step('fold')}
        />
      )}
      <GraphStatus
        clusterId={target.clusterId}
        list={list}
        isTree={isTree}
        onRetry={() => live.retry(target)}
        model={model}
      />
    </div>
  );
}
